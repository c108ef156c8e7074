#include "kernels/cpu/lanes/lanes_portable.hpp"
#include "kernels/cpu/pairs/pair_kernels.hpp"

namespace glassworks { inline namespace cpu {

const PairTable& portable_pairs() { return PairKernels<exact::F128>::table; }

}}  // namespace glassworks::cpu
