#include <vector>

#include "kernels/cuda/tile_kernel.cuh"

namespace glassworks {

std::vector<TileVariant> tile_T16() { return {tile_variant<TileShape<16>>()}; }

}  // namespace glassworks
