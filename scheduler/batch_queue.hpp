#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/backend.hpp"
#include "scheduler/campaign.hpp"
#include "scheduler/lease_keeper.hpp"
#include "scheduler/run_observer.hpp"
#include "scheduler/stopwatch.hpp"
#include "scheduler/work_order.hpp"
#include "scheduler/work_source.hpp"

namespace glassworks {

/// The chains of a campaign by L.
using Chains = std::map<int, Chain>;

/// What the workers of a process share: its view of the campaign's rows, the database and the state of the run. Every
/// member may be called from any thread; the database is used by one at a time. Other processes may work on the same
/// campaign: the database is the truth, and what they have written is read before anything is taken.
class BatchQueue {
 public:
  /// workers  number of workers of each device of this process
  BatchQueue(Campaign& campaign, LeaseKeeper& keeper, const Chains& chains, std::map<int, int> workers,
             RoundControl& control, RunObserver observer);

  /// Leases a batch to a worker of `device`. Waits while others hold all that is open. An empty batch: the worker is
  /// to end, because everything is finished, a stop is requested or its device has failed.
  [[nodiscard]] Batch take(int device, const BatchLimits& limits);

  /// Committed rounds of a realization.
  [[nodiscard]] std::vector<RoundRow> history(RealizationKey key);
  /// Commits the rounds of a batch in one transaction. Those that are still open become free. False: the leases had
  /// ended meanwhile, and nothing was written.
  ///
  /// worker  that the batch was leased to: this process may have entered again since
  [[nodiscard]] bool commit(std::int64_t worker, const std::vector<RoundCommit>& rounds, const Provenance& provenance);
  /// Frees a batch of which nothing was committed.
  void give_back(const Batch& batch);
  /// Takes no more batches in this process; those in work are finished.
  void drain();
  /// Something that people should know.
  void note(const std::string& text);

  /// Frees a batch whose round has failed, which counts against its realizations.
  void round_failed(const Batch& batch, const std::string& reason);
  /// Frees the batch and gives the device up; its workers get nothing more. Only the first failure of a device counts.
  /// To be called while `failure` is handled.
  void device_failed(int device, const std::string& backend, const Batch& batch, const std::exception& failure);
  /// Ends the run with an error that is no fault of a device: abandons all rounds.
  void abort(std::exception_ptr error);

  /// How the run ended, once all workers have. Throws what abort was given first; if no device is left and work is,
  /// what the first one threw.
  [[nodiscard]] RunOutcome outcome();

 private:
  void read_changes();
  void tell();
  void quarantine(RealizationRow& row);
  void count(const RealizationRow& row, int by);
  [[nodiscard]] Batch lease(const BatchLimits& limits);
  [[nodiscard]] bool ended(int device) const;
  void release(const Batch& batch, LeaseEnd end, const std::string& reason = {});
  [[nodiscard]] CampaignProgress progress() const;

  Campaign& campaign_;
  LeaseKeeper& keeper_;
  const Chains& chains_;
  RoundControl& control_;
  const RunObserver observer_;
  const Stopwatch watch_;

  mutable std::mutex mutex_;  ///< of everything below, of the database and of the observer
  std::condition_variable changed_;
  std::int64_t sequence_ = 0;                      ///< up to which the database has been read
  std::map<RealizationKey, RealizationRow> rows_;  ///< as committed then
  WorkOrder order_;
  CampaignProgress counts_;     ///< of the rows
  std::map<int, int> workers_;  ///< of each device that has not failed
  std::size_t processes_ = 1;   ///< at work on the campaign
  bool several_devices_;
  bool draining_ = false, beginning_ = true;
  bool untold_ = true;  ///< something that `progress` shows has changed
  double updates_ = 0.0;
  std::exception_ptr error_, device_failure_;  ///< the first of each
};

}  // namespace glassworks
