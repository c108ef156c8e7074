#include "scheduler/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/checkpoint.hpp"
#include "engine/memory.hpp"
#include "kernels/observables.hpp"
#include "scheduler/batch_size.hpp"
#include "scheduler/convergence.hpp"
#include "scheduler/parallel_for.hpp"
#include "scheduler/stopwatch.hpp"

namespace glassworks {
namespace {

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

int hardware_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace

/// One realization of the running batch.
struct Worker::Member {
  RealizationRow row;
  Disorder disorder;
  ChainState state;
  RoundRecord record;
  std::string digest, checkpoint;
};

Worker::Worker(const Campaign& campaign, const Chains& chains, WorkerBackend backend, Provenance provenance,
               int workers)
    : campaign_(campaign),
      chains_(chains),
      backend_(std::move(backend)),
      provenance_(std::move(provenance)),
      workers_(workers) {
  const int threads = campaign.config().backend.threads;
  threads_ = std::max(1, (threads > 0 ? threads : hardware_threads()) / workers);
  provenance_.backend = backend_.backend->description();
}

/// Memory of the host that is used up is no fault of a device.
template <class Call>
bool Worker::on_device(BatchQueue& queue, const Batch& batch, const Call& call) {
  try {
    call();
    return true;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    queue.device_failed(backend_.device, provenance_.backend, batch, failure);
    return false;
  }
}

void Worker::run(BatchQueue& queue, RoundControl& control) {
  try {
    const bool ready = on_device(queue, {}, [&] {
      for (const auto& [L, chain] : chains_) preferred_batch_[L] = backend_.backend->preferred_batch(chain);
    });
    if (!ready) return;
    for (;;) {
      Stopwatch watch;
      const Batch batch = queue.take(backend_.device, batch_limits());
      times_.idle += batch.idle_seconds;
      times_.database += watch.lap() - batch.idle_seconds;
      if (batch.rows.empty()) return;
      run_batch(queue, batch, control);
    }
  } catch (...) {
    queue.abort(std::current_exception());
  }
}

/// Batches of all workers together take at most half of the memory.
std::map<int, int> Worker::batch_limits() const {
  std::map<int, int> limits;
  for (const auto& [L, chain] : chains_) {
    const auto measured = seconds_per_round_.find(L);
    const double seconds = measured != seconds_per_round_.end() ? measured->second : 0.0;
    const int given = campaign_.config().batch;
    limits[L] = given > 0
                    ? given
                    : automatic_batch(chain, preferred_batch_.at(L), seconds, 0.5 * physical_memory_bytes() / workers_);
  }
  return limits;
}

void Worker::run_batch(BatchQueue& queue, const Batch& batch, RoundControl& control) {
  Stopwatch watch;
  const Chain& chain = chains_.at(batch.rows.front().key.L);
  std::vector<Member> members(batch.rows.size());
  parallel_for(members.size(), threads_, [&](std::size_t i) {
    Member& m = members[i];
    m.row = batch.rows[i];
    m.disorder = make_disorder(campaign_.config(), chain.lattice, m.row.key.realization);
    m.state = m.row.rounds == 0 ? initial_state(chain, m.row.key.realization) : stored_state(campaign_, m.row);
  });
  std::vector<RoundTask> tasks;
  for (Member& m : members) tasks.push_back({m.row.key.realization, &m.disorder, &m.state, &m.record});
  times_.checkpoints += watch.lap();

  RoundOutcome outcome = RoundOutcome::abandoned;
  if (!on_device(queue, batch, [&] { outcome = backend_.backend->run_round(chain, tasks, control); })) return;
  const double seconds = watch.lap();
  times_.rounds += seconds;
  if (outcome == RoundOutcome::abandoned) return queue.give_back(batch);
  seconds_per_round_[chain.lattice.L] = seconds / static_cast<double>(members.size());
  commit(queue, chain, members, seconds);
}

/// Checkpoints first, then one transaction, then the previous checkpoints go: a kill at any point leaves whole rounds.
void Worker::commit(BatchQueue& queue, const Chain& chain, std::vector<Member>& members, double seconds) {
  Stopwatch watch;
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
    c.attempt = m.row.attempt;
    c.round = m.row.rounds;
    c.checkpoint = m.checkpoint;
    c.state_digest = m.digest;
    c.round_trips = std::accumulate(m.state.round_trips.begin(), m.state.round_trips.end(), std::uint64_t{0});
    c.seconds = seconds / static_cast<double>(members.size());
    c.status = m.row.status == RealizationStatus::queued ? RealizationStatus::equilibrating : m.row.status;
    c.reason = m.row.reason;
    if (decision_due(config.convergence, m.row.rounds + 1)) {
      std::vector<RoundRow> rounds = queue.history(m.row.key);
      rounds.push_back({c.round, m.record, c.seconds, 0});
      const Decision decision = decide(config.convergence, rounds, chain.slots(), layout, c.round_trips);
      c.status = decision.status;
      c.reason = decision.reason;
    }
    c.record = std::move(m.record);
    commits.push_back(std::move(c));
  }
  queue.commit(commits, provenance_);
  times_.database += watch.lap();

  for (const Member& m : members) {
    if (m.row.checkpoint.empty()) continue;
    std::error_code ignored;  // an orphan is removed at the next start
    std::filesystem::remove(campaign_.checkpoint_path(m.row.checkpoint), ignored);
  }
  times_.checkpoints += watch.lap();
}

}  // namespace glassworks
