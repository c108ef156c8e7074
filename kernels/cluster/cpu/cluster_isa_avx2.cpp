#if defined(__x86_64__)

#include "kernels/cluster/cpu/make_cluster_table.hpp"
#include "kernels/cluster/cpu/wide_avx2.hpp"

namespace glassworks {

const ClusterKernelTable& avx2_cluster_kernels() { return cluster_kernels_of<WideAvx2>; }

}  // namespace glassworks

#endif
