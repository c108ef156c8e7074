#include "scheduler/decision_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <thread>
#include <utility>

#include "scheduler/convergence.hpp"

namespace glassworks::inline scheduler {
namespace {

/// A decision takes some milliseconds, and one round in ten or so needs one.
std::size_t pool_size() { return std::clamp(std::thread::hardware_concurrency() / 4, 1U, 8U); }

}  // namespace

DecisionPool::DecisionPool(const Campaign& campaign, const Chains& chains, HandOn hand_on)
    : campaign_(campaign), chains_(chains), hand_on_(std::move(hand_on)) {
  start_threads(threads_, pool_size(), [this](const std::stop_token& stop) { work(stop); });
}

DecisionPool::~DecisionPool() {
  for (Thread& thread : threads_) thread.request_stop();
  threads_.clear();
}

bool DecisionPool::is_due(const FinishedBatch& batch) const {
  return std::ranges::any_of(batch.rounds, [&](const RoundCommit& round) {
    return decision_due(campaign_.config().convergence, round.round + 1);
  });
}

void DecisionPool::submit(PendingCommit commit) {
  const std::lock_guard lock(mutex_);
  commits_.push_back(std::move(commit));
  changed_.notify_one();
}

void DecisionPool::work(const std::stop_token& stop) {
  std::optional<Database> database;
  for (;;) {
    std::optional<PendingCommit> commit;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !commits_.empty(); });
      if (commits_.empty()) return;
      commit.emplace(std::move(commits_.front()));
      commits_.pop_front();
    }
    try {
      decide_all(database, commit->batch);
    } catch (...) {
      commit->failure = std::current_exception();
    }
    commit->state = PendingCommit::State::writing;
    hand_on_(std::move(*commit));
  }
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
        decide(config.convergence, history, chain.slots(), ChainObservables(chain), round.round_trips);
    round.status = decision.status;
    round.reason = decision.reason;
    round.judgement = decision.judgement;
  }
}

}  // namespace glassworks::inline scheduler
