#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L20() { return {resident_variant<ResidentShape<20, 1, 4, 128>>()}; }

}  // namespace glassworks
