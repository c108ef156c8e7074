#pragma once

#include <span>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/campaign_rows.hpp"
#include "scheduler/campaign/work_source.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "scheduler/convergence/stopping_groups.hpp"

namespace glassworks { inline namespace scheduler {

/// Whether there is anything to decide about the realizations of a batch: most rounds are not looked at.
[[nodiscard]] bool decision_due(const ConvergenceConfig& config, const FinishedBatch& batch);

/// Decides about the realizations of finished batches before they are committed. Reads their histories through its own
/// connections, so that writers never wait. A large batch is split over several threads. Use one Decider per thread.
/// What a group makes of its members (decide_in_group) is settled by CampaignRows.
class Decider {
 public:
  Decider(const Config& config, const Chains& chains) : config_(config), chains_(chains), groups_(config) {}

  void decide(FinishedBatch& batch);

 private:
  void decide_from_histories(std::span<RoundCommit* const> due);
  [[nodiscard]] Decision decision_of(const RoundCommit& round, std::vector<RoundRow> history) const;

  const Config& config_;
  const Chains& chains_;
  StoppingGroups groups_;
  std::vector<Database> databases_;  ///< made when they are needed first, one for each thread that shares a batch
};

}}  // namespace glassworks::scheduler
