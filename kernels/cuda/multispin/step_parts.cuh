#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/ladder_of_lane.cuh"
#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// What kernels for a step in shared memory do beside the sweeps, whatever the lattice is.
namespace glassworks { inline namespace cuda { namespace multispin {

template <class Site>
__device__ __forceinline__ void copy(Site* to, const Site* from, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) to[i] = from[i];
}

/// The places of a pack that a block has.
struct Part {
  int pack, first, present;

  __device__ Part(const MultispinBatch& b, const SweepShape& shape) {
    const int parts = (b.replicas() + shape.places - 1) / shape.places;
    pack = static_cast<int>(blockIdx.x) / parts;
    first = (static_cast<int>(blockIdx.x) - pack * parts) * shape.places;
    present = min(shape.places, b.replicas() - first);
  }
};

/// The place with which even-odd exchanges of a step of the chain pair a place, or itself.
[[nodiscard]] __device__ __forceinline__ int partner_of(int place, int slots, std::uint64_t step) {
  const int slot = place % slots;
  const int other = ((slot ^ static_cast<int>(step)) & 1) != 0 ? slot - 1 : slot + 1;
  return other < 0 || other >= slots ? place : place + other - slot;
}

/// Even-odd exchanges of the places of a part after step `step` of the round, decided by each of the two alike; their
/// replicas. exchanged: lanes that exchange [place][word]
template <int words>
__device__ void exchange_places(const MultispinBatch& b, const Part& part, std::uint64_t step,
                                std::uint32_t* exchanged) {
  const int slots = b.common.slots;
  const std::uint64_t of_chain = b.steps_before(part.pack, step);
  const auto warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
  for (int item = warp; item < part.present * words; item += warps) {
    const int place = part.first + item / words, copy = place / slots, slot = place - copy * slots;
    const int other = partner_of(place, slots, of_chain) - copy * slots, low = min(slot, other);
    const LadderOfLane ladder(b, part.pack, copy, item % words * 32 + static_cast<int>(threadIdx.x & 31U), step);
    const bool accepted = other != slot && ladder.accepts(low);
    if (accepted && slot == low) ladder.count(low);
    if (ladder.exists()) ladder.follow(slot, accepted ? other : slot);
    const std::uint32_t lanes = __ballot_sync(~0U, accepted);
    if ((threadIdx.x & 31U) == 0) exchanged[item] = lanes;
  }
}

/// The spins of a part, after those exchanges. sites: of a replica
template <int words>
__device__ __forceinline__ void load_spins(const MultispinBatch& b, const Part& part, int sites, std::uint64_t step,
                                           bool exchange, const std::uint32_t* exchanged, Words<words>* to) {
  using Site = Words<words>;
  const auto* const all = reinterpret_cast<const Site*>(b.spins_of(part.pack, 0));
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int r = 0; r < part.present; ++r) {
    const int place = part.first + r,
              other = exchange ? partner_of(place, b.common.slots, b.steps_before(part.pack, step)) : place;
    const Site* const own = all + std::int64_t{place} * sites;
    const Site* const theirs = all + std::int64_t{other} * sites;
    Site lanes{};
    if (other != place) lanes = reinterpret_cast<const Site*>(exchanged)[r];
#pragma unroll 2
    for (int i = thread; i < sites; i += threads) {
      Site s = own[i];
      if (other != place) {
        const Site x = theirs[i];
#pragma unroll
        for (int w = 0; w < words; ++w) s.word[w] ^= (s.word[w] ^ x.word[w]) & lanes.word[w];
      }
      to[r * sites + i] = s;
    }
  }
}

/// What comes before the sweeps of a part: the exchanges of the step before, if the kernel makes them, and the spins.
/// Begins where the kernel before has ended; exchanged: scratch [place][word]
template <int words>
__device__ __forceinline__ void begin_part(const MultispinBatch& b, const Part& part, const StepPart& of_step,
                                           int sites, std::uint32_t* exchanged, Words<words>* spins) {
  begin_overlapped();
  if (of_step.exchange) {
    exchange_places<words>(b, part, of_step.step - 1, exchanged);
    __syncthreads();
  } else {
    const std::int64_t first = b.lane_of(part.pack, part.first, 0);
    copy(b.d_next_walker + first, b.d_walker + first, b.lanes() * part.present);
  }
  load_spins<words>(b, part, sites, of_step.step - 1, of_step.exchange, exchanged, spins);
}

}}}  // namespace glassworks::cuda::multispin
