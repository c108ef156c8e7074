#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks { inline namespace cuda {

/// One work item of a step: replica r of the batch, numbered (task, copy, k), k fastest.
struct alignas(16) ResidentAddress {
  unsigned step;           ///< of the round
  int replica;             ///< of the batch
  int task, number;        ///< number: of the replica in its task
  bool in_launch, exists;  ///< false: behind the last step; behind the last item, a repetition of it
};

/// Where a block is in the tickets that it has drawn. A ticket is a step and a run of groups of items, which the block
/// works on one after the other; most of them share their couplings. A group is what it works on at a time.
struct TicketCursor {
  unsigned step;
  int group, left;  ///< group in work, and how many follow in its run
  unsigned opened;  ///< tickets begun
  unsigned passed;  ///< of the first block: tickets known to all blocks of the cluster
  bool drawing;     ///< of the first block: another one is coming in
};

/// What the threads of a block share beside the spins.
template <class Shape>
struct ResidentScratch {
  unsigned long long arrival[2];             ///< barriers of the spins coming in, by turns
  ResidentAddress address[4][Shape::items];  ///< of the item before, the one in work and the next one, by turns
  OrderWord order[2][Shape::items];          ///< of the item in work and the next one, by turns
  static constexpr int parts = Shape::items > 1 ? Shape::items : Shape::threads / 32;
  long long energy[2][parts];    ///< of the items or warps, of the item in work and the one before, by turns
  long long energy_of_slabs[2];  ///< of the first block: sum of the other blocks
  exact::HeatBathTemperature<float> temperature[Shape::items];
  TicketCursor cursor;
  unsigned ticket[2];           ///< by number
  unsigned next_ready;          ///< whether the spins of the next item may come in
  bool fetched;                 ///< whether they do
  bool asked;                   ///< whether the second-level cache was asked for them
  bool pending;                 ///< the item before is not reported yet
  bool reported[Shape::items];  ///< its counter was not looked at
};

/// Energy of item i in this block, by a whole warp that holds the threads that lead: in these. local: item of the
/// thread
template <class Shape>
[[nodiscard]] __device__ __forceinline__ long long energy_of_block(const ResidentScratch<Shape>& scratch, unsigned i,
                                                                   int thread, int local) {
  if constexpr (Shape::items > 1) {
    return scratch.energy[i & 1U][local];
  } else {
    static_assert(ResidentScratch<Shape>::parts <= 32);
    long long e = thread < ResidentScratch<Shape>::parts ? scratch.energy[i & 1U][thread] : 0;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) e += __shfl_xor_sync(~0U, e, d);
    return e;
  }
}

template <class Shape>
[[nodiscard]] __device__ __forceinline__ ResidentScratch<Shape>& resident_scratch() {
  __shared__ ResidentScratch<Shape> scratch;
  return scratch;
}

}}  // namespace glassworks::cuda
