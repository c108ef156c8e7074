#pragma once

#include <vector>

#include "kernels/cuda/ladder_turns.cuh"
#include "kernels/cuda/resident_sweeps.cuh"

namespace glassworks { inline namespace cuda {

/// One block of the ladder kernel, as seen by a group of threads.
template <class Shape, bool with_fields>
class LadderBlock : ResidentSweeps<Shape, with_fields, LadderTurns<Shape>> {
  using Turns = LadderTurns<Shape>;
  using Sweeps = ResidentSweeps<Shape, with_fields, Turns>;
  using Sweeps::b_, Sweeps::turns_, Sweeps::item_;

 public:
  __device__ __forceinline__ LadderBlock(const DeviceBatch& batch, const LadderWork& work)
      : Sweeps(batch, Turns(batch, work)) {}

  __device__ __forceinline__ void run() {
    turns_.begin();
    const int task = turns_.task();
    item_.use(Turns::spins_of(0) + 4U * static_cast<unsigned>(turns_.local() * Shape::item_floats));
    item_.take_couplings(b_.d_arranged_couplings +
                         static_cast<std::int64_t>(task) * (Shape::couplings * Shape::threads_per_item));
    if constexpr (with_fields) item_.take_fields(b_.fields_of(task));
    int before = 0;
    for (int bundle = turns_.next(); bundle >= 0; bundle = turns_.next()) {
      item_.move(static_cast<unsigned>((bundle - before) * LadderLayout<Shape>::bundle_bytes));
      before = bundle;
      turns_.await_spins(bundle);
      item_.take_spins();
      if (LadderLayout<Shape>::group == 32) __syncwarp();  // threads without sites have read those of another one
      Sweeps::do_step(static_cast<unsigned>(bundle), task, turns_.first() + turns_.replica(bundle),
                      turns_.global_step(bundle), turns_.temperature(bundle));
      turns_.report(bundle);
    }
    turns_.end();
  }
};

/// Steps first_step .. first_step + steps - 1 of a round for the ladders of a batch: over-relaxation, heat bath,
/// energies, exchange.
///
/// Grid: tasks x copies. The spins of a ladder stay in shared memory for all steps, the couplings in
/// registers. Streams: heat_bath, exchange. Same bits whichever group takes a bundle, and in which order: all sums are
/// integers, and exchanges depend on the reports alone. Traffic: 24 bytes per spin and launch.
template <class Shape, bool with_fields>
__global__ void __launch_bounds__(LadderLayout<Shape>::most_threads, 1)
    ladder_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ LadderWork work) {
  LadderBlock<Shape, with_fields>(batch, work).run();
}

template <class Shape>
LadderVariant ladder_variant() {
  using Layout = LadderLayout<Shape>;
  return {Shape::Chain::value,
          Shape::L,
          Layout::items,
          Layout::group,
          Layout::most_threads,
          Layout::most_slots,
          Layout::bundle_bytes,
          Shape::depth,
          Shape::layout,
          reinterpret_cast<const void*>(&ladder_kernel<Shape, false>),
          reinterpret_cast<const void*>(&ladder_kernel<Shape, true>)};
}

}}  // namespace glassworks::cuda
