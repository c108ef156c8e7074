#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "db/database.hpp"
#include "kernels/threads.hpp"
#include "scheduler/campaign_rows.hpp"
#include "scheduler/work_source.hpp"

namespace glassworks {

/// Decides about the realizations of finished batches before they are committed: threads with connections of their own
/// read the histories, so that what writes does not wait for it.
class DecisionPool {
 public:
  /// Gets the batch with all decisions made, or what went wrong. Called by a thread of the pool.
  using Done = std::function<void(FinishedBatch batch, std::exception_ptr failure)>;

  DecisionPool(const Campaign& campaign, const Chains& chains);
  DecisionPool(const DecisionPool&) = delete;
  DecisionPool& operator=(const DecisionPool&) = delete;
  /// Finishes what was submitted.
  ~DecisionPool();

  /// Whether there is anything to decide: most rounds are not looked at.
  [[nodiscard]] bool is_due(const FinishedBatch& batch) const;
  void submit(FinishedBatch batch, Done done);

 private:
  struct Task {
    FinishedBatch batch;
    Done done;
  };

  void work(const std::stop_token& stop);
  void decide_all(std::optional<Database>& database, FinishedBatch& batch) const;

  const Campaign& campaign_;
  const Chains& chains_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Task> tasks_;
  std::vector<Thread> threads_;  // end before the rest goes
};

}  // namespace glassworks
