#include "scheduler/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "db/checkpoint_name.hpp"
#include "engine/checkpoint.hpp"
#include "engine/durable_file.hpp"
#include "engine/memory.hpp"
#include "kernels/core/threads.hpp"
#include "scheduler/batch_size.hpp"
#include "scheduler/recovery.hpp"
#include "scheduler/stopwatch.hpp"

namespace glassworks::inline scheduler {

/// One realization of the running batch.
struct Worker::Member {
  RealizationRow row;
  Disorder disorder;
  ChainState state;
  RoundRecord record;
  std::string digest, checkpoint;
  bool unreadable = false;  ///< its newest checkpoint
};

Worker::Worker(WorkSite site, WorkerBackend backend, int worker)
    : site_(std::move(site)), backend_(std::move(backend)), id_{backend_.device, worker} {
  const int threads = site_.threads > 0 ? site_.threads : site_.config.backend.threads;
  threads_ = std::max(1, (threads > 0 ? threads : hardware_threads()) / site_.workers);
  site_.provenance.backend = backend_.backend->description();
}

/// Memory of the host that is used up is no fault of a device, nor are files or a state that cannot be restored. What
/// fails on the processor is the fault of what it simulated: that is tried again, at last alone, and then given up.
template <class Call>
bool Worker::on_device(WorkSource& source, const Batch& batch, const Call& call) {
  try {
    call();
    return true;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const FileError&) {
    throw;
  } catch (const StateLost&) {
    throw;
  } catch (const std::exception& failure) {
    if (backend_.is_processor && !batch.rows.empty()) {
      source.round_failed(batch, failure.what());
    } else {
      source.device_failed(backend_.device, site_.provenance.backend, batch, failure);
    }
    return false;
  }
}

void Worker::run(WorkSource& source, RoundControl& control) {
  try {
    work(source, control);
    settle(0);
  } catch (...) {
    source.abort(std::current_exception());
  }
}

void Worker::work(WorkSource& source, RoundControl& control) {
  const bool ready = on_device(source, {}, [&] {
    for (const auto& [L, chain] : site_.chains) preferred_batch_[L] = backend_.backend->preferred_batch(chain);
  });
  if (!ready) return;
  while (ends_before_deadline()) {
    Stopwatch watch;
    Batch batch = source.take(id_, batch_limits());
    times_.idle += batch.idle_seconds;
    times_.database += watch.lap() - batch.idle_seconds;
    if (batch.rows.empty()) return;
    if (!ends_before_deadline()) return source.give_back(batch);  // the wait was long
    watch.lap();
    run_batch(source, std::move(batch), control);
    longest_batch_ = std::max(longest_batch_, watch.lap());
  }
}

/// Batches of all workers together take at most half of the memory. A batch that fills half of a device takes as long
/// as that of one realization; on the processor the time is proportional to the batch, beyond one for each thread.
BatchLimits Worker::batch_limits() const {
  BatchLimits limits;
  for (const auto& [L, chain] : site_.chains) {
    const auto measured = seconds_per_round_.find(L);
    const double seconds = measured != seconds_per_round_.end() ? measured->second : 0.0;
    const int given = site_.config.batch, preferred = preferred_batch_.at(L);
    limits.largest[L] =
        given > 0 ? given : automatic_batch(chain, preferred, seconds, 0.5 * physical_memory_bytes() / site_.sharers);
    limits.width[L] = preferred > 0 ? std::max(limits.largest[L] / 2, 1) : std::min(limits.largest[L], threads_);
  }
  return limits;
}

bool Worker::ends_before_deadline() const {
  if (!deadline_) return true;
  return std::chrono::steady_clock::now() + std::chrono::duration<double>(1.1 * longest_batch_) < *deadline_;
}

/// Disorder and states of a batch. Where a file is not usable the state is made again, one realization at a time; one
/// whose state cannot be restored leaves the batch. False: the batch has been given up.
bool Worker::load(WorkSource& source, const Chain& chain, Batch& batch, std::vector<Member>& members,
                  RoundControl& control) {
  const Config& config = site_.config;
  parallel_for(members.size(), threads_, [&](std::size_t i) {
    Member& m = members[i];
    const std::uint32_t realization = m.row.key.realization;
    m.disorder = make_disorder(config, chain.lattice, realization);
    if (m.row.rounds == 0) {
      m.state = initial_state(chain, realization);
      return;
    }
    try {
      m.state = read_checkpoint(checkpoint_path(site_.checkpoints, m.row.checkpoint), m.row.state_digest,
                                checkpoint_identity(config, chain, realization, m.row.rounds));
    } catch (const FileError& error) {
      if (error.fault() == FileFault::withheld) throw;
      m.unreadable = true;
    }
  });
  for (std::size_t i = members.size(); i-- > 0;) {
    Member& m = members[i];
    if (!m.unreadable) continue;
    std::optional<StoredState> stored;
    try {
      const bool done = on_device(source, batch, [&] {
        stored = stored_state(site_.checkpoints, config, m.row, chain, m.disorder, *backend_.backend, control);
      });
      if (!done) return false;
    } catch (const StateLost& lost) {
      source.round_failed({{m.row}}, lost.what());
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(i));
      batch.rows.erase(batch.rows.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    if (!stored) {
      source.give_back(batch);
      return false;
    }
    m.state = std::move(stored->state);
    if (!stored->note.empty()) source.note(stored->note);
  }
  return !members.empty();
}

void Worker::run_batch(WorkSource& source, Batch batch, RoundControl& control) {
  Stopwatch watch;
  const Chain& chain = site_.chains.at(batch.rows.front().key.L);
  std::vector<Member> members(batch.rows.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i].row = batch.rows[i];
  if (!load(source, chain, batch, members, control)) return;
  std::vector<RoundTask> tasks;
  for (Member& m : members) tasks.push_back({m.row.key.realization, &m.disorder, &m.state, &m.record});
  times_.checkpoints += watch.lap();

  RoundOutcome outcome = RoundOutcome::abandoned;
  if (!on_device(source, batch, [&] { outcome = backend_.backend->run_round(chain, tasks, control); })) return;
  const double seconds = watch.lap();
  times_.rounds += seconds;
  if (outcome == RoundOutcome::abandoned) return source.give_back(batch);
  seconds_per_round_[chain.lattice.L] = seconds / static_cast<double>(members.size());
  write_checkpoints(chain, members);
  times_.checkpoints += watch.lap();
  hand_over(source, members, seconds);
}

/// Files are synced together: on most file systems that costs little more than one of them. Not more at once than a
/// process may have open.
void Worker::write_checkpoints(const Chain& chain, std::span<Member> members) const {
  constexpr std::size_t at_once = 128;
  constexpr int syncing_threads = 16;  // they wait for the disk
  for (; !members.empty(); members = members.subspan(std::min(at_once, members.size()))) {
    std::vector<std::optional<DurableFile>> files(std::min(at_once, members.size()));
    parallel_for(files.size(), threads_, [&](std::size_t i) {
      Member& m = members[i];
      const RealizationKey key = m.row.key;
      m.digest = state_digest(m.state);
      m.checkpoint = checkpoint_name(key, m.row.rounds + 1, m.digest);
      files[i].emplace(prepare_checkpoint(site_.checkpoints / m.checkpoint, m.state,
                                          checkpoint_identity(site_.config, chain, key.realization, m.row.rounds + 1)));
    });
    parallel_for(files.size(), syncing_threads, [&](std::size_t i) { files[i]->sync(); });
    for (std::optional<DurableFile>& file : files) file->rename();
  }
  sync_path(site_.checkpoints);
}

/// Checkpoints first, then one transaction, then the checkpoints before the previous ones go: a kill at any point
/// leaves whole rounds, and two generations of each state.
void Worker::hand_over(WorkSource& source, std::vector<Member>& members, double seconds) {
  Stopwatch watch;
  Handover handover;
  FinishedBatch batch;
  batch.holder = members.front().row.worker;
  batch.provenance = site_.provenance;
  for (Member& m : members) {
    RoundCommit c;
    c.key = m.row.key;
    c.attempt = m.row.attempt;
    c.round = m.row.rounds;
    c.record = std::move(m.record);
    c.checkpoint = m.checkpoint;
    c.state_digest = m.digest;
    c.round_trips = std::accumulate(m.state.round_trips.begin(), m.state.round_trips.end(), std::uint64_t{0});
    c.status = m.row.status == RealizationStatus::queued ? RealizationStatus::equilibrating : m.row.status;
    c.reason = m.row.failures == 0 ? m.row.reason : "";  // else it tells of an attempt that this commit makes good
    c.judgement = m.row.judgement;
    c.seconds = seconds / static_cast<double>(members.size());
    batch.rounds.push_back(std::move(c));
    if (!m.row.previous_checkpoint.empty()) {
      handover.superfluous.push_back(m.row.previous_checkpoint);
    }
  }
  handover.committed = source.commit(id_, std::move(batch));
  handovers_.push_back(std::move(handover));
  settle(1);
  times_.database += watch.lap();
}

/// Waits until at most so many commits are on their way. What was not committed may be another worker's by now, under
/// the same name: the next start removes it.
void Worker::settle(std::size_t at_most) {
  while (handovers_.size() > at_most) {
    Handover handover = std::move(handovers_.front());
    handovers_.pop_front();
    if (!handover.committed.get()) continue;
    for (const std::string& file : handover.superfluous) remove_checkpoint(site_.checkpoints, file);
  }
}

}  // namespace glassworks::inline scheduler
