#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L32() { return {resident_variant<ResidentShape<32, 8, 2, 128>>()}; }

}  // namespace glassworks
