#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_L12() { return {resident_variant<ResidentShape<12, 1, 4, 168>>()}; }

}  // namespace glassworks
