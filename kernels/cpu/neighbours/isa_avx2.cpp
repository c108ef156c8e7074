#if defined(__x86_64__)

#include "kernels/cpu/lanes/lanes_avx2.hpp"
#include "kernels/cpu/neighbours/graph_kernels.hpp"

namespace glassworks { inline namespace cpu {

const GraphTable* avx2_graph_kernels(const SpinModel& model) { return graph_kernels_of<exact::F256>(model); }

}}  // namespace glassworks::cpu

#endif
