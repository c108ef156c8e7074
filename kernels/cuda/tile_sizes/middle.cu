#include <vector>

#include "kernels/cuda/tile_kernel.cuh"

namespace glassworks {

std::vector<TileVariant> tile_middle() { return {tile_variant<TileShape<10>>(), tile_variant<TileShape<12>>()}; }

}  // namespace glassworks
