#include "kernels/cluster/cpu/make_cluster_table.hpp"
#include "kernels/cluster/cpu/wide_portable.hpp"

namespace glassworks {

const ClusterKernelTable& portable_cluster_kernels() { return cluster_kernels_of<WidePortable>; }

}  // namespace glassworks
