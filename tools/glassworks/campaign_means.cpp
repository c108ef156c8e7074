#include "tools/glassworks/campaign_means.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "base/threads.hpp"
#include "engine/loading/memory.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {

Means means_of(const Config& config, std::vector<WorkerBackend> backends) {
  Means means;
  std::set<int> devices;
  for (const WorkerBackend& worker : backends) devices.insert(worker.device);
  means.gpu = !backends.front().is_processor;
  means.devices = static_cast<double>(devices.size());
  if (means.gpu) {
    means.unit = "GPU-hours";
  } else if (config.backend.options.kind != BackendKind::reference) {
    const int threads = config.backend.options.threads;
    means.units_per_device = threads > 0 ? threads : hardware_threads();
  }
  means.backends = std::move(backends);
  return means;
}

double usable_memory() { return 0.5 * available_memory_bytes(); }

int timed_batch(const Config& config, const Chain& chain, int realizations, const Means& means,
                const MemoryNeed& need) {
  const int preferred = means.first().preferred_batch(chain);
  const int wanted = config.backend.batch > 0 ? config.backend.batch
                     : preferred > 0          ? preferred
                                              : static_cast<int>(means.units_per_device);
  const int fitting = static_cast<int>(std::clamp((usable_memory() - need.shared) / need.each, 1.0, 1.0e6));
  return std::max(std::min({wanted, realizations, fitting}), 1);
}

int campaign_batch(const Config& config, const Chain& chain, int realizations, const Means& means,
                   const MemoryNeed& need, double seconds) {
  const double bytes = 0.5 * physical_memory_bytes() / static_cast<double>(means.backends.size());
  const int batch = config.backend.batch > 0
                        ? config.backend.batch
                        : automatic_batch(chain, means.first().preferred_batch(chain), seconds, bytes, need);
  return std::min(batch, realizations);
}

std::string bytes_text(double bytes) { return human_bytes(static_cast<std::int64_t>(std::min(bytes, 9e18))); }

}}  // namespace glassworks::tools
