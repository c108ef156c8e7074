#include "kernels/cpu/lanes/lanes_portable.hpp"
#include "kernels/cpu/neighbours/graph_kernels.hpp"

namespace glassworks { inline namespace cpu {

const GraphTable* portable_graph_kernels(const SpinModel& model) { return graph_kernels_of<exact::F128>(model); }

}}  // namespace glassworks::cpu
