#pragma once

#include "kernels/core/host_device.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// Layout of the tile kernel: one tile of T^3 sites of one replica is a work item; a thread holds 2 x 2 x 2 of its
/// sites and their couplings in registers. Shared memory shows the spins of the tile and of its halo, the six faces
/// around it.
///
/// Shared memory, in floats: [component][row][item][thread]. Thread = X + T/2 (Y + T/2 Z) owns the sites (2X + q mod 2,
/// 2Y + q / 2, 2Z + k), which stand in the rows `row(k, q)` = 0..7. A halo site stands where its image inside the tile
/// (its coordinates modulo T) has its thread number, so that reading a neighbour meets each bank once, and in a later
/// row: own row
/// + left .. below. The order of q in a row is such that the side faces, of which every other q exists, interlock:
///
///     face         q of its sites   row(0, q)   sites' row          threads of the images
///     x+ (right)   0, 2             0, 3        8, 11, 12, 15       X = 0
///     x- (left)    1, 3             1, 2        11, 12, 15, 16      X = T/2 - 1
///     y+ (up)      0, 1             0, 1        9, 10, 13, 14       Y = 0
///     y- (down)    2, 3             2, 3        9, 10, 13, 14       Y = T/2 - 1
///     z+, z-       all; k = 0, 1    0 - 3       17 - 20             Z = 0, T/2 - 1
template <int T_, int registers_ = 128, class Chain_ = HeisenbergChain>
struct TileShape {
  using Chain = Chain_;
  static constexpr int T = T_, registers = registers_, components = Chain::value.components;
  static constexpr int half = T / 2;
  static constexpr int columns = half * half;
  static constexpr int threads_per_item = half * columns;
  /// Small tiles: several replicas share a warp.
  static constexpr int items = threads_per_item <= 16 ? 32 / threads_per_item : 1;
  static constexpr int threads = (threads_per_item * items + 31) / 32 * 32;

  static constexpr int rows = 21;
  static constexpr int component_stride = rows * threads;
  static constexpr int shared_bytes = components * component_stride * 4;

  /// Distance of a halo site's row from the row of its image in the tile.
  static constexpr int right = 8, left = 10, up = 9, down = 7, above = 17, below = 13;
  [[nodiscard]] static GLASSWORKS_HD constexpr int row(int k, int q) { return 4 * k + (q ^ (q >> 1)); }

  /// Target number of blocks per multiprocessor; the compiler limits the registers of a thread accordingly.
  static constexpr int blocks_per_multiprocessor = 65536 / (registers * threads);

  static_assert(T % 2 == 0 && half >= 2 && blocks_per_multiprocessor >= 1);
};

}}  // namespace glassworks::cuda
