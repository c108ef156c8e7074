#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/lanes/make_table.hpp"

namespace glassworks::inline cpu {

const KernelTable& portable_kernels() { return TableOf<float>::table; }

}  // namespace glassworks::inline cpu
