// GCC 12 takes the undefined pass-through operand of its own AVX-512 intrinsics for an uninitialized variable.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include "kernels/cpu/lanes/lanes_avx512.hpp"
#include "kernels/cpu/lanes/make_table.hpp"

namespace glassworks { inline namespace cpu {

const KernelTable& avx512_kernels() { return TableOf<exact::F512>::table; }

}}  // namespace glassworks::cpu
