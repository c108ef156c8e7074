#if defined(__x86_64__)

#include "kernels/cpu/rows/make_cluster_table.hpp"
#include "kernels/cpu/rows/wide_avx2.hpp"

namespace glassworks { inline namespace cpu {

const ClusterKernelTable& avx2_cluster_kernels() { return cluster_kernels_of<WideAvx2>; }

}}  // namespace glassworks::cpu

#endif
