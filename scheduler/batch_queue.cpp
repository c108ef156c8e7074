#include "scheduler/batch_queue.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace glassworks {
namespace {

bool finished(RealizationStatus status) {
  return status == RealizationStatus::converged || status == RealizationStatus::failed;
}

}  // namespace

BatchQueue::BatchQueue(Campaign& campaign, const Chains& chains, std::map<int, int> workers, RoundControl& control,
                       RunObserver observer)
    : campaign_(campaign),
      chains_(chains),
      control_(control),
      observer_(std::move(observer)),
      workers_(std::move(workers)),
      several_devices_(workers_.size() > 1) {
  for (RealizationRow& row : campaign.database().realizations()) {
    if (!finished(row.status)) {
      free_[row.key.L].emplace(row.rounds, row.key.realization);
      ++open_[row.key.L];
    }
    rows_.emplace(row.key, std::move(row));
  }
  if (observer_.progress) observer_.progress(progress());
}

bool BatchQueue::ended(int device) const { return error_ || control_.stop.load() || !workers_.contains(device); }

/// The size to take from; free_.end() if nothing is free.
std::map<int, BatchQueue::FreeList>::iterator BatchQueue::next_free() {
  auto best = free_.end();
  for (auto size = free_.begin(); size != free_.end(); ++size) {  // by ascending L
    if (size->second.empty()) continue;
    if (best == free_.end() || size->second.begin()->first <= best->second.begin()->first) best = size;
  }
  return best;
}

/// Where the batch is chosen, nobody takes more than an even share of what is open, so that no device idles while
/// another has a large batch. Workers of one device take turns on it: there, one batch that fills half of it is better
/// than two small ones.
std::size_t BatchQueue::batch_size(int L, int limit) const {
  const auto size = static_cast<std::size_t>(std::max(limit, 1)), open = open_.at(L);
  if (campaign_.config().batch > 0) return size;
  const auto workers = std::accumulate(workers_.begin(), workers_.end(), std::size_t{0}, [](std::size_t sum, auto& w) {
    return sum + static_cast<std::size_t>(w.second);
  });
  const auto share = [open](std::size_t among) { return (open + among - 1) / among; };
  return std::min(size, std::max(share(workers), std::min(share(workers_.size()), size / 2)));
}

Batch BatchQueue::take(int device, const std::map<int, int>& limits) {
  std::unique_lock lock(mutex_);
  Batch batch;
  Stopwatch watch;
  // Who holds a batch sees a request to stop and gives it back, which wakes those who wait.
  changed_.wait(lock, [&] { return ended(device) || held_ == 0 || next_free() != free_.end(); });
  batch.idle_seconds = watch.lap();
  if (ended(device) || next_free() == free_.end()) return batch;

  auto& [L, list] = *next_free();
  const std::size_t size = std::min(batch_size(L, limits.at(L)), list.size());
  const auto end = std::next(list.begin(), static_cast<std::ptrdiff_t>(size));
  std::vector<RealizationKey> keys;
  for (auto i = list.begin(); i != end; ++i) keys.push_back({L, i->second});
  const std::vector<int> attempts = campaign_.database().lease(keys);
  list.erase(list.begin(), end);
  held_ += size;
  for (std::size_t i = 0; i < size; ++i) {
    RealizationRow& row = rows_.at(keys[i]);
    row.attempt = attempts[i];
    batch.rows.push_back(row);
  }
  return batch;
}

std::vector<RoundRow> BatchQueue::history(RealizationKey key) {
  const std::lock_guard lock(mutex_);
  return campaign_.database().rounds(key);
}

void BatchQueue::commit(const std::vector<RoundCommit>& rounds, const Provenance& provenance) {
  const std::lock_guard lock(mutex_);
  campaign_.database().commit(rounds, provenance);
  for (const RoundCommit& round : rounds) {
    RealizationRow& row = rows_.at(round.key);
    row.status = round.status;
    row.reason = round.reason;
    row.rounds = round.round + 1;
    row.checkpoint = round.checkpoint;
    row.state_digest = round.state_digest;
    row.round_trips = round.round_trips;
    updates_ += chains_.at(row.key.L).updates_per_round();
    if (finished(row.status)) {
      --open_[row.key.L];
    } else {
      free_[row.key.L].emplace(row.rounds, row.key.realization);
    }
  }
  held_ -= rounds.size();
  changed_.notify_all();
  if (observer_.progress) observer_.progress(progress());
}

/// Called with the mutex held.
void BatchQueue::release(const Batch& batch) {
  for (const RealizationRow& row : batch.rows) free_[row.key.L].emplace(row.rounds, row.key.realization);
  held_ -= batch.rows.size();
  changed_.notify_all();
}

void BatchQueue::give_back(const Batch& batch) {
  const std::lock_guard lock(mutex_);
  release(batch);
}

void BatchQueue::device_failed(int device, const std::string& backend, const Batch& batch,
                               const std::exception& failure) {
  const std::lock_guard lock(mutex_);
  release(batch);
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

RunOutcome BatchQueue::outcome() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  const bool open = std::any_of(open_.begin(), open_.end(), [](auto& size) { return size.second > 0; });
  if (!open) return RunOutcome::complete;
  if (workers_.empty()) std::rethrow_exception(device_failure_);
  return RunOutcome::stopped;
}

CampaignProgress BatchQueue::progress() const {
  CampaignProgress p;
  p.updates = updates_;
  p.seconds = watch_.total();
  p.devices = static_cast<int>(workers_.size());
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
    work += std::max(expected - rounds, std::max(1.0, rounds / 4.0)) * chains_.at(key.L).updates_per_round();
  }
  p.remaining_seconds = updates_ > 0.0 ? work * p.seconds / updates_ : (work > 0.0 ? -1.0 : 0.0);
  return p;
}

}  // namespace glassworks
