#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "scheduler/work/batch_queue.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace scheduler {

/// Runs batches of realizations on several backends side by side until all have converged or failed, or a stop is
/// requested. Other processes may do the same with the same campaign. Which worker simulates a round never touches its
/// bits or decisions.
class WorkerPool {
 public:
  using Service = std::function<void(BatchQueue& queue, const Chains& chains)>;

  /// One worker, a thread of its own, for each backend. provenance.backend is filled in by each of them.
  WorkerPool(Campaign& campaign, std::vector<WorkerBackend> backends, const Provenance& provenance);

  /// From then on no round is begun that would not be finished by then.
  void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

  /// What this process has of its machine: threads, and with how many workers of all processes it shares the memory.
  /// Otherwise the threads of the configuration, and its own workers.
  void set_share(int threads, int sharers) {
    threads_ = threads;
    sharers_ = sharers;
  }

  /// Its backends only adapt ladders; all rounds are left to those who are served.
  void coordinate_only() { coordinates_only_ = true; }

  /// Adapts the ladders first, where the campaign asks for it and it has not been done. Throws the first error of
  /// database or checkpoints. A device that fails gives its realizations to the others; if none is left and work is,
  /// throws what the first one threw.
  ///
  /// serve  if given, is called in this thread while the workers run: it gives batches of the queue to others. The run
  ///        ends when it has returned and the workers have ended.
  RunOutcome run(RoundControl& control, RunObserver observer, const Service& serve = {});

  [[nodiscard]] TimeShares times() const { return times_; }

 private:
  bool adapt_ladders_first(LeaseKeeper& keeper, RoundControl& control, const RunObserver& observer);

  Campaign& campaign_;
  std::vector<WorkerBackend> backends_;
  Provenance provenance_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  int threads_ = 0, sharers_ = 0;
  bool coordinates_only_ = false;
  TimeShares times_;
};

}}  // namespace glassworks::scheduler
