#include "scheduler/batch_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "scheduler/process.hpp"

namespace glassworks {
namespace {

/// How often a worker without work looks whether another process has given something back.
constexpr auto look_interval = std::chrono::milliseconds(200);

std::map<int, double> work_per_round(const Chains& chains) {
  std::map<int, double> work;
  for (const auto& [L, chain] : chains) work[L] = chain.updates_per_round();
  return work;
}

}  // namespace

BatchQueue::BatchQueue(Campaign& campaign, LeaseKeeper& keeper, const Chains& chains, std::map<int, int> workers,
                       RoundControl& control, RunObserver observer)
    : campaign_(campaign),
      keeper_(keeper),
      chains_(chains),
      control_(control),
      observer_(std::move(observer)),
      order_(campaign.config().convergence, work_per_round(chains)),
      workers_(std::move(workers)),
      several_devices_(workers_.size() > 1) {
  read_changes();
  beginning_ = false;
  tell();
}

bool BatchQueue::ended(int device) const {
  return error_ || draining_ || control_.stop.load() || !workers_.contains(device);
}

void BatchQueue::count(const RealizationRow& row, int by) {
  const auto add = [by](std::uint64_t& counter, std::uint64_t n) { counter = by > 0 ? counter + n : counter - n; };
  add(counts_.realizations, 1);
  add(counts_.rounds, row.rounds);
  if (row.status == RealizationStatus::converged) add(counts_.converged, 1);
  if (row.status == RealizationStatus::failed) add(counts_.failed, 1);
  if (row.status == RealizationStatus::quarantined) add(counts_.quarantined, 1);
}

/// Takes over what was written since the last time, by this process or another.
void BatchQueue::read_changes() {
  Changes changes = campaign_.database().changes_since(sequence_);
  sequence_ = changes.sequence;
  for (RealizationRow& row : changes.rows) {
    quarantine(row);
    const auto known = rows_.find(row.key);
    if (known != rows_.end()) {
      untold_ = untold_ || row.rounds != known->second.rounds || row.status != known->second.status;
      count(known->second, -1);
    }
    count(row, 1);
    order_.update(row, row.worker == 0);
    rows_.insert_or_assign(row.key, std::move(row));
  }
}

/// Shows where the campaign stands, if that has changed.
void BatchQueue::tell() {
  if (!std::exchange(untold_, false)) return;
  if (observer_.progress) observer_.progress(progress());
}

/// Takes a realization whose next round failed too often out of the campaign; a run that begins with a higher limit
/// takes it in again.
void BatchQueue::quarantine(RealizationRow& row) {
  const bool too_often = row.failures >= campaign_.config().max_attempts;
  const RealizationRow seen = row;
  if (row.worker != 0) return;
  if (too_often && !is_finished(row.status)) {
    row.status = RealizationStatus::quarantined;
    row.reason = fmt::format("{} attempts at round {} ended without a commit{}{}", row.failures, row.rounds,
                             row.reason.empty() ? "" : "; last known: ", row.reason);
  } else if (!too_often && row.status == RealizationStatus::quarantined && beginning_) {
    row.status = row.rounds == 0 ? RealizationStatus::queued : RealizationStatus::equilibrating;
    row.reason.clear();
  } else {
    return;
  }
  const bool written = campaign_.database().set_status(seen, row.status, row.reason);
  if (!written) {
    row = seen;  // another process has changed it since: its row comes with the next changes
  } else if (row.status == RealizationStatus::quarantined && observer_.note) {
    observer_.note(
        fmt::format("L = {}, realization {} is quarantined: {}.", row.key.L, row.key.realization, row.reason));
  }
}

/// Called with the mutex held. Empty: nothing is free.
Batch BatchQueue::lease(const BatchLimits& limits) {
  Batch batch;
  const int given = campaign_.config().batch;
  const auto at_most = [&](int L) { return static_cast<std::size_t>(std::max(limits.largest.at(L), 1)); };
  const auto width = [&](int L) {
    return given > 0 ? at_most(L) : static_cast<std::size_t>(std::max(limits.width.at(L), 1));
  };
  const std::size_t here =
      std::accumulate(workers_.begin(), workers_.end(), std::size_t{0},
                      [](std::size_t n, auto& w) { return n + static_cast<std::size_t>(w.second); });
  for (;;) {
    read_changes();
    const WorkOrder::Choice choice = order_.next(at_most, here * processes_, width);
    if (choice.keys.empty()) return batch;
    std::vector<RealizationRow> wanted;
    for (const RealizationKey key : choice.keys) wanted.push_back(rows_.at(key));
    const std::int64_t worker = keeper_.worker();
    batch.rows = campaign_.database().lease(worker, wanted);
    if (!batch.rows.empty()) break;
    // Another process was faster, or this one was taken for dead.
    if (campaign_.database().changes_since(sequence_).rows.empty()) keeper_.enter_again(worker);
  }
  read_changes();
  return batch;
}

Batch BatchQueue::take(int device, const BatchLimits& limits) {
  std::unique_lock lock(mutex_);
  Batch batch;
  Stopwatch watch;
  double idle = 0.0;
  while (!ended(device)) {
    processes_ = std::max<std::size_t>(campaign_.database().workers().size(), 1);
    batch = lease(limits);
    tell();  // of what other processes have committed
    if (!batch.rows.empty() || order_.open() == 0) break;
    // Who holds a batch sees a request to stop and gives it back, which wakes those who wait.
    watch.lap();
    changed_.wait_for(lock, look_interval);
    idle += watch.lap();
  }
  batch.idle_seconds = idle;
  return batch;
}

std::vector<RoundRow> BatchQueue::history(RealizationKey key) {
  const std::lock_guard lock(mutex_);
  return campaign_.database().rounds(key, 0, RoundSamples::skip);
}

bool BatchQueue::commit(std::int64_t worker, const std::vector<RoundCommit>& rounds, const Provenance& provenance) {
  const std::lock_guard lock(mutex_);
  double updates = 0.0;
  for (const RoundCommit& round : rounds) updates += chains_.at(round.key.L).updates_per_round();
  try {
    campaign_.database().commit(worker, rounds, provenance, now_ms(), updates);
  } catch (const LeaseLost& lost) {
    if (observer_.note) observer_.note(lost.what());
    keeper_.enter_again(worker);
    read_changes();
    changed_.notify_all();
    return false;
  }
  updates_ += updates;
  read_changes();
  changed_.notify_all();
  tell();
  return true;
}

/// Called with the mutex held.
void BatchQueue::release(const Batch& batch, LeaseEnd end, const std::string& reason) {
  if (!batch.rows.empty()) campaign_.database().release(batch.rows.front().worker, batch.rows, end, reason);
  read_changes();
  changed_.notify_all();
}

void BatchQueue::give_back(const Batch& batch) {
  const std::lock_guard lock(mutex_);
  release(batch, LeaseEnd::given_back);
}

void BatchQueue::drain() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
  changed_.notify_all();
}

void BatchQueue::note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (observer_.note) observer_.note(text);
}

void BatchQueue::round_failed(const Batch& batch, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  const RealizationRow& first = batch.rows.front();
  if (observer_.note) {
    observer_.note(fmt::format(
        "L = {}, realization {}{}: attempt {} at its round has failed: {}", first.key.L, first.key.realization,
        batch.rows.size() > 1 ? fmt::format(" and {} others", batch.rows.size() - 1) : "", first.failures + 1, reason));
  }
  release(batch, LeaseEnd::failed, reason);
}

void BatchQueue::device_failed(int device, const std::string& backend, const Batch& batch,
                               const std::exception& failure) {
  const std::lock_guard lock(mutex_);
  release(batch, LeaseEnd::failed, failure.what());
  if (workers_.erase(device) == 0) return;
  if (!device_failure_) device_failure_ = std::current_exception();
  if (several_devices_ && observer_.device_failed) observer_.device_failed(backend, failure.what());
}

void BatchQueue::abort(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  control_.stop = true;
  changed_.notify_all();
}

RunOutcome BatchQueue::outcome() {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  if (order_.open() == 0) return RunOutcome::complete;
  if (workers_.empty()) std::rethrow_exception(device_failure_);
  return RunOutcome::stopped;
}

CampaignProgress BatchQueue::progress() const {
  CampaignProgress p = counts_;
  p.updates = updates_;
  p.seconds = watch_.total();
  p.devices = static_cast<int>(workers_.size());
  p.processes = processes_;
  const double work = order_.remaining_work();
  const double rate = updates_ / p.seconds * static_cast<double>(processes_);
  p.remaining_seconds = updates_ > 0.0 ? work / rate : (work > 0.0 ? -1.0 : 0.0);
  return p;
}

}  // namespace glassworks
