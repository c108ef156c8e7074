#include "kernels/cpu/rows/make_cluster_table.hpp"
#include "kernels/cpu/rows/wide_portable.hpp"

namespace glassworks { inline namespace cpu {

const ClusterKernelTable& portable_cluster_kernels() { return cluster_kernels_of<WidePortable>; }

}}  // namespace glassworks::cpu
