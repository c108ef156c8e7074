#include "scheduler/batch_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "scheduler/process.hpp"

namespace glassworks::inline scheduler {
namespace {

/// How often a worker without work looks whether another process has given something back.
constexpr auto look_interval = std::chrono::milliseconds(200);

/// Rounds after which a transaction is closed, so that nobody waits long for a lease: some ten milliseconds.
constexpr std::size_t rounds_of_group = 64;

/// When a process that has nothing in hand looks at the tables themselves, and tells what it waits for [s].
constexpr double first_look = 2.0, between_looks = 5.0, first_note = 10.0, between_notes = 600.0;

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
      decisions_(std::make_unique<DecisionPool>(campaign, chains,
                                                [this](PendingCommit commit) { hand_on(std::move(commit)); })),
      thread_([this] { work(); }) {}

BatchQueue::~BatchQueue() {
  decisions_.reset();  // what it still decides is written
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

void BatchQueue::ask(WorkerId who, BatchLimits limits, TakeReply reply) {
  const std::lock_guard lock(mutex_);
  questions_.push_back({who, std::move(limits), std::move(reply)});
  changed_.notify_all();
}

Batch BatchQueue::take(WorkerId who, const BatchLimits& limits) {
  std::promise<Batch> promise;
  std::future<Batch> batch = promise.get_future();
  ask(who, limits, [&promise](Batch leased) { promise.set_value(std::move(leased)); });
  return batch.get();
}

void BatchQueue::commit(WorkerId who, FinishedBatch batch, CommitReply reply) {
  begin({.who = who,
         .batch = std::move(batch),
         .reply = [reply = std::move(reply)](bool committed, const std::exception_ptr& failure) {
           reply(committed && !failure);
         }});
}

std::future<bool> BatchQueue::commit(WorkerId who, FinishedBatch batch) {
  const auto promise = std::make_shared<std::promise<bool>>();
  begin({.who = who, .batch = std::move(batch), .reply = [promise](bool committed, const std::exception_ptr& failure) {
           if (failure) {
             promise->set_exception(failure);
           } else {
             promise->set_value(committed);
           }
         }});
  return promise->get_future();
}

void BatchQueue::begin(PendingCommit commit) {
  {
    const std::lock_guard lock(mutex_);
    ++uncommitted_[commit.who];
  }
  if (decisions_->is_due(commit.batch)) return decisions_->submit(std::move(commit));
  commit.state = PendingCommit::State::writing;
  hand_on(std::move(commit));
}

/// To the thread that writes.
void BatchQueue::hand_on(PendingCommit commit) {
  try {
    post(std::move(commit));
  } catch (...) {  // memory: whoever waits for the answer learns that there will be none
    abort(std::current_exception());
  }
}

void BatchQueue::write(PendingCommit& commit) {
  {
    const std::lock_guard lock(mutex_);
    if (--uncommitted_[commit.who] == 0) uncommitted_.erase(commit.who);
  }
  in_hand_ -= std::min(in_hand_, commit.batch.rounds.size());
  if (commit.failure) std::rethrow_exception(commit.failure);
  commit.committed = write_rounds(commit.batch);
}

/// Whether the leases still held. In a transaction.
bool BatchQueue::write_rounds(const FinishedBatch& batch) {
  double updates = 0.0;
  for (const RoundCommit& round : batch.rounds) updates += chains_.at(round.key.L).updates_per_round();
  try {
    campaign_.database().commit(batch.holder, batch.rounds, batch.provenance, now_ms(), updates);
  } catch (const LeaseLost& lost) {
    if (observer_.note) observer_.note(lost.what());
    // Only this batch may have lost its leases, because who simulated it was silent.
    const std::int64_t now = now_ms(), lease = std::int64_t{1000} * campaign_.config().lease_seconds;
    if (!campaign_.database().heartbeat(batch.holder, now, now + lease)) evicted_.push_back(batch.holder);
    return false;
  }
  updates_ += updates;
  return true;
}

void BatchQueue::release(const Batch& batch, LeaseEnd end, const std::string& reason) {
  if (!batch.rows.empty()) post(Release{batch.rows, end, reason});
}

void BatchQueue::write(const Release& release) {
  in_hand_ -= std::min(in_hand_, release.rows.size());
  campaign_.database().release(release.rows.front().worker, release.rows, release.end, release.reason);
}

void BatchQueue::give_back(const Batch& batch) { release(batch, LeaseEnd::given_back); }

void BatchQueue::note(const std::string& text) { post(Notice{text}); }

void BatchQueue::write(const Notice& notice) {
  if (observer_.note) observer_.note(notice.text);
}

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

void BatchQueue::write(const DeviceGone& device) {
  if (observer_.device_failed) observer_.device_failed(device.backend, device.reason);
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

/// Where memory runs out between transactions the run ends, but not this thread: whoever waits is answered.
void BatchQueue::work() {
  bool told = false;
  for (bool more = true; more;) {
    try {
      if (!std::exchange(told, true)) report_progress();
      more = serve();
    } catch (...) {
      abort(std::current_exception());
    }
  }
}

/// A wait has a reason that the tables show, or an end: what they say of changes, by an index, may be damaged.
void BatchQueue::look_if_nothing_comes() {
  if (asking_.empty() || in_hand_ > 0 || rows_.anything_free() || rows_.finished() || control_.stop) {
    starving_.reset();
    return;
  }
  if (!starving_) {
    starving_.emplace();
    look_after_ = first_look;
    note_after_ = first_note;
  }
  const double waited = starving_->total();
  if (waited < look_after_) return;
  const std::string text = rows_.look_at_tables();
  if (waited >= note_after_ && !text.empty()) {
    if (observer_.note) observer_.note(text);
    note_after_ = waited + between_notes;
  }
  look_after_ = starving_->total() + std::max(between_looks, 50.0 * (starving_->total() - waited));
}

/// What has been asked for by now; false at the end.
bool BatchQueue::serve() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, look_interval,
                      [this] { return woken_ || ending_ || !requests_.empty() || !questions_.empty(); });
    woken_ = false;
    if (ending_ && requests_.empty()) return false;
    for (; !questions_.empty(); questions_.pop_front()) asking_.push_back(std::move(questions_.front()));
  }
  std::deque<Request> group = next_group();
  if (!group.empty() || !asking_.empty()) run_group(group);
  look_if_nothing_comes();
  return true;
}

std::deque<BatchQueue::Request> BatchQueue::next_group() {
  const std::lock_guard lock(mutex_);
  std::deque<Request> group;
  for (std::size_t rounds = 0; !requests_.empty() && rounds < rounds_of_group;) {
    if (const auto* commit = std::get_if<PendingCommit>(&requests_.front())) rounds += commit->batch.rounds.size();
    group.push_back(std::move(requests_.front()));
    requests_.pop_front();
  }
  return group;
}

/// One transaction; what came of it is told when it has been written.
void BatchQueue::run_group(std::deque<Request>& group) {
  std::vector<Answer> answers;
  std::exception_ptr failure;
  try {
    rows_.read_changes();
    if (!group.empty() || rows_.anything_free()) {
      campaign_.database().together([&] {
        for (Request& request : group) std::visit([this](auto& kind) { write(kind); }, request);
        rows_.read_changes();
        if (evicted_.empty()) grant_leases(answers);  // else what is leased now would be lost at once
      });
    }
    if (const auto evicted = rows_.evicted()) evicted_.push_back(*evicted);
    for (const std::int64_t lost : std::exchange(evicted_, {})) {
      keeper_.enter_again(lost);
      wake();
    }
    report_progress();
  } catch (...) {
    failure = std::current_exception();
    abort(failure);
  }
  for (Request& request : group) answer(request, failure);
  for (Answer& answer : answers) answer.reply(failure ? Batch{} : std::move(answer.batch));
  release_finished_workers();
}

/// After the transaction: what became of a request.
void BatchQueue::answer(Request& request, const std::exception_ptr& failure) {
  if (auto* commit = std::get_if<PendingCommit>(&request)) {
    commit->state = PendingCommit::State::answering;
    commit->failure = failure;
    commit->reply(commit->committed, failure);
  } else if (const auto* end = std::get_if<EndOfRun>(&request)) {
    end->finished->set_value(rows_.finished());
  }
}

/// In the order in which they asked; who gets nothing goes on asking.
void BatchQueue::grant_leases(std::vector<Answer>& answers) {
  answers.reserve(asking_.size());  // a question that is taken out is answered
  for (auto question = asking_.begin(); question != asking_.end() && rows_.anything_free();) {
    const auto [ready, workers] = state_of(question->who);
    std::vector<RealizationRow> leased;
    if (ready) leased = rows_.lease(question->limits, workers);
    if (leased.empty()) {
      ++question;
      continue;
    }
    in_hand_ += leased.size();
    const double waited = question->idle ? question->idle->total() : 0.0;
    answers.push_back({std::move(question->reply), {std::move(leased), waited}});
    question = asking_.erase(question);
  }
}

/// Whether a worker may be given something now: what it has handed over is committed, and its device is there. And the
/// number of workers of this run.
std::pair<bool, std::size_t> BatchQueue::state_of(WorkerId who) {
  const std::lock_guard lock(mutex_);
  std::size_t workers = 0;
  for (const auto& [device, n] : workers_) workers += static_cast<std::size_t>(n);
  return {!uncommitted_.contains(who) && !ended(who.device), workers};
}

/// With the mutex held.
bool BatchQueue::ended(int device) const { return error_ || control_.stop.load() || !workers_.contains(device); }

void BatchQueue::release_finished_workers() {
  std::vector<TakeReply> done;
  done.reserve(asking_.size());
  {
    const std::lock_guard lock(mutex_);
    finished_ = rows_.finished();
    for (auto question = asking_.begin(); question != asking_.end();) {
      const bool waits_for_itself = uncommitted_.contains(question->who) && !error_;
      if (!waits_for_itself && (rows_.finished() || ended(question->who.device))) {
        done.push_back(std::move(question->reply));
        question = asking_.erase(question);
      } else {
        if (!waits_for_itself && !question->idle) question->idle.emplace();
        ++question;
      }
    }
  }
  for (const TakeReply& reply : done) reply({});
}

/// Shows where the campaign stands, if that has changed.
void BatchQueue::report_progress() {
  if (!rows_.take_change() || !observer_.progress) return;
  CampaignProgress p = rows_.counts();
  p.updates = updates_;
  p.seconds = watch_.total();
  {
    const std::lock_guard lock(mutex_);
    p.devices = static_cast<int>(workers_.size());
  }
  p.processes = rows_.processes();
  const double work = rows_.remaining_work();
  const double rate = updates_ / p.seconds * static_cast<double>(p.processes);
  p.remaining_seconds = updates_ > 0.0 ? work / rate : (work > 0.0 ? -1.0 : 0.0);
  observer_.progress(p);
}

RunOutcome BatchQueue::outcome() {
  std::promise<bool> finished;
  post(EndOfRun{&finished});
  const bool complete = finished.get_future().get();
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  if (complete) return RunOutcome::complete;
  if (workers_.empty() && device_failure_) std::rethrow_exception(device_failure_);
  return RunOutcome::stopped;
}

}  // namespace glassworks::inline scheduler
