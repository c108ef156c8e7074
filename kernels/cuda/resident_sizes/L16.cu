#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L16() { return {resident_variant<ResidentShape<16, 1, 2, 128>>()}; }

}  // namespace glassworks
