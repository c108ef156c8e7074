#include "kernels/cuda/colours/colour_sweeps.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_devices.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// threads: of a block; n: components
ColourDevice this_device(int threads, int n) {
  const CudaDevice& device = current_cuda_device();
  const int at_once = n < 4 ? 1024 : 768;  // of the kernels of heat baths and over-relaxation on a multiprocessor
  return {at_once / threads * device.multiprocessors, device.cache_bytes};
}

}  // namespace

ColourSweeps::ColourSweeps(const ColourPlan& plan, const ClusterBatch& batch, const Step& moves, float* d_by_colour,
                           cudaStream_t stream)
    : batch_(batch), moves_(moves), stream_(stream), renormalizes_(vector_chain(batch.model).renormalizes) {
  const DeviceBatch& b = batch_.common;
  const int half = b.lattice.L / 2, depth = b.lattice.dim > 2 ? b.lattice.L : 1;
  launch_.d_spins = d_by_colour;
  launch_.x = SmallDivisor(plan.x);
  launch_.y = SmallDivisor(plan.y);
  launch_.z = SmallDivisor(plan.z);
  launch_.boxes_x = SmallDivisor(parts_of(half, plan.x));
  launch_.boxes_z = SmallDivisor(parts_of(depth, plan.z));
  const int of_last_axis = b.lattice.dim > 3 ? b.lattice.L : 1;
  const std::int64_t boxes =
      std::int64_t{parts_of(half, plan.x)} * parts_of(half, plan.y) * parts_of(depth, plan.z) * of_last_axis;
  const auto bytes = static_cast<std::int64_t>(sizeof(float) * colour_order_size(b.lattice, b.components));
  const ColourRuns runs = share_out_runs(this_device(plan.threads(), b.components), boxes, bytes, b.tasks, b.replicas(),
                                         moves_.repetitions() * moves_.sweeps());
  launch_.runs = SmallDivisor(runs.of_realization);
  runs_ = std::int64_t{b.tasks} * runs.of_realization;
  together_ = runs.together > 0 ? runs.together : runs_;
  launch_.of_bonds = vector_chain(batch.model).energy_of_bonds;
}

void ColourSweeps::finish() {
  if (!ahead_) return;
  order_naturally(launch_.d_spins, batch_.common, late_, stream_);
  ahead_ = late_ = false;
}

void ColourSweeps::pass(ColourPass which, int colour, bool last, std::uint64_t step, const UpdateNumber& sweep) {
  launch_.colour = colour;
  launch_.late = late_;
  launch_.renormalize = renormalizes_ && last;
  launch_.step = step;
  switch (batch_.common.components) {
    case 2:
      return launch_colour_pass<2>(which, batch_, launch_, sweep, stream_);
    case 3:
      return launch_colour_pass<3>(which, batch_, launch_, sweep, stream_);
    default:
      return launch_colour_pass<4>(which, batch_, launch_, sweep, stream_);
  }
}

void ColourSweeps::sweeps(std::uint64_t step) {
  if (!ahead_) order_by_colour(batch_.common, launch_.d_spins, stream_);
  ahead_ = true;
  const bool late = late_;
  for (std::int64_t first = 0; first < runs_; first += together_) {
    launch_.first = static_cast<unsigned>(first);
    launch_.end = static_cast<unsigned>(std::min(first + together_, runs_));
    late_ = late;
    sweeps_of_runs(step);
  }
  late_ = renormalizes_;
}

void ColourSweeps::sweeps_of_runs(std::uint64_t step) {
  const auto repetitions = static_cast<std::uint64_t>(moves_.repetitions());
  const auto all = repetitions * static_cast<std::uint64_t>(moves_.sweeps());
  const auto local = repetitions * static_cast<std::uint64_t>(moves_.count(MoveKind::local));
  const ColourPass local_pass =
      batch_.common.protocol.local == SiteRule::metropolis ? ColourPass::metropolis : ColourPass::heat_bath;
  std::uint64_t done = 0;
  for (std::uint64_t t = 0; t < repetitions; ++t) {
    moves_.for_each(moves_.moves(), t, [&](const NumberedMove& move) {
      const bool is_local = move.kind() == MoveKind::local, last = ++done == all;
      const UpdateNumber sweep =
          is_local ? UpdateNumber{step, local, move.number} : UpdateNumber{step, all, move.sweep};
      const ColourPass which = is_local ? local_pass : ColourPass::over_relaxation;
      pass(which, 0, false, step, sweep);
      late_ = false;
      pass(which, 1, last, step, sweep);
    });
  }
}

void ColourSweeps::energies(std::uint64_t step) {
  launch_.first = 0;
  launch_.end = static_cast<unsigned>(runs_);
  pass(ColourPass::energies, 1, false, step, {});
}

}}  // namespace glassworks::cuda
