#pragma once

#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/cuda/cluster/round/site.cuh"
#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks::inline cuda {

/// Some systems of a batch from `first` on, and what their measurement needs; indices count from the first one.
struct Part {
  unsigned first;
  int columns;                     ///< of the terms: sum w of vectors, then cos and sin of each axis
  const float* phase;              ///< cos, then sin [2][L]
  const std::uint8_t* d_crossing;  ///< [system][axis][L^(d-1)]
  std::uint32_t* d_root;           ///< smallest site of the cluster [system][site]
  std::uint32_t* d_size;           ///< sites of the cluster, at its root [system][site]
  std::uint32_t* d_wraps;          ///< bit a: a closed path around axis a, at the root [system][site]
  int* d_round;                    ///< when an open cluster got its position, at its root; -1: not yet [system][site]
  int* d_position;                 ///< [system][site][axis]
  long long* d_terms;              ///< at the root [system][site][column]
  unsigned* d_last_change;         ///< last round in which a position was found

  [[nodiscard]] __device__ __forceinline__ bool crosses(const ClusterBatch& b, unsigned system, int axis,
                                                        std::uint32_t j) const {
    const auto dim = static_cast<unsigned>(b.common.lattice.dim);
    return d_crossing[(static_cast<std::size_t>(first + system) * dim + static_cast<unsigned>(axis)) * b.face() + j] !=
           0;
  }
  [[nodiscard]] __device__ __forceinline__ std::size_t at(const ClusterBatch& b, unsigned system,
                                                          std::uint32_t site) const {
    return static_cast<std::size_t>(system) * b.sites + site;
  }
};

/// A thread's bond across a boundary and the open clusters at its ends.
struct OpenEnds {
  int axis;
  bool active;
  std::uint32_t from, to;  ///< roots of the open clusters

  __device__ __forceinline__ OpenEnds(const ClusterBatch& b, const Part& part, const ThreadPlace& place) {
    const std::uint32_t face = b.face();
    axis = static_cast<int>(place.item / face);
    active = axis < b.common.lattice.dim && part.crosses(b, place.system, axis, place.item % face);
    if (!active) return;
    const BoundaryBond bond(b.common.lattice, axis, place.item % face);
    const std::uint32_t* labels = b.d_labels + b.first_site(part.first + place.system);
    from = labels[bond.from];
    to = labels[bond.to];
  }
};

/// Sums of the clusters that a block meets, gathered in shared memory before they go to their roots; a cluster whose
/// place is taken by another one goes there at once. Halves, because shared memory adds 32 bits at once, but not 64.
template <int most_columns>
struct TermCache {
  static constexpr unsigned places = 256;
  static constexpr std::uint32_t empty = ~0U;
  std::uint32_t root[places], size[places];
  SplitSum term[places][most_columns];

  __device__ __forceinline__ void clear(int columns) {
    for (unsigned i = threadIdx.x; i < places; i += blockDim.x) {
      root[i] = empty;
      size[i] = 0;
      for (int k = 0; k < columns; ++k) term[i][k] = {0, 0};
    }
    __syncthreads();
  }
  /// Where the sums of a root are gathered; -1: nowhere.
  [[nodiscard]] __device__ __forceinline__ int place_of(std::uint32_t r) {
    const unsigned i = (r * 2654435761U) >> 24;
    const std::uint32_t seen = atomicCAS(root + i, empty, r);
    return seen == empty || seen == r ? static_cast<int>(i) : -1;
  }
  __device__ __forceinline__ void add(int place, int column, const SplitSum& sum) {
    atomicAdd(&term[place][column].low, sum.low);
    atomicAdd(&term[place][column].high, sum.high);
  }
};

}  // namespace glassworks::inline cuda
