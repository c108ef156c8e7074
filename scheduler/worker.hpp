#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "kernels/backend.hpp"
#include "scheduler/batch_queue.hpp"

namespace glassworks {

/// What one worker simulates with. Workers of one device lose it together.
struct WorkerBackend {
  std::unique_ptr<Backend> backend;
  int device = 0;
  bool is_processor = false;  ///< it cannot be lost
};

/// Where the time of the workers went, summed over them [s].
struct TimeShares {
  double rounds = 0.0, checkpoints = 0.0, database = 0.0;
  double idle = 0.0;  ///< waiting for realizations that other workers held

  TimeShares& operator+=(const TimeShares& other) {
    rounds += other.rounds;
    checkpoints += other.checkpoints;
    database += other.database;
    idle += other.idle;
    return *this;
  }
};

/// Takes batches from the queue, simulates a round of each and commits it: the work of one thread.
class Worker {
 public:
  /// workers  among which memory and hardware threads are shared out
  Worker(const Campaign& campaign, const Chains& chains, WorkerBackend backend, Provenance provenance, int workers);

  /// Until the queue has nothing more for this worker. Errors go to the queue.
  void run(BatchQueue& queue, RoundControl& control);

  /// Begins no round that would not be finished then.
  void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

  [[nodiscard]] const TimeShares& times() const { return times_; }

 private:
  struct Member;

  [[nodiscard]] BatchLimits batch_limits() const;
  [[nodiscard]] bool ends_before_deadline() const;
  bool load(BatchQueue& queue, const Chain& chain, Batch& batch, std::vector<Member>& members, RoundControl& control);
  void run_batch(BatchQueue& queue, Batch batch, RoundControl& control);
  void write_checkpoints(const Chain& chain, std::span<Member> members) const;
  void commit(BatchQueue& queue, const Chain& chain, std::vector<Member>& members, double seconds);
  /// Whether `call` succeeded. Otherwise the device and the batch have been given up.
  template <class Call>
  bool on_device(BatchQueue& queue, const Batch& batch, const Call& call);

  const Campaign& campaign_;
  const Chains& chains_;
  WorkerBackend backend_;
  Provenance provenance_;
  int workers_;
  int threads_;                              ///< for checkpoints and disorder
  std::map<int, int> preferred_batch_;       ///< of the backend, by L; 0: none
  std::map<int, double> seconds_per_round_;  ///< of one realization, by L, measured in this run
  double longest_batch_ = 0.0;               ///< [s], with checkpoints and commit
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  TimeShares times_;
};

}  // namespace glassworks
