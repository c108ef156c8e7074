#include "kernels/cpu/multispin/copy_kernels.hpp"
#include "kernels/cpu/multispin/multispin_kernels.hpp"
#include "kernels/cpu/rows/wide_portable.hpp"

namespace glassworks { inline namespace cpu {

const MultispinTable* portable_multispin() { return multispin_tables<WidePortable>; }
const CopyTable* portable_copies() { return copy_tables<WidePortable>; }

}}  // namespace glassworks::cpu
