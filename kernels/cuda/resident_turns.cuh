#pragma once

#include "kernels/cuda/piece_copy.cuh"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_exchange.cuh"
#include "kernels/cuda/resident_scratch.cuh"

namespace glassworks { inline namespace cuda {

/// How the blocks of the resident kernel share out the work and exchange replicas.
///
/// Blocks (clusters) draw tickets from one counter, so that a fast block does more; the order of the tickets is the
/// order of the steps, and what a ticket waits for always has a smaller number: no deadlock. A ladder's exchange is
/// done by the block that reports its last energy; the others find the new temperatures as orders when they come to the
/// next step. In a cluster the first block decides for all.
///
/// Two warps of a block do this at the same time: the reporter settles the item before, the fetcher prepares the next
/// one. Where a block has one warp only, it is both.
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
  /// Whether this thread represents its item in the reporter; and in the fetcher.
  [[nodiscard]] __device__ __forceinline__ bool leads() const {
    return items > 1 ? has_sites() && thread_ % per_item == 0 : thread_ == 0;
  }
  [[nodiscard]] __device__ __forceinline__ bool leads_fetcher() const {
    return items > 1 ? leads() : thread_ == first_fetcher;
  }
  [[nodiscard]] __device__ __forceinline__ int thread_of_group() const { return thread_; }
  [[nodiscard]] __device__ __forceinline__ bool reports() const { return one_warp || thread_ < 32; }
  [[nodiscard]] __device__ __forceinline__ bool fetches() const { return one_warp || thread_ / 32 == 1; }
  [[nodiscard]] __device__ __forceinline__ bool has_duties() const { return one_warp || thread_ < 64; }
  [[nodiscard]] static __device__ __forceinline__ int rank() { return rank_in_cluster<Shape>(); }

  /// A half-sweep's new spins are shown: those of the block can be read after this, those of other slabs after
  /// await_slabs. By all threads.
  __device__ __forceinline__ void arrive() const {
    if constexpr (Shape::blocks > 1) {
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
      // What others read of this block's own shared memory; all else that they read has fences of its own.
      asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
      asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#else
      asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
    }
    if constexpr (Shape::threads == 32) {
      __syncwarp();
    } else {
      asm volatile("bar.sync 0;" ::: "memory");  // some warps do it elsewhere than the others
    }
  }
  /// By all threads.
  __device__ __forceinline__ void await_slabs() const {
    if constexpr (Shape::blocks > 1) asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }

  /// The last arrive() of item i, whose spins can be stored after it; the energy is reported while the next item is
  /// worked on. energy: of the item in this warp
  __device__ __forceinline__ void end_step(unsigned i, long long energy) const {
    if (items > 1 ? leads() : thread_ % 32 == 0) scratch_.energy[i & 1U][items > 1 ? local_ : thread_ / 32] = energy;
    if (thread_ == 0) scratch_.pending = true;
    piece_copy::publish();
    arrive();
  }

  /// By all threads, once.
  __device__ __forceinline__ void begin() {
    if (thread_ == 0) {
      for (auto& barrier : scratch_.arrival) piece_copy::prepare(shared_memory::address(&barrier));
      scratch_.cursor = {};
      scratch_.next_ready = 0;
      scratch_.fetched = scratch_.asked = scratch_.pending = false;
    }
    if (thread_ < items) scratch_.reported[thread_] = false;
    arrive();
    await_slabs();
    for (int ticket = 0; ticket < 2; ++ticket) {
      draw();
      pass_on();
    }
    if (Shape::blocks > 1) fence();
    arrive();
    await_slabs();
    if (fetches()) {
      form_address(0);
      if (rank() == 0) look_at_order(0);
      draw();
    }
    arrive();
    await_slabs();
  }

  /// Draws a ticket for all blocks of the cluster, so that there is one in reserve. By the fetcher, as all up to
  /// `take_temperature`.
  __device__ __forceinline__ void draw() {
    if (thread_ != first_fetcher || rank() != 0) return;
    TicketCursor& c = scratch_.cursor;
    if (c.drawing || c.passed - c.opened >= 2) return;
    answer_ = atomicAdd(b_.d_tickets, 1U);
    c.drawing = true;
  }
  __device__ __forceinline__ void pass_on() {
    if (thread_ != first_fetcher || rank() != 0) return;
    TicketCursor& c = scratch_.cursor;
    if (!c.drawing) return;
    write_to_cluster<Shape>(shared_memory::address(&scratch_.ticket[c.passed++ & 1U]), answer_);
    c.drawing = false;
  }
  /// Goes on to the next group and forms the addresses of its items, by the threads that lead. Threads of a last,
  /// incomplete group repeat the last item; they store and report nothing.
  __device__ __forceinline__ void form_address(unsigned i) {
    TicketCursor& c = scratch_.cursor;
    const int groups = (work_.items + items - 1) / items, runs = (groups + work_.run - 1) / work_.run;
    if (thread_ == first_fetcher) {
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
    if (leads_fetcher()) {
      const int item = c.group * items + local_;
      ResidentAddress& a = scratch_.address[i & 3U][local_];
      a.exists = items == 1 || item < work_.items;
      a.replica = a.exists ? item : work_.items - 1;
      a.task = a.replica / b_.replicas();
      a.number = a.replica - a.task * b_.replicas();
      a.step = static_cast<unsigned>(work_.first_step) + c.step;
      a.in_launch = c.step < static_cast<unsigned>(work_.steps);
    }
    __syncwarp();
  }

  /// Starts an asynchronous copy of the order of item i, which is complete by the time the item is due.
  __device__ __forceinline__ void look_at_order(unsigned i) const {
    if (!leads_fetcher()) return;
    const ResidentAddress a = scratch_.address[i & 3U][local_];
    if (!a.in_launch) return;
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_memory::address(&scratch_.order[i & 1U][local_])),
        "l"(b_.d_order + a.replica)
        : "memory");
  }
  /// Whether the exchange that item i waits for is done, so that its spins may be fetched; otherwise starts reading the
  /// order again.
  [[nodiscard]] __device__ __forceinline__ bool order_has_arrived(unsigned i) const {
    const ResidentAddress& a = scratch_.address[i & 3U][local_];
    asm volatile("cp.async.wait_all;" ::: "memory");
    const bool ready =
        __all_sync(~0U, a.in_launch && (!leads_fetcher() || exchanges(scratch_.order[i & 1U][local_]) >= a.step));
    if (!ready) look_at_order(i);
    return ready;
  }
  /// In a cluster a fence follows.
  __device__ __forceinline__ void tell_ready() const {
    __syncwarp();  // all have read it
    if (thread_ == first_fetcher) write_to_cluster<Shape>(shared_memory::address(&scratch_.next_ready), 1);
    __syncwarp();
  }
  /// Waits until that exchange is done.
  __device__ __forceinline__ void await_order(unsigned i) const {
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (leads_fetcher()) {
      const ResidentAddress a = scratch_.address[i & 3U][local_];
      OrderWord& known = scratch_.order[i & 1U][local_];
      const volatile unsigned long long* word = &b_.d_order[a.replica].word;
      while (exchanges(known) < a.step) {
        __nanosleep(100);
        known.word = *word;
      }
      fence();  // before the spins are read
    }
    __syncwarp();
  }
  /// Called by all threads.
  __device__ __forceinline__ void take_temperature(unsigned i) const {
    if (!leads_fetcher()) return;
    if (rank() != 0) asm volatile("cp.async.wait_all;" ::: "memory");  // the first block has seen it
    const float beta = exact::as_float(static_cast<std::uint32_t>(scratch_.order[i & 1U][local_].word));
    scratch_.temperature[local_] = {-2.0F * beta, -exact::reciprocal(beta)};
    scratch_.energy_of_slabs[i & 1U] = 0;
  }
  static __device__ __forceinline__ unsigned exchanges(const OrderWord& order) {
    return static_cast<unsigned>(order.word >> 32);
  }

  /// Adds the energy of this block's slab to that of the first block. By the reporter, as `send` and `evaluate`.
  __device__ __forceinline__ void pass_on_energy(unsigned i) const {
    if constexpr (Shape::blocks > 1) {
      const long long e = energy_of_block(scratch_, i, thread_, local_);
      if (thread_ == 0) {
        const unsigned sum = shared_memory::address(&scratch_.energy_of_slabs[i & 1U]);
        asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(shared_memory::in_block(sum, 0)), "l"(e) : "memory");
      }
    }
  }

  /// Reports the energies of item i, the one before, and counts it. Its spins are stored, with a fence behind them.
  __device__ __forceinline__ void send(unsigned i) {
    const bool pending = rank() == 0 && scratch_.pending;
    __syncwarp();
    if (!pending) return;
    const long long e =
        energy_of_block(scratch_, i, thread_, local_) + (Shape::blocks > 1 ? scratch_.energy_of_slabs[i & 1U] : 0);
    if (leads()) {
      scratch_.pending = false;
      const ResidentAddress& a = scratch_.address[i & 3U][local_];
      if (a.exists) {
        const auto energy = static_cast<unsigned long long>(-e);
        *const_cast<volatile unsigned long long*>(b_.report(a.step, a.task, a.number)) =
            static_cast<unsigned long long>(a.step + 1) << 48 | (energy & 0xFFFFFFFFFFFFULL);
        answer_ = static_cast<unsigned>(atomicAdd(b_.d_arrived + a.replica / b_.slots, 1));
        scratch_.reported[local_] = true;
      }
    }
    __syncwarp();
  }
  /// If item i, reported last, completed a ladder, exchanges its replicas.
  __device__ __forceinline__ void evaluate(unsigned i) {
    if (rank() != 0) return;
    for (int n = 0; n < items; ++n) {
      const auto before = static_cast<int>(__shfl_sync(~0U, answer_, n * per_item % 32));
      if (!scratch_.reported[n] || before + 1 != b_.slots) continue;
      const ResidentAddress& a = scratch_.address[i & 3U][n];
      exchange_copy(b_, a.task, a.number / b_.slots, a.step);
    }
    __syncwarp();
    if (thread_ < items) scratch_.reported[thread_] = false;
    __syncwarp();
  }

  /// Piece n of item i: where it lies in shared memory and in device memory.
  [[nodiscard]] __device__ __forceinline__ piece_copy::Piece piece(unsigned i, int n) const {
    constexpr int sites = Shape::L * Shape::L * Shape::L;
    const int item = items == 1 ? 0 : n / Shape::pieces;
    const ResidentAddress& a = scratch_.address[i & 3U][item];
    return piece_copy::piece_of_slab<Shape>(
        items == 1 ? n : n % Shape::pieces,
        buffer(i % Shape::buffers) + 4U * static_cast<unsigned>(item * Shape::item_floats),
        b_.spins_of_replica(a.replica), sites, rank() * (sites / Shape::blocks), items == 1 || a.exists);
  }
  /// Address of buffer 0 or 1 of the spins.
  static __device__ __forceinline__ unsigned buffer(unsigned which) {
    extern __shared__ float4 shared_spins[];
    return shared_memory::address(shared_spins) + 4U * Shape::buffer_floats * which;
  }
  /// Where there is one buffer, which is in use: asks the second-level cache for the spins of item i.
  __device__ __forceinline__ void ask_for(unsigned i) const {
    piece_copy::prefetch(thread_ - first_fetcher, items * Shape::pieces, [&](int n) { return piece(i, n); });
    if (thread_ == first_fetcher) scratch_.asked = true;  // all have read it
  }
  __device__ __forceinline__ void fetch(unsigned i) const {
    if (rank() != 0) look_at_order(i);
    piece_copy::fetch(
        thread_ - first_fetcher, items * Shape::pieces, items * piece_copy::slab_bytes<Shape>,
        [&](int n) { return piece(i, n); }, shared_memory::address(&scratch_.arrival[i & 1U]));
    __syncwarp();
    if (thread_ == first_fetcher) scratch_.fetched = true;
    __syncwarp();
  }
  /// By all threads.
  __device__ __forceinline__ void store(unsigned i) const {
    piece_copy::store(thread_, Shape::threads, items * Shape::pieces, [&](int n) { return piece(i, n); });
    if (Shape::buffers == 1 && reports()) piece_copy::await_reading();
    if (!piece_copy::in_bulk || Shape::buffers == 1) __syncthreads();  // all has been read
  }

  /// Number of small tasks done between the over-relaxation sweeps of item i: what one task starts has arrived when a
  /// later one needs it, and what it publishes has reached all blocks of the cluster.
  static constexpr int duties = 8;
  __device__ __forceinline__ void duty(int part, unsigned i) {
    if (part == 0) {
      if (fetches()) prepare(i + 1);
      if (reports()) await_store(i - 1);
    } else if (part == 1) {
      if (rank() != 0) return;
      if (fetches()) announce_ready(i + 1);
      if (reports()) {
        fence();  // behind the spins, before the report
        send(i - 1);
      }
    } else if (part == 2) {
      if (reports()) evaluate(i - 1);
      if (fetches()) draw();
    } else if (fetches()) {
      if (part % 2 == 1) {
        if (scratch_.next_ready == 0) return;
        if (Shape::buffers == 2 && !scratch_.fetched) fetch(i + 1);
        if (Shape::buffers == 1 && !scratch_.asked) ask_for(i + 1);
      } else if (rank() == 0 && scratch_.next_ready == 0 && order_has_arrived(i + 1)) {
        tell_ready();
        fence();
      }
    }
  }
  /// Item i, the one before, is in device memory after this.
  __device__ __forceinline__ void await_store(unsigned i) {
    piece_copy::await_store();
    if (rank() != 0) {
      pass_on_energy(i);
      fence();  // before the report, which the first block makes
    }
    __syncwarp();
  }
  /// Everything that item i - 1 has left to do. By all threads of a cluster, or the reporter of the only block.
  __device__ __forceinline__ void finish(unsigned i) {
    if (one_warp || (Shape::blocks > 1 && fetches())) {
      pass_on();
      fence();
    }
    if (reports()) {
      await_store(i - 1);
      fence();
    }
    if constexpr (Shape::blocks > 1) {
      arrive();
      await_slabs();
    }
    if (reports()) {
      if (Shape::blocks > 1) fence();
      send(i - 1);
      evaluate(i - 1);
    }
  }
  /// Before item i: if its spins are not on their way yet, does this block's own duties first, for which other blocks
  /// may wait, then waits for the exchange. In a cluster all blocks do the same. By all threads.
  __device__ __forceinline__ void catch_up(unsigned i) {
    if constexpr (Shape::blocks > 1) {
      if (scratch_.next_ready == 0) {
        finish(i);
        if (fetches() && rank() == 0) await_order(i);
        arrive();
        await_slabs();
      }
      if (fetches() && !scratch_.fetched) fetch(i);
    } else {
      if (reports() && !piece_copy::has_arrived(arrival(i), (i >> 1) & 1U)) finish(i);
      if (fetches() && !scratch_.fetched) {
        if (scratch_.next_ready == 0) await_order(i);
        fetch(i);
      }
    }
  }
  /// By all threads: waits for the spins of item i.
  __device__ __forceinline__ void await_spins(unsigned i) const { piece_copy::await_fetch(arrival(i), (i >> 1) & 1U); }
  [[nodiscard]] __device__ __forceinline__ int local() const { return local_; }

 private:
  static constexpr bool one_warp = Shape::threads == 32;
  static constexpr int first_fetcher = one_warp ? 0 : 32;  ///< first thread of the fetcher

  [[nodiscard]] __device__ __forceinline__ unsigned arrival(unsigned i) const {
    return shared_memory::address(&scratch_.arrival[i & 1U]);
  }
  /// Takes the address of item i and looks at its order.
  __device__ __forceinline__ void prepare(unsigned i) {
    __syncwarp();  // all have read them
    if (thread_ == first_fetcher) scratch_.next_ready = scratch_.fetched = scratch_.asked = false;
    form_address(i);
    if (rank() == 0) look_at_order(i);
  }
  /// Tells all blocks of the cluster whether the spins of item i may come in, and a ticket.
  __device__ __forceinline__ void announce_ready(unsigned i) {
    const bool ready = order_has_arrived(i);
    if (Shape::blocks > 1 && ready) tell_ready();
    pass_on();
    if (!one_warp) fence();  // behind what others are told, and before the spins are read
    if (Shape::blocks == 1 && ready) tell_ready();
  }
  /// Orders what this thread has read and written before it against what it reads and writes after it, on the device.
  static __device__ __forceinline__ void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  ResidentScratch<Shape>& scratch_;
  int thread_, local_;
  /// What is coming in. Fetcher: a ticket, from `draw` to `pass_on`; reporter: what the counter of a ladder says to a
  /// report, from `send` to `evaluate`. In a single warp one ends before the other begins.
  unsigned answer_ = 0;
};

}}  // namespace glassworks::cuda
