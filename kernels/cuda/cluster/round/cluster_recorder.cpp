#include "kernels/cuda/cluster/round/cluster_recorder.hpp"

#include <algorithm>

#include "kernels/core/threads.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks::inline cuda {

namespace {

/// Threads that are worth starting for the sums of a measurement: a thousandth of a second of work for each.
int useful_threads(const Chain& chain, std::size_t tasks, int threads) {
  constexpr double sums_of_thread = 1 << 16, sums_of_replica = 256;  // the latter for what every replica costs
  const double columns =
      plane_columns(chain.model) + 0.5 * (chain.copies - 1) * static_cast<double>(pair_columns(chain.model));
  const double sums = chain.lattice.dim * chain.lattice.L * columns + sums_of_replica;
  const double wanted = static_cast<double>(tasks) * chain.replicas() * sums / sums_of_thread;
  const double most = std::min(static_cast<double>(threads), static_cast<double>(tasks));
  return static_cast<int>(std::max(1.0, std::min(wanted, most)));
}

}  // namespace

ClusterRecorder::ClusterRecorder(const Chain& chain, std::span<const HeldTask> tasks, int threads)
    : chain_(chain), threads_(useful_threads(chain, tasks.size(), threads)), too_large_(tasks.size(), 0) {
  for (const HeldTask& task : tasks) {
    measurement_.emplace_back(chain, task.disorder->energy_scale);
    records_.push_back(empty_record(chain));
    ChainState walk;
    walk.slot.resize(static_cast<std::size_t>(chain.replicas()));
    walk.heading.resize(walk.slot.size());
    walk_.push_back(std::move(walk));
  }
}

void ClusterRecorder::add(int m, const ClusterResults& results) {
  parallel_for(records_.size(), threads_, [&](std::size_t task) { add_task(m, task, results); });
}

void ClusterRecorder::add_task(int m, std::size_t task, const ClusterResults& results) {
  const auto replicas = static_cast<std::size_t>(chain_.replicas()), slots = static_cast<std::size_t>(chain_.slots());
  const std::size_t first = task * replicas;
  const auto pairs = static_cast<std::size_t>(chain_.copies * (chain_.copies - 1) / 2);
  const ClusterMeasurement& measurement = measurement_[task];
  RoundRecord& record = records_[task];
  const auto quantities = static_cast<std::size_t>(measurement.layout().size());
  const SamplePlaces samples(chain_, m, measurement.layout().size(), record);
  std::vector<std::vector<SiteSums>> sites(slots);
  std::vector<std::vector<ClusterSums>> clusters(slots);
  for (std::size_t r = 0; r < replicas; ++r) {  // ascending, so the copies of a slot are in their order
    const SystemResult& system = results.system(first + r);
    if (system.too_large != 0) too_large_[task] = 1;
    walk_[task].slot[r] = static_cast<std::uint16_t>(system.slot);
    walk_[task].heading[r] = static_cast<std::int8_t>(system.heading);
    sites[static_cast<std::size_t>(system.slot)].push_back(results.sites(first + r));
    clusters[static_cast<std::size_t>(system.last_slot)].push_back(results.clusters(first + r));
  }
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::vector<OverlapSums> overlaps;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      overlaps.push_back(results.overlap((task * slots + slot) * pairs + pair));
    }
    measurement.add(sites[slot], clusters[slot], overlaps, record.mean.data() + slot * quantities,
                    samples.of_slot(static_cast<int>(slot)));
  }
  record_walk(chain_, walk_[task], record);
}

}  // namespace glassworks::inline cuda
