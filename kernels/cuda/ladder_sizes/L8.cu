#include "kernels/cuda/ladder_kernel.cuh"

namespace glassworks {

std::vector<LadderVariant> ladder_L8() { return {ladder_variant<ResidentShape<8, 1, 2, 128>>()}; }

}  // namespace glassworks
