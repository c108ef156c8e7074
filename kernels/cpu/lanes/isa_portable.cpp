#include "kernels/cpu/lanes/lanes_portable.hpp"
#include "kernels/cpu/lanes/make_table.hpp"

namespace glassworks { inline namespace cpu {

const KernelTable& portable_kernels() { return TableOf<exact::F128>::table; }

}}  // namespace glassworks::cpu
