#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L8() { return {resident_variant<ResidentShape<8, 1, 2, 128>>()}; }

}  // namespace glassworks
