#pragma once

#include "kernels/cuda/piece_copy.cuh"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_exchange.cuh"
#include "kernels/cuda/resident_scratch.cuh"
#include "kernels/cuda/resident_sweeps.cuh"

/// The resident kernel with a dedicated warp (warp specialization): the duty warp has no sites and does everything but
/// the sweeps: tickets, copies of spins, reports, exchanges. The other warps synchronize after each half-sweep and wait
/// for the duty warp only if the spins of an item have not arrived.
namespace glassworks { inline namespace cuda {

/// What the warps of such a block share beside the spins; [2]: of item i in [i mod 2].
template <class Shape>
struct DutyScratch {
  static constexpr int warps = Shape::threads / 32;

  unsigned long long arrival[2];   ///< barriers: the spins have come in, address and temperature are there
  unsigned long long finished[2];  ///< barriers of the sweeping warps: the step is done
  ResidentAddress address[2];
  exact::HeatBathTemperature<float> temperature[2];
  long long energy[2][warps];  ///< parts of the energy after the step
};

template <class Shape>
[[nodiscard]] __device__ __forceinline__ DutyScratch<Shape>& duty_scratch() {
  __shared__ DutyScratch<Shape> scratch;
  return scratch;
}

/// Parity of the phase of a barrier that belongs to item i.
[[nodiscard]] __device__ __forceinline__ unsigned phase_of(unsigned i) { return i >> 1 & 1U; }

/// Address of buffer i mod 2 of the spins.
template <class Shape>
[[nodiscard]] __device__ __forceinline__ unsigned buffer_of(unsigned i) {
  extern __shared__ float4 shared_spins[];
  return shared_memory::address(shared_spins) + 4U * Shape::buffer_floats * (i & 1U);
}

/// How the sweeping warps meet.
template <class Shape>
class SweepingWarps {
 public:
  __device__ __forceinline__ SweepingWarps()
      : scratch_(duty_scratch<Shape>()), thread_(static_cast<int>(threadIdx.x)) {}

  [[nodiscard]] __device__ __forceinline__ bool has_sites() const {
    return Shape::threads == Shape::threads_per_item || thread_ < Shape::threads_per_item;
  }
  [[nodiscard]] __device__ __forceinline__ int thread_of_group() const { return thread_; }
  __device__ __forceinline__ void arrive() const { asm volatile("bar.sync 1, %0;" ::"n"(Shape::threads) : "memory"); }
  __device__ __forceinline__ void await_slabs() const {}
  /// The end of item i: nobody waits, because the next item is in the other buffer.
  __device__ __forceinline__ void end_step(unsigned i, long long energy) const {
    piece_copy::publish();
    if (thread_ % 32 == 0) scratch_.energy[i & 1U][thread_ / 32] = energy;
    __syncwarp();
    if (thread_ % 32 == 0) piece_copy::arrive(shared_memory::address(&scratch_.finished[i & 1U]));
  }

 private:
  DutyScratch<Shape>& scratch_;
  int thread_;
};

/// The warp without sites. Its lanes do not diverge.
template <class Shape>
class DutyWarp {
 public:
  __device__ __forceinline__ DutyWarp(const DeviceBatch& batch, const ResidentWork& work)
      : b_(batch), work_(work), scratch_(duty_scratch<Shape>()), lane_(static_cast<int>(threadIdx.x & 31U)) {}

  __device__ __forceinline__ void run() {
    draw();
    ResidentAddress here = next_address();
    await_order(here);
    give(0, here);
    for (unsigned i = 0; here.in_launch; ++i) {
      const ResidentAddress next = next_address();
      bool given = false;
      while (!is_finished(i)) {
        if (!given && order_is_ready(next)) {
          give(i + 1, next);
          given = true;
        }
        __nanosleep(100);
      }
      store(i, here);
      report(i, here);
      // After the report, for which other blocks may be waiting.
      if (!given) {
        await_order(next);
        give(i + 1, next);
      }
      here = next;
    }
  }

 private:
  /// Draws a ticket, which is looked at when the one before is used up.
  __device__ __forceinline__ void draw() {
    if (lane_ == 0) drawn_ = atomicAdd(b_.d_tickets, 1U);
  }
  /// The next item: the next one of the run, or the first one of the next ticket.
  [[nodiscard]] __device__ __forceinline__ ResidentAddress next_address() {
    const int runs = (work_.items + work_.run - 1) / work_.run;
    if (left_ > 0) {
      --left_;
      ++item_;
    } else {
      const unsigned ticket = __shfl_sync(~0U, drawn_, 0);
      draw();
      step_ = ticket / static_cast<unsigned>(runs);
      item_ = static_cast<int>(ticket - step_ * static_cast<unsigned>(runs)) * work_.run;
      left_ = min(work_.run, work_.items - item_) - 1;
    }
    ResidentAddress a;
    a.replica = item_;
    a.task = item_ / b_.replicas();
    a.number = item_ - a.task * b_.replicas();
    a.step = static_cast<unsigned>(work_.first_step) + step_;
    a.in_launch = step_ < static_cast<unsigned>(work_.steps);
    a.exists = true;
    return a;
  }

  /// Whether the exchange before the step of an item is done. Also sets beta_, which is valid only then.
  [[nodiscard]] __device__ __forceinline__ bool order_is_ready(const ResidentAddress& a) {
    if (!a.in_launch) return true;
    const unsigned long long word = *const_cast<const volatile unsigned long long*>(&b_.d_order[a.replica].word);
    beta_ = exact::as_float(static_cast<std::uint32_t>(word));
    return __all_sync(~0U, static_cast<unsigned>(word >> 32) >= a.step) != 0;
  }
  __device__ __forceinline__ void await_order(const ResidentAddress& a) {
    while (!order_is_ready(a)) __nanosleep(100);
  }
  /// Gives item i, whose order was seen, to the sweeping warps: address, temperature, spins. Its buffer is free.
  __device__ __forceinline__ void give(unsigned i, const ResidentAddress& a) const {
    if (lane_ == 0) {
      scratch_.address[i & 1U] = a;
      scratch_.temperature[i & 1U] = {-2.0F * beta_, -exact::reciprocal(beta_)};
    }
    __syncwarp();
    const unsigned barrier = shared_memory::address(&scratch_.arrival[i & 1U]);
    if (!a.in_launch) {
      piece_copy::arrive_without_fetch(barrier, lane_);
      return;
    }
    fence();  // the order was read before the spins are
    piece_copy::fetch(
        lane_, Shape::pieces, piece_copy::slab_bytes<Shape>, [&](int n) { return piece(i, a, n); }, barrier);
  }
  __device__ __forceinline__ void store(unsigned i, const ResidentAddress& a) const {
    piece_copy::store(lane_, 32, Shape::pieces, [&](int n) { return piece(i, a, n); });
    piece_copy::await_store();
  }
  /// Reports the energy of item i; if that completes a ladder, exchanges its replicas.
  __device__ __forceinline__ void report(unsigned i, const ResidentAddress& a) const {
    constexpr int warps = DutyScratch<Shape>::warps;
    static_assert(warps <= 32);
    long long energy = lane_ < warps ? scratch_.energy[i & 1U][lane_] : 0;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) energy += __shfl_xor_sync(~0U, energy, d);
    fence();  // behind the spins
    int before = 0;
    if (lane_ == 0) {
      *const_cast<volatile unsigned long long*>(b_.report(a.step, a.task, a.number)) =
          static_cast<unsigned long long>(a.step + 1) << 48 |
          (static_cast<unsigned long long>(-energy) & 0xFFFFFFFFFFFFULL);
      before = atomicAdd(b_.d_arrived + a.replica / b_.slots, 1);
    }
    if (__shfl_sync(~0U, before, 0) + 1 == b_.slots) exchange_copy(b_, a.task, a.number / b_.slots, a.step);
    __syncwarp();
  }

  [[nodiscard]] __device__ __forceinline__ piece_copy::Piece piece(unsigned i, const ResidentAddress& a, int n) const {
    return piece_copy::piece_of_slab<Shape>(n, buffer_of<Shape>(i), b_.spins_of_replica(a.replica),
                                            Shape::L * Shape::L * Shape::L, 0, true);
  }
  /// Whether all warps have done the step of item i.
  [[nodiscard]] __device__ __forceinline__ bool is_finished(unsigned i) const {
    const unsigned barrier = shared_memory::address(&scratch_.finished[i & 1U]);
    return __all_sync(~0U, piece_copy::has_arrived(barrier, phase_of(i))) != 0;
  }
  /// Orders what this thread has read and written before it against what it reads and writes after it, on the device.
  static __device__ __forceinline__ void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  DutyScratch<Shape>& scratch_;
  int lane_;
  unsigned drawn_ = 0;  ///< the ticket in reserve, in lane 0
  unsigned step_ = 0;   ///< of the ticket in work
  int item_ = 0, left_ = 0;
  float beta_ = 1.0F;  ///< of the order seen last
};

/// One block with a duty warp.
template <class Shape, bool with_fields>
class DutyBlock : ResidentSweeps<Shape, with_fields, SweepingWarps<Shape>> {
  using Sweeps = ResidentSweeps<Shape, with_fields, SweepingWarps<Shape>>;
  using Sweeps::b_, Sweeps::item_;

 public:
  __device__ __forceinline__ explicit DutyBlock(const DeviceBatch& batch)
      : Sweeps(batch, {}), scratch_(duty_scratch<Shape>()) {}

  /// Prepares the barriers. By all threads of the block.
  static __device__ __forceinline__ void begin() {
    DutyScratch<Shape>& scratch = duty_scratch<Shape>();
    if (threadIdx.x == 0) {
      for (auto& barrier : scratch.arrival) piece_copy::prepare(shared_memory::address(&barrier));
      for (auto& barrier : scratch.finished) {
        piece_copy::prepare_for(shared_memory::address(&barrier), DutyScratch<Shape>::warps);
      }
    }
    __syncthreads();
  }

  /// The sweeps of all items. By the sweeping warps.
  __device__ __forceinline__ void run() {
    item_.use(buffer_of<Shape>(0));
    if (Shape::shared_couplings > 0) {
      item_.keep_couplings_at(buffer_of<Shape>(0) + 8U * Shape::buffer_floats + 4U * threadIdx.x);
    }
    int task = -1;  // whose couplings are in the registers
    for (unsigned i = 0;; ++i) {
      piece_copy::await_fetch(shared_memory::address(&scratch_.arrival[i & 1U]), phase_of(i));
      const ResidentAddress& here = scratch_.address[i & 1U];
      if (!here.in_launch) break;
      if (here.task != task) {
        task = here.task;
        item_.take_couplings(b_.d_arranged_couplings +
                             static_cast<std::int64_t>(task) * (Shape::couplings * Shape::threads_per_item));
        if constexpr (with_fields) item_.take_fields(b_.fields_of(task));
      }
      item_.take_spins();
      Sweeps::do_step(i, task, here.number, b_.d_first_step[task] + here.step, scratch_.temperature[i & 1U]);
      item_.move((i & 1U) == 0 ? 4U * Shape::buffer_floats : -(4U * Shape::buffer_floats));
    }
  }

 private:
  DutyScratch<Shape>& scratch_;
};

}}  // namespace glassworks::cuda
