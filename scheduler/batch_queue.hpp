#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/backend.hpp"
#include "scheduler/campaign.hpp"
#include "scheduler/stopwatch.hpp"

namespace glassworks {

/// Where a campaign stands.
struct CampaignProgress {
  std::uint64_t realizations = 0, converged = 0, failed = 0, rounds = 0;
  double updates = 0.0;            ///< spin updates committed since the start of this run
  double seconds = 0.0;            ///< wall time of this run
  double remaining_seconds = 0.0;  ///< estimate; negative: unknown yet
  int devices = 1;                 ///< at work
};

/// What a run tells while it goes. The functions may be empty; they are called by one thread at a time.
struct RunObserver {
  std::function<void(const CampaignProgress&)> progress;  ///< at the start and after every commit
  /// One device of several has failed: which backend, and why.
  std::function<void(const std::string& backend, const std::string& message)> device_failed;
};

enum class RunOutcome { complete, stopped };

/// The chains of a campaign by L.
using Chains = std::map<int, Chain>;

/// Realizations that a worker holds, all of one size, as committed; `attempt` is that of the lease.
struct Batch {
  std::vector<RealizationRow> rows;
  double idle_seconds = 0.0;  ///< spent waiting for other workers to give something back
};

/// What the workers of a run share: the rows of the campaign, its database and the state of the run. Every member may
/// be called from any thread; the database is used by one at a time.
///
/// Order: fewest rounds first, larger lattices first among equals, so that hard realizations are recognized early and
/// run on together. The order never touches the bits of a realization.
class BatchQueue {
 public:
  /// workers  number of workers of each device
  BatchQueue(Campaign& campaign, const Chains& chains, std::map<int, int> workers, RoundControl& control,
             RunObserver observer);

  /// Leases a batch to a worker of `device`. Waits while other workers hold all that is open. An empty batch: the
  /// worker is to end, because everything is finished, a stop is requested or its device has failed.
  ///
  /// limits  largest batch by L; where backend.batch is not set, open realizations are also shared out evenly
  [[nodiscard]] Batch take(int device, const std::map<int, int>& limits);

  /// Committed rounds of a realization.
  [[nodiscard]] std::vector<RoundRow> history(RealizationKey key);
  /// Commits the rounds of a batch in one transaction. Those that are still open become free.
  void commit(const std::vector<RoundCommit>& rounds, const Provenance& provenance);
  /// Frees a batch of which nothing was committed.
  void give_back(const Batch& batch);

  /// Frees the batch and gives the device up; its workers get nothing more. Only the first failure of a device counts.
  /// To be called while `failure` is handled.
  void device_failed(int device, const std::string& backend, const Batch& batch, const std::exception& failure);
  /// Ends the run with an error that is no fault of a device: abandons all rounds.
  void abort(std::exception_ptr error);

  /// How the run ended, once all workers have. Throws what abort was given first; if no device is left and work is,
  /// what the first one threw.
  [[nodiscard]] RunOutcome outcome() const;

 private:
  /// (rounds, realization) of the open realizations that nobody holds: the order in which they are taken.
  using FreeList = std::set<std::pair<std::uint32_t, std::uint32_t>>;

  [[nodiscard]] std::map<int, FreeList>::iterator next_free();
  [[nodiscard]] std::size_t batch_size(int L, int limit) const;
  [[nodiscard]] bool ended(int device) const;
  void release(const Batch& batch);
  [[nodiscard]] CampaignProgress progress() const;

  Campaign& campaign_;
  const Chains& chains_;
  RoundControl& control_;
  const RunObserver observer_;
  const Stopwatch watch_;

  mutable std::mutex mutex_;  ///< of everything below, of the database and of the observer
  std::condition_variable changed_;
  std::map<RealizationKey, RealizationRow> rows_;  ///< as committed
  std::map<int, FreeList> free_;                   ///< by L
  std::map<int, std::size_t> open_;                ///< not finished, free or held, by L
  std::size_t held_ = 0;
  std::map<int, int> workers_;  ///< of each device that has not failed
  bool several_devices_;
  double updates_ = 0.0;
  std::exception_ptr error_, device_failure_;  ///< the first of each
};

}  // namespace glassworks
