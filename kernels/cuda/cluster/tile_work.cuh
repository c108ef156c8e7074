#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/core/random.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"

namespace glassworks { inline namespace cuda {

/// What the kernels of one Swendsen-Wang update of many equal lattices share.
struct ClusterTileWork {
  TileLattice lattice;
  PhiloxRoundKeys keys;
  std::uint64_t sweep;
  std::uint32_t coin_words;  ///< of one system, a multiple of 4
  std::uint32_t coin_share;  ///< blocks of 4 coin words that a tile draws
  std::uint32_t* bonds;      ///< active ones, tile by tile
  std::uint32_t* coins;      ///< [system][coin_words], the coin of the cluster whose root is that site
  std::uint16_t* local;
  std::uint32_t* parent;
  std::uint32_t* roots;  ///< their bits, tile by tile (tile_roots)
};

/// Keeps a word of active bonds in shared memory and for the links between tiles.
template <class Shape>
__device__ __forceinline__ void store_bonds(const ClusterTileWork& work, const ClusterTilePlace<Shape>& place,
                                            std::uint32_t* words, int direction, int segment, std::uint32_t bits) {
  const int word = direction * Shape::segments + segment;
  words[word] = bits;
  work.bonds[static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments + static_cast<unsigned>(word)] =
      bits;
}

/// The part of the work that follows from the lattice alone.
[[nodiscard]] inline ClusterTileWork tile_work(const TileLattice& lattice) {
  ClusterTileWork work{};
  work.lattice = lattice;
  work.coin_words = (lattice.plane_words + 3U) / 4U * 4U;
  work.coin_share = (work.coin_words / 4 + lattice.tiles_of_one() - 1) / lattice.tiles_of_one();
  return work;
}

/// Words of an update's stream of a system.
template <class System>
__device__ __forceinline__ RandomBlock random_words(const ClusterTileWork& work, const System& system, Stream stream,
                                                    std::uint32_t index) {
  return random_block(work.keys, stream, system.realization, system.replica, system.first_sweep + work.sweep, index);
}

/// Draws the coins of 128 possible roots a thread; the tiles of a system share them evenly.
template <class Shape, class System>
__device__ __forceinline__ void draw_coins(const ClusterTileWork& work, const ClusterTilePlace<Shape>& place,
                                           const System& system) {
  const std::uint32_t blocks = work.coin_words / 4, share = work.coin_share;
  const std::uint32_t first = (place.tile - place.system * work.lattice.tiles_of_one()) * share;
  uint4* coins = reinterpret_cast<uint4*>(work.coins + static_cast<std::size_t>(place.system) * work.coin_words);
  for (std::uint32_t b = first + threadIdx.x; b < min(first + share, blocks); b += Shape::threads) {
    const RandomBlock random = random_words(work, system, Stream::cluster, b);
    coins[b] = make_uint4(random.word[0], random.word[1], random.word[2], random.word[3]);
  }
}

/// Coins of the clusters of a tile at their roots in the tile, a bit for each site: every root looks up its coin once.
/// Ends with all threads together.
template <class Shape>
__device__ __forceinline__ void look_up_coins(const ClusterTileWork& work, const ClusterTilePlace<Shape>& place,
                                              std::uint32_t* coin_of_root) {
  __shared__ std::uint16_t linked_roots[Shape::face_sites];
  __shared__ unsigned linked_count;
  std::uint32_t* parent = work.parent + static_cast<std::size_t>(place.system) * work.lattice.sites;
  const std::uint32_t* coins = work.coins + static_cast<std::size_t>(place.system) * work.coin_words;
  const std::uint32_t* roots = tile_roots<Shape>(work.roots, place.tile);
  if (threadIdx.x == 0) linked_count = 0;
  __syncthreads();
  list_linked_roots<Shape>(roots, linked_roots, &linked_count);
  for (int word = static_cast<int>(threadIdx.x); word < Shape::segments; word += Shape::threads) {
    std::uint32_t bits = roots[word] & ~roots[Shape::segments + word];
    if (bits != 0) {
      bits &= plane_bits<false>(coins, place.site(work.lattice, static_cast<std::uint32_t>(32 * word)));
    }
    coin_of_root[word] = bits;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < linked_count; i += Shape::threads) {
    const std::uint32_t here = linked_roots[i], root = find_root_halving(parent, place.site(work.lattice, here));
    if (((coins[root >> 5] >> (root & 31U)) & 1U) != 0) {
      atomicOr(coin_of_root + (here >> 5), 1U << (here & 31U));
    }
  }
  __syncthreads();
}

/// Coins of the clusters of eight sites, a bit each.
template <class Shape>
__device__ __forceinline__ unsigned coins_of(const EightSites<Shape>& eight, const std::uint32_t* coin_of_root) {
  unsigned coins = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const std::uint32_t root = eight.root(k);
    const std::uint32_t word = coin_of_root[root >> 5];
    coins = __funnelshift_r(coins, __funnelshift_r(word, word, root), 1);  // the coin comes in at the top
  }
  return coins >> 24;
}

}}  // namespace glassworks::cuda
