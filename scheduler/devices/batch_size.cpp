#include "scheduler/devices/batch_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/loading/memory.hpp"
#include "kernels/rounds/course.hpp"

namespace glassworks { inline namespace scheduler {

int automatic_batch(const Chain& chain, int preferred, double seconds_per_round, double bytes, const MemoryNeed& need) {
  constexpr double target_seconds = 3.0, guessed_seconds_per_update = 1.0e-9, smallest = 8.0, largest = 256.0;
  const double one =
      seconds_per_round > 0.0 ? seconds_per_round : mean_updates_of_round(chain) * guessed_seconds_per_update;
  const double wanted = preferred > 0 ? preferred : std::clamp(target_seconds / one, smallest, largest);
  const double fitting = (bytes - need.shared) / need.each;
  return static_cast<int>(std::max(std::min(wanted, fitting), 1.0));
}

double least_bytes(const Config& config, const Chain& chain, const std::vector<WorkerBackend>& backends) {
  double bytes = 0.0;
  for (const WorkerBackend& worker : backends) {
    bytes += batch_need(config, chain, *worker.backend).of(std::max(config.backend.batch, 1));
  }
  return bytes;
}

void require_batches_fit(const Config& config, const std::vector<WorkerBackend>& backends, double there) {
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const Chain chain = make_chain(config, i, ladder_temperatures(config, i));
    const std::size_t batches = backends.size();
    require_memory(least_bytes(config, chain, backends), there, "model.L",
                   fmt::format("L = {} ({} realization{} of {} replicas{})", chain.lattice.L,
                               std::max(config.backend.batch, 1), config.backend.batch > 1 ? "s" : "", chain.replicas(),
                               batches > 1 ? fmt::format(" on each of {} workers", batches) : ""),
                   "Lower model.L, ladder.slots or backend.batch.");
  }
}

void require_realization_fits(const Config& config, const Chain& chain, const Backend& backend, double there) {
  require_memory(batch_need(config, chain, backend).of(1.0), there, "model.L",
                 fmt::format("L = {} (1 realization of {} replicas)", chain.lattice.L, chain.replicas()),
                 "Use a machine with more memory.");
}

}}  // namespace glassworks::scheduler
