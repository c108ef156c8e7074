#include "kernels/cpu/lanes.hpp"
#include "kernels/cpu/make_table.hpp"

namespace glassworks {

const KernelTable& portable_kernels() { return TableOf<float>::table; }

}  // namespace glassworks
