#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "db/database.hpp"
#include "kernels/core/task_queue.hpp"
#include "scheduler/campaign_rows.hpp"
#include "scheduler/pending_commit.hpp"

namespace glassworks::inline scheduler {

/// Decides about the realizations of finished batches before they are committed: threads with connections of their own
/// read the histories, so that what writes does not wait for it.
class DecisionPool {
 public:
  /// Gets a commit whose decisions are made, in the state `writing`, with what went wrong. Called by a thread of the
  /// pool.
  using HandOn = std::function<void(PendingCommit commit)>;

  DecisionPool(const Campaign& campaign, const Chains& chains, HandOn hand_on);
  DecisionPool(const DecisionPool&) = delete;
  DecisionPool& operator=(const DecisionPool&) = delete;
  /// Finishes what was submitted.
  ~DecisionPool() { queue_.finish(); }

  /// Whether there is anything to decide: most rounds are not looked at.
  [[nodiscard]] bool is_due(const FinishedBatch& batch) const;
  void submit(PendingCommit commit) { queue_.post(std::move(commit)); }

 private:
  void decide(std::optional<Database>& database, PendingCommit commit) const;
  void decide_all(std::optional<Database>& database, FinishedBatch& batch) const;

  const Campaign& campaign_;
  const Chains& chains_;
  const HandOn hand_on_;
  TaskQueue<PendingCommit> queue_;  // ends before the rest goes
};

}  // namespace glassworks::inline scheduler
