#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cluster/round/system_launch.cuh"

namespace glassworks { inline namespace cuda {

/// Sums over the sites of the clusters that a block meets, gathered in shared memory by root before they go to device
/// memory. Shared memory adds 32 bits at once, but not 64: a sum is 2^32 high + low - 2^31, so that the low half rarely
/// leaves its range and one atomic operation is enough for nearly every term.
template <int columns>
struct ClusterTable {
  static constexpr std::uint32_t empty = ~0U, middle = 1U << 31;
  static constexpr std::uint32_t leaves = 1U << 31;  ///< beside a size: the cluster has sites in other tiles
  static constexpr int tries = 8;
  static constexpr std::size_t bytes_of_place = 4 * (2 + 2 * columns);

  std::uint32_t *root, *size, *low;  ///< [place], [place], [column][place]
  int* high;                         ///< [column][place]
  std::uint32_t places;              ///< a power of two
  int shift;

  __device__ __forceinline__ ClusterTable(std::uint32_t* memory, int log2_places)
      : root(memory),
        size(root + (1U << log2_places)),
        low(size + (1U << log2_places)),
        high(reinterpret_cast<int*>(low + (static_cast<std::uint32_t>(columns) << log2_places))),
        places(1U << log2_places),
        shift(32 - log2_places) {}

  /// Ends with all threads together.
  __device__ __forceinline__ void clear() {
    for (unsigned i = threadIdx.x; i < places; i += blockDim.x) {
      root[i] = empty;
      size[i] = 0;
    }
    for (unsigned i = threadIdx.x; i < columns * places; i += blockDim.x) {
      low[i] = middle;
      high[i] = 0;
    }
    __syncthreads();
  }
  /// Where the sums of a root are gathered; -1: nowhere, for those that come when there is no room near their place.
  [[nodiscard]] __device__ __forceinline__ int place_of(std::uint32_t r) {
    std::uint32_t i = (r * 2654435761U) >> shift;
    for (int k = 0; k < tries; ++k) {
      std::uint32_t seen = *static_cast<volatile std::uint32_t*>(root + i);
      if (seen == empty) seen = atomicCAS(root + i, empty, r);
      if (seen == empty || seen == r) return static_cast<int>(i);
      i = (i + 1) & (places - 1);
    }
    return -1;
  }
  __device__ __forceinline__ void add(int place, int column, long long x) {
    const std::uint32_t at = static_cast<std::uint32_t>(column) * places + static_cast<std::uint32_t>(place);
    const auto bits = static_cast<std::uint32_t>(x);
    const std::uint32_t before = atomicAdd(low + at, bits);
    const int over = static_cast<int>(x >> 32) + (before + bits < before ? 1 : 0);
    if (over != 0) atomicAdd(high + at, over);
  }
  [[nodiscard]] __device__ __forceinline__ long long sum(std::uint32_t place, int column) const {
    const std::uint32_t at = static_cast<std::uint32_t>(column) * places + place;
    return static_cast<long long>(high[at]) * (1LL << 32) + low[at] - middle;
  }
};

}}  // namespace glassworks::cuda
