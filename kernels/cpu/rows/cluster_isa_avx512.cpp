#if defined(__x86_64__)

#include "kernels/cpu/rows/make_cluster_table.hpp"
#include "kernels/cpu/rows/wide_avx512.hpp"

namespace glassworks { inline namespace cpu {

const ClusterKernelTable& avx512_cluster_kernels() { return cluster_kernels_of<WideAvx512>; }

}}  // namespace glassworks::cpu

#endif
