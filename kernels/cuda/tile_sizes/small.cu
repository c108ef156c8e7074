#include <vector>

#include "kernels/cuda/tile_kernel.cuh"

namespace glassworks {

std::vector<TileVariant> tile_small() { return {tile_variant<TileShape<4>>(), tile_variant<TileShape<6>>()}; }

}  // namespace glassworks
