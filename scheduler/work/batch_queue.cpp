#include "scheduler/work/batch_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

// What any thread may call; the rest is in batch_queue_thread.cpp.
namespace glassworks { inline namespace scheduler {
namespace {

/// Threads that decide: a decision takes some milliseconds, and one round in ten or so needs one.
std::size_t deciding_threads() { return static_cast<std::size_t>(std::clamp(hardware_threads() / 4, 1, 8)); }

}  // namespace

BatchQueue::BatchQueue(Campaign& campaign, LeaseKeeper& keeper, const Chains& chains, RoundControl& control,
                       RunObserver observer)
    : campaign_(campaign),
      keeper_(keeper),
      chains_(chains),
      control_(control),
      observer_(std::move(observer)),
      rows_(campaign, keeper, chains,
            [this](const std::string& text) {
              if (observer_.note) observer_.note(text);
            }),
      log_copier_(campaign.database().file()),
      deciding_(deciding_threads(),
                [this] {
                  return [this, decider = Decider(campaign_.config(), chains_)](PendingCommit commit) mutable {
                    decide(decider, std::move(commit));
                  };
                }),
      thread_([this] { work(); }) {}

BatchQueue::~BatchQueue() {
  deciding_.finish();  // what is still decided is written
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
}

void BatchQueue::enter(int device, int workers) {
  const std::lock_guard lock(mutex_);
  if (workers_[device] == 0) ++devices_;
  workers_[device] += workers;
}

void BatchQueue::leave(int device) {
  const std::lock_guard lock(mutex_);
  workers_.erase(device);
  woken_ = true;
  changed_.notify_all();
}

void BatchQueue::post(Request request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(std::move(request));
  changed_.notify_all();
}

void BatchQueue::ask(Question question) {
  const std::lock_guard lock(mutex_);
  new_questions_.push_back(std::move(question));
  changed_.notify_all();
}

void BatchQueue::ask(WorkerId who, BatchLimits limits, Ticket ticket) { ask({who, std::move(limits), ticket}); }

std::future<Batch> BatchQueue::ask(WorkerId who, BatchLimits limits) {
  std::promise<Batch> promise;
  std::future<Batch> batch = promise.get_future();
  ask({who, std::move(limits), std::move(promise)});
  return batch;
}

Batch BatchQueue::take(WorkerId who, const BatchLimits& limits) { return ask(who, limits).get(); }

void BatchQueue::commit(WorkerId who, FinishedBatch batch, Ticket ticket) {
  begin({.who = who, .batch = std::move(batch), .answer_to = ticket});
}

std::future<Committed> BatchQueue::commit(WorkerId who, FinishedBatch batch) {
  std::promise<Committed> promise;
  std::future<Committed> committed = promise.get_future();
  begin({.who = who, .batch = std::move(batch), .answer_to = std::move(promise)});
  return committed;
}

void BatchQueue::begin(PendingCommit commit) {
  {
    const std::lock_guard lock(mutex_);
    ++uncommitted_[commit.who];
  }
  const bool due = decision_due(campaign_.config().convergence, commit.batch);
  commit.state = due ? PendingCommit::State::deciding : PendingCommit::State::writing;
  advance(std::move(commit));
}

void BatchQueue::decide(Decider& decider, PendingCommit commit) {
  try {
    decider.decide(commit.batch);
  } catch (...) {
    commit.failure = std::current_exception();
  }
  commit.state = PendingCommit::State::writing;
  advance(std::move(commit));
}

/// To the place of its state.
void BatchQueue::advance(PendingCommit commit) {
  try {
    switch (commit.state) {
      case PendingCommit::State::deciding:
        return deciding_.post(std::move(commit));
      case PendingCommit::State::writing:
        return post(std::move(commit));
      case PendingCommit::State::answering:
        return answer(commit);
    }
  } catch (...) {  // memory: whoever waits for the answer learns that there will be none
    abort(std::current_exception());
  }
}

void BatchQueue::release(const Batch& batch, LeaseEnd end, const std::string& reason) {
  if (!batch.rows.empty()) post(Release{batch.rows, end, reason});
}

void BatchQueue::give_back(const Batch& batch) { release(batch, LeaseEnd::given_back); }

void BatchQueue::note(const std::string& text) { post(Notice{text}); }

void BatchQueue::round_failed(const Batch& batch, const std::string& reason) {
  const RealizationRow& first = batch.rows.front();
  note(fmt::format(
      "L = {}, realization {}{}: attempt {} at its round has failed: {}", first.key.L, first.key.realization,
      batch.rows.size() > 1 ? fmt::format(" and {} others", batch.rows.size() - 1) : "", first.failures + 1, reason));
  release(batch, LeaseEnd::failed, reason);
}

void BatchQueue::device_failed(int device, const std::string& backend, const Batch& batch,
                               const std::exception& failure) {
  device_failed(device, backend, batch, std::current_exception(), failure.what());
}

void BatchQueue::device_failed(int device, const std::string& backend, const Batch& batch, const std::string& reason) {
  device_failed(device, backend, batch, std::make_exception_ptr(std::runtime_error(reason)), reason);
}

void BatchQueue::device_failed(int device, const std::string& backend, const Batch& batch, std::exception_ptr failure,
                               const std::string& reason) {
  release(batch, LeaseEnd::failed, reason);
  {
    const std::lock_guard lock(mutex_);
    if (workers_.erase(device) == 0) return;
    if (!device_failure_) device_failure_ = std::move(failure);
    if (devices_ == 1) return;  // the run ends with it
  }
  post(DeviceGone{backend, reason});
}

void BatchQueue::fail(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  control_.stop = true;
  woken_ = true;
  changed_.notify_all();
}

void BatchQueue::abort(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  fail(std::move(error));
}

void BatchQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

bool BatchQueue::is_over() {
  const std::lock_guard lock(mutex_);
  return finished_ || error_;
}

RunOutcome BatchQueue::outcome() {
  EndOfRun end;
  std::future<bool> finished = end.finished.get_future();
  post(std::move(end));
  const bool complete = finished.get();
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  if (complete) return RunOutcome::complete;
  if (workers_.empty() && device_failure_) std::rethrow_exception(device_failure_);
  return RunOutcome::stopped;
}

}}  // namespace glassworks::scheduler
