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
/// Ends with all threads together. Whole: rows are multiples of eight sites.
template <class Shape, bool Whole>
__device__ __forceinline__ void look_up_coins(const ClusterTileWork& work, const ClusterTilePlace<Shape>& place,
                                              const std::uint16_t* local, std::uint32_t* coin_of_root) {
  __shared__ std::uint16_t face_roots[Shape::face_sites];
  __shared__ unsigned face_count;
  std::uint32_t* parent = work.parent + static_cast<std::size_t>(place.system) * work.lattice.sites;
  const std::uint32_t* coins = work.coins + static_cast<std::size_t>(place.system) * work.coin_words;
  if (threadIdx.x == 0) face_count = 0;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(work.lattice, place, local, j);
    unsigned roots = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const std::uint32_t root = eight.root(k), here = static_cast<std::uint32_t>(eight.first + k);
      if (k >= eight.width || (root & local_mask) != here) continue;
      if (root == here) {
        roots |= 1U << k;
      } else {
        face_roots[atomicAdd(&face_count, 1U)] = static_cast<std::uint16_t>(here);
      }
    }
    if (roots != 0) {
      const std::uint32_t word = eight.site >> 5, shift = eight.site & 31U;
      std::uint32_t drawn = coins[word] >> shift;
      if (!Whole && shift > 24) drawn |= coins[word + 1] << (32 - shift);
      roots &= drawn;
    }
    reinterpret_cast<std::uint8_t*>(coin_of_root)[eight.first / 8] = static_cast<std::uint8_t>(roots);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < face_count; i += Shape::threads) {
    const std::uint32_t here = face_roots[i], root = find_root_halving(parent, place.site(work.lattice, here));
    if (((coins[root >> 5] >> (root & 31U)) & 1U) != 0) {
      atomicOr(coin_of_root + (here >> 5), 1U << (here & 31U));
    }
  }
  __syncthreads();
}

/// Whether the cluster of the k-th of eight sites has a coin of 1.
template <class Shape>
__device__ __forceinline__ unsigned coin_of(const EightSites<Shape>& eight, int k, const std::uint32_t* coin_of_root) {
  const std::uint32_t root = eight.root(k) & local_mask;
  return (coin_of_root[root >> 5] >> (root & 31U)) & 1U;
}

}}  // namespace glassworks::cuda
