#pragma once

#include "kernels/cuda/exchange.cuh"
#include "kernels/cuda/piece_copy.cuh"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks {

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
  int group, left;          ///< group in work, and how many follow in its run
  unsigned opened, passed;  ///< tickets begun; tickets known to all blocks of the cluster
  bool drawing;             ///< another one is coming in
};

/// What the threads of a block share beside the spins.
template <class Shape>
struct ResidentScratch {
  unsigned long long arrival[2];             ///< barriers of the spins coming in, by turns
  ResidentAddress address[2][Shape::items];  ///< of the item in work and the next one, by turns
  OrderWord order[2][Shape::items];          ///< likewise
  long long energy[2][Shape::items];         ///< sums of the running step and the one before, by turns
  exact::HeatBathTemperature<float> temperature[Shape::items];
  TicketCursor cursor;
  unsigned ticket[2];              ///< by number
  unsigned next_ready;             ///< whether the spins of the next item may come in
  bool fetched;                    ///< whether they do
  bool pending;                    ///< the item before is not reported yet
  int reported_set[Shape::items];  ///< item that is reported, but its counter was not looked at; -1: none
};

template <class Shape>
[[nodiscard]] __device__ __forceinline__ ResidentScratch<Shape>& resident_scratch() {
  __shared__ ResidentScratch<Shape> scratch;
  return scratch;
}

/// The exchange of a copy, by the first warp of a block. Not inlined: it is rare, and its registers and code would
/// weigh on the sweeps.
static __device__ __noinline__ void exchange_copy(const DeviceBatch& b, int task, int copy, unsigned step) {
  WarpExchange exchange(b, task, copy, step);
  exchange.collect_reports();
  exchange.run();
  exchange.give_orders();
}

/// How the blocks of the resident kernel share out the work and exchange replicas.
///
/// Blocks (clusters) draw tickets from one counter, so that a fast block does more; the order of the tickets is the
/// order of the steps, and what a ticket waits for always has a smaller number: no deadlock. A ladder's exchange is
/// done by the block that reports its last energy; the others find the new temperatures as orders when they come to the
/// next step. In a cluster the first block decides for all. Everything here is done by the first warp of a block,
/// unless stated otherwise.
template <class Shape>
class ResidentTurns {
 public:
  static constexpr int items = Shape::items, per_item = Shape::threads_per_item;

  __device__ __forceinline__ ResidentTurns(const DeviceBatch& batch, const ResidentWork& work)
      : b_(batch),
        work_(work),
        scratch_(resident_scratch<Shape>()),
        thread_(static_cast<int>(threadIdx.x)),
        local_(items > 1 && thread_ / per_item < items ? thread_ / per_item : 0) {}

  [[nodiscard]] __device__ __forceinline__ bool has_sites() const {
    return Shape::threads == per_item * items || thread_ < per_item * items;
  }
  /// One thread of each item speaks for it; all of them are in the first warp.
  [[nodiscard]] __device__ __forceinline__ bool leads() const {
    return items > 1 ? has_sites() && thread_ % per_item == 0 : thread_ == 0;
  }
  [[nodiscard]] __device__ __forceinline__ bool in_first_warp() const { return Shape::threads == 32 || thread_ < 32; }
  [[nodiscard]] static __device__ __forceinline__ int rank() {
    return Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0;
  }

  /// A half-sweep's new spins are shown: those of the block can be read after this, those of other slabs after
  /// await_slabs. By all threads.
  __device__ __forceinline__ void arrive() const {
    if constexpr (Shape::blocks > 1) {
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
      // Only shared memory is read by other blocks before the next fence: no need to wait for device memory.
      asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
      asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#else
      asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
    }
    if constexpr (Shape::threads == 32) {
      __syncwarp();
    } else {
      asm volatile("bar.sync 0;" ::: "memory");  // the first warp does it elsewhere than the others
    }
  }
  __device__ __forceinline__ void await_slabs() const {
    if constexpr (Shape::blocks > 1) asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }

  /// By all threads, once.
  __device__ __forceinline__ void begin() {
    if (thread_ == 0) {
      for (auto& barrier : scratch_.arrival) piece_copy::prepare(shared_memory::address(&barrier));
      scratch_.cursor = {};
      scratch_.next_ready = 0;
      scratch_.fetched = scratch_.pending = false;
    }
    if (thread_ < items) scratch_.reported_set[thread_] = -1;
    arrive();
    await_slabs();
    draw();
    pass_on();
    arrive();
    await_slabs();
    if (in_first_warp()) {
      form_address(0);
      look_at_order(0);
      draw();
    }
    arrive();
    await_slabs();
  }

  /// Draws a ticket if none is left, for all blocks of the cluster.
  __device__ __forceinline__ void draw() {
    if (thread_ != 0 || rank() != 0) return;
    TicketCursor& c = scratch_.cursor;
    if (c.drawing || c.passed != c.opened) return;
    answer_ = atomicAdd(b_.d_tickets + work_.turn, 1U);
    c.drawing = true;
  }
  __device__ __forceinline__ void pass_on() {
    if (thread_ != 0 || rank() != 0) return;
    TicketCursor& c = scratch_.cursor;
    if (!c.drawing) return;
    tell(shared_memory::address(&scratch_.ticket[c.passed++ & 1U]), answer_);
    c.drawing = false;
  }
  /// Goes on to the next group and forms the addresses of its items, by the threads that lead. Threads of a last,
  /// incomplete group repeat the last item; they store and report nothing.
  __device__ __forceinline__ void form_address(unsigned i) {
    TicketCursor& c = scratch_.cursor;
    const int groups = (work_.items + items - 1) / items, runs = (groups + work_.run - 1) / work_.run;
    if (thread_ == 0) {
      if (c.left > 0) {
        --c.left;
        ++c.group;
      } else {
        const unsigned ticket = scratch_.ticket[c.opened++ & 1U];
        c.step = ticket / static_cast<unsigned>(runs);
        c.group = static_cast<int>(ticket - c.step * static_cast<unsigned>(runs)) * work_.run;
        c.left = min(work_.run, groups - c.group) - 1;
      }
    }
    __syncwarp();
    if (!leads()) return;
    const int item = c.group * items + local_;
    ResidentAddress& a = scratch_.address[i & 1U][local_];
    a.exists = items == 1 || item < work_.items;
    a.replica = a.exists ? item : work_.items - 1;
    a.task = a.replica / b_.replicas();
    a.number = a.replica - a.task * b_.replicas();
    a.step = static_cast<unsigned>(work_.first_step) + c.step;
    a.in_launch = c.step < static_cast<unsigned>(work_.steps);
  }

  /// Starts copying the order of item i; the answer is there when the item is near.
  __device__ __forceinline__ void look_at_order(unsigned i) const {
    if (!leads()) return;
    const ResidentAddress a = scratch_.address[i & 1U][local_];
    if (!a.in_launch) return;
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_memory::address(&scratch_.order[i & 1U][local_])),
        "l"(b_.d_order + a.replica)
        : "memory");
  }
  /// Tells all blocks if the exchange that item i waits for was seen to be done, so that its spins may come in;
  /// otherwise looks again.
  __device__ __forceinline__ void see_whether_ready(unsigned i) const {
    if (rank() != 0 || scratch_.next_ready != 0) return;
    const ResidentAddress& a = scratch_.address[i & 1U][local_];
    asm volatile("cp.async.wait_all;" ::: "memory");
    const bool ready =
        __all_sync(~0U, a.in_launch && (!leads() || exchanges(scratch_.order[i & 1U][local_]) >= a.step));
    if (!ready) {
      look_at_order(i);
    } else if (thread_ == 0) {
      tell(shared_memory::address(&scratch_.next_ready), 1);
    }
    __syncwarp();
  }
  /// Waits until that exchange is done.
  __device__ __forceinline__ void await_order(unsigned i) const {
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (leads()) {
      const ResidentAddress a = scratch_.address[i & 1U][local_];
      OrderWord& known = scratch_.order[i & 1U][local_];
      const volatile unsigned long long* word = &b_.d_order[a.replica].word;
      while (exchanges(known) < a.step) {
        __nanosleep(100);
        known.word = *word;
      }
    }
    __syncwarp();
  }
  __device__ __forceinline__ void take_temperature(unsigned i) const {
    if (!leads()) return;
    if (rank() != 0) asm volatile("cp.async.wait_all;" ::: "memory");  // the first block has seen it
    const float beta = exact::as_float(static_cast<std::uint32_t>(scratch_.order[i & 1U][local_].word));
    scratch_.temperature[local_] = {-2.0F * beta, -exact::reciprocal(beta)};
    if (rank() == 0) scratch_.energy[i & 1U][local_] = 0;
  }
  static __device__ __forceinline__ unsigned exchanges(const OrderWord& order) {
    return static_cast<unsigned>(order.word >> 32);
  }

  __device__ __forceinline__ void add_in_first_block(long long* sum, long long value) const {
    unsigned address = shared_memory::address(sum);
    if constexpr (Shape::blocks > 1) {
      address = shared_memory::in_block(address, 0);
      asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    } else {
      asm volatile("red.shared.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    }
  }

  /// Reports the energies of item i, the one before, and counts it. Its spins are stored.
  __device__ __forceinline__ void send(unsigned i) {
    if (rank() != 0 || !scratch_.pending) return;
    __syncwarp();
    if (leads()) {
      scratch_.pending = false;
      const ResidentAddress& a = scratch_.address[i & 1U][local_];
      if (a.exists) {
        const auto energy = static_cast<unsigned long long>(-scratch_.energy[i & 1U][local_]);
        *const_cast<volatile unsigned long long*>(b_.report(a.step, a.task, a.number)) =
            static_cast<unsigned long long>(a.step + 1) << 48 | (energy & 0xFFFFFFFFFFFFULL);
        const int set = a.replica / b_.slots;
        answer_ = static_cast<unsigned>(atomicAdd(b_.d_arrived + set, 1));
        scratch_.reported_set[local_] = set;
      }
    }
    __syncwarp();
  }
  /// If an item reported last completed a ladder, exchanges its replicas.
  __device__ __forceinline__ void evaluate() {
    if (rank() != 0) return;
    for (int n = 0; n < items; ++n) {
      const int set = scratch_.reported_set[n];
      const auto arrived = static_cast<int>(__shfl_sync(~0U, answer_, n * per_item % 32));
      if (set < 0 || (arrived + 1) % b_.slots != 0) continue;
      const int task = set / b_.copies;
      exchange_copy(b_, task, set - task * b_.copies,
                    static_cast<unsigned>(arrived / b_.slots));  // every step has `slots` reports
    }
    __syncwarp();
    if (thread_ < items) scratch_.reported_set[thread_] = -1;
    __syncwarp();
  }
  /// Piece n of item i: where it lies in shared memory and in device memory.
  [[nodiscard]] __device__ __forceinline__ piece_copy::Piece piece(unsigned i, int n) const {
    constexpr int of_component = Shape::pieces / 3, sites = Shape::L * Shape::L * Shape::L;
    const int item = items == 1 ? 0 : n / Shape::pieces, c = n / of_component % 3, part = n % of_component;
    const ResidentAddress& a = scratch_.address[i & 1U][item];
    float* spins = b_.d_spins + static_cast<std::int64_t>(a.replica) * (3 * sites) + c * sites;
    const int place = item * Shape::item_floats + c * Shape::component_stride + part * (piece_floats + Shape::padding);
    return {buffer(i & 1U) + 4U * static_cast<unsigned>(place),
            spins + rank() * (sites / Shape::blocks) + part * piece_floats, items == 1 || a.exists};
  }
  /// Address of buffer 0 or 1 of the spins.
  static __device__ __forceinline__ unsigned buffer(unsigned which) {
    extern __shared__ float4 shared_spins[];
    return shared_memory::address(shared_spins) + 4U * Shape::buffer_floats * which;
  }
  __device__ __forceinline__ void fetch(unsigned i) const {
    if (rank() != 0) look_at_order(i);
    piece_copy::fetch<4 * piece_floats>(
        items * Shape::pieces, [&](int n) { return piece(i, n); }, shared_memory::address(&scratch_.arrival[i & 1U]));
    __syncwarp();
    if (thread_ == 0) scratch_.fetched = true;
    __syncwarp();
  }
  /// By all threads.
  __device__ __forceinline__ void store(unsigned i) const {
    piece_copy::store<4 * piece_floats>(items * Shape::pieces, [&](int n) { return piece(i, n); });
  }

  /// What has to be done beside the sweeps of item i, in small parts between over-relaxation sweeps: what a part starts
  /// has come in when a later one needs it, and what it tells has reached all blocks of the cluster.
  static constexpr int duties = 8;
  __device__ __forceinline__ void duty(int part, unsigned i) {
    if (part == 0) {
      await_store();
    } else if (part == 1) {
      if (i > 0) send(i - 1);
    } else if (part == 2) {
      evaluate();
      form_address(i + 1);
      if (thread_ == 0) scratch_.next_ready = scratch_.fetched = false;
      if (rank() == 0) look_at_order(i + 1);
    } else if (part == 3) {
      draw();
    } else if (part % 2 == 0) {
      see_whether_ready(i + 1);
    } else if (scratch_.next_ready != 0 && !scratch_.fetched) {
      fetch(i + 1);
    }
  }
  /// The last item is in device memory after this.
  __device__ __forceinline__ void await_store() {
    piece_copy::await_store();
    asm volatile("fence.acq_rel.gpu;" ::: "memory");  // before the report, which the first block of a cluster makes
    pass_on();
  }
  /// Everything that item i - 1 has left to do. By all threads of a cluster, or the first warp of the only block.
  __device__ __forceinline__ void finish(unsigned i) {
    if (in_first_warp()) await_store();
    if constexpr (Shape::blocks > 1) {
      arrive();
      await_slabs();
    }
    if (in_first_warp()) {
      send(i - 1);
      evaluate();
    }
  }
  /// Where the spins of item i were not seen to be ready: settles this block's own duties, for which others may wait,
  /// and waits for the exchange. In a cluster all blocks do the same.
  __device__ __forceinline__ void catch_up(unsigned i) {
    if (scratch_.next_ready == 0) {
      finish(i);
      if (in_first_warp() && rank() == 0) await_order(i);
      if constexpr (Shape::blocks > 1) {
        arrive();
        await_slabs();
      }
    }
    if (in_first_warp() && !scratch_.fetched) fetch(i);
  }
  [[nodiscard]] __device__ __forceinline__ int local() const { return local_; }

 private:
  static constexpr int piece_floats = Shape::item_floats / Shape::pieces - Shape::padding;

  /// Writes a word into the shared memory of all blocks of the cluster.
  __device__ __forceinline__ void tell(unsigned address, unsigned word) const {
#pragma unroll 1
    for (int other = 0; other < Shape::blocks; ++other) {
      if constexpr (Shape::blocks > 1) {
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(shared_memory::in_block(address, other)), "r"(word)
                     : "memory");
      } else {
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
      }
    }
  }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  ResidentScratch<Shape>& scratch_;
  int thread_, local_;
  unsigned answer_ = 0;  ///< that is coming in: a ticket, or what the counter of a ladder said to a report
};

}  // namespace glassworks
