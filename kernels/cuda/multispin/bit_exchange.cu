#include <algorithm>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/multispin/bit_exchange.hpp"
#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/rounds/exchange.hpp"

namespace glassworks::inline cuda {
namespace {

/// A realization and a copy.
class LadderOfLane {
 public:
  __device__ LadderOfLane(const MultispinBatch& b, int pack, int copy, int lane, std::uint64_t step)
      : b_(b),
        task_(b.d_task[pack * b.lanes() + lane]),
        first_replica_(copy * b.common.slots),
        step_(b.steps_before(pack, step)),
        at_(b.lane_of(pack, first_replica_, lane)) {
    if (task_ < 0) return;
    const int i = pack * b.lanes() + lane;
    term_ = b.d_term[i];
    bonds_ = b.d_bonds[i];
    unit_ = b.common.energy_scale(task_).unit();
    realization_ = b.common.d_realization[task_];
  }

  [[nodiscard]] __device__ bool exists() const { return task_ >= 0; }
  [[nodiscard]] __device__ ExchangePairs pairs() const { return exchange_pairs(b_.common.protocol.exchange, step_); }

  /// Whether slots t and t + 1 exchange their replicas, with so many unsatisfied bonds.
  [[nodiscard]] __device__ bool accepts(int t, int low, int high) const {
    const auto word = random_block(CurandKey(b_.common.key), Stream::exchange, realization_,
                                   static_cast<std::uint32_t>(first_replica_), step_, static_cast<std::uint32_t>(t))
                          .word[0];
    return exchange_accepted(b_.common.d_beta[t], b_.common.d_beta[t + 1], energy(low), energy(high), unit_, word);
  }
  __device__ void count(int t) const {
    atomicAdd(b_.common.d_accepted + std::int64_t{task_} * (b_.common.slots - 1) + t, 1ULL);
  }
  [[nodiscard]] __device__ int& unsatisfied(int slot) const { return b_.d_unsatisfied[at_ + slot * b_.lanes()]; }
  [[nodiscard]] __device__ std::uint16_t& walker(int slot) const { return b_.d_walker[at_ + slot * b_.lanes()]; }

  __device__ void exchange(int t) const {
    const int low = unsatisfied(t), high = unsatisfied(t + 1);
    unsatisfied(t) = high;
    unsatisfied(t + 1) = low;
    const std::uint16_t walker_low = walker(t), walker_high = walker(t + 1);
    walker(t) = walker_high;
    walker(t + 1) = walker_low;
    count(t);
  }
  /// The heading of the replica in a slot, one of the ends.
  __device__ void turn(int slot) const {
    Walker here = Walker::of(walker(slot));
    const Heading next = next_heading(static_cast<std::int8_t>(here.heading), slot, b_.common.slots);
    if (next.round_trip) {
      const std::int64_t replica = std::int64_t{task_} * b_.replicas() + first_replica_ + here.replica;
      ++b_.common.d_trips[replica];
      ++b_.common.d_round_trips[replica];
    }
    if (next.heading == here.heading) return;
    here.heading = next.heading;
    walker(slot) = here.word();
  }

 private:
  [[nodiscard]] __device__ std::int64_t energy(int unsatisfied) const {
    return term_ * (2 * std::int64_t{unsatisfied} - bonds_);
  }

  const MultispinBatch& b_;
  int task_, first_replica_;
  std::uint64_t step_;
  std::int64_t at_;
  std::int64_t term_ = 0;
  std::int64_t bonds_ = 0;
  double unit_ = 0.0;
  std::uint32_t realization_ = 0;
};

/// Grid: copies of the packs; block: lanes x pairs of slots, some at a time. The lanes of a word are a warp.
__global__ void exchange_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step) {
  const auto pack = static_cast<int>(blockIdx.x) / b.common.copies, lane = static_cast<int>(threadIdx.x);
  const auto copy = static_cast<int>(blockIdx.x) - pack * b.common.copies, row = static_cast<int>(threadIdx.y);
  const int slots = b.common.slots;
  const LadderOfLane ladder(b, pack, copy, lane, step);
  std::uint32_t* const mask = b.d_mask + std::int64_t{static_cast<int>(blockIdx.x)} * slots * b.words + lane / 32;
  const auto note = [&](int t, bool accepted) {
    const std::uint32_t bits = __ballot_sync(~0U, accepted);
    if (lane % 32 == 0) mask[t * b.words] = bits;
  };
  const ExchangePairs pairs = ladder.pairs();
  if (b.common.protocol.exchange == ExchangeSchedule::sequential) {
    if (row == 0) {
      for (int t = 0; t + 1 < slots; ++t) {
        const bool accepted = ladder.exists() && ladder.accepts(t, ladder.unsatisfied(t), ladder.unsatisfied(t + 1));
        if (accepted) ladder.exchange(t);
        note(t, accepted);
      }
    }
  } else {
    for (int t = pairs.first + 2 * row; t + 1 < slots; t += 2 * static_cast<int>(blockDim.y)) {
      const bool accepted = ladder.exists() && ladder.accepts(t, ladder.unsatisfied(t), ladder.unsatisfied(t + 1));
      if (accepted) ladder.exchange(t);
      note(t, accepted);
    }
  }
  __syncthreads();
  if (row == 0 && ladder.exists()) {
    ladder.turn(0);
    ladder.turn(slots - 1);
  }
}

/// The spins follow their replicas. Grid: (sites of both colours, copies of the packs).
template <int words>
__global__ void __launch_bounds__(256) move_spins_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step) {
  using Site = multispin::Words<words>;
  const int sites = 2 * b.lattice.places, i = static_cast<int>(blockIdx.x * 256 + threadIdx.x), slots = b.common.slots;
  if (i >= sites) return;
  const auto ladder = static_cast<int>(blockIdx.y), pack = ladder / b.common.copies;
  const auto* const mask = reinterpret_cast<const Site*>(b.d_mask) + std::int64_t{ladder} * slots;
  auto* const spins = reinterpret_cast<Site*>(b.d_spins) + std::int64_t{ladder} * slots * sites + i;
  const ExchangePairs pairs = exchange_pairs(b.common.protocol.exchange, b.steps_before(pack, step));
#pragma unroll 2
  for (int t = pairs.first; t + 1 < slots; t += pairs.stride) {
    const Site lanes = mask[t];
    std::uint32_t any = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) any |= lanes.word[w];
    if (any == 0) continue;
    Site low = spins[std::int64_t{t} * sites], high = spins[std::int64_t{t + 1} * sites];
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const std::uint32_t differing = (low.word[w] ^ high.word[w]) & lanes.word[w];
      low.word[w] ^= differing;
      high.word[w] ^= differing;
    }
    spins[std::int64_t{t} * sites] = low;
    spins[std::int64_t{t + 1} * sites] = high;
  }
}

}  // namespace

void launch_bit_exchange(const MultispinBatch& b, std::uint64_t step, cudaStream_t stream) {
  const auto ladders = static_cast<unsigned>(b.packs * b.common.copies);
  const bool sequential = b.common.protocol.exchange == ExchangeSchedule::sequential;
  const unsigned rows = sequential ? 1U : static_cast<unsigned>(std::clamp(b.common.slots / 2, 1, 1024 / b.lanes()));
  exchange_kernel<<<ladders, dim3(static_cast<unsigned>(b.lanes()), rows), 0, stream>>>(b, step);
  check_launch("starting the exchange kernel");
  if (b.common.protocol.exchange == ExchangeSchedule::none || b.common.slots < 2) return;
  const auto kernel = b.words == 4 ? move_spins_kernel<4> : b.words == 2 ? move_spins_kernel<2> : move_spins_kernel<1>;
  const auto blocks = static_cast<unsigned>((2 * b.lattice.places + 255) / 256);
  launch_kernel("exchanging spins", kernel, dim3(blocks, ladders), 256, 0, stream, b, step);
}

}  // namespace glassworks::inline cuda
