#include "kernels/cpu/multispin/multispin_kernels.hpp"
#include "kernels/cpu/rows/wide_portable.hpp"

namespace glassworks { inline namespace cpu {

const MultispinTable* portable_multispin() { return multispin_tables<WidePortable>; }

}}  // namespace glassworks::cpu
