#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/task_queue.hpp"
#include "base/threads.hpp"
#include "db/log_copier.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/campaign/campaign.hpp"
#include "scheduler/campaign/campaign_rows.hpp"
#include "scheduler/campaign/lease_keeper.hpp"
#include "scheduler/campaign/run_observer.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/campaign/work_source.hpp"
#include "scheduler/work/decider.hpp"
#include "scheduler/work/mailbox.hpp"
#include "scheduler/work/pending_commit.hpp"
#include "scheduler/work/queue_answers.hpp"

namespace glassworks { inline namespace scheduler {

/// Shared by the workers of a run: the campaign's rows, its database and the state of the run. Thread-safe. A single
/// queue thread uses the database and calls the observer; it combines concurrent requests into one transaction.
///
/// A finished batch becomes a PendingCommit. It goes from the caller to the threads that decide, if a decision is due,
/// and to the thread of the queue, which writes and answers.
class BatchQueue final : public WorkSource {
 public:
  BatchQueue(Campaign& campaign, LeaseKeeper& keeper, const Chains& chains, RoundControl& control,
             RunObserver observer);
  /// Writes what was asked for.
  ~BatchQueue() override;

  /// A device comes in with so many workers, before they take anything.
  void enter(int device, int workers);
  /// A device has gone: its workers get nothing more. What they hold is to be given back.
  void leave(int device);

  [[nodiscard]] Batch take(WorkerId who, const BatchLimits& limits) override;
  [[nodiscard]] std::future<Committed> commit(WorkerId who, FinishedBatch batch) override;
  void give_back(const Batch& batch) override;
  void note(const std::string& text) override;
  void round_failed(const Batch& batch, const std::string& reason) override;
  void device_failed(int device, const std::string& backend, const Batch& batch,
                     const std::exception& failure) override;
  void abort(std::exception_ptr error) override;

  /// As `take`, without waiting.
  [[nodiscard]] std::future<Batch> ask(WorkerId who, BatchLimits limits);
  /// Without waiting for anything: the answers come in `answers`, under these tickets.
  void ask(WorkerId who, BatchLimits limits, Ticket ticket);
  void commit(WorkerId who, FinishedBatch batch, Ticket ticket);
  [[nodiscard]] Mailbox<QueueAnswer>& answers() { return answers_; }

  void device_failed(int device, const std::string& backend, const Batch& batch, const std::string& reason);
  /// Looks at once whether a stop was requested.
  void wake();
  /// Whether no more batches will be leased: everything is finished, or the run has failed.
  [[nodiscard]] bool is_over();

  /// How the run ended, once all workers have. Throws what abort was given first; if no device is left and work is,
  /// what the first one threw.
  [[nodiscard]] RunOutcome outcome();

 private:
  /// What a transaction is made of, beside leases.
  struct Release {
    std::vector<RealizationRow> rows;
    LeaseEnd end;
    std::string reason;
  };
  struct Notice {
    std::string text;
  };
  struct DeviceGone {
    std::string backend, reason;
  };
  struct EndOfRun {  ///< answered with whether everything is finished, when all before it is written
    std::promise<bool> finished;
  };
  using Request = std::variant<PendingCommit, Release, Notice, DeviceGone, EndOfRun>;

  struct Question {
    WorkerId who;
    BatchLimits limits;
    AnswerTo<Batch> answer_to;
    std::optional<Stopwatch> idle = {};  ///< since it could have had something
  };
  struct Lease {
    AnswerTo<Batch> answer_to;
    Batch batch;
  };

  // Of any thread.
  void post(Request request);
  void ask(Question question);
  void begin(PendingCommit commit);
  void decide(Decider& decider, PendingCommit commit);
  void advance(PendingCommit commit);
  void release(const Batch& batch, LeaseEnd end, const std::string& reason = {});
  void device_failed(int device, const std::string& backend, const Batch& batch, std::exception_ptr failure,
                     const std::string& reason);
  void fail(std::exception_ptr error);  // with the mutex held

  // Of the thread of the queue.
  void work();
  [[nodiscard]] bool serve();
  [[nodiscard]] std::deque<Request> next_group();
  void run_group(std::deque<Request>& group);
  void grant_leases(std::vector<Lease>& leases);
  void release_finished_workers();
  [[nodiscard]] std::pair<bool, std::size_t> state_of(WorkerId who);
  void write(PendingCommit& commit);
  void write(const Release& release);
  void write(const Notice& notice);
  void write(const DeviceGone& device);
  void write(const EndOfRun&) {}
  [[nodiscard]] Committed write_batch(const FinishedBatch& batch);
  [[nodiscard]] bool should_yield(const PendingCommit& commit) const;
  void finish(Request& request, const std::exception_ptr& failure);
  void answer(PendingCommit& commit);
  void answer(AnswerTo<Batch>& answer_to, Batch batch);
  [[nodiscard]] bool ended(int device) const;
  void report_progress();
  [[nodiscard]] double rate_now(double seconds);
  void check_stalled_queue();

  Campaign& campaign_;
  LeaseKeeper& keeper_;
  const Chains& chains_;
  RoundControl& control_;
  const RunObserver observer_;
  const Stopwatch watch_;

  // Of the thread of the queue.
  CampaignRows rows_;
  double updates_ = 0.0;
  std::deque<std::pair<double, double>> progress_;  ///< since half of the time: seconds, updates until then
  std::vector<std::int64_t> evicted_;               ///< ids of this process that have lost their leases
  std::deque<Question> questions_;
  std::map<WorkerId, std::size_t> leased_;      ///< size of the last batch of each worker
  std::size_t in_hand_ = 0;                     ///< realizations that the workers of this process have
  std::optional<Stopwatch> idle_;               ///< since a batch is asked for, nothing is free and nothing is in hand
  double look_after_ = 0.0, note_after_ = 0.0;  ///< [s] of that

  std::mutex mutex_;  ///< of everything below
  std::condition_variable changed_;
  std::deque<Request> requests_;
  std::deque<Question> new_questions_;
  std::map<WorkerId, int> uncommitted_;  ///< batches
  std::map<int, int> workers_;           ///< of each device that has not failed
  std::size_t devices_ = 0;              ///< that have come in
  bool ending_ = false, woken_ = false, finished_ = false;
  std::exception_ptr error_, device_failure_;  ///< the first of each

  // With locks of their own.
  Mailbox<QueueAnswer> answers_;
  LogCopier log_copier_;
  TaskQueue<PendingCommit> deciding_;
  Thread thread_;
};

}}  // namespace glassworks::scheduler
