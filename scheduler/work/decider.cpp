#include "scheduler/work/decider.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/threads.hpp"
#include "scheduler/convergence/convergence.hpp"

namespace glassworks { inline namespace scheduler {

bool decision_due(const ConvergenceConfig& config, const FinishedBatch& batch) {
  return std::ranges::any_of(
      batch.rounds, [&](const RoundCommit& round) { return decision_due(config, round.round + 1, round.judgement); });
}

void Decider::decide(FinishedBatch& batch) {
  std::vector<RoundCommit*> due;
  for (RoundCommit& round : batch.rounds) {
    if (decision_due(config_.convergence, round.round + 1, round.judgement)) due.push_back(&round);
  }
  constexpr std::size_t worth_a_thread = 16;
  const auto most = static_cast<std::size_t>(std::max(1, hardware_threads() / 2));
  const std::size_t shares = std::clamp(due.size() / worth_a_thread, std::size_t{1}, most);
  while (databases_.size() < shares) {
    databases_.push_back(Database::open(config_.campaign.directory / database_file_name, DatabaseAccess::read_only));
  }
  parallel_for(shares, static_cast<int>(shares), [&](std::size_t share) {
    for (std::size_t i = share; i < due.size(); i += shares) decide(databases_[share], *due[i]);
  });
}

void Decider::decide(const Database& database, RoundCommit& round) const {
  const Decision decision = decision_of(database, round);
  round.status = decision.status;
  round.reason = decision.reason;
  round.judgement = decision.judgement;
}

Decision Decider::decision_of(const Database& database, const RoundCommit& round) const {
  const ConvergenceConfig& convergence = config_.convergence;
  if (convergence.lengths == Lengths::given) return decide_given(round.judgement, round.round + 1);
  if (convergence.lengths == Lengths::course) return decide_course(convergence, round.round + 1);
  const Chain& chain = chains_.at(round.key.L);
  std::vector<RoundRow> history = database.rounds(round.key, 0, RoundSamples::skip);
  history.resize(std::min<std::size_t>(history.size(), round.round));  // others may have committed what this lost
  history.push_back({round.round, round.record, round.seconds, 0});
  // The columns of stored rounds are those of this one (require_written_columns).
  const Evidence evidence =
      examine(history, chain.slots(), ChainObservables(chain), round.round_trips, convergence.rule());
  return groups_.of(round.key) ? decide_in_group(convergence, evidence, groups_.size())
                               : scheduler::decide(convergence, evidence);
}

}}  // namespace glassworks::scheduler
