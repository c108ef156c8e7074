#pragma once

#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/devices/worker_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// Most realizations that a worker takes at once where backend.batch is not set: what the backend prefers, or about
/// three seconds of simulation, so that a commit and its syncs are spread over them; never more than fit.
///
/// preferred          of the backend; 0: no preference
/// seconds_per_round  of one realization; 0: not measured yet
/// bytes              memory that the batch may take
/// need               of a batch, by its size (batch_need)
[[nodiscard]] int automatic_batch(const Chain& chain, int preferred, double seconds_per_round, double bytes,
                                  const MemoryNeed& need);

/// Memory of the smallest batches that the workers of a run can take of one size, one on each [bytes].
[[nodiscard]] double least_bytes(const Config& config, const Chain& chain, const std::vector<WorkerBackend>& backends);

/// Throws InputError where that is more than there is, for any size of a campaign: before any work.
///
/// there  memory that can be used [bytes]
void require_batches_fit(const Config& config, const std::vector<WorkerBackend>& backends, double there);

/// Throws InputError where one realization of a chain alone is more than there is.
void require_realization_fits(const Config& config, const Chain& chain, const Backend& backend, double there);

}}  // namespace glassworks::scheduler
