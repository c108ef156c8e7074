#if defined(__x86_64__)

#include "kernels/cpu/multispin/copy_kernels.hpp"
#include "kernels/cpu/multispin/multispin_kernels.hpp"
#include "kernels/cpu/rows/wide_avx2.hpp"

namespace glassworks { inline namespace cpu {

const MultispinTable* avx2_multispin() { return multispin_tables<WideAvx2>; }
const CopyTable* avx2_copies() { return copy_tables<WideAvx2>; }

}}  // namespace glassworks::cpu

#endif
