#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L24() { return {resident_variant<ResidentShape<24, 4, 2, 1, 128>>()}; }

}  // namespace glassworks
