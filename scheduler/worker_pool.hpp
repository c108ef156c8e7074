#pragma once

#include <map>
#include <vector>

#include "scheduler/batch_queue.hpp"
#include "scheduler/worker.hpp"

namespace glassworks {

/// Runs batches of realizations on several backends side by side until all have converged or failed, or a stop is
/// requested. Which worker simulates a round never touches its bits or decisions.
class WorkerPool {
 public:
  /// One worker, a thread of its own, for each backend. provenance.backend is filled in by each of them.
  WorkerPool(Campaign& campaign, std::vector<WorkerBackend> backends, const Provenance& provenance);
  WorkerPool(const WorkerPool&) = delete;  // the workers refer to chains_
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Throws the first error of database or checkpoints. A device that fails gives its realizations to the others; if
  /// none is left and work is, throws what the first one threw.
  RunOutcome run(RoundControl& control, RunObserver observer);

  [[nodiscard]] TimeShares times() const;

 private:
  Campaign& campaign_;
  Chains chains_;
  std::vector<Worker> workers_;
  std::map<int, int> workers_of_device_;
};

}  // namespace glassworks
