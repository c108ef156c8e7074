#pragma once

#include "kernels/cuda/ladder.hpp"
#include "kernels/cuda/ladder_scratch.cuh"
#include "kernels/cuda/piece_copy.cuh"
#include "kernels/rounds/exchange.hpp"

namespace glassworks { inline namespace cuda {

/// How the groups of a block share out the bundles of a ladder, and the exchanges of the ladder.
///
/// Bundles that are ready for their next step wait in a queue, from which groups take them. In even-odd exchanges the
/// replica of a pair that reports last performs the exchange of the pair; in sequential exchanges the last replica of
/// the ladder performs all. A bundle returns to the queue when the exchanges of its members are done, so that no group
/// waits for a whole ladder.
template <class Shape>
class LadderTurns {
 public:
  using Layout = LadderLayout<Shape>;
  static constexpr int items = Layout::items, per_item = Shape::threads_per_item;

  __device__ __forceinline__ LadderTurns(const DeviceBatch& batch, const LadderWork& work)
      : b_(batch),
        work_(work),
        scratch_(ladder_scratch<Shape>()),
        thread_(static_cast<int>(threadIdx.x) % Layout::group),
        group_(static_cast<int>(threadIdx.x) / Layout::group) {}

  [[nodiscard]] __device__ __forceinline__ bool has_sites() const {
    return Layout::group == per_item * items || thread_ < per_item * items;
  }
  [[nodiscard]] __device__ __forceinline__ int thread_of_group() const { return thread_; }
  /// Which item of the bundle this thread works on.
  [[nodiscard]] __device__ __forceinline__ int local() const { return items > 1 ? thread_ / per_item : 0; }
  [[nodiscard]] __device__ __forceinline__ int task() const { return static_cast<int>(blockIdx.x); }
  /// Number of the first replica of the ladder in its task.
  [[nodiscard]] __device__ __forceinline__ int first() const { return static_cast<int>(blockIdx.y) * b_.slots; }

  __device__ __forceinline__ void arrive() const {
    if constexpr (Layout::group == 32) {
      __syncwarp();
    } else {
      asm volatile("bar.sync %0, %1;" ::"r"(group_ + 1), "n"(Layout::group) : "memory");
    }
  }
  __device__ __forceinline__ void await_slabs() const {}

  /// By all threads of the block, once: takes over the ladder and lets its spins come in.
  __device__ __forceinline__ void begin() {
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const std::int64_t base = replica_index(0);
    for (int r = thread; r < b_.slots; r += threads) {
      scratch_.slot[r] = b_.d_slot[base + r];
      scratch_.replica_at[r] = b_.d_replica_at[base + r] - first();
      scratch_.heading[r] = b_.d_heading[base + r];
      scratch_.beta[r] = b_.d_beta[r];
      scratch_.temperature[r] = b_.d_temperature[r];
      scratch_.round_trips[r] = scratch_.accepted[r] = scratch_.arrived[r] = 0;
    }
    for (int n = thread; n < bundles(); n += threads) {
      piece_copy::prepare(shared_memory::address(&scratch_.arrival[n]));
      scratch_.waiting[n] = members(n);
      scratch_.step[n] = 0;
    }
    for (int n = thread; n < Layout::queue; n += threads) {  // what an earlier block left there looks like work
      scratch_.queue[n] = n < bundles() ? place_in_queue(static_cast<unsigned>(n), n) : ~0U;
    }
    if (thread == 0) {
      scratch_.head = 0;
      scratch_.tail = static_cast<unsigned>(bundles());
    }
    __syncthreads();
    for (int n = thread / 32; n < bundles(); n += threads / 32) {
      piece_copy::fetch(
          lane(), items * Shape::pieces, items * piece_copy::slab_bytes<Shape>, [&](int k) { return piece(n, k); },
          shared_memory::address(&scratch_.arrival[n]));
    }
  }

  /// By all threads of a group: the bundle that it does next; -1: there is no more.
  [[nodiscard]] __device__ __forceinline__ int next() {
    if constexpr (Layout::group == 32) {
      const int bundle = thread_ == 0 ? take() : 0;
      return __shfl_sync(~0U, bundle, 0);
    } else {
      if (thread_ == Layout::group - 32) scratch_.work[group_] = take();  // while the first warp makes exchanges
      arrive();
      return scratch_.work[group_];
    }
  }
  /// By all threads of a group: the spins of a bundle have come in.
  __device__ __forceinline__ void await_spins(int bundle) const {
    piece_copy::await_fetch(shared_memory::address(&scratch_.arrival[bundle]), 0);
  }
  [[nodiscard]] __device__ __forceinline__ unsigned step(int bundle) const { return scratch_.step[bundle]; }
  [[nodiscard]] __device__ __forceinline__ bool last_step(int bundle) const {
    return scratch_.step[bundle] + 1 == static_cast<unsigned>(work_.steps);
  }
  [[nodiscard]] __device__ __forceinline__ std::uint64_t global_step(int bundle) const {
    return b_.d_first_step[task()] + work_.first_step + scratch_.step[bundle];
  }
  /// Replica of this thread; behind the last one, a repetition of it.
  [[nodiscard]] __device__ __forceinline__ int replica(int bundle) const {
    return min(bundle * items + local(), b_.slots - 1);
  }
  [[nodiscard]] __device__ __forceinline__ const exact::HeatBathTemperature<float>& temperature(int bundle) const {
    return scratch_.temperature[scratch_.slot[replica(bundle)]];
  }

  /// The last arrive() of a step of a bundle. energy: of the item in this warp
  __device__ __forceinline__ void end_step(unsigned bundle, long long energy) {
    if (last_step(static_cast<int>(bundle))) piece_copy::publish();
    if constexpr (Layout::group > 32) {
      if (lane() == 0) scratch_.partial[group_][thread_ / 32] = energy;
    } else {
      energy_ = energy;
    }
    arrive();
  }
  /// By all threads of a group, after the sweeps of a step.
  __device__ __forceinline__ void report(int bundle) {
    if (thread_ >= 32) return;
    long long energy = energy_;
    if constexpr (Layout::group > 32) {
      static_assert(Layout::group <= 64);
      energy = scratch_.partial[group_][0] + scratch_.partial[group_][1];
    }
    if (last_step(bundle)) {
      piece_copy::store(lane(), 32, items * Shape::pieces, [&](int k) { return piece(bundle, k); });
    }
    __syncwarp();
    exchange(bundle, energy);
  }

  /// By all threads of the block: hands the ladder back.
  __device__ __forceinline__ void end() const {
    piece_copy::await_store();
    __syncthreads();
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const std::int64_t base = replica_index(0);
    for (int r = thread; r < b_.slots; r += threads) {
      b_.d_slot[base + r] = scratch_.slot[r];
      b_.d_replica_at[base + r] = scratch_.replica_at[r] + first();
      b_.d_heading[base + r] = scratch_.heading[r];
      b_.d_energy[base + r] = static_cast<long long>(scratch_.energy[r]);
      b_.d_trips[base + r] += scratch_.round_trips[r];
      b_.d_round_trips[base + r] += scratch_.round_trips[r];
      if (r + 1 < b_.slots) {
        atomicAdd(b_.d_accepted + static_cast<std::int64_t>(task()) * (b_.slots - 1) + r,
                  static_cast<unsigned long long>(scratch_.accepted[r]));
      }
    }
  }

  /// Address of the spins of a bundle.
  static __device__ __forceinline__ unsigned spins_of(int bundle) {
    extern __shared__ float4 shared_spins[];
    return shared_memory::address(shared_spins) + static_cast<unsigned>(bundle * Layout::bundle_bytes);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x & 31U); }
  [[nodiscard]] __device__ __forceinline__ int bundles() const { return (b_.slots + items - 1) / items; }
  [[nodiscard]] __device__ __forceinline__ int members(int bundle) const {
    return min(items, b_.slots - bundle * items);
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t replica_index(int replica) const {
    return static_cast<std::int64_t>(task()) * b_.replicas() + first() + replica;
  }

  /// Piece k of a bundle: where it lies in shared memory and in device memory.
  [[nodiscard]] __device__ __forceinline__ piece_copy::Piece piece(int bundle, int k) const {
    const int item = k / Shape::pieces, r = bundle * items + item;
    return piece_copy::piece_of_slab<Shape>(
        k % Shape::pieces, spins_of(bundle) + 4U * static_cast<unsigned>(item * Shape::item_floats),
        b_.spins_of_replica(replica_index(min(r, b_.slots - 1))), Shape::L * Shape::L * Shape::L, 0, r < b_.slots);
  }

  static __device__ __forceinline__ unsigned place_in_queue(unsigned position, int bundle) {
    return position << 8 | static_cast<unsigned>(bundle);
  }
  /// Takes a bundle from the queue as soon as there is one. What warps tell each other without a barrier is read and
  /// written by atomics alone.
  [[nodiscard]] __device__ __forceinline__ int take() const {
    const unsigned all = static_cast<unsigned>(bundles()) * static_cast<unsigned>(work_.steps);
    for (;;) {
      const unsigned h = atomicAdd(&scratch_.head, 0U);
      if (h == all) return -1;
      const unsigned entry = atomicAdd(&scratch_.queue[h % Layout::queue], 0U);
      if (entry >> 8 == (h & 0xFFFFFFU) && atomicCAS(&scratch_.head, h, h + 1) == h) {
        __threadfence_block();
        return static_cast<int>(entry & 0xFFU);
      }
      __nanosleep(40);
    }
  }
  __device__ __forceinline__ void give(int bundle) const {
    const unsigned position = atomicAdd(&scratch_.tail, 1U);
    atomicExch(&scratch_.queue[position % Layout::queue], place_in_queue(position, bundle));
  }

  /// The exchanges that the reports of a bundle make possible. By the first warp of a group.
  __device__ __forceinline__ void exchange(int bundle, long long energy) {
    const std::uint64_t now = global_step(bundle);
    const int r = bundle * items + local();
    const bool reports = has_sites() && thread_ % per_item == 0 && r < b_.slots;
    if (reports) atomicExch(&scratch_.energy[r], static_cast<unsigned long long>(-energy));
    __threadfence_block();
    __syncwarp();
    if (b_.protocol.exchange == ExchangeSchedule::even_odd) {
      exchange_pairs_of(r, reports, now);
      return;
    }
    if (b_.protocol.exchange == ExchangeSchedule::none) {
      if (reports) move_on(r);
      __syncwarp();
      return;
    }
    bool last = false;
    if (reports) last = (atomicAdd(&scratch_.arrived[0], 1U) + 1U) % static_cast<unsigned>(b_.slots) == 0;
    if (!__any_sync(~0U, last)) return;
    __threadfence_block();
    sequential(now);
    for (int k = lane(); k < b_.slots; k += 32) move_on(k);
    __syncwarp();
  }
  /// The pair of replica r, by the thread that reports it, if its partner has reported before. By a warp.
  __device__ __forceinline__ void exchange_pairs_of(int r, bool reports, std::uint64_t now) {
    const int t = reports ? scratch_.slot[r] : 0, pair = t - ((t ^ static_cast<int>(now)) & 1);
    const bool alone = pair < 0 || pair + 1 >= b_.slots;
    const bool second = reports && !alone && (atomicAdd(&scratch_.arrived[pair], 1U) & 1U) != 0;
    __threadfence_block();
    __syncwarp();
    int low = r, high = r;
    if (second) {
      low = scratch_.replica_at[pair];
      high = scratch_.replica_at[pair + 1];
      if (accepted(pair, random_word(now, pair))) swap(pair);
    }
    __syncwarp();
    if (second || (reports && alone)) move_on(low);
    if (second) move_on(high);
    __syncwarp();
  }
  /// All pairs, one after the other. By a warp, which prepares the random words.
  __device__ __forceinline__ void sequential(std::uint64_t now) {
    for (int base = 0; base + 1 < b_.slots; base += 32) {
      const std::uint32_t word = random_word(now, base + lane());
      for (int i = 0; i < 32 && base + i + 1 < b_.slots; ++i) {
        const bool swaps = accepted(base + i, __shfl_sync(~0U, word, i));
        __syncwarp();
        if (swaps && lane() == 0) swap(base + i);
        __syncwarp();
      }
    }
  }
  [[nodiscard]] __device__ __forceinline__ std::uint32_t random_word(std::uint64_t now, int pair) const {
    return random_block(b_.key, Stream::exchange, b_.d_realization[task()], static_cast<std::uint32_t>(first()), now,
                        static_cast<std::uint32_t>(pair))
        .word[0];
  }
  [[nodiscard]] __device__ __forceinline__ bool accepted(int pair, std::uint32_t word) const {
    const int low = scratch_.replica_at[pair], high = scratch_.replica_at[pair + 1];
    const auto energy = [&](int r) { return static_cast<long long>(atomicCAS(&scratch_.energy[r], 0ULL, 0ULL)); };
    return exchange_accepted(scratch_.beta[pair], scratch_.beta[pair + 1], energy(low), energy(high),
                             b_.energy_scale(task()).unit(), word);
  }
  __device__ __forceinline__ void swap(int pair) const {
    const int low = scratch_.replica_at[pair], high = scratch_.replica_at[pair + 1];
    scratch_.replica_at[pair] = high;
    scratch_.replica_at[pair + 1] = low;
    scratch_.slot[low] = pair + 1;
    scratch_.slot[high] = pair;
    ++scratch_.accepted[pair];
  }
  /// A replica whose exchange is done: its walk, and its bundle, if that was the last of it.
  __device__ __forceinline__ void move_on(int r) const {
    const Heading next = next_heading(static_cast<std::int8_t>(scratch_.heading[r]), scratch_.slot[r], b_.slots);
    scratch_.heading[r] = next.heading;
    if (next.round_trip) ++scratch_.round_trips[r];
    const int bundle = r / items;
    __threadfence_block();
    if (items > 1 && atomicSub(&scratch_.waiting[bundle], 1) != 1) return;
    __threadfence_block();
    scratch_.waiting[bundle] = members(bundle);
    const unsigned step = ++scratch_.step[bundle];
    __threadfence_block();
    if (step < static_cast<unsigned>(work_.steps)) give(bundle);
  }

  const DeviceBatch& b_;
  const LadderWork& work_;
  LadderScratch<Shape>& scratch_;
  int thread_, group_;
  long long energy_ = 0;  ///< of the item of this thread, where a group is one warp
};

}}  // namespace glassworks::cuda
