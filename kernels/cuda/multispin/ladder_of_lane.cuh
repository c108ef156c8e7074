#pragma once

#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/rounds/exchange.hpp"

namespace glassworks { inline namespace cuda { namespace multispin {

/// A realization and a copy: one lane of the replicas of a ladder, at an exchange. The decisions are those of
/// exchange_replicas. step: of the round
class LadderOfLane {
 public:
  __device__ LadderOfLane(const MultispinBatch& b, int pack, int copy, int lane, std::uint64_t step)
      : b_(b),
        task_(b.d_task[pack * b.lanes() + lane]),
        first_replica_(copy * b.common.slots),
        step_(b.steps_before(pack, step)),
        at_(b.lane_of(pack, first_replica_, lane)) {
    if (task_ < 0) return;
    energy_ = LaneEnergy(b, pack * b.lanes() + lane);
    unit_ = b.common.energy_scale(task_).unit();
    realization_ = b.common.d_realization[task_];
  }

  [[nodiscard]] __device__ bool exists() const { return task_ >= 0; }
  [[nodiscard]] __device__ ExchangePairs pairs() const { return exchange_pairs(b_.common.protocol.exchange, step_); }

  /// Whether slots t and t + 1 exchange their replicas.
  [[nodiscard]] __device__ bool accepts(int t) const {
    return exists() && decide(t, energy_.of(b_, at(t)), energy_.of(b_, at(t + 1)));
  }
  /// The same where their unsatisfied bonds are at hand.
  [[nodiscard]] __device__ bool accepts(int t, int low, int high) const {
    return exists() && decide(t, energy_.of_bonds(low), energy_.of_bonds(high));
  }
  /// The same in a field, where their spins -1 are at hand too.
  [[nodiscard]] __device__ bool accepts(int t, int low, int low_down, int high, int high_down) const {
    return exists() && decide(t, energy_.of_counts(low, low_down), energy_.of_counts(high, high_down));
  }
  /// Notes an exchange of slots t and t + 1.
  __device__ void count(int t) const {
    atomicAdd(b_.common.d_accepted + std::int64_t{task_} * (b_.common.slots - 1) + t, 1ULL);
  }

  /// Exchanges slots t and t + 1 in place.
  __device__ void exchange(int t) const {
    exchange(b_.d_unsatisfied, t);
    exchange(b_.d_walker, t);
    if (b_.d_down != nullptr) exchange(b_.d_down, t);
    count(t);
  }
  /// The heading of the replica in a slot, in place.
  __device__ void turn(int slot) const { walker(slot) = turned(slot, walker(slot)); }
  /// The replica that comes from slot `from` to `slot`, among the next ones.
  __device__ void follow(int slot, int from) const { b_.d_next_walker[at(slot)] = turned(slot, walker(from)); }

  /// A replica that stands in a slot after an exchange: its heading changes at the ends.
  [[nodiscard]] __device__ std::uint16_t turned(int slot, std::uint16_t word) const {
    if (slot != 0 && slot != b_.common.slots - 1) return word;
    Walker here = Walker::of(word);
    const Heading next = next_heading(static_cast<std::int8_t>(here.heading), slot, b_.common.slots);
    if (next.round_trip) {
      const std::int64_t replica = std::int64_t{task_} * b_.replicas() + first_replica_ + here.replica;
      ++b_.common.d_trips[replica];
      ++b_.common.d_round_trips[replica];
    }
    here.heading = next.heading;
    return here.word();
  }

 private:
  [[nodiscard]] __device__ std::int64_t at(int slot) const { return at_ + slot * b_.lanes(); }
  [[nodiscard]] __device__ std::uint16_t& walker(int slot) const { return b_.d_walker[at(slot)]; }
  template <class Number>
  __device__ void exchange(Number* of_lanes, int t) const {
    const Number low = of_lanes[at(t)];
    of_lanes[at(t)] = of_lanes[at(t + 1)];
    of_lanes[at(t + 1)] = low;
  }
  [[nodiscard]] __device__ bool decide(int t, std::int64_t low, std::int64_t high) const {
    const auto word = random_block(CurandKey(b_.common.key), Stream::exchange, realization_,
                                   static_cast<std::uint32_t>(first_replica_), step_, static_cast<std::uint32_t>(t))
                          .word[0];
    return exchange_accepted(b_.common.d_beta[t], b_.common.d_beta[t + 1], low, high, unit_, word);
  }

  const MultispinBatch& b_;
  int task_, first_replica_;
  std::uint64_t step_;
  std::int64_t at_;
  LaneEnergy energy_;
  double unit_ = 0.0;
  std::uint32_t realization_ = 0;
};

}}}  // namespace glassworks::cuda::multispin
