// GCC 12 takes the undefined pass-through operand of its own AVX-512 intrinsics for an uninitialized variable.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#if defined(__x86_64__)

#include "kernels/cpu/lanes/lanes_avx512.hpp"
#include "kernels/cpu/pairs/pair_kernels.hpp"

namespace glassworks { inline namespace cpu {

const PairTable& avx512_pairs() { return PairKernels<exact::F512>::table; }

}}  // namespace glassworks::cpu

#endif
