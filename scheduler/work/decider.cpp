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

namespace {

void enter(const Decision& decision, RoundCommit& round) {
  round.status = decision.status;
  round.reason = decision.reason;
  round.judgement = decision.judgement;
}

}  // namespace

void Decider::decide(FinishedBatch& batch) {
  const ConvergenceConfig& convergence = config_.convergence;
  std::vector<RoundCommit*> due;
  for (RoundCommit& round : batch.rounds) {
    if (!decision_due(convergence, round.round + 1, round.judgement)) continue;
    if (convergence.lengths == Lengths::own) {
      due.push_back(&round);
    } else if (convergence.lengths == Lengths::given) {
      enter(decide_given(round.judgement, round.round + 1), round);
    } else {
      enter(decide_course(convergence, round.round + 1), round);
    }
  }
  if (!due.empty()) decide_from_histories(due);
}

void Decider::decide_from_histories(std::span<RoundCommit* const> due) {
  constexpr std::size_t worth_a_thread = 16;
  const auto most = static_cast<std::size_t>(std::max(1, hardware_threads() / 2));
  const std::size_t shares = std::clamp(due.size() / worth_a_thread, std::size_t{1}, most);
  while (databases_.size() < shares) {
    databases_.push_back(Database::open(config_.campaign.directory / database_file_name, DatabaseAccess::read_only));
  }
  parallel_for(shares, static_cast<int>(shares), [&](std::size_t share) {
    const std::size_t first = share * due.size() / shares, last = (share + 1) * due.size() / shares;
    const std::span<RoundCommit* const> rounds = due.subspan(first, last - first);
    std::vector<RealizationKey> keys;
    for (const RoundCommit* round : rounds) keys.push_back(round->key);
    databases_[share].visit_histories(keys, RoundSamples::skip, [&](std::size_t i, std::vector<RoundRow>&& history) {
      enter(decision_of(*rounds[i], std::move(history)), *rounds[i]);
    });
  });
}

Decision Decider::decision_of(const RoundCommit& round, std::vector<RoundRow> history) const {
  const ConvergenceConfig& convergence = config_.convergence;
  const Chain& chain = chains_.at(round.key.L);
  history.resize(std::min<std::size_t>(history.size(), round.round));  // others may have committed what this lost
  history.push_back({round.round, round.record, round.seconds, 0});
  // The columns of stored rounds are those of this one (require_written_columns).
  const Evidence evidence =
      examine(history, chain.slots(), ChainObservables(chain), round.round_trips, convergence.rule());
  return groups_.of(round.key) ? decide_in_group(convergence, evidence, groups_.size())
                               : scheduler::decide(convergence, evidence);
}

}}  // namespace glassworks::scheduler
