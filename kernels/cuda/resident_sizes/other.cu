#include "kernels/cuda/resident_kernel.cuh"

namespace glassworks {

std::vector<ResidentVariant> resident_other() {
  return {
      resident_variant<ResidentShape<10, 1, 2, 128>>(),
      resident_variant<ResidentShape<14, 1, 2, 128>>(),
  };
}

}  // namespace glassworks
