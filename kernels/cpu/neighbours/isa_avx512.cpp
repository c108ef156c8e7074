// GCC 12 takes the undefined pass-through operand of its own AVX-512 intrinsics for an uninitialized variable.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#if defined(__x86_64__)

#include "kernels/cpu/lanes/lanes_avx512.hpp"
#include "kernels/cpu/neighbours/graph_kernels.hpp"

namespace glassworks { inline namespace cpu {

const GraphTable* avx512_graph_kernels(const SpinModel& model) { return graph_kernels_of<exact::F512>(model); }

}}  // namespace glassworks::cpu

#endif
