#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/ranks/transport.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace scheduler {

/// Inputs of a worker rank (rank > 0).
struct WorkerRankInputs {
  Handshake self;
  std::function<std::vector<WorkerBackend>(const Config&)> backends;  ///< for the configuration of this rank
  Provenance provenance;                                              ///< without the backend
  std::filesystem::path temporaries;  ///< where states go if it does not see the campaign's directory
};

/// Main loop of a worker rank (rank > 0): introduces itself, receives the campaign, simulates batches until none are
/// left, and returns when rank 0 sends End. A stop requested by `control` stops the whole run. Returns at once if
/// rank 0 refuses the run; rank 0 reports the reason. Throws what the transport throws.
void run_worker_rank(Transport& transport, RoundControl& control, const WorkerRankInputs& equipment);

}}  // namespace glassworks::scheduler
