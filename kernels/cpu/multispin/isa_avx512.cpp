#if defined(__x86_64__)

#include "kernels/cpu/multispin/copy_kernels.hpp"
#include "kernels/cpu/multispin/multispin_kernels.hpp"
#include "kernels/cpu/rows/wide_avx512.hpp"

namespace glassworks { inline namespace cpu {

const MultispinTable* avx512_multispin() { return multispin_tables<WideAvx512>; }
const CopyTable* avx512_copies() { return copy_tables<WideAvx512>; }

}}  // namespace glassworks::cpu

#endif
