#pragma once

#include "kernels/cluster/activation.hpp"
#include "kernels/cluster/vector_spin.hpp"
#include "kernels/cuda/cluster/tile_work.cuh"
#include "kernels/cuda/cluster/vector_updates.hpp"

namespace glassworks {

/// What the kernels of one embedded Swendsen-Wang update of many lattices of vectors work on.
struct VectorWork : TileWork {
  const VectorSystem* systems;  ///< [system]
  const float* couplings;       ///< [disorder][site][axis]; null: all are `coupling`
  float coupling;
  float* spins;  ///< [system][component][site]
};

/// One lattice of vectors.
template <int n>
struct VectorLattice {
  float* spins;
  std::uint32_t sites;

  __device__ __forceinline__ VectorLattice(const VectorWork& work, unsigned system)
      : spins(work.spins + static_cast<std::size_t>(system) * n * work.lattice.sites), sites(work.lattice.sites) {}
  [[nodiscard]] __device__ __forceinline__ exact::VectorN<n> at(std::uint32_t site) const {
    exact::VectorN<n> s;
#pragma unroll
    for (int k = 0; k < n; ++k) s.c[k] = spins[static_cast<std::size_t>(k) * sites + site];
    return s;
  }
};

/// The direction of the reflection of a system, the same in all threads of a block.
template <int n>
__device__ __forceinline__ exact::VectorN<n> reflection_direction(const VectorWork& work, const VectorSystem& system) {
  __shared__ exact::VectorN<n> shared_direction;
  if (threadIdx.x == 0) {
    shared_direction = exact::random_direction<n>(random_words(work, system, Stream::reflection, direction_block));
  }
  __syncthreads();
  return shared_direction;
}

/// Where the projections of a tile and of its neighbours beyond the faces are in shared memory: the rows of the tile,
/// then, for y, z and w, the rows beyond the face at the upper end, then one number a row for the site beyond along x.
template <class Shape>
struct ProjectionRows {
  static_assert(Shape::words_wide == 1 && (Shape::dim == 3 || Shape::dim == 4));
  static constexpr int beyond_y = Shape::rows, beyond_z = beyond_y + Shape::tz * Shape::tw;
  static constexpr int beyond_w = beyond_z + Shape::ty * Shape::tw;
  static constexpr int all = beyond_w + (Shape::dim > 3 ? Shape::ty * Shape::tz : 0);
  static constexpr int beyond_x = 32 * all;
  static constexpr std::size_t bytes = 4 * (32 * static_cast<std::size_t>(all) + Shape::rows);

  /// Coordinates in the tile of a row, beyond it where one equals the edge of the tile.
  struct Row {
    int y, z, w;
    __device__ __forceinline__ explicit Row(int row)
        : y(TilePlace<Shape>::y_of(row)), z(TilePlace<Shape>::z_of(row)), w(TilePlace<Shape>::w_of(row)) {
      if (row >= beyond_w) {
        const int i = row - beyond_w;
        y = i % Shape::ty, z = i / Shape::ty, w = Shape::tw;
      } else if (row >= beyond_z) {
        const int i = row - beyond_z;
        y = i % Shape::ty, z = Shape::tz, w = i / Shape::ty;
      } else if (row >= beyond_y) {
        const int i = row - beyond_y;
        y = Shape::ty, z = i % Shape::tz, w = i / Shape::tz;
      }
    }
  };
  /// Row of the neighbours along axis 1, 2 or 3 of those in row `row` of the tile.
  [[nodiscard]] static __device__ __forceinline__ int next(const TileLattice& lattice, const TilePlace<Shape>& place,
                                                           int row, int axis) {
    const int y = TilePlace<Shape>::y_of(row), z = TilePlace<Shape>::z_of(row), w = TilePlace<Shape>::w_of(row);
    if (axis == 1) return y < place.last(lattice, 1) ? row + 1 : beyond_y + z + Shape::tz * w;
    if (axis == 2) return z < place.last(lattice, 2) ? row + Shape::ty : beyond_z + y + Shape::ty * w;
    return w < place.last(lattice, 3) ? row + Shape::ty * Shape::tz : beyond_w + y + Shape::ty * z;
  }
};

/// Brings the projections r.s of a tile and of the neighbours beyond its upper faces into shared memory.
template <class Shape, int n>
__device__ __forceinline__ void project_tile(const TileLattice& lattice, const TilePlace<Shape>& place,
                                             const VectorLattice<n>& spins, const exact::VectorN<n>& r,
                                             float* projections) {
  using Rows = ProjectionRows<Shape>;
  constexpr int warps = Shape::threads / 32, turns = (Rows::all + warps - 1) / warps;
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x & 31U);
  const auto project = [&](int x, const typename Rows::Row& row, int to) {
    int c[4] = {place.origin[0] + x, place.origin[1] + row.y, place.origin[2] + row.z, 0};
    if (row.y == Shape::ty && c[1] >= lattice.extent[1]) c[1] = 0;
    if (row.z == Shape::tz && c[2] >= lattice.extent[2]) c[2] = 0;
    bool inside = c[0] < lattice.extent[0] && c[1] < lattice.extent[1] && c[2] < lattice.extent[2];
    if constexpr (Shape::dim > 3) {
      c[3] = place.origin[3] + row.w;
      if (row.w == Shape::tw && c[3] >= lattice.extent[3]) c[3] = 0;
      inside = inside && c[3] < lattice.extent[3];
    }
    const int site = c[0] + lattice.extent[0] * (c[1] + lattice.extent[1] * (c[2] + lattice.extent[2] * c[3]));
    if (inside) projections[to] = exact::dot(r, spins.at(static_cast<std::uint32_t>(site)));
  };
#pragma unroll 4
  for (int i = 0; i < turns; ++i) {
    const int row = warp + i * warps;
    if (Rows::all % warps == 0 || row < Rows::all) project(lane, typename Rows::Row(row), 32 * row + lane);
  }
  if (Shape::closes_x(lattice)) return;
  const int beyond = place.origin[0] + 32 < lattice.extent[0] ? 32 : -place.origin[0];
  for (int row = static_cast<int>(threadIdx.x); row < Shape::rows; row += Shape::threads) {
    project(beyond, typename Rows::Row(row), Rows::beyond_x + row);
  }
}

/// Activates the bonds of a tile, and keeps them in shared memory and in device memory. Every lane decides about the
/// bonds of its site. Cost: a Philox block and the spin of a site, and those of the neighbours across the faces.
template <class Shape, int n>
__device__ __forceinline__ void activate_vector_tile(const VectorWork& work, const TilePlace<Shape>& place,
                                                     const VectorSystem& system, const float* projections,
                                                     std::uint32_t* words) {
  using Rows = ProjectionRows<Shape>;
  constexpr int dim = Shape::dim;
  const TileLattice& lattice = work.lattice;
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U), last_x = place.last(lattice, 0);
  const float minus_two_beta = exact::mul(-2.0F, system.beta);
#pragma unroll 1
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    const bool inside = lane <= last_x && place.has_row(lattice, row);
    const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(lane);
    const RandomBlock random = random_words(work, system, Stream::bonds, site);
    const float here = projections[32 * row + lane];
    const int ends = Shape::closes_x(lattice) ? 32 * row : Rows::beyond_x + row;
    std::uint32_t mine = 0;
#pragma unroll
    for (int k = 0; k < dim; ++k) {
      const int next = k > 0           ? 32 * Rows::next(lattice, place, row, k) + lane
                       : lane < last_x ? 32 * row + lane + 1
                                       : ends;
      bool active = false;
      if (inside) {
        const float J = work.couplings == nullptr
                            ? work.coupling
                            : work.couplings[(static_cast<std::size_t>(system.disorder) * lattice.sites + site) * dim +
                                             static_cast<unsigned>(k)];
        active =
            exact::is_active(exact::reflected_exponent(minus_two_beta, J, here, projections[next]), random.word[k]);
      }
      const std::uint32_t bits = __ballot_sync(all_lanes, active);
      if (lane == k) mine = bits;
    }
    if (lane < dim) store_bonds(work, place, words, lane, row, mine);
  }
}

/// Shared memory of vector_tiles_kernel: the projections, and in their place later the labels; the bonds.
template <class Shape>
constexpr std::size_t vector_tile_bytes = std::max(ProjectionRows<Shape>::bytes,
                                                   4 * static_cast<std::size_t>(Shape::sites)) +
                                          4 * static_cast<std::size_t>(Shape::directions* Shape::segments);

/// Activates the bonds of every tile and labels it. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    vector_tiles_kernel(const __grid_constant__ VectorWork work) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const words = shared_words;
  std::uint32_t* const labels = words + Shape::directions * Shape::segments;
  float* const projections = reinterpret_cast<float*>(labels);
  const TilePlace<Shape> place(work.lattice, blockIdx.x);
  begin_overlapped();
  const VectorSystem system = work.systems[place.system];
  const exact::VectorN<n> r = reflection_direction<n>(work, system);
  project_tile(work.lattice, place, VectorLattice<n>(work, place.system), r, projections);
  __syncthreads();
  activate_vector_tile<Shape, n>(work, place, system, projections, words);
  draw_coins(work, place, system);
  label_tile(work.lattice, place, TileBonds<Shape>{words}, labels);
  store_tile(work.lattice, place, labels, work.local, work.parent);
}

/// Reflects the clusters whose coin is 1. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    reflect_kernel(const __grid_constant__ VectorWork work) {
  constexpr int rows = TilePart<Shape>::rows, together = rows < 4 ? rows : 4;
  static_assert(Shape::words_wide == 1 && rows % together == 0);
  __shared__ std::uint32_t coin_of_root[Shape::rows];
  const TileLattice& lattice = work.lattice;
  const TilePlace<Shape> place(lattice, blockIdx.x);
  const VectorSystem system = work.systems[place.system];
  const std::uint16_t* local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const std::uint32_t* coins = work.coins + static_cast<std::size_t>(place.system) * work.coin_words;
  const std::uint32_t* parent = work.parent + static_cast<std::size_t>(place.system) * lattice.sites;
  const VectorLattice<n> spins(work, place.system);
  const exact::VectorN<n> r = reflection_direction<n>(work, system);
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const bool inside_x = lane <= place.last(lattice, 0);
  begin_overlapped();
  // The coins of the clusters of the tile, a bit at their root there: `together` rows look for them at the same time.
#pragma unroll 1
  for (int first = 0; first < rows; first += together) {
    std::uint32_t at[together];
    bool is_root[together], goes[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int row = part.row(first + i);
      const std::uint32_t here = static_cast<std::uint32_t>(32 * row + lane);
      const std::uint32_t root = inside_x && place.has_row(lattice, row) ? local[here] : local_mask;
      is_root[i] = (root & local_mask) == here;
      goes[i] = is_root[i] && root != here;
      at[i] = place.row_site(lattice, row) + static_cast<std::uint32_t>(lane);
    }
    for (bool moves = true; moves;) {
      moves = false;
#pragma unroll
      for (int i = 0; i < together; ++i) {
        if (!goes[i]) continue;
        const std::uint32_t above = __ldcg(parent + at[i]);
        goes[i] = above != at[i];
        at[i] = above;
        moves = moves || goes[i];
      }
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const bool moves = is_root[i] && ((coins[at[i] >> 5] >> (at[i] & 31U)) & 1U) != 0;
      const std::uint32_t bits = __ballot_sync(all_lanes, moves);
      if (lane == 0) coin_of_root[part.row(first + i)] = bits;
    }
  }
  __syncthreads();
  if (!inside_x) return;
#pragma unroll 4
  for (int i = 0; i < rows; ++i) {
    const int row = part.row(i);
    if (!place.has_row(lattice, row)) continue;
    const std::uint32_t root = local[32 * row + lane] & local_mask;
    if (((coin_of_root[root >> 5] >> (root & 31U)) & 1U) == 0) continue;
    const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(lane);
    const exact::VectorN<n> s = spins.at(site), t = exact::reflect(s, r, exact::dot(r, s));
#pragma unroll
    for (int k = 0; k < n; ++k) spins.spins[static_cast<std::size_t>(k) * spins.sites + site] = t.c[k];
  }
}

}  // namespace glassworks
