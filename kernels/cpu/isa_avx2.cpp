#include "kernels/cpu/lanes_avx2.hpp"
#include "kernels/cpu/make_table.hpp"

namespace glassworks {

const KernelTable& avx2_kernels() { return TableOf<exact::F256>::table; }

}  // namespace glassworks
