#include "kernels/cuda/ladder_kernel.cuh"

namespace glassworks {

std::vector<LadderVariant> ladder_small() {
  return {
      ladder_variant<ResidentShape<4, 1, 2, 128>>(),
      ladder_variant<ResidentShape<6, 1, 2, 128>>(),
  };
}

}  // namespace glassworks
