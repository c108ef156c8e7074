#if defined(__x86_64__)

#include "kernels/cpu/lanes/lanes_avx2.hpp"
#include "kernels/cpu/pairs/pair_kernels.hpp"

namespace glassworks { inline namespace cpu {

const PairTable& avx2_pairs() { return PairKernels<exact::F256>::table; }

}}  // namespace glassworks::cpu

#endif
