#pragma once

#include <vector>

#include "kernels/cuda/resident_duties.cuh"
#include "kernels/cuda/resident_sweeps.cuh"
#include "kernels/cuda/resident_turns.cuh"

namespace glassworks { inline namespace cuda {

/// One block of the resident kernel. While item i is worked on, i - 1 is reported and the spins of i + 1 come in, if
/// its exchange is done: nothing of this is waited for.
template <class Shape, bool with_fields>
class ResidentBlock : ResidentSweeps<Shape, with_fields, ResidentTurns<Shape>> {
  using Turns = ResidentTurns<Shape>;
  using Sweeps = ResidentSweeps<Shape, with_fields, Turns>;
  using Sweeps::b_, Sweeps::turns_, Sweeps::item_;
  static constexpr int per_item = Turns::per_item;

 public:
  __device__ __forceinline__ ResidentBlock(const DeviceBatch& batch, const ResidentWork& work)
      : Sweeps(batch, Turns(batch, work)), scratch_(resident_scratch<Shape>()) {}

  __device__ __forceinline__ void run() {
    turns_.begin();
    item_.use(Turns::buffer(0) + 4U * static_cast<unsigned>(turns_.local() * Shape::item_floats));
    if (Shape::shared_couplings > 0) item_.keep_couplings_at(Turns::buffer(Shape::buffers) + 4U * threadIdx.x);
    int task = -1;  // whose couplings are in the registers
    unsigned i = 0;
    for (;; ++i) {
      const ResidentAddress& here = scratch_.address[i & 3U][turns_.local()];
      if (!here.in_launch) break;
      turns_.catch_up(i);
      turns_.take_temperature(i);
      if (here.task != task) {
        task = here.task;
        item_.take_couplings(couplings_of(task));
        if constexpr (with_fields) item_.take_fields(b_.fields_of(task));
      }
      turns_.await_spins(i);
      item_.take_spins();
      sweeps(i);
      turns_.store(i);
      if constexpr (Shape::buffers == 2) item_.move((i & 1U) == 0 ? buffer_bytes : -buffer_bytes);
    }
    if (Shape::blocks > 1 || turns_.reports()) turns_.finish(i);
  }

 private:
  static constexpr unsigned buffer_bytes = 4U * Shape::buffer_floats;

  [[nodiscard]] __device__ __forceinline__ const float* couplings_of(int task) const {
    return b_.d_arranged_couplings +
           (static_cast<std::int64_t>(task) * Shape::blocks + Turns::rank()) * (Shape::couplings * per_item);
  }

  /// All sweeps of the step. All new spins are visible to all threads before and after it.
  __device__ __forceinline__ void sweeps(unsigned i) {
    const int n_T = b_.protocol.sweeps_per_exchange, n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
    if constexpr (Sweeps::is_ising) {
      turns_.arrive();
      const ResidentAddress& here = scratch_.address[i & 3U][turns_.local()];
      const int task = here.task, number = here.number;
      const exact::HeatBathTemperature<float>& temperature = scratch_.temperature[turns_.local()];
      Sweeps::begin_ising_step(task, number, b_.d_first_step[task] + here.step, temperature);
      sweeps_and_duties(i, n_T * n_B, true, [&] { Sweeps::ising_sweep(task, number, temperature); });
      Sweeps::finish_step(i, task);
      turns_.await_slabs();
      return;
    }
    if (Shape::blocks > 1 || n_M == 0) turns_.arrive();  // else the first half-sweep shows what the fetcher wrote
#pragma unroll 1
    for (int t = 0; t < n_T; ++t) {
      sweeps_and_duties(i, n_M, t == 0, [&] { Sweeps::over_relax(); });
#pragma unroll 1
      for (int m = 0; m < n_B; ++m) {
        const ResidentAddress& here = scratch_.address[i & 3U][turns_.local()];
        const std::uint64_t global_step = b_.d_first_step[here.task] + here.step;
        const std::uint64_t index =
            (global_step * static_cast<unsigned>(n_T) + static_cast<unsigned>(t)) * static_cast<unsigned>(n_B) +
            static_cast<unsigned>(m);
        const exact::HeatBathTemperature<float>& temperature = scratch_.temperature[turns_.local()];
        const bool last = t + 1 == n_T && m + 1 == n_B;
        Sweeps::local_updates(i, here.task, here.number, temperature, index, last);
      }
    }
    Sweeps::finish_step(i, scratch_.address[i & 3U][turns_.local()].task);
    turns_.await_slabs();
  }

  /// `count` sweeps. Meanwhile two warps do the duties of item i; the first duty comes late enough for the
  /// previous item to have been stored. The other warps stay in the inner loop, unless registers are scarce: loops that
  /// differ between warps need more registers.
  static constexpr bool others_skip_duties = Shape::depth == 2;
  template <class Sweep>
  __device__ __forceinline__ void sweeps_and_duties(unsigned i, int count, bool with_duties, const Sweep& make_sweep) {
    constexpr int duties = Turns::duties;
    // Few sweeps: duties come after them, and all warps meet there, in the same place of the code.
    const bool has_duties = with_duties && (!others_skip_duties || count < duties || turns_.has_duties());
    int sweep = 0;
#pragma unroll 1
    for (int part = has_duties ? min(max(duties - count, -2), 0) : duties; part <= duties; ++part) {
      if (part >= 0 && part < duties && turns_.has_duties()) turns_.duty(part, i);
      const int end = part < duties ? min(sweep + 1, count) : count;
      if (part < duties && sweep == end) meet();
#pragma unroll 1
      for (; sweep < end; ++sweep) make_sweep();
    }
  }
  /// All threads of an item meet between two half-sweeps, as often as in a sweep: blocks of a cluster have done the
  /// part before it when one of them begins with the next part.
  __device__ __forceinline__ void meet() const {
    turns_.await_slabs();
    turns_.arrive();
    if constexpr (Shape::blocks > 1) {
      turns_.await_slabs();
      turns_.arrive();
    }
  }

  ResidentScratch<Shape>& scratch_;
};

/// Moves registers from the duty warp and its companions to the sweeping warps (setmaxnreg), in groups of four warps.
/// Without code for 9.0a the kernel keeps its initial registers.
template <class Shape>
__device__ __forceinline__ void give_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  if constexpr (Shape::moves_registers) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Shape::duty_registers));
  }
#endif
}
template <class Shape>
__device__ __forceinline__ void take_registers() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  if constexpr (Shape::moves_registers) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Shape::registers));
  }
#endif
}

/// Steps first_step .. first_step + steps - 1 of a round for every work item: over-relaxation, heat bath, energies,
/// exchange.
///
/// Grid: at most as many blocks (clusters) as the device holds; how many run at once does not matter. An item lives in
/// shared memory and registers for a step; the spins of the next one come in meanwhile. A ladder's exchange is done by
/// the block that reports its last energy; the others find their new temperatures when they come to the next step.
/// Streams: heat_bath, exchange. Same bits for every grid and every order of the blocks: all sums are integers.
/// Traffic: 24 bytes per spin and step and 18 bytes of couplings per site and run, mostly in the second-level cache.
template <class Shape, bool with_fields>
__global__ void __launch_bounds__(Shape::threads_of_block, Shape::blocks_per_multiprocessor)
    resident_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ ResidentWork work) {
#if __CUDA_ARCH__ >= 900
  constexpr bool possible = true;
#else
  constexpr bool possible = Shape::blocks == 1;  // there are no clusters, and such a plan is never made
#endif
  if constexpr (Shape::duty_warp) {
    DutyBlock<Shape, with_fields>::begin();
    if (threadIdx.x < Shape::threads) {
      take_registers<Shape>();
      DutyBlock<Shape, with_fields>(batch).run();
    } else {
      give_registers<Shape>();
      if (!Shape::moves_registers || threadIdx.x < Shape::threads + 32) DutyWarp<Shape>(batch, work).run();
    }
  } else if constexpr (possible) {
    ResidentBlock<Shape, with_fields>(batch, work).run();
  }
}

template <class Shape>
ResidentVariant resident_variant() {
  return {Shape::Chain::value,
          Shape::L,
          Shape::blocks,
          Shape::depth,
          Shape::registers,
          Shape::threads_of_block,
          Shape::items,
          Shape::shared_bytes,
          Shape::layout,
          Shape::duty_warp,
          Shape::moves_registers ? Shape::registers_at_launch : 0,
          reinterpret_cast<const void*>(&resident_kernel<Shape, false>),
          reinterpret_cast<const void*>(&resident_kernel<Shape, true>)};
}

}}  // namespace glassworks::cuda
