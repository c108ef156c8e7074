#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L24() { return {resident_variant<ResidentShape<24, 2, 4, 128>>()}; }

}  // namespace glassworks
