#pragma once

#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/tile_work.cuh"

namespace glassworks { inline namespace cuda {

/// What the kernels of one Swendsen-Wang update of many Ising lattices work on.
struct IsingWork : ClusterTileWork {
  const IsingSystem* systems;     ///< [system]
  const std::uint32_t* negative;  ///< bonds with J < 0: planes[disorder][direction][plane_words]; null: none
  std::uint32_t* spins;           ///< [system][plane_words], bit = (1 + s)/2
};

/// The 32 spins from `site` on, and those one step forward along x; width of them are in the row.
template <bool Aligned>
struct SpinRow {
  std::uint32_t here, right;
  __device__ __forceinline__ SpinRow(const TileLattice& lattice, const std::uint32_t* spins, std::uint32_t site, int x,
                                     int width)
      : here(plane_bits<Aligned>(spins, site)) {
    const bool ends = x + width == lattice.extent[0];
    const std::uint32_t next = ends ? site - static_cast<std::uint32_t>(x) : site + 32;
    const std::uint32_t beyond = (spins[next >> 5] >> (next & 31U)) & 1U;
    const std::uint32_t last = 1U << (width - 1);
    right = ((here >> 1) & ~last) | (beyond != 0 ? last : 0);
  }
};

/// Activates the bonds of a tile, and keeps them in shared memory and in device memory. A bond is active if it is
/// satisfied and its random word is below the threshold of the system. Every lane first looks which bonds of one row
/// are satisfied; then the lanes draw for the sites of one row after another. Cost: half a Philox block a site in d =
/// 2, one in d = 3.
template <class Shape, bool Aligned>
__device__ __forceinline__ void activate_tile(const IsingWork& work, const ClusterTilePlace<Shape>& place,
                                              const IsingSystem& system, std::uint32_t* words) {
  constexpr int directions = Shape::directions, sites_per_block = Shape::dim == 2 ? 2 : 1;
  constexpr int rows = TilePart<Shape>::rows;
  static_assert(Shape::dim == 2 || Shape::dim == 3);
  constexpr int chunk = rows < 32 ? rows : 32;
  static_assert(rows % chunk == 0 && chunk % 2 == 0 && Shape::sy % 2 == 0);
  const TileLattice& lattice = work.lattice;
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const int x = place.origin[0] + 32 * part.segment_x, width = place.segment_width(lattice, 32 * part.segment_x);
  const std::uint32_t valid = width > 0 ? all_lanes >> (32 - width) : 0;
  const std::uint32_t* spins = work.spins + static_cast<std::size_t>(place.system) * lattice.plane_words;
  const auto L = static_cast<std::uint32_t>(lattice.extent[0]);
#pragma unroll 1
  for (int first = 0; first < rows; first += chunk) {
    const int own_row = part.row(first + min(lane, chunk - 1));
    std::uint32_t satisfied[directions], active[directions];
#pragma unroll
    for (int k = 0; k < directions; ++k) satisfied[k] = active[k] = 0;
    if (width > 0 && place.has_row(lattice, own_row)) {
      const std::uint32_t site = place.row_site(lattice, own_row) + static_cast<std::uint32_t>(32 * part.segment_x);
      const SpinRow<Aligned> row(lattice, spins, site, x, width);
      satisfied[0] = ~(row.here ^ row.right);
      const std::uint32_t y = static_cast<std::uint32_t>(place.origin[1] + ClusterTilePlace<Shape>::y_of(own_row));
      satisfied[1] = ~(row.here ^ plane_bits<Aligned>(spins, y + 1 < L ? site + L : site - y * L));
      if constexpr (Shape::dim == 3) {
        const std::uint32_t z = static_cast<std::uint32_t>(place.origin[2] + ClusterTilePlace<Shape>::z_of(own_row));
        satisfied[2] = ~(row.here ^ plane_bits<Aligned>(spins, z + 1 < L ? site + L * L : site - z * L * L));
      }
#pragma unroll
      for (int k = 0; k < directions; ++k) {
        if (work.negative != nullptr) {
          satisfied[k] ^= plane_bits<Aligned>(work.negative + lattice.word_of(system.disorder, directions, k, 0), site);
        }
        satisfied[k] &= valid;
      }
    }
#pragma unroll 2
    for (int i = 0; i < chunk; i += sites_per_block) {
      const int row = part.row(first + i);
      const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(32 * part.segment_x + lane);
      std::uint32_t block = site;
      if constexpr (Shape::dim == 2) {
        const std::uint32_t y = static_cast<std::uint32_t>(place.origin[1] + ClusterTilePlace<Shape>::y_of(row));
        block = static_cast<std::uint32_t>(x + lane) + L * (y / 2);
      }
      const RandomBlock random = random_words(work, system, Stream::bonds, block);
#pragma unroll
      for (int h = 0; h < sites_per_block; ++h) {
#pragma unroll
        for (int k = 0; k < directions; ++k) {
          const std::uint32_t drawn =
              __ballot_sync(all_lanes, random.word[(Shape::dim == 2 ? 2 * h : 0) + k] < system.threshold);
          if (lane == i + h) active[k] = drawn & satisfied[k];
        }
      }
    }
    if (lane >= chunk) continue;
#pragma unroll
    for (int k = 0; k < directions; ++k) {
      store_bonds(work, place, words, k, own_row * Shape::words_wide + part.segment_x, active[k]);
    }
  }
}

/// Activates the bonds of every tile and labels it. One block a tile.
template <class Shape, bool Aligned>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    ising_tiles_kernel(const __grid_constant__ IsingWork work) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const ClusterTilePlace<Shape> place(work.lattice, blockIdx.x);
  begin_overlapped();
  const IsingSystem system = work.systems[place.system];
  activate_tile<Shape, Aligned>(work, place, system, words);
  draw_coins(work, place, system);
  separate_roots(work.lattice, place, work.roots, work.parent);
  label_tile(work.lattice, place, words, labels);
  store_tile(work.lattice, place, labels, work.local, work.roots);
}

/// Flips the clusters whose coin is 1. One block a tile. Whole: rows are multiples of eight sites, so that every thread
/// owns whole bytes of spins.
template <class Shape, bool Whole>
__global__ void __launch_bounds__(Shape::threads) ising_flip_kernel(const __grid_constant__ IsingWork work) {
  __shared__ std::uint32_t coin_of_root[Shape::segments];
  const ClusterTilePlace<Shape> place(work.lattice, blockIdx.x);
  const std::uint16_t* local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* spins = work.spins + static_cast<std::size_t>(place.system) * work.lattice.plane_words;
  begin_overlapped();
  look_up_coins<Shape>(work, place, coin_of_root);
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(work.lattice, place, local, j);
    if (eight.width == 0) continue;
    unsigned flips = coins_of(eight, coin_of_root);
    if (!Whole) flips &= 255U >> (8 - eight.width);
    if constexpr (Whole) {
      std::uint8_t* const byte = reinterpret_cast<std::uint8_t*>(spins) + (eight.site >> 3);
      *byte = static_cast<std::uint8_t>(*byte ^ flips);
    } else if (flips != 0) {
      const std::uint32_t shift = eight.site & 31U;
      atomicXor(spins + (eight.site >> 5), flips << shift);
      if (shift > 24 && (flips >> (32 - shift)) != 0) atomicXor(spins + (eight.site >> 5) + 1, flips >> (32 - shift));
    }
  }
}

}}  // namespace glassworks::cuda
