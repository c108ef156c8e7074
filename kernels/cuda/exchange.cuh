#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/rounds/exchange.hpp"

namespace glassworks { inline namespace cuda {

/// Exchanges of one copy of a realization after a step, by the 32 threads of one warp, from the energies in d_energy:
/// the same decisions as exchange_replicas, then slots, headings and round trips.
///
/// Key  what random words are drawn with: const PhiloxRoundKeys& or CurandKey
template <class Key>
class WarpExchange {
 public:
  __device__ WarpExchange(const DeviceBatch& batch, int task, int copy, std::uint64_t step)
      : b_(batch), task_(task), first_(copy * batch.slots), step_(step), lane_(static_cast<int>(threadIdx.x & 31U)) {}

  /// Takes the energies of the step from the sums of many blocks; clears them for the step after the next one.
  __device__ void collect_sums() {
    for (int k = lane_; k < b_.slots; k += 32) {
      unsigned long long* sum = b_.energy_sum(step_, task_, first_ + k);
      b_.d_energy[replica_index(first_ + k)] = -static_cast<long long>(*sum);
      *sum = 0;
    }
    __syncwarp();
  }
  /// Takes the energies of the step from the reports of the replicas; a report may still be on its way to memory.
  __device__ void collect_reports() {
    for (int k = lane_; k < b_.slots; k += 32) {
      const volatile unsigned long long* report = b_.report(step_, task_, first_ + k);
      unsigned long long word;
      do word = *report;
      while (word >> 48 != ((step_ + 1) & 0xFFFFU));
      b_.d_energy[replica_index(first_ + k)] = static_cast<long long>(word << 16) >> 16;
    }
    __syncwarp();
  }

  /// Publishes the new temperatures for the waiting replicas, after all that the next exchange will read.
  __device__ void give_orders() {
    __threadfence();
    __syncwarp();
    for (int t = lane_; t < b_.slots; t += 32) {
      const std::int64_t r = replica_index(__ldcg(replica_at() + t));
      *const_cast<volatile unsigned long long*>(&b_.d_order[r].word) = (step_ + 1) << 32 | exact::as_uint(b_.d_beta[t]);
    }
  }

  __device__ void run() {
    const std::uint64_t global_step = b_.d_first_step[task_] + step_;
    const ExchangePairs pairs = exchange_pairs(b_.protocol.exchange, global_step);
    if (b_.protocol.exchange == ExchangeSchedule::even_odd) {
      even_odd(pairs, global_step);
    } else if (b_.protocol.exchange == ExchangeSchedule::sequential) {
      sequential(global_step);
    }
    __syncwarp();
    walk();
  }

 private:
  struct Candidate {
    int replica;
    long long energy;
  };

  __device__ std::int64_t replica_index(int replica) const {
    return static_cast<std::int64_t>(task_) * b_.replicas() + replica;
  }
  __device__ int* replica_at() const {
    return b_.d_replica_at + static_cast<std::int64_t>(task_) * b_.replicas() + first_;
  }
  __device__ Candidate candidate(int slot) const {
    const int replica = __ldcg(replica_at() + slot);
    return {replica, __ldcg(b_.d_energy + replica_index(replica))};
  }
  __device__ std::uint32_t random_word(std::uint64_t global_step, int pair) const {
    return random_block(static_cast<Key>(b_.key), Stream::exchange, b_.d_realization[task_],
                        static_cast<std::uint32_t>(first_), global_step, static_cast<std::uint32_t>(pair))
        .word[0];
  }
  __device__ bool accepted(int pair, const Candidate& low, const Candidate& high, std::uint32_t word) const {
    return exchange_accepted(b_.d_beta[pair], b_.d_beta[pair + 1], low.energy, high.energy,
                             b_.energy_scale(task_).unit(), word);
  }
  __device__ void count(int pair) const {
    atomicAdd(b_.d_accepted + static_cast<std::int64_t>(task_) * (b_.slots - 1) + pair, 1ULL);
  }

  /// The pairs of a step share no slot: one thread each.
  __device__ void even_odd(const ExchangePairs& pairs, std::uint64_t global_step) const {
    for (int t = pairs.first + 2 * lane_; t + 1 < b_.slots; t += 64) {
      const Candidate low = candidate(t), high = candidate(t + 1);
      if (!accepted(t, low, high, random_word(global_step, t))) continue;
      replica_at()[t] = high.replica;
      replica_at()[t + 1] = low.replica;
      count(t);
    }
  }

  /// Each pair needs the outcome of the one before. Loads and random words are prepared by 32 threads at a time; the
  /// replica that stands in the lower slot is carried upward.
  __device__ void sequential(std::uint64_t global_step) const {
    Candidate low = candidate(0);
    for (int base = 0; base + 1 < b_.slots; base += 32) {
      const int mine = base + lane_;
      const bool exists = mine + 1 < b_.slots;
      const Candidate next = exists ? candidate(mine + 1) : Candidate{};
      const std::uint32_t word = exists ? random_word(global_step, mine) : 0U;
      int left_behind = 0;
      bool swapped = false;
      for (int i = 0; i < 32 && base + i + 1 < b_.slots; ++i) {
        const Candidate high{__shfl_sync(~0U, next.replica, i), __shfl_sync(~0U, next.energy, i)};
        const bool swap = accepted(base + i, low, high, __shfl_sync(~0U, word, i));
        if (lane_ == i) {
          swapped = swap;
          left_behind = swap ? high.replica : low.replica;
        }
        if (!swap) low = high;
      }
      if (exists) {
        replica_at()[mine] = left_behind;
        if (swapped) count(mine);
      }
    }
    if (lane_ == 0) replica_at()[b_.slots - 1] = low.replica;
  }

  __device__ void walk() const {
    for (int t = lane_; t < b_.slots; t += 32) {
      const std::int64_t r = replica_index(__ldcg(replica_at() + t));
      b_.d_slot[r] = t;
      const Heading next = next_heading(static_cast<std::int8_t>(__ldcg(b_.d_heading + r)), t, b_.slots);
      b_.d_heading[r] = next.heading;
      if (next.round_trip) {
        b_.d_trips[r] = __ldcg(b_.d_trips + r) + 1;
        b_.d_round_trips[r] = __ldcg(b_.d_round_trips + r) + 1;
      }
    }
  }

  const DeviceBatch& b_;
  int task_, first_;
  std::uint64_t step_;
  int lane_;
};

}}  // namespace glassworks::cuda
