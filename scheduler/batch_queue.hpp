#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/backend.hpp"
#include "kernels/core/threads.hpp"
#include "scheduler/campaign.hpp"
#include "scheduler/campaign_rows.hpp"
#include "scheduler/decision_pool.hpp"
#include "scheduler/lease_keeper.hpp"
#include "scheduler/pending_commit.hpp"
#include "scheduler/run_observer.hpp"
#include "scheduler/stopwatch.hpp"
#include "scheduler/work_source.hpp"

namespace glassworks::inline scheduler {

/// What the workers of a run share: the campaign's rows, its database and the state of the run. Every member may be
/// called from any thread. Only a thread of the queue uses the database and calls the observer; what many workers ask
/// for meanwhile becomes one transaction.
class BatchQueue final : public WorkSource {
 public:
  using TakeReply = std::function<void(Batch)>;
  using CommitReply = std::function<void(bool committed)>;

  BatchQueue(Campaign& campaign, LeaseKeeper& keeper, const Chains& chains, RoundControl& control,
             RunObserver observer);
  /// Writes what was asked for.
  ~BatchQueue() override;

  /// A device comes in with so many workers, before they take anything.
  void enter(int device, int workers);
  /// A device has gone: its workers get nothing more. What they hold is to be given back.
  void leave(int device);

  [[nodiscard]] Batch take(WorkerId who, const BatchLimits& limits) override;
  [[nodiscard]] std::future<bool> commit(WorkerId who, FinishedBatch batch) override;
  void give_back(const Batch& batch) override;
  void note(const std::string& text) override;
  void round_failed(const Batch& batch, const std::string& reason) override;
  void device_failed(int device, const std::string& backend, const Batch& batch,
                     const std::exception& failure) override;
  void abort(std::exception_ptr error) override;

  /// The same for those who do not wait: replies are called by the thread of the queue, in which they must be short.
  /// Where the run cannot go on, a reply is an empty batch or `false`, and `RoundControl::stop` is set.
  void ask(WorkerId who, BatchLimits limits, TakeReply reply);
  void commit(WorkerId who, FinishedBatch batch, CommitReply reply);
  void device_failed(int device, const std::string& backend, const Batch& batch, const std::string& reason);
  /// Looks at once whether a stop was requested.
  void wake();
  /// Whether nobody is given anything more: everything is finished, or the run cannot go on.
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
    std::promise<bool>* finished;
  };
  using Request = std::variant<PendingCommit, Release, Notice, DeviceGone, EndOfRun>;

  struct Question {
    WorkerId who;
    BatchLimits limits;
    TakeReply reply;
    std::optional<Stopwatch> idle = {};  ///< since it could have had something
  };
  struct Answer {
    TakeReply reply;
    Batch batch;
  };

  // Of any thread.
  void post(Request request);
  void begin(PendingCommit commit);
  void hand_on(PendingCommit commit);
  void release(const Batch& batch, LeaseEnd end, const std::string& reason = {});
  void device_failed(int device, const std::string& backend, const Batch& batch, std::exception_ptr failure,
                     const std::string& reason);
  void fail(std::exception_ptr error);  // with the mutex held

  // Of the thread of the queue.
  void work();
  [[nodiscard]] bool serve();
  [[nodiscard]] std::deque<Request> next_group();
  void run_group(std::deque<Request>& group);
  void grant_leases(std::vector<Answer>& answers);
  void release_finished_workers();
  [[nodiscard]] std::pair<bool, std::size_t> state_of(WorkerId who);
  void write(PendingCommit& commit);
  void write(const Release& release);
  void write(const Notice& notice);
  void write(const DeviceGone& device);
  void write(const EndOfRun&) {}
  [[nodiscard]] bool write_rounds(const FinishedBatch& batch);
  void answer(Request& request, const std::exception_ptr& failure);
  [[nodiscard]] bool ended(int device) const;
  void report_progress();
  void look_if_nothing_comes();

  Campaign& campaign_;
  LeaseKeeper& keeper_;
  const Chains& chains_;
  RoundControl& control_;
  const RunObserver observer_;
  const Stopwatch watch_;

  // Of the thread of the queue.
  CampaignRows rows_;
  double updates_ = 0.0;
  std::vector<std::int64_t> evicted_;  ///< ids of this process that have lost their leases
  std::deque<Question> asking_;
  std::size_t in_hand_ = 0;                     ///< realizations that the workers of this process have
  std::optional<Stopwatch> starving_;           ///< since somebody asks, nothing is free and nothing is in hand
  double look_after_ = 0.0, note_after_ = 0.0;  ///< [s] of starving

  std::mutex mutex_;  ///< of everything below
  std::condition_variable changed_;
  std::deque<Request> requests_;
  std::deque<Question> questions_;       ///< new ones
  std::map<WorkerId, int> uncommitted_;  ///< batches
  std::map<int, int> workers_;           ///< of each device that has not failed
  std::size_t devices_ = 0;              ///< that have come in
  bool ending_ = false, woken_ = false, finished_ = false;
  std::exception_ptr error_, device_failure_;  ///< the first of each

  std::unique_ptr<DecisionPool> decisions_;
  Thread thread_;
};

}  // namespace glassworks::inline scheduler
