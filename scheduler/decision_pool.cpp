#include "scheduler/decision_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "scheduler/convergence.hpp"

namespace glassworks::inline scheduler {
namespace {

/// A decision takes some milliseconds, and one round in ten or so needs one.
std::size_t pool_size() { return static_cast<std::size_t>(std::clamp(hardware_threads() / 4, 1, 8)); }

}  // namespace

DecisionPool::DecisionPool(const Campaign& campaign, const Chains& chains, HandOn hand_on)
    : campaign_(campaign), chains_(chains), hand_on_(std::move(hand_on)), queue_(pool_size(), [this] {
        return [this, database = std::optional<Database>()](PendingCommit commit) mutable {
          decide(database, std::move(commit));
        };
      }) {}

bool DecisionPool::is_due(const FinishedBatch& batch) const {
  return std::ranges::any_of(batch.rounds, [&](const RoundCommit& round) {
    return decision_due(campaign_.config().convergence, round.round + 1);
  });
}

void DecisionPool::decide(std::optional<Database>& database, PendingCommit commit) const {
  try {
    decide_all(database, commit.batch);
  } catch (...) {
    commit.failure = std::current_exception();
  }
  commit.state = PendingCommit::State::writing;
  hand_on_(std::move(commit));
}

void DecisionPool::decide_all(std::optional<Database>& database, FinishedBatch& batch) const {
  const Config& config = campaign_.config();
  if (!database) {
    database = Database::open(config.directory / database_file_name, DatabaseAccess::read_only);
  }
  for (RoundCommit& round : batch.rounds) {
    if (!decision_due(config.convergence, round.round + 1)) continue;
    const Chain& chain = chains_.at(round.key.L);
    std::vector<RoundRow> history = database->rounds(round.key, 0, RoundSamples::skip);
    history.resize(std::min<std::size_t>(history.size(), round.round));  // others may have committed what this lost
    history.push_back({round.round, round.record, round.seconds, 0});
    // The columns of stored rounds are those of this one (require_written_columns).
    const Decision decision =
        scheduler::decide(config.convergence, history, chain.slots(), ChainObservables(chain), round.round_trips);
    round.status = decision.status;
    round.reason = decision.reason;
    round.judgement = decision.judgement;
  }
}

}  // namespace glassworks::inline scheduler
