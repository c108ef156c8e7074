#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace tools {

/// The machine as a campaign would use it.
struct Means {
  std::vector<WorkerBackend> backends;
  bool gpu = false;
  double devices = 1.0;           ///< that compute side by side
  double units_per_device = 1.0;  ///< threads of the processor, or 1
  const char* unit = "core-hours";

  [[nodiscard]] Backend& first() const { return *backends.front().backend; }
};
[[nodiscard]] Means means_of(const Config& config, std::vector<WorkerBackend> backends);

/// For timings [bytes].
[[nodiscard]] double usable_memory();

/// As many realizations as keep the backend busy, within half of the memory.
[[nodiscard]] int timed_batch(const Config& config, const Chain& chain, int realizations, const Means& means,
                              const MemoryNeed& need);

/// Realizations that a worker of the campaign holds together.
///
/// seconds  of a round of one of them
[[nodiscard]] int campaign_batch(const Config& config, const Chain& chain, int realizations, const Means& means,
                                 const MemoryNeed& need, double seconds);

/// Generations of checkpoints that a campaign keeps.
constexpr int checkpoint_generations = 2;

/// A size of memory or files for people.
[[nodiscard]] std::string bytes_text(double bytes);

}}  // namespace glassworks::tools
