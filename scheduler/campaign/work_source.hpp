#pragma once

#include <cstdint>
#include <exception>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/bins/records.hpp"

namespace glassworks { inline namespace scheduler {

/// One of the workers of a run, and the device that it simulates with; workers of one device lose it together.
struct WorkerId {
  int device = 0;
  int worker = 0;  ///< unique in the run
  auto operator<=>(const WorkerId&) const = default;
};

/// Realizations that a worker holds, all of one size, as committed; `attempt` and `worker` are those of the lease.
struct Batch {
  std::vector<RealizationRow> rows;
  double idle_seconds = 0.0;  ///< spent waiting for work, which others held
};

/// How much a worker takes at once, by L.
struct BatchLimits {
  std::map<int, int> largest;
  /// Realizations whose round takes as long as that of one alone; 1: the time is proportional to the batch.
  std::map<int, int> width;
};

/// What a worker submits for commit: one simulated round of each realization, or the states of those that it releases
/// between rounds. Named checkpoints are on stable storage. Status, reason and judgement of a round are those before
/// it; if a decision is due, the committing queue makes it.
struct FinishedBatch {
  std::vector<RoundCommit> rounds;
  LeaseAfter lease = LeaseAfter::ends;  ///< of the rounds
  std::vector<StateCommit> states;      ///< of realizations whose rounds are committed; their leases end
  std::int64_t holder = 0;              ///< RealizationRow::worker of the lease
  Provenance provenance;
};

/// What came of a commit.
struct Committed {
  bool written = false;              ///< false: the leases had ended meanwhile, and nothing was written
  bool yield = false;                ///< others need these realizations, or there are more urgent ones
  std::vector<RealizationRow> rows;  ///< as they are now
};

/// Where a worker gets batches and gives rounds: the queue of this process, or the rank that coordinates the run. Every
/// member may be called from any thread.
class WorkSource {
 public:
  virtual ~WorkSource() = default;

  /// Leases a batch. Earlier commits of `who` are written first, so that their realizations can be leased again. Blocks
  /// while other workers hold all open realizations. An empty batch tells the worker to end: all realizations are
  /// finished, a stop was requested, or its device has failed.
  [[nodiscard]] virtual Batch take(WorkerId who, const BatchLimits& limits) = 0;

  /// Decides about the realizations of a batch and commits its rounds in one transaction; those whose leases end become
  /// free. The result comes when it is on stable storage. An exception: the run cannot go on.
  [[nodiscard]] virtual std::future<Committed> commit(WorkerId who, FinishedBatch batch) = 0;

  /// Frees a batch of which nothing was committed.
  virtual void give_back(const Batch& batch) = 0;
  /// Something that people should know.
  virtual void note(const std::string& text) = 0;
  /// Frees a batch whose round has failed, which counts against its realizations.
  virtual void round_failed(const Batch& batch, const std::string& reason) = 0;
  /// Frees the batch and gives the device up; its workers get nothing more. Only the first failure of a device counts.
  /// To be called while `failure` is handled.
  virtual void device_failed(int device, const std::string& backend, const Batch& batch,
                             const std::exception& failure) = 0;
  /// Ends the run with an error that is no fault of a device: abandons all rounds.
  virtual void abort(std::exception_ptr error) = 0;
};

}}  // namespace glassworks::scheduler
