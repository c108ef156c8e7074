#include "scheduler/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/checkpoint.hpp"
#include "engine/memory.hpp"
#include "kernels/observables.hpp"
#include "scheduler/convergence.hpp"
#include "scheduler/parallel_for.hpp"

namespace glassworks {
namespace {

class Stopwatch {
 public:
  /// Seconds since the last call or construction.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool finished(RealizationStatus status) {
  return status == RealizationStatus::converged || status == RealizationStatus::failed;
}

std::string checkpoint_name(RealizationKey key, std::uint32_t rounds, const std::string& digest) {
  return fmt::format("L{:03}-{:06}-{:06}-{}.ckpt", key.L, key.realization, rounds, digest.substr(0, 16));
}

ChainState stored_state(const Campaign& campaign, const RealizationRow& row) {
  const std::filesystem::path file = campaign.checkpoint_path(row.checkpoint);
  if (!std::filesystem::exists(file)) {
    throw std::runtime_error(
        fmt::format("the checkpoint {} is missing (it holds the spins of L = {}, realization {}, after round {}). "
                    "Restore it from a copy; nothing was changed.",
                    file.string(), row.key.L, row.key.realization, row.rounds));
  }
  return read_checkpoint(file, row.state_digest);
}

}  // namespace

/// One realization of the running batch.
struct Worker::Member {
  RealizationRow row;
  int attempt = 0;
  Disorder disorder;
  ChainState state;
  RoundRecord record;
  std::string digest, checkpoint;
};

Worker::Worker(Campaign& campaign, std::unique_ptr<Backend> backend, Provenance provenance)
    : campaign_(campaign), backend_(std::move(backend)), provenance_(std::move(provenance)) {
  const Config& config = campaign.config();
  threads_ = config.backend.threads > 0 ? config.backend.threads
                                        : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (std::size_t i = 0; i < config.model.L.size(); ++i) chains_.emplace(config.model.L[i], make_chain(config, i));
  for (RealizationRow& row : campaign.database().realizations()) rows_.emplace(row.key, std::move(row));
}

const Chain& Worker::chain_of(int L) const { return chains_.at(L); }

RunOutcome Worker::run(RoundControl& control, const std::function<void(const CampaignProgress&)>& observer) {
  campaign_.remove_orphans();
  Stopwatch watch;
  observer(progress());
  for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
    if (control.stop.load() || !run_batch(batch, control)) return RunOutcome::stopped;
    seconds_ += watch.lap();
    observer(progress());
  }
  return RunOutcome::complete;
}

/// Small rounds are grouped, so that a commit and its syncs are spread over seconds of simulation; a batch takes at
/// most half of the memory.
int Worker::batch_size(const Chain& chain) const {
  const Config& config = campaign_.config();
  if (config.batch > 0) return config.batch;
  constexpr double target_seconds = 3.0, guessed_seconds_per_update = 1.0e-9;
  const auto measured = seconds_per_round_.find(chain.lattice.L);
  const double one =
      measured != seconds_per_round_.end() ? measured->second : chain.updates_per_round() * guessed_seconds_per_update;
  const double fitting = 0.5 * physical_memory_bytes() / realization_bytes(chain.lattice, chain.slots(), chain.copies);
  return static_cast<int>(std::clamp(std::min(std::max(target_seconds / one, 8.0), fitting), 1.0, 256.0));
}

std::vector<RealizationRow> Worker::next_batch() const {
  std::vector<const RealizationRow*> open;
  for (const auto& [key, row] : rows_) {
    if (!finished(row.status)) open.push_back(&row);
  }
  if (open.empty()) return {};
  const auto first = *std::min_element(open.begin(), open.end(), [](const auto* a, const auto* b) {
    return std::pair(a->rounds, -a->key.L) < std::pair(b->rounds, -b->key.L);
  });
  const auto size = static_cast<std::size_t>(batch_size(chain_of(first->key.L)));
  std::stable_sort(open.begin(), open.end(), [](const auto* a, const auto* b) { return a->rounds < b->rounds; });
  std::vector<RealizationRow> batch;
  for (const RealizationRow* row : open) {
    if (row->key.L == first->key.L && batch.size() < size) batch.push_back(*row);
  }
  return batch;
}

bool Worker::run_batch(const std::vector<RealizationRow>& batch, RoundControl& control) {
  Stopwatch watch;
  const Chain& chain = chain_of(batch.front().key.L);
  std::vector<RealizationKey> keys;
  for (const RealizationRow& row : batch) keys.push_back(row.key);
  const std::vector<int> attempts = campaign_.database().lease(keys);
  times_.database += watch.lap();

  std::vector<Member> members(batch.size());
  parallel_for(members.size(), threads_, [&](std::size_t i) {
    Member& m = members[i];
    m.row = batch[i];
    m.attempt = attempts[i];
    m.disorder = make_disorder(campaign_.config(), chain.lattice, m.row.key.realization);
    m.state = m.row.rounds == 0 ? initial_state(chain, m.row.key.realization) : stored_state(campaign_, m.row);
  });
  std::vector<RoundTask> tasks;
  for (Member& m : members) tasks.push_back({m.row.key.realization, &m.disorder, &m.state, &m.record});
  times_.checkpoints += watch.lap();

  if (backend_->run_round(chain, tasks, control) == RoundOutcome::abandoned) return false;
  const double seconds = watch.lap();
  times_.rounds += seconds;
  commit(chain, members, seconds);
  return true;
}

/// Checkpoints first, then one transaction, then the previous checkpoints go: a kill at any point leaves whole rounds.
void Worker::commit(const Chain& chain, std::vector<Member>& members, double seconds) {
  Stopwatch watch;
  Database& database = campaign_.database();
  const Config& config = campaign_.config();
  const ObservableLayout layout(chain.lattice.dim, chain.copies);
  parallel_for(members.size(), threads_, [&](std::size_t i) {
    Member& m = members[i];
    m.digest = state_digest(m.state);
    m.checkpoint = checkpoint_name(m.row.key, m.row.rounds + 1, m.digest);
    write_checkpoint(campaign_.checkpoint_path(m.checkpoint), m.state);
  });
  times_.checkpoints += watch.lap();

  std::vector<RoundCommit> commits;
  for (Member& m : members) {
    RoundCommit c;
    c.key = m.row.key;
    c.attempt = m.attempt;
    c.round = m.row.rounds;
    c.checkpoint = m.checkpoint;
    c.state_digest = m.digest;
    c.round_trips = std::accumulate(m.state.round_trips.begin(), m.state.round_trips.end(), std::uint64_t{0});
    c.seconds = seconds / static_cast<double>(members.size());
    c.status = m.row.status == RealizationStatus::queued ? RealizationStatus::equilibrating : m.row.status;
    c.reason = m.row.reason;
    if (decision_due(config.convergence, m.row.rounds + 1)) {
      std::vector<RoundRow> rounds = database.rounds(m.row.key);
      rounds.push_back({c.round, m.record, c.seconds, 0});
      const Decision decision = decide(config.convergence, rounds, chain.slots(), layout, c.round_trips);
      c.status = decision.status;
      c.reason = decision.reason;
    }
    c.record = std::move(m.record);
    commits.push_back(std::move(c));
  }
  database.commit(commits, provenance_);
  times_.database += watch.lap();

  for (std::size_t i = 0; i < members.size(); ++i) {
    RealizationRow& row = rows_.at(members[i].row.key);
    if (!row.checkpoint.empty() && row.checkpoint != commits[i].checkpoint) {
      std::error_code ignored;  // an orphan is removed at the next start
      std::filesystem::remove(campaign_.checkpoint_path(row.checkpoint), ignored);
    }
    row.status = commits[i].status;
    row.reason = commits[i].reason;
    row.rounds = commits[i].round + 1;
    row.checkpoint = commits[i].checkpoint;
    row.state_digest = commits[i].state_digest;
    row.round_trips = commits[i].round_trips;
    row.attempt = commits[i].attempt;
  }
  seconds_per_round_[chain.lattice.L] = seconds / static_cast<double>(members.size());
  updates_ += chain.updates_per_round() * static_cast<double>(members.size());
  times_.checkpoints += watch.lap();
}

CampaignProgress Worker::progress() const {
  CampaignProgress p;
  p.updates = updates_;
  p.seconds = seconds_;
  double work = 0.0;  // updates still expected: to the mean length of the converged ones, at least one decision more
  double finished_rounds = 0.0;
  for (const auto& [key, row] : rows_) {
    ++p.realizations;
    p.rounds += row.rounds;
    p.converged += row.status == RealizationStatus::converged ? 1 : 0;
    p.failed += row.status == RealizationStatus::failed ? 1 : 0;
    if (finished(row.status)) finished_rounds += row.rounds;
  }
  const double done = static_cast<double>(p.converged + p.failed);
  const double minimum = campaign_.config().convergence.min_rounds;
  const double expected = std::max(minimum, done > 0.0 ? finished_rounds / done : minimum);
  for (const auto& [key, row] : rows_) {
    if (finished(row.status)) continue;
    const double rounds = row.rounds;
    work += std::max(expected - rounds, std::max(1.0, rounds / 4.0)) * chain_of(key.L).updates_per_round();
  }
  p.remaining_seconds = updates_ > 0.0 ? work * seconds_ / updates_ : (work > 0.0 ? -1.0 : 0.0);
  return p;
}

}  // namespace glassworks
