#pragma once

#include "kernels/cuda/cluster/strips/strip_work.cuh"
#include "kernels/cuda/cluster/tile_faces.cuh"

namespace glassworks { inline namespace cuda {

/// activate_tile (ising_tiles.cuh) for a tile of a strip, by any number of bit planes. The bonds across the cut below
/// the strip go to its rows alone, so that nothing joins its last row to its first one.
template <class Shape, class Move>
__device__ __forceinline__ void activate_strip_tile(const StripWork& work, const ClusterTilePlace<Shape>& place,
                                                    std::uint32_t* words) {
  constexpr int rows = TilePart<Shape>::rows;
  static_assert(Shape::dim == 2 && rows % 2 == 0 && rows <= 32);
  const TileLattice& lattice = work.lattice;
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const std::uint32_t L = work.width(), words_of_row = L / 32;
  const auto x = static_cast<std::uint32_t>(place.origin[0] + 32 * part.segment_x);
  const int own_row = part.row(min(lane, rows - 1));
  const auto own_y = static_cast<std::uint32_t>(place.origin[1] + own_row);
  const bool has = x < L && place.has_row(lattice, own_row);
  std::uint32_t satisfied[2] = {0, 0}, active[2] = {0, 0};
  if (has) {
    const std::uint32_t begin = own_y * words_of_row, word = begin + x / 32;
    const std::uint32_t next = x + 32 == L ? begin : word + 1;
    satisfied[0] = satisfied[1] = all_lanes;
    for (int p = 0; p < Move::planes(work); ++p) {
      const std::uint32_t* const plane = work.spins + static_cast<std::size_t>(p) * work.spin_words;
      const std::uint32_t here = plane[word];
      satisfied[0] &= ~(here ^ __funnelshift_r(here, plane[next], 1));
      satisfied[1] &= ~(here ^ plane[word + words_of_row]);
    }
    if (work.open_x && x + 32 == L) satisfied[0] &= all_lanes >> 1;
    if (work.open_below && own_y + 1 == work.row_count()) satisfied[1] = 0;
  }
  const std::uint64_t first_row = work.first_row + static_cast<std::uint32_t>(place.origin[1]);
#pragma unroll 2
  for (int i = 0; i < rows; i += 2) {
    const std::uint64_t y = first_row + static_cast<std::uint32_t>(part.row(i));
    const RandomBlock random = work.random(Stream::bonds, square_bond_block(L, x + static_cast<unsigned>(lane), y));
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const std::uint32_t drawn = __ballot_sync(all_lanes, random.word[2 * h + k] < work.threshold);
        if (lane == i + h) active[k] = drawn & satisfied[k];
      }
    }
  }
  if (lane >= rows) return;
  if (has && own_y + 1 == work.row_count()) {
    work.rows[work.seam.cut() + x / 32] = active[1];
    active[1] = 0;
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    store_bonds(work, place, words, k, own_row * Shape::words_wide + part.segment_x, active[k]);
  }
}

/// Draws the fates of all possible roots; the tiles of the strip share them evenly.
template <class Shape, class Move>
__device__ __forceinline__ void draw_fates(const StripWork& work, const ClusterTilePlace<Shape>& place) {
  constexpr std::uint32_t words = Move::words_of_draw;
  const std::uint32_t before = static_cast<std::uint32_t>(work.first_site / 32) % words;  // of other strips
  const std::uint32_t draws = (before + work.fate_words + words - 1) / words;
  const std::uint32_t share = (draws + work.lattice.tiles_of_one() - 1) / work.lattice.tiles_of_one();
  const std::uint32_t first = place.tile * share, last = min(first + share, draws);
  for (std::uint32_t d = first + threadIdx.x; d < last; d += Shape::threads) {
    std::uint32_t bits[words][Move::most_planes];
    Move::draw(work, work.first_site - 32 * before + std::uint64_t{32 * words} * d, bits);
#pragma unroll
    for (std::uint32_t k = 0; k < words; ++k) {
      const std::uint32_t word = words * d + k - before;
      if (word >= work.fate_words) continue;  // of other strips
#pragma unroll
      for (int p = 0; p < Move::most_planes; ++p) {
        if (p < Move::planes(work)) work.fates[static_cast<std::size_t>(p) * work.fate_words + word] = bits[k][p];
      }
    }
  }
}

/// Activates the bonds of every tile and labels it. One block a tile. Cost: half a Philox block a site, and 1/128
/// (ising) or 1/4 (potts) for the fates.
template <class Shape, class Move>
__global__ void __launch_bounds__(Shape::threads) strip_tiles_kernel(const __grid_constant__ StripWork work) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const ClusterTilePlace<Shape> place(work.lattice, blockIdx.x);
  activate_strip_tile<Shape, Move>(work, place, words);
  draw_fates<Shape, Move>(work, place);
  separate_roots(work.lattice, place, work.roots, work.parent);
  label_tile(work.lattice, place, words, labels);
  store_tile(work.lattice, place, labels, work.local, work.roots);
}

/// Roots of the sites of the first and the last row. One thread for each x.
template <class Shape>
__global__ void __launch_bounds__(256) strip_rows_kernel(const __grid_constant__ StripWork work) {
  const std::uint32_t x = blockIdx.x * 256U + threadIdx.x;
  if (x >= work.width()) return;
  const auto root = [&](std::uint32_t y) {
    const std::uint32_t c[4] = {x, y, 0, 0};
    return find_root(work.parent, root_in_tile(work.lattice, SitePlace<Shape>(work.lattice, 0, c), work.local));
  };
  SeamRows{work.seam, work.rows}.put(x, root(0), root(work.row_count() - 1));
}

/// Gives the clusters that go on in other strips the fate of their root in the lattice. One thread a node.
template <class Move>
__global__ void __launch_bounds__(256)
    strip_fates_kernel(const __grid_constant__ StripWork work, const unsigned long long* canonical) {
  const std::uint32_t node = blockIdx.x * 256U + threadIdx.x;
  if (node >= work.seam.nodes()) return;
  const std::uint32_t root = SeamRows{work.seam, work.rows}.root_of(node);
  if (root == SeamLayout::empty || canonical[node] == work.first_site + root) return;
  const std::uint32_t fate = Move::fate(work, canonical[node]), bit = 1U << (root & 31U);
  for (int p = 0; p < Move::planes(work); ++p) {
    std::uint32_t* const word = work.fates + static_cast<std::size_t>(p) * work.fate_words + (root >> 5);
    if (((fate >> p) & 1U) != 0) {
      atomicOr(word, bit);
    } else {
      atomicAnd(word, ~bit);
    }
  }
}

/// look_up_coins (tile_work.cuh) for any number of planes: fate_of_root[plane][site of the tile / 32].
template <class Shape, class Move>
__device__ __forceinline__ void look_up_fates(const StripWork& work, const ClusterTilePlace<Shape>& place,
                                              std::uint32_t (&fate_of_root)[Move::most_planes][Shape::sites / 32]) {
  __shared__ std::uint16_t linked_roots[Shape::face_sites];
  __shared__ unsigned linked_count;
  const std::uint32_t* const roots = tile_roots<Shape>(work.roots, place.tile);
  if (threadIdx.x == 0) linked_count = 0;
  __syncthreads();
  list_linked_roots<Shape>(roots, linked_roots, &linked_count);
  for (int word = static_cast<int>(threadIdx.x); word < Shape::segments; word += Shape::threads) {
    const std::uint32_t alone = roots[word] & ~roots[Shape::segments + word];
    const std::uint32_t site = place.site(work.lattice, static_cast<std::uint32_t>(32 * word));
    for (int p = 0; p < Move::planes(work); ++p) {
      const std::size_t plane = static_cast<std::size_t>(p) * work.fate_words;
      fate_of_root[p][word] = alone == 0 ? 0 : alone & work.fates[plane + site / 32];  // rows are whole words
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < linked_count; i += Shape::threads) {
    const std::uint32_t here = linked_roots[i];
    const std::uint32_t root = find_root_halving(work.parent, place.site(work.lattice, here));
    for (int p = 0; p < Move::planes(work); ++p) {
      const std::uint32_t word = work.fates[static_cast<std::size_t>(p) * work.fate_words + (root >> 5)];
      if (((word >> (root & 31U)) & 1U) != 0) atomicOr(fate_of_root[p] + (here >> 5), 1U << (here & 31U));
    }
  }
  __syncthreads();
}

/// Moves all clusters. One block a tile; a thread owns whole bytes of every plane.
template <class Shape, class Move>
__global__ void __launch_bounds__(Shape::threads) strip_move_kernel(const __grid_constant__ StripWork work) {
  static_assert(Shape::sites % (8 * Shape::threads) == 0);
  __shared__ std::uint32_t fate_of_root[Move::most_planes][Shape::sites / 32];
  const ClusterTilePlace<Shape> place(work.lattice, blockIdx.x);
  const std::uint16_t* const local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  look_up_fates<Shape, Move>(work, place, fate_of_root);
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(work.lattice, place, local, j);
    if (eight.width == 0) continue;
    for (int p = 0; p < Move::planes(work); ++p) {
      unsigned fates = 0;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const std::uint32_t root = eight.root(k);
        fates |= ((fate_of_root[p][root >> 5] >> (root & 31U)) & 1U) << k;
      }
      auto* const byte =
          reinterpret_cast<std::uint8_t*>(work.spins + static_cast<std::size_t>(p) * work.spin_words) + eight.site / 8;
      *byte = static_cast<std::uint8_t>(Move::moved(*byte, fates));
    }
  }
}

}}  // namespace glassworks::cuda
