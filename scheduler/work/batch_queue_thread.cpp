#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "scheduler/campaign/process.hpp"
#include "scheduler/work/batch_queue.hpp"

// The thread of the queue: it alone uses the database and calls the observer.
namespace glassworks { inline namespace scheduler {
namespace {

/// How often a worker without work looks whether another process has given something back.
constexpr auto look_interval = std::chrono::milliseconds(200);

/// Rounds after which a transaction is closed, so that nobody waits long for a lease: some ten milliseconds.
constexpr std::size_t rounds_of_group = 64;

/// When a process that has nothing in hand looks at the tables themselves, and tells what it waits for [s].
constexpr double first_look = 2.0, between_looks = 5.0, first_note = 10.0, between_notes = 600.0;

}  // namespace

/// If memory runs out between transactions, aborts the run but keeps this thread alive to answer waiting workers.
void BatchQueue::work() {
  bool reported = false;
  for (bool more = true; more;) {
    try {
      if (!std::exchange(reported, true)) report_progress();
      more = serve();
    } catch (...) {
      abort(std::current_exception());
    }
  }
}

/// What has been asked for by now; false at the end.
bool BatchQueue::serve() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, look_interval,
                      [this] { return woken_ || ending_ || !requests_.empty() || !new_questions_.empty(); });
    woken_ = false;
    if (ending_ && requests_.empty()) return false;
    for (; !new_questions_.empty(); new_questions_.pop_front()) questions_.push_back(std::move(new_questions_.front()));
  }
  std::deque<Request> group = next_group();
  if (!group.empty() || !questions_.empty()) run_group(group);
  check_stalled_queue();
  return true;
}

std::deque<BatchQueue::Request> BatchQueue::next_group() {
  const std::lock_guard lock(mutex_);
  std::deque<Request> group;
  for (std::size_t rounds = 0; !requests_.empty() && rounds < rounds_of_group;) {
    if (const auto* commit = std::get_if<PendingCommit>(&requests_.front())) {
      rounds += commit->batch.rounds.size() + commit->batch.states.size();
    }
    group.push_back(std::move(requests_.front()));
    requests_.pop_front();
  }
  return group;
}

/// Executes a group of requests in one transaction and answers them after it is on disk.
void BatchQueue::run_group(std::deque<Request>& group) {
  std::vector<Lease> leases;
  std::exception_ptr failure;
  try {
    rows_.read_changes();
    if (!group.empty() || rows_.anything_free()) {
      campaign_.database().together([&] {
        for (Request& request : group) std::visit([this](auto& kind) { write(kind); }, request);
        rows_.read_changes();
        for (Request& request : group) {
          if (auto* commit = std::get_if<PendingCommit>(&request)) rows_.refresh(commit->result.rows);
        }
        if (evicted_.empty()) grant_leases(leases);  // else what is leased now would be lost at once
      });
    }
    for (const Request& request : group) {
      if (const auto* commit = std::get_if<PendingCommit>(&request)) log_copier_.committed(commit->result.rows.size());
    }
    if (const auto evicted = rows_.evicted()) evicted_.push_back(*evicted);
    for (const std::int64_t lost : std::exchange(evicted_, {})) {
      keeper_.register_again(lost);
      wake();
    }
    report_progress();
  } catch (...) {
    failure = std::current_exception();
    abort(failure);
  }
  for (Request& request : group) finish(request, failure);
  for (Lease& lease : leases) answer(lease.answer_to, failure ? Batch{} : std::move(lease.batch));
  release_finished_workers();
}

/// After the transaction.
void BatchQueue::finish(Request& request, const std::exception_ptr& failure) {
  if (auto* commit = std::get_if<PendingCommit>(&request)) {
    commit->failure = failure;
    commit->result.yield = !failure && should_yield(*commit);
    commit->state = PendingCommit::State::answering;
    advance(std::move(*commit));
  } else if (auto* end = std::get_if<EndOfRun>(&request)) {
    end->finished.set_value(rows_.finished());
  }
}

void BatchQueue::answer(PendingCommit& commit) {
  auto* const waiting = std::get_if<std::promise<Committed>>(&commit.answer_to);
  if (waiting == nullptr) {
    answers_.put(CommitAnswer{std::get<Ticket>(commit.answer_to), commit.failure ? Committed{} : commit.result});
  } else if (commit.failure) {
    waiting->set_exception(commit.failure);
  } else {
    waiting->set_value(std::move(commit.result));
  }
}

void BatchQueue::answer(AnswerTo<Batch>& answer_to, Batch batch) {
  if (auto* const waiting = std::get_if<std::promise<Batch>>(&answer_to)) {
    waiting->set_value(std::move(batch));
  } else {
    answers_.put(LeaseAnswer{std::get<Ticket>(answer_to), std::move(batch)});
  }
}

void BatchQueue::write(PendingCommit& commit) {
  {
    const std::lock_guard lock(mutex_);
    if (--uncommitted_[commit.who] == 0) uncommitted_.erase(commit.who);
  }
  const bool ends = commit.batch.lease == LeaseAfter::ends;
  in_hand_ -= std::min(in_hand_, (ends ? commit.batch.rounds.size() : 0) + commit.batch.states.size());
  if (commit.failure) std::rethrow_exception(commit.failure);
  commit.result = write_batch(commit.batch);
}

void BatchQueue::write(const Release& release) {
  in_hand_ -= std::min(in_hand_, release.rows.size());
  campaign_.database().release(release.rows.front().worker, release.rows, release.end, release.reason);
}

void BatchQueue::write(const Notice& notice) {
  if (observer_.note) observer_.note(notice.text);
}

void BatchQueue::write(const DeviceGone& device) {
  if (observer_.device_failed) observer_.device_failed(device.backend, device.reason);
}

/// In a transaction.
Committed BatchQueue::write_batch(const FinishedBatch& batch) {
  Committed result;
  double updates = 0.0;
  for (const RoundCommit& round : batch.rounds) {
    updates += updates_of_rounds(chains_.at(round.key.L), round.round, round.round + 1);
  }
  try {
    Database& database = campaign_.database();
    if (!batch.rounds.empty()) {
      Changes written =
          database.commit(batch.holder, batch.rounds, batch.provenance, now_ms(), updates, batch.lease, rows_.known());
      rows_.take_over(written);
      result.rows = std::move(written.rows);
    }
    if (!batch.states.empty()) result.rows = database.leave(batch.holder, batch.states);
  } catch (const LeaseLost& lost) {
    if (observer_.note) observer_.note(lost.what());
    // Only this batch may have lost its leases, because who simulated it was silent.
    const std::int64_t now = now_ms(), lease = std::int64_t{1000} * campaign_.config().workers.lease_seconds;
    if (!campaign_.database().heartbeat(batch.holder, now, now + lease)) evicted_.push_back(batch.holder);
    return {};
  }
  updates_ += updates;
  result.written = true;
  return result;
}

/// Whether a worker should give back what it goes on to hold: some of it waits for others of its group, a worker
/// without work could have a share of it, it has shrunk and could be filled up, or what is free may need much more
/// work.
bool BatchQueue::should_yield(const PendingCommit& commit) const {
  if (commit.batch.lease == LeaseAfter::ends || !commit.result.written || commit.batch.rounds.empty()) return false;
  const std::vector<RealizationRow>& rows = commit.result.rows;
  const auto finished = [](const RealizationRow& row) { return is_finished(row.status); };
  std::vector<RealizationRow> rest;
  if (std::ranges::any_of(rows, finished)) {
    std::ranges::remove_copy_if(rows, std::back_inserter(rest), finished);
    if (rest.empty()) return false;
  }
  const std::vector<RealizationRow>& open = rest.empty() ? rows : rest;
  if (rows_.any_waits(open)) return true;
  const int L = open.front().key.L;
  for (const Question& question : questions_) {
    if (question.idle && question.who != commit.who && open.size() > rows_.share(L, question.limits)) return true;
  }
  const auto leased = leased_.find(commit.who);
  const bool shrunk = leased != leased_.end() && 4 * open.size() < 3 * leased->second;
  return rows_.prefers_others(open, shrunk);
}

/// In the order in which they asked; who gets nothing goes on asking.
void BatchQueue::grant_leases(std::vector<Lease>& leases) {
  leases.reserve(questions_.size());  // a question that is taken out is answered
  for (auto question = questions_.begin(); question != questions_.end() && rows_.anything_free();) {
    const auto [ready, workers] = state_of(question->who);
    std::vector<RealizationRow> leased;
    if (ready) leased = rows_.lease(question->limits, workers);
    if (leased.empty()) {
      ++question;
      continue;
    }
    in_hand_ += leased.size();
    leased_[question->who] = leased.size();
    const double waited = question->idle ? question->idle->total() : 0.0;
    leases.push_back({std::move(question->answer_to), {std::move(leased), waited}});
    question = questions_.erase(question);
  }
}

/// First: whether a worker may get a batch now (its commits are written, and its device has not failed). Second: number
/// of workers of this run.
std::pair<bool, std::size_t> BatchQueue::state_of(WorkerId who) {
  const std::lock_guard lock(mutex_);
  std::size_t workers = 0;
  for (const auto& [device, n] : workers_) workers += static_cast<std::size_t>(n);
  return {!uncommitted_.contains(who) && !ended(who.device), workers};
}

/// With the mutex held.
bool BatchQueue::ended(int device) const { return error_ || control_.stop || !workers_.contains(device); }

void BatchQueue::release_finished_workers() {
  std::vector<std::pair<AnswerTo<Batch>, double>> released;  // with the seconds of waiting
  released.reserve(questions_.size());
  {
    const std::lock_guard lock(mutex_);
    finished_ = rows_.finished();
    for (auto question = questions_.begin(); question != questions_.end();) {
      const bool waits_for_itself = uncommitted_.contains(question->who) && !error_;
      if (!waits_for_itself && (rows_.finished() || ended(question->who.device))) {
        released.emplace_back(std::move(question->answer_to), question->idle ? question->idle->total() : 0.0);
        question = questions_.erase(question);
      } else {
        if (!waits_for_itself && !question->idle) question->idle.emplace();
        ++question;
      }
    }
  }
  for (auto& [answer_to, waited] : released) answer(answer_to, Batch{{}, waited});
}

/// If the queue is stalled, rereads all rows: the index of changes may be damaged. Reports what the process is waiting
/// for.
void BatchQueue::check_stalled_queue() {
  if (questions_.empty() || in_hand_ > 0 || rows_.anything_free() || rows_.finished() || control_.stop) {
    idle_.reset();
    return;
  }
  if (!idle_) {
    idle_.emplace();
    look_after_ = first_look;
    note_after_ = first_note;
  }
  const double waited = idle_->total();
  if (waited < look_after_) return;
  const std::string text = rows_.recheck_all_rows();
  if (waited >= note_after_ && !text.empty()) {
    if (observer_.note) observer_.note(text);
    note_after_ = waited + between_notes;
  }
  look_after_ = idle_->total() + std::max(between_looks, 50.0 * (idle_->total() - waited));
}

/// Spin updates a second of this process in the last half of its time: the beginning is no measure of the rest where
/// measurements at logarithmic times are dense, or sizes follow each other.
double BatchQueue::rate_now(double seconds) {
  progress_.emplace_back(seconds, updates_);
  while (progress_.size() > 2 && progress_[1].first <= 0.5 * seconds) progress_.pop_front();
  const auto [then, before] = progress_.front();
  return updates_ > before && seconds > then ? (updates_ - before) / (seconds - then) : updates_ / seconds;
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
  p.remaining_updates = rows_.remaining_work();
  const double rate = rate_now(p.seconds) * static_cast<double>(p.processes);
  p.remaining_is_least = rows_.remaining_is_least();
  p.remaining_seconds = p.remaining_updates == 0.0 ? 0.0 : updates_ > 0.0 ? p.remaining_updates / rate : -1.0;
  observer_.progress(p);
}

}}  // namespace glassworks::scheduler
