#include "scheduler/work/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/durable_file.hpp"
#include "base/threads.hpp"
#include "engine/checkpoint/held_states.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace glassworks { inline namespace scheduler {

/// One realization of the running batch.
struct Worker::Member {
  RealizationRow row;    ///< as it will be when all that was simulated is committed, but for its checkpoints
  std::size_t task = 0;  ///< its place in the batch that is held
  Disorder disorder;
  ChainState state;  ///< until a backend holds it
  RoundRecord record;
  double seconds = 0.0;  ///< of its last round
};

namespace {

/// Commits of one worker on their way while it goes on.
constexpr std::size_t commits_ahead = 4;

template <class Members>
Batch batch_of(const Members& members) {
  Batch batch;
  for (const auto& member : members) {
    if constexpr (requires { member->row; }) {
      batch.rows.push_back(member->row);
    } else {
      batch.rows.push_back(member.row);
    }
  }
  return batch;
}

/// Of one worker.
int threads_of(const WorkSite& site) {
  const int threads = site.threads > 0 ? site.threads : site.config.backend.options.threads;
  return std::max(1, (threads > 0 ? threads : hardware_threads()) / site.workers);
}

}  // namespace

Worker::Worker(WorkSite site, WorkerBackend backend, int worker)
    : site_(std::move(site)),
      backend_(std::move(backend)),
      id_{backend_.device, worker},
      threads_(threads_of(site_)),
      store_(site_.checkpoints, site_.config, threads_) {
  site_.provenance.backend = backend_.backend->description();
}

/// Memory of the host that is used up is no fault of a device, nor are files and what a history is to begin with. What
/// fails on the processor is the fault of what it simulated: that is tried again, at last alone, and then given up.
template <class Members, class Call>
bool Worker::on_device(WorkSource& source, const Members& members, const Call& call) {
  try {
    call();
    return true;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const FileError&) {
    throw;
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& failure) {
    const Batch batch = batch_of(members);
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
  const auto prepare = [&] {
    for (const auto& [L, chain] : site_.chains) {
      preferred_batch_[L] = backend_.backend->preferred_batch(chain);
      if (preferred_batch_[L] > 0) batch_width_[L] = backend_.backend->batch_width(chain);
      need_[L] = batch_need(site_.config, chain, *backend_.backend);
    }
  };
  if (!on_device(source, std::vector<Member>{}, prepare)) return;
  while (ends_before_deadline()) {
    Stopwatch watch;
    Batch batch = source.take(id_, batch_limits());
    times_.idle += batch.idle_seconds;
    times_.database += watch.lap() - batch.idle_seconds;
    if (batch.rows.empty()) return;
    if (!ends_before_deadline()) return source.give_back(batch);  // the wait was long
    run_batch(source, std::move(batch), control);
  }
}

/// Loads disorder and states of a batch. Rounds committed after the newest usable checkpoints are simulated again;
/// realizations whose state cannot be restored are dropped. False: the whole batch has been given up.
bool Worker::load(WorkSource& source, const Chain& chain, std::vector<Member>& members, RoundControl& control) {
  const StateSource files{site_.checkpoints, site_.config, chain};
  std::vector<Restoration> states(members.size());
  parallel_for(members.size(), threads_, [&](std::size_t i) {
    if (control.stop) return;  // large graphs take seconds each
    Member& m = members[i];
    m.disorder = make_disorder(site_.config, chain.lattice, m.row.key.realization);
    states[i] = newest_state(files, m.row, m.disorder);
  });
  if (control.stop) {
    source.give_back(batch_of(members));
    return false;
  }
  bool complete = false;
  const auto restore = [&] { complete = simulate_missing_rounds(files, states, *backend_.backend, control); };
  if (!on_device(source, members, restore)) return false;
  if (!complete) {
    source.give_back(batch_of(members));
    return false;
  }
  std::vector<Member> usable;
  std::uint32_t most_missing = 0;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!states[i].lost.empty()) {
      source.round_failed({{members[i].row}}, states[i].lost);
      continue;
    }
    if (const std::string note = states[i].note(files); !note.empty()) source.note(note);
    const std::uint32_t missing = states[i].problem.empty() ? members[i].row.rounds - states[i].read_rounds : 0;
    most_missing = std::max(most_missing, missing);
    behind += missing > 0 ? 1 : 0;
    members[i].state = std::move(states[i].state);
    usable.push_back(std::move(members[i]));
  }
  batch_state_.behind = behind > 0;
  if (batch_state_.behind) {
    source.note(fmt::format(
        "L = {}: up to {} committed rounds of {} realization{} were simulated again, to the same bits: the previous "
        "run ended before it wrote their states.",
        chain.lattice.L, most_missing, behind, behind > 1 ? "s" : ""));
  }
  members = std::move(usable);
  return !members.empty();
}

void Worker::run_batch(WorkSource& source, Batch batch, RoundControl& control) {
  Stopwatch watch;
  const Stopwatch stay;
  const Chain& chain = site_.chains.at(batch.rows.front().key.L);
  std::vector<Member> members(batch.rows.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i].row = std::move(batch.rows[i]);
  batch_state_ = {batch_state_.number + 1, false, false, false, {}};
  const bool continues = std::ranges::any_of(members, [](const Member& m) { return m.row.rounds > 0; });
  const bool loaded = load(source, chain, members, control);
  const double seconds = watch.lap();
  times_.checkpoints += seconds;
  reading_seconds_ = continues ? seconds : 0.0;
  while (loaded && run_rounds(source, chain, members, control, stay)) {
  }
}

bool Worker::decision_due(std::span<const Member> members) const {
  return std::ranges::any_of(members, [&](const Member& m) {
    return scheduler::decision_due(site_.config.convergence, m.row.rounds, m.row.judgement);
  });
}

bool Worker::run_rounds(WorkSource& source, const Chain& chain, std::vector<Member>& members, RoundControl& control,
                        const Stopwatch& stay) {
  Stopwatch watch, turn;
  std::vector<HeldTask> tasks;
  for (Member& m : members) {
    m.task = tasks.size();
    tasks.push_back({m.row.key.realization, &m.disorder, std::move(m.state)});
  }
  std::unique_ptr<HeldBatch> held;
  const auto hold = [&] { held = hold_batch(*backend_.backend, chain, std::move(tasks), threads_); };
  if (!on_device(source, members, hold)) return false;
  times_.checkpoints += watch.lap();
  // On the processor, the first batch of a size shows how many realizations to take.
  const bool measures = site_.config.backend.batch == 0 && preferred_batch_.at(chain.lattice.L) == 0 &&
                        !seconds_per_round_.contains(chain.lattice.L);
  std::vector<Member*> all;
  for (Member& m : members) all.push_back(&m);
  for (;;) {
    if (!run_round(source, *held, members, control)) {
      if (batch_state_.lost) {
        source.give_back(batch_of(members));  // skips realizations that another worker has taken over
      } else {
        leave(source, chain, *held, all);
      }
      return false;
    }
    seconds_per_round_[chain.lattice.L] = members.front().seconds;
    longest_turn_ = std::max(longest_turn_, turn.running());
    const bool due = decision_due(members);
    const bool ends = measures || batch_state_.behind ||
                      stay.total() >= stay_seconds(chain.lattice.L, members.size()) || batch_state_.yield ||
                      control.stop || !ends_before_deadline();
    if (due) settle(0);  // a decision takes in all rounds before it
    if (!batch_state_.lost) {
      watch.lap();
      if (ends && !write_checkpoints(source, chain, *held, all)) return false;
      times_.checkpoints += watch.lap();
      hand_over(source, members, ends ? LeaseAfter::ends : LeaseAfter::goes_on);
      settle(ends ? 1 : due ? 0 : commits_ahead);
      times_.database += watch.lap();
    }
    longest_turn_ = std::max(longest_turn_, turn.lap());
    if (batch_state_.lost) source.give_back(batch_of(members));
    if (batch_state_.lost || ends) return false;
    if (!due) continue;
    for (std::size_t i = 0; i < members.size(); ++i) members[i].row = std::move(batch_state_.rows.at(i));
    if (batch_state_.yield) {
      leave(source, chain, *held, all);
      return false;
    }
    std::vector<Member*> finished;
    for (Member* m : all) {
      if (is_finished(m->row.status)) finished.push_back(m);
    }
    if (finished.empty()) continue;
    leave(source, chain, *held, finished);
    std::erase_if(members, [](const Member& m) { return is_finished(m.row.status); });
    const auto take = [&] {
      for (Member& m : members) m.state = held->state(m.task);
    };
    return !members.empty() && on_device(source, members, take);
  }
}

/// A round of each. False: it was abandoned, or the batch has been given up.
bool Worker::run_round(WorkSource& source, HeldBatch& held, std::vector<Member>& members, RoundControl& control) {
  Stopwatch watch;
  RoundOutcome outcome = RoundOutcome::abandoned;
  std::vector<RoundRecord> records(members.size());
  std::vector<std::string> digests;
  const double measured = held.measuring_seconds();
  const bool done = on_device(source, members, [&] {
    outcome = held.run_round(records, control);
    if (outcome == RoundOutcome::finished) digests = state_digests(held, members.size(), threads_);
  });
  if (!done) batch_state_.lost = true;
  const double seconds = watch.lap();
  times_.rounds += seconds;
  times_.measurements += held.measuring_seconds() - measured;
  if (!done || outcome == RoundOutcome::abandoned) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].record = std::move(records[i]);
    members[i].row.state_digest = std::move(digests[i]);
    ++members[i].row.rounds;
    members[i].seconds = seconds / static_cast<double>(members.size());
  }
  return true;
}

/// False: the device has failed, and the members have been given up.
bool Worker::write_checkpoints(WorkSource& source, const Chain& chain, const HeldBatch& held,
                               std::span<Member* const> members) {
  const Stopwatch watch;
  std::vector<HeldRow> rows;
  for (const Member* m : members) rows.push_back({&m->row, m->task});
  for (std::span<const HeldRow> rest(rows); !rest.empty();) {
    const auto part = rest.first(std::min(CheckpointStore::at_once, rest.size()));
    std::vector<ChainState> fetched;
    if (!on_device(source, members, [&] { fetched = CheckpointStore::fetch(held, part); })) return false;
    store_.write(chain, held, part, fetched);
    rest = rest.subspan(part.size());
  }
  store_.sync();
  if (!members.empty()) {
    writing_seconds_[chain.lattice.L] = watch.total() / static_cast<double>(members.size());
  }
  return true;
}

/// Gives realizations back between rounds, with their states on stable storage.
void Worker::leave(WorkSource& source, const Chain& chain, const HeldBatch& held, std::span<Member* const> members) {
  Stopwatch watch;
  std::vector<Member*> changed;
  Batch unchanged;
  for (Member* m : members) {
    const RealizationRow& row = m->row;
    if (CheckpointStore::is_stored(row)) {
      unchanged.rows.push_back(row);
    } else {
      changed.push_back(m);
    }
  }
  if (!unchanged.rows.empty()) source.give_back(unchanged);
  if (changed.empty() || !write_checkpoints(source, chain, held, changed)) return;
  times_.checkpoints += watch.lap();
  FinishedBatch batch;
  std::vector<std::string> superfluous;
  for (const Member* m : changed) {
    const RealizationRow& row = m->row;
    batch.states.push_back({row.key, row.attempt, row.rounds, CheckpointStore::name_of(row)});
    if (!row.previous_checkpoint.empty()) superfluous.push_back(row.previous_checkpoint);
  }
  batch.holder = changed.front()->row.worker;
  send(source, std::move(batch), std::move(superfluous));
  times_.database += watch.lap();
}

/// Checkpoints first, then one transaction, then the checkpoints before the previous ones go: a kill at any point
/// leaves whole rounds, and two generations of each state.
void Worker::hand_over(WorkSource& source, std::vector<Member>& members, LeaseAfter lease) {
  FinishedBatch batch;
  std::vector<std::string> superfluous;
  batch.holder = members.front().row.worker;
  batch.lease = lease;
  for (Member& m : members) {
    RealizationRow& row = m.row;
    if (row.status == RealizationStatus::queued) row.status = RealizationStatus::equilibrating;
    if (std::exchange(row.failures, 0) > 0) row.reason.clear();  // it tells of an attempt that this commit makes good
    const std::vector<std::uint32_t>& trips = m.record.round_trips;
    row.round_trips = std::accumulate(trips.begin(), trips.end(), row.round_trips);
    RoundCommit c;
    c.key = row.key;
    c.attempt = row.attempt;
    c.round = row.rounds - 1;
    c.record = std::move(m.record);
    if (lease == LeaseAfter::ends) {
      c.checkpoint = CheckpointStore::name_of(row);
      if (!row.previous_checkpoint.empty()) superfluous.push_back(row.previous_checkpoint);
    }
    c.state_digest = row.state_digest;
    c.round_trips = row.round_trips;
    c.status = row.status;
    c.reason = row.reason;
    c.judgement = row.judgement;
    c.seconds = m.seconds;
    batch.rounds.push_back(std::move(c));
  }
  send(source, std::move(batch), std::move(superfluous));
}

void Worker::send(WorkSource& source, FinishedBatch batch, std::vector<std::string> superfluous) {
  batch.provenance = site_.provenance;
  handovers_.push_back({source.commit(id_, std::move(batch)), std::move(superfluous), batch_state_.number});
}

/// Waits until at most so many commits are on their way. What was not committed may be another worker's by now, under
/// the same name: the next start removes it.
void Worker::settle(std::size_t at_most) {
  while (handovers_.size() > at_most) {
    Handover handover = std::move(handovers_.front());
    handovers_.pop_front();
    Committed result = handover.committed.get();
    if (handover.batch == batch_state_.number) {
      batch_state_.lost = batch_state_.lost || !result.written;
      batch_state_.yield = batch_state_.yield || result.yield;
      batch_state_.rows = std::move(result.rows);
    }
    if (!result.written) continue;
    store_.remove(handover.superfluous);
  }
}

}}  // namespace glassworks::scheduler
