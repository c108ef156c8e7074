#include "kernels/cuda/batch_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/cluster/round/device_cluster_round.hpp"
#include "kernels/cuda/multispin/copies/device_copy_round.hpp"
#include "kernels/cuda/multispin/device_multispin_round.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// The places of a launch that makes whole steps, for replicas. A place of the ladder kernel is busy for a whole
/// launch, one of the resident kernel for a step of a replica.
class Places {
 public:
  Places(const CudaPlan& plan, const Chain& chain)
      : ladder_(plan.kind == CudaPlan::Kind::ladder),
        places_(ladder_ ? plan.ladder.ladder_capacity() * chain.slots() : plan.resident.item_capacity()),
        replicas_(chain.replicas()) {}

  /// Turns of each place in which hardly any time is lost at the end.
  [[nodiscard]] double few() const { return ladder_ ? 2.0 : 8.0; }
  [[nodiscard]] int tasks_for(double turns) const { return std::max(1, static_cast<int>(turns * places_ / replicas_)); }
  /// Of the places in all turns, those that have work.
  [[nodiscard]] double use(int tasks) const {
    const double turns = tasks * replicas_ / places_;
    return turns / std::ceil(turns);
  }

 private:
  bool ladder_;
  double places_, replicas_;
};

/// Turns of each place of a batch without a preference for the last one: some, and so many that what a measurement
/// takes whatever its size (55 us on an H200) is small beside the steps before it.
double turns_of_batch(const Places& places, const Chain& chain) {
  constexpr double updates = 1.5e9, most = 4.0;  // between two measurements; times the fewest turns
  const double per_task = chain.updates_per_stretch();
  const double tasks = updates / per_task, few = places.tasks_for(places.few());
  return places.few() * std::clamp(tasks / few, 1.0, most);
}

}  // namespace

int whole_step_batch(const Chain& chain, const CudaPlan& plan, int fitting) {
  const Places places(plan, chain);
  const double turns = turns_of_batch(places, chain), most = 1.75 * turns;  // to look for a last turn that is full
  int best = std::min(fitting, places.tasks_for(turns));
  double best_use = 0.0;
  for (int tasks = best; tasks <= std::min(fitting, std::max(places.tasks_for(most), best + 6)); ++tasks) {
    if (places.use(tasks) > best_use + 0.005) {
      best = tasks;
      best_use = places.use(tasks);
    }
  }
  return best;
}

int whole_step_width(const Chain& chain, const CudaPlan& plan) {
  const Places places(plan, chain);
  return std::max(1, places.tasks_for(places.few()) / 2);
}

double whole_step_share(const Chain& chain, const CudaPlan& plan, int tasks) {
  constexpr int ladders = 2;  // of a multiprocessor, if it has room for more than one
  const bool ladder = plan.kind == CudaPlan::Kind::ladder;
  const int places =
      ladder ? std::min(ladders, plan.ladder.most_blocks) * plan.ladder.multiprocessors : plan.resident.item_capacity();
  return std::min(1.0, static_cast<double>(tasks) * (ladder ? chain.copies : chain.replicas()) / places);
}

int site_batch(const Chain& chain, int fitting) {
  constexpr double sites = 2e7;  // enough threads for any device
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  return std::clamp(static_cast<int>(std::ceil(sites / per_task)), 1, fitting);
}

int tile_batch(const Chain& chain, const TilePlan& plan, int fitting) {
  const auto use = [&](int tasks) { return schedule_tiles(plan, chain.lattice, tasks, chain.replicas()).use; };
  const double sites = 2.0 * plan.item_capacity() * plan.variant->T * plan.variant->T * plan.variant->T;
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  const int first = std::clamp(static_cast<int>(std::ceil(16.0 * sites / per_task)), 1, fitting);
  int best = first;
  for (int tasks = first + 1; tasks <= std::min(fitting, first + 4 + first / 2); ++tasks) {
    if (use(tasks) > use(best) + 0.01) best = tasks;
  }
  return best;
}

int cluster_batch(const Chain& chain, double bytes) {
  constexpr double sites = 2e7, most_replicas = 60000;
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  const double wanted = std::min(std::ceil(sites / per_task), most_replicas / chain.replicas());
  return static_cast<int>(std::max(1.0, std::min(wanted, bytes / DeviceClusterRounds::bytes_per_task(chain))));
}

int multispin_batch(const Chain& chain, double bytes) {
  constexpr double sites = 1.2e8, fewest = 1024.0, most_sites = 3e8, most_replicas = 300000;
  constexpr int group = static_cast<int>(multispin_group);
  const double per_task = chain.replicas() * static_cast<double>(chain.lattice.sites());
  const double wanted =
      std::min(std::max(std::ceil(sites / per_task), std::min(fewest, std::ceil(most_sites / per_task))),
               most_replicas / chain.replicas());
  double per_realization = DeviceMultispinRounds::bytes_per_task(chain);
  // Realizations with graphs of their own have plain kernels.
  if (chain.lattice.is_graph()) {
    per_realization = std::max(per_realization, DeviceClusterRounds::bytes_per_task(chain));
    bytes -= WordGraphMemory::bytes(chain.lattice);
  }
  const int fitting = static_cast<int>(std::min(wanted, bytes / per_realization));
  return fitting < group ? std::max(1, fitting) : fitting / group * group;
}

int copy_batch(const Chain& chain, double bytes) {
  constexpr double words = 3e7;  // of 128 bits
  const double per_task = chain.slots() * std::ceil(chain.copies / 128.0) * static_cast<double>(chain.lattice.sites());
  return std::max(
      1, static_cast<int>(std::min(std::ceil(words / per_task), bytes / DeviceCopyRounds::bytes_per_task(chain))));
}

}}  // namespace glassworks::cuda
