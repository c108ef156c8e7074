#include <vector>

#include "kernels/cuda/tile_kernel.cuh"

namespace glassworks {

std::vector<TileVariant> tile_T8() { return {tile_variant<TileShape<8>>()}; }

}  // namespace glassworks
