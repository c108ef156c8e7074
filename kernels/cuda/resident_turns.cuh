#pragma once

#include "kernels/cuda/exchange.cuh"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks {

/// One work item of a step: replica index k of a set of copies. Items are numbered (task, set of copies, k), k fastest;
/// a ticket is (step, group of items that a block takes at once).
struct alignas(16) ResidentAddress {
  unsigned step;  ///< of the round
  int set, k;
  bool in_launch, exists;  ///< false: behind the last step; behind the last item, a repetition of it
};

/// What the threads of a block share beside the spins.
template <class Shape>
struct ResidentScratch {
  ResidentAddress address[4][Shape::items];          ///< of the item in work and the next ones, by turns
  long long energy[2][Shape::items][Shape::copies];  ///< sums of the running step and the one before, by turns
  exact::HeatBathTemperature<float> temperature[Shape::items][Shape::copies];
  OrderWord order[2][Shape::items][Shape::copies];         ///< of the item in work and the next one, by turns
  unsigned ticket[4];                                      ///< likewise
  bool next_ready[2];                                      ///< whether the spins of the next item may come in, by turns
  int pending_set[Shape::items], pending_k[Shape::items];  ///< item that is not reported yet; set = -1: none
  unsigned pending_step;
  int reported_set[Shape::items];  ///< item that is reported, but its counter was not looked at; -1: none
};

/// The exchanges of a set of copies, by the first warp of a block. Not inlined: it is rare, and its registers and code
/// would weigh on the sweeps.
static __device__ __noinline__ void exchange_copies(const DeviceBatch& b, int task, int first_copy, int copies,
                                                    unsigned step) {
  for (int copy = first_copy; copy < first_copy + copies; ++copy) {
    WarpExchange exchange(b, task, copy, step);
    exchange.collect_reports();
    exchange.run();
    exchange.give_orders();
  }
}

/// How the blocks of the resident kernel share out the work and exchange replicas.
///
/// Blocks (clusters) draw tickets from one counter, so that a fast block does more; the order of the tickets is the
/// order of the steps, and what a ticket waits for always has a smaller number: no deadlock. A ladder's exchange is
/// done by the block that reports its last energy; the others find the new temperatures as orders when they come to the
/// next step. Everything here is done by the first warp of a block, unless stated otherwise.
template <class Shape>
class ResidentTurns {
 public:
  static constexpr int items = Shape::items, per_item = Shape::threads_per_item, copies = Shape::copies;

 protected:
  __device__ __forceinline__ ResidentTurns(const DeviceBatch& batch, const ResidentWork& work,
                                           ResidentScratch<Shape>& scratch)
      : b_(batch),
        work_(work),
        scratch_(scratch),
        thread_(static_cast<int>(threadIdx.x)),
        local_(items > 1 && thread_ / per_item < items ? thread_ / per_item : 0) {}

  [[nodiscard]] __device__ __forceinline__ int groups() const { return (work_.items + items - 1) / items; }
  /// Forms the addresses of ticket i, by the threads that lead. Threads of a last, incomplete group repeat the last
  /// item; they store and report nothing.
  __device__ __forceinline__ void form_address(unsigned i) const {
    if (!leads()) return;
    const unsigned ticket = scratch_.ticket[i & 3U];
    const unsigned step = ticket / static_cast<unsigned>(groups());
    const int item = static_cast<int>(ticket - step * static_cast<unsigned>(groups())) * items + local_;
    const bool exists = items == 1 || item < work_.items;
    const int used = exists ? item : work_.items - 1;
    ResidentAddress& a = scratch_.address[i & 3U][local_];
    a.step = static_cast<unsigned>(work_.first_step) + step;
    a.set = used / b_.slots;
    a.k = used - a.set * b_.slots;
    a.in_launch = step < static_cast<unsigned>(work_.steps);
    a.exists = exists;
  }
  [[nodiscard]] __device__ __forceinline__ int sets_per_task() const { return b_.copies / copies; }
  [[nodiscard]] __device__ __forceinline__ int task_of_set(int set) const { return set / sets_per_task(); }
  [[nodiscard]] __device__ __forceinline__ int replica_of(int set, int k, int copy) const {
    return (set % sets_per_task() * copies + copy) * b_.slots + k;
  }
  [[nodiscard]] __device__ __forceinline__ bool has_sites() const {
    return Shape::threads == per_item * items || thread_ < per_item * items;
  }
  /// One thread of each item speaks for it; all of them are in the first warp.
  [[nodiscard]] __device__ __forceinline__ bool leads() const {
    return items > 1 ? has_sites() && thread_ % per_item == 0 : thread_ == 0;
  }
  [[nodiscard]] static __device__ __forceinline__ int rank() {
    return Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0;
  }

  __device__ __forceinline__ void block_barrier() const {
    if constexpr (Shape::threads == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  /// A half-sweep's new spins are shown: those of the block can be read after this, those of other slabs after
  /// await_slabs.
  __device__ __forceinline__ void arrive() const {
    if constexpr (Shape::blocks > 1) asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    block_barrier();
  }
  __device__ __forceinline__ void await_slabs() const {
    if constexpr (Shape::blocks > 1) asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }

  [[nodiscard]] __device__ __forceinline__ unsigned draw() const { return atomicAdd(b_.d_tickets + work_.turn, 1U); }
  /// A ticket is drawn by the first block of a cluster for all of them.
  __device__ __forceinline__ void pass_on(unsigned i, unsigned ticket) const {
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(&scratch_.ticket[i & 3U]));
    if constexpr (Shape::blocks > 1) {
#pragma unroll 1
      for (int other = 0; other < Shape::blocks; ++other) {
        unsigned there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(other));
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(ticket) : "memory");
      }
    } else {
      scratch_.ticket[i & 3U] = ticket;
    }
  }
  __device__ __forceinline__ void draw_first_tickets() {
    if (thread_ == 0 && rank() == 0) {
      for (unsigned i = 0; i < 3; ++i) pass_on(i, draw());
      drawn_ = draw();
    }
    if (thread_ < items) scratch_.pending_set[thread_] = scratch_.reported_set[thread_] = -1;
    arrive();
    await_slabs();
    for (unsigned i = 0; i < 3; ++i) form_address(i);
    look_at_orders(0);
    look_at_orders(1);
    block_barrier();
  }
  /// Starts copying the orders of an item; the answer is there when the item is near.
  __device__ __forceinline__ void look_at_orders(unsigned i) {
    if (!leads()) return;
    const ResidentAddress a = scratch_.address[i & 3U][local_];
    if (!a.in_launch) return;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       static_cast<unsigned>(__cvta_generic_to_shared(&scratch_.order[i & 1U][local_][copy]))),
                   "l"(order(a, copy))
                   : "memory");
    }
  }
  [[nodiscard]] __device__ __forceinline__ const OrderWord* order(const ResidentAddress& a, int copy) const {
    return b_.d_order + static_cast<std::int64_t>(task_of_set(a.set)) * b_.replicas() + replica_of(a.set, a.k, copy);
  }

  /// Whether the exchange that the next item waits for is done, so that its spins may come in.
  __device__ __forceinline__ void see_next(unsigned i) {
    const ResidentAddress next = scratch_.address[(i + 1) & 3U][local_];
    asm volatile("cp.async.wait_all;" ::: "memory");
    bool ready = next.in_launch;
    if (leads()) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        ready = ready && exchanges(scratch_.order[(i + 1) & 1U][local_][copy]) >= next.step;
      }
    }
    ready = __all_sync(~0U, ready);
    if (thread_ == 0) scratch_.next_ready[i & 1U] = ready;
  }
  /// Waits until the exchange that item i waits for is done.
  __device__ __forceinline__ void await_orders(unsigned i) {
    if (thread_ >= 32) return;
    const ResidentAddress here = scratch_.address[i & 3U][local_];
    asm volatile("cp.async.wait_all;" ::: "memory");
    bool waiting = false;
    if (leads()) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        waiting = waiting || exchanges(scratch_.order[i & 1U][local_][copy]) < here.step;
      }
    }
    if (__any_sync(~0U, waiting)) {
      settle();  // what is waited for may be this block's own duty
      if (leads()) {
#pragma unroll
        for (int copy = 0; copy < copies; ++copy) {
          OrderWord& known = scratch_.order[i & 1U][local_][copy];
          const volatile unsigned long long* word = &order(here, copy)->word;
          while (exchanges(known) < here.step) {
            __nanosleep(100);
            known.word = *word;
          }
        }
      }
    }
  }
  __device__ __forceinline__ void take_temperatures(unsigned i) {
    if (!leads()) return;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      const float beta = exact::as_float(static_cast<std::uint32_t>(scratch_.order[i & 1U][local_][copy].word));
      scratch_.temperature[local_][copy] = {-2.0F * beta, -exact::reciprocal(beta)};
      if (rank() == 0) scratch_.energy[i & 1U][local_][copy] = 0;
    }
  }
  static __device__ __forceinline__ unsigned exchanges(const OrderWord& order) {
    return static_cast<unsigned>(order.word >> 32);
  }

  __device__ __forceinline__ void add_in_first_block(long long* sum, long long value) const {
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(sum));
    if constexpr (Shape::blocks > 1) {
      asm volatile("mapa.shared::cluster.u32 %0, %0, 0;" : "+r"(address));
      asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    } else {
      asm volatile("red.shared.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    }
  }

  /// Reports the energies of the pending item, which stand in half `i` mod 2, and counts it.
  __device__ __forceinline__ void send(unsigned i) {
    __syncwarp();
    if (!leads() || rank() != 0) return;
    const int set = scratch_.pending_set[local_];
    if (set < 0) return;
    const unsigned step = scratch_.pending_step;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      const auto energy = static_cast<unsigned long long>(-scratch_.energy[i & 1U][local_][copy]);
      *const_cast<volatile unsigned long long*>(
          b_.report(step, set / sets_per_task(), replica_of(set, scratch_.pending_k[local_], copy))) =
          static_cast<unsigned long long>(step + 1) << 48 | (energy & 0xFFFFFFFFFFFFULL);
    }
    __threadfence();  // the spins, which the whole block stored before the last barrier
    arrived_ = atomicAdd(b_.d_arrived + set, 1);
    scratch_.pending_set[local_] = -1;
    scratch_.reported_set[local_] = set;
  }
  /// If an item reported last completed a ladder, exchanges its replicas.
  __device__ __forceinline__ void evaluate() {
    __syncwarp();
    if (rank() != 0) return;
    for (int n = 0; n < items; ++n) {
      const int set = scratch_.reported_set[n], arrived = __shfl_sync(~0U, arrived_, n * per_item % 32);
      if (set < 0 || (arrived + 1) % b_.slots != 0) continue;
      exchange_copies(b_, set / sets_per_task(), set % sets_per_task() * copies, copies,
                      static_cast<unsigned>(arrived / b_.slots));  // every step has `slots` reports
    }
    __syncwarp();
    if (thread_ < items) scratch_.reported_set[thread_] = -1;
  }
  /// All duties at once.
  __device__ __forceinline__ void settle() {
    if (thread_ >= 32) return;
    evaluate();
    send(last_);
    evaluate();
  }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  ResidentScratch<Shape>& scratch_;
  int thread_, local_;
  unsigned drawn_ = 0;  ///< ticket that is coming in
  unsigned last_ = 0;   ///< number of the pending item
  int arrived_ = 0;     ///< what the counter of the ladder said to the last report
};

}  // namespace glassworks
