#include "scheduler/decider.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "scheduler/convergence.hpp"

namespace glassworks::inline scheduler {

bool decision_due(const ConvergenceConfig& config, const FinishedBatch& batch) {
  return std::ranges::any_of(batch.rounds,
                             [&](const RoundCommit& round) { return decision_due(config, round.round + 1); });
}

void Decider::decide(FinishedBatch& batch) {
  if (!database_) {
    database_ = Database::open(config_.directory / database_file_name, DatabaseAccess::read_only);
  }
  for (RoundCommit& round : batch.rounds) {
    if (!decision_due(config_.convergence, round.round + 1)) continue;
    const Chain& chain = chains_.at(round.key.L);
    std::vector<RoundRow> history = database_->rounds(round.key, 0, RoundSamples::skip);
    history.resize(std::min<std::size_t>(history.size(), round.round));  // others may have committed what this lost
    history.push_back({round.round, round.record, round.seconds, 0});
    // The columns of stored rounds are those of this one (require_written_columns).
    const Decision decision =
        scheduler::decide(config_.convergence, history, chain.slots(), ChainObservables(chain), round.round_trips);
    round.status = decision.status;
    round.reason = decision.reason;
    round.judgement = decision.judgement;
  }
}

}  // namespace glassworks::inline scheduler
