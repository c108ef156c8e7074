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

/// Activates the bonds of a tile, and keeps them in shared memory and in device memory. First the projections of the
/// tile's spins come into shared memory, then every lane decides about the bonds of its site. Cost: a Philox block and
/// the spin of a site, and those of the neighbours across the faces.
template <class Shape, int n>
__device__ __forceinline__ void activate_vector_tile(const VectorWork& work, const TilePlace<Shape>& place,
                                                     const VectorSystem& system, float* projections,
                                                     std::uint32_t* words) {
  constexpr int dim = Shape::dim;
  static_assert(dim == 3 || dim == 4);
  constexpr int size[4] = {Shape::width, Shape::ty, Shape::tz, Shape::tw};
  constexpr int local_step[4] = {1, Shape::width, Shape::width * Shape::ty, Shape::width * Shape::ty * Shape::tz};
  const TileLattice& lattice = work.lattice;
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U), x_tile = 32 * part.segment_x + lane;
  const bool inside_x = place.origin[0] + x_tile < lattice.extent[0];
  const VectorLattice<n> spins(work, place.system);
  const exact::VectorN<n> r = reflection_direction<n>(work, system);
#pragma unroll 4
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!inside_x || !place.has_row(lattice, row)) continue;
    projections[row * Shape::width + x_tile] =
        exact::dot(r, spins.at(place.row_site(lattice, row) + static_cast<std::uint32_t>(x_tile)));
  }
  __syncthreads();
  const float minus_two_beta = exact::mul(-2.0F, system.beta);
#pragma unroll 1
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i), here = row * Shape::width + x_tile;
    const bool inside = inside_x && place.has_row(lattice, row);
    const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x_tile);
    const RandomBlock random = random_words(work, system, Stream::bonds, site);
    const int c[4] = {x_tile, TilePlace<Shape>::y_of(row), TilePlace<Shape>::z_of(row), TilePlace<Shape>::w_of(row)};
    std::uint32_t step = 1;
#pragma unroll
    for (int k = 0; k < dim; ++k) {
      bool active = false;
      if (inside) {
        const bool wraps = place.origin[k] + c[k] + 1 == lattice.extent[k];
        float there;
        if (!wraps && c[k] + 1 < size[k]) {
          there = projections[here + local_step[k]];
        } else {
          const std::uint32_t back = static_cast<std::uint32_t>(lattice.extent[k] - 1) * step;
          there = exact::dot(r, spins.at(wraps ? site - back : site + step));
        }
        const float J = work.couplings == nullptr
                            ? work.coupling
                            : work.couplings[(static_cast<std::size_t>(system.disorder) * lattice.sites + site) * dim +
                                             static_cast<unsigned>(k)];
        active =
            exact::is_active(exact::reflected_exponent(minus_two_beta, J, projections[here], there), random.word[k]);
      }
      const std::uint32_t bits = __ballot_sync(all_lanes, active);
      const int word = k * Shape::segments + row * Shape::words_wide + part.segment_x;
      if (lane == 0) {
        words[word] = bits;
        work.bonds[static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments +
                   static_cast<unsigned>(word)] = bits;
      }
      step *= static_cast<std::uint32_t>(lattice.extent[k]);
    }
  }
}

/// Activates the bonds of every tile and labels it. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads) vector_tiles_kernel(const __grid_constant__ VectorWork work) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const TilePlace<Shape> place(work.lattice, blockIdx.x);
  const VectorSystem system = work.systems[place.system];
  activate_vector_tile<Shape, n>(work, place, system, reinterpret_cast<float*>(labels), words);
  draw_coins(work, place, system);
  label_tile(work.lattice, place, TileBonds<Shape>{words}, labels);
  store_tile(work.lattice, place, labels, work.local, work.parent);
}

/// Reflects the clusters whose coin is 1. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads) reflect_kernel(const __grid_constant__ VectorWork work) {
  __shared__ std::uint32_t coin_of_root[Shape::sites / 32];
  const TilePlace<Shape> place(work.lattice, blockIdx.x);
  const VectorSystem system = work.systems[place.system];
  const std::uint16_t* local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const VectorLattice<n> spins(work, place.system);
  const exact::VectorN<n> r = reflection_direction<n>(work, system);
  look_up_coins<Shape, false>(work, place, local, coin_of_root);
  const TilePart<Shape> part;
  const int x = 32 * part.segment_x + static_cast<int>(threadIdx.x & 31U);
  if (place.origin[0] + x >= work.lattice.extent[0]) return;
#pragma unroll 4
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!place.has_row(work.lattice, row)) continue;
    const std::uint32_t root = local[row * Shape::width + x] & local_mask;
    if (((coin_of_root[root >> 5] >> (root & 31U)) & 1U) == 0) continue;
    const std::uint32_t site = place.row_site(work.lattice, row) + static_cast<std::uint32_t>(x);
    const exact::VectorN<n> s = spins.at(site), t = exact::reflect(s, r, exact::dot(r, s));
#pragma unroll
    for (int k = 0; k < n; ++k) spins.spins[static_cast<std::size_t>(k) * spins.sites + site] = t.c[k];
  }
}

}  // namespace glassworks
