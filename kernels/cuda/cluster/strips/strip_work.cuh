#pragma once

#include "kernels/clusters/strip_seams.hpp"
#include "kernels/core/wide_addresses.hpp"
#include "kernels/cuda/cluster/tile_work.cuh"

namespace glassworks { inline namespace cuda {

/// What the kernels of one Swendsen-Wang update of a strip work on. States are bit planes, one for ising; a row of
/// spins beyond the last one is the first row of the next strip. L is a multiple of 32.
struct StripWork : ClusterTileWork {  ///< its coins are not used
  std::uint32_t* spins;               ///< [plane][spin_words], spin_words = (rows + 1) L / 32
  std::uint32_t* fates;               ///< of the cluster whose root is that site [plane][fate_words]
  std::uint32_t* rows;                ///< SeamRows::words
  SeamLayout seam;
  std::uint64_t first_row;   ///< of the strip, in the lattice; even
  std::uint64_t first_site;  ///< of the strip, in the lattice; a multiple of 64
  std::uint32_t spin_words, fate_words;
  std::uint32_t threshold;  ///< a satisfied bond is active below it
  std::uint32_t realization, replica;
  std::uint32_t states;  ///< q
  int planes;
  bool open_x;      ///< no bonds from the last site of a row
  bool open_below;  ///< no bonds from the last row

  [[nodiscard]] __device__ __forceinline__ std::uint32_t width() const {
    return static_cast<std::uint32_t>(lattice.extent[0]);
  }
  [[nodiscard]] __device__ __forceinline__ std::uint32_t row_count() const {
    return static_cast<std::uint32_t>(lattice.extent[1]);
  }
  [[nodiscard]] __device__ __forceinline__ RandomBlock random(Stream stream, std::uint64_t block) const {
    return random_block(keys, stream, realization, replica, WideBlock(sweep, block));
  }
};

/// One word of a block; a branch keeps the words in registers.
[[nodiscard]] __device__ __forceinline__ std::uint32_t word_at(const RandomBlock& random, std::uint32_t k) {
  const std::uint32_t low = k == 0 ? random.word[0] : random.word[1], high = k == 2 ? random.word[2] : random.word[3];
  return k < 2 ? low : high;
}

/// Uniform states of the 32 sites from `site` on, a multiple of 32: bits[plane].
template <int planes>
__device__ __forceinline__ void draw_states(const StripWork& work, Stream stream, std::uint64_t site,
                                            std::uint32_t (&bits)[planes]) {
#pragma unroll
  for (int p = 0; p < planes; ++p) bits[p] = 0;
#pragma unroll 1
  for (int b = 0; b < 8; ++b) {
    const RandomBlock random = work.random(stream, site / states_of_block + static_cast<unsigned>(b));
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t state = uniform_below(random.word[k], work.states);
#pragma unroll
      for (int p = 0; p < planes; ++p) bits[p] |= ((state >> p) & 1U) << (4 * b + k);
    }
  }
}

// The two kinds of moves. A draw gives the fates of 32 words_of_draw roots from a multiple of that on:
// bits[word][plane].

/// ising: the fate of a cluster is a coin. The compiler knows that there is one plane.
struct Reflected {
  static constexpr int most_planes = 1;
  static constexpr std::uint32_t words_of_draw = 4;
  [[nodiscard]] static __device__ __forceinline__ int planes(const StripWork&) { return 1; }
  [[nodiscard]] static __device__ __forceinline__ std::uint32_t fate(const StripWork& work, std::uint64_t root) {
    const auto low = static_cast<std::uint32_t>(root);
    return (word_at(work.random(Stream::cluster, root / coins_of_block), (low / 32) & 3U) >> (low & 31U)) & 1U;
  }
  static __device__ __forceinline__ void draw(const StripWork& work, std::uint64_t root,
                                              std::uint32_t (&bits)[words_of_draw][most_planes]) {
    const RandomBlock random = work.random(Stream::cluster, root / coins_of_block);
#pragma unroll
    for (std::uint32_t k = 0; k < words_of_draw; ++k) bits[k][0] = random.word[k];
  }
  [[nodiscard]] static __device__ __forceinline__ unsigned moved(unsigned spins, unsigned fates) {
    return spins ^ fates;
  }
};

/// potts: the fate of a cluster is its new state.
struct Renewed {
  static constexpr int most_planes = 5;
  static constexpr std::uint32_t words_of_draw = 1;
  [[nodiscard]] static __device__ __forceinline__ int planes(const StripWork& work) { return work.planes; }
  [[nodiscard]] static __device__ __forceinline__ std::uint32_t fate(const StripWork& work, std::uint64_t root) {
    const std::uint32_t k = static_cast<std::uint32_t>(root) & 3U;
    return uniform_below(word_at(work.random(Stream::cluster, root / states_of_block), k), work.states);
  }
  static __device__ __forceinline__ void draw(const StripWork& work, std::uint64_t root,
                                              std::uint32_t (&bits)[words_of_draw][most_planes]) {
    draw_states(work, Stream::cluster, root, bits[0]);
  }
  [[nodiscard]] static __device__ __forceinline__ unsigned moved(unsigned, unsigned fates) { return fates; }
};

}}  // namespace glassworks::cuda
