#include "kernels/cuda/colours/colour_sweeps.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_error.hpp"

namespace glassworks { inline namespace cuda {
namespace {

int parts(int count, int of_part) { return (count + of_part - 1) / of_part; }

/// The number of runs that ends soonest: long ones load few couplings, short ones leave no places empty at the end.
int choose_runs(std::int64_t boxes, int tasks, int replicas) {
  int device = 0, multiprocessors = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "querying the device");
  const std::int64_t places = 4LL * multiprocessors;
  int best = parts(replicas, most_in_run);
  const int most = std::min(replicas, most_runs);
  double best_time = 0.0;
  for (int runs = best; runs <= most; ++runs) {
    const auto turns = static_cast<double>((boxes * tasks * runs + places - 1) / places);
    constexpr double beginning = 0.6;  // couplings and indices take about as long as a replica
    const double time = turns * (parts(replicas, runs) + beginning);
    if (best_time == 0.0 || time < 0.99 * best_time) {
      best = runs;
      best_time = time;
    }
  }
  return best;
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
  launch_.boxes_x = SmallDivisor(parts(half, plan.x));
  launch_.boxes_z = SmallDivisor(parts(depth, plan.z));
  const int of_last_axis = b.lattice.dim > 3 ? b.lattice.L : 1;
  const std::int64_t boxes =
      std::int64_t{parts(half, plan.x)} * parts(half, plan.y) * parts(depth, plan.z) * of_last_axis;
  launch_.runs = SmallDivisor(choose_runs(boxes, b.tasks, b.replicas()));
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
  late_ = renormalizes_;
}

void ColourSweeps::energies(std::uint64_t step) { pass(ColourPass::energies, 1, false, step, {}); }

}}  // namespace glassworks::cuda
