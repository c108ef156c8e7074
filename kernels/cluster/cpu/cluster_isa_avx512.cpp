#if defined(__x86_64__)

#include "kernels/cluster/cpu/make_cluster_table.hpp"
#include "kernels/cluster/cpu/wide_avx512.hpp"

namespace glassworks {

const ClusterKernelTable& avx512_cluster_kernels() { return cluster_kernels_of<WideAvx512>; }

}  // namespace glassworks

#endif
