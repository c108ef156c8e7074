#include "kernels/cpu/lanes/lanes_avx2.hpp"
#include "kernels/cpu/lanes/make_table.hpp"

namespace glassworks { inline namespace cpu {

const KernelTable& avx2_kernels() { return TableOf<exact::F256>::table; }

}}  // namespace glassworks::cpu
