#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_small() {
  return {
      resident_variant<ResidentShape<4, 1, 2, 128>>(),
      resident_variant<ResidentShape<6, 1, 2, 128>>(),
  };
}

}  // namespace glassworks
