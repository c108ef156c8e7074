#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/config.hpp"
#include "kernels/backend.hpp"
#include "scheduler/campaign_rows.hpp"
#include "scheduler/work_source.hpp"

namespace glassworks::inline scheduler {

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

/// What the workers of a process have in common. What it refers to outlives them.
struct WorkSite {
  const Config& config;
  std::filesystem::path checkpoints;  ///< directory that their states are in
  const Chains& chains;
  Provenance provenance;  ///< `backend` is filled in by each worker
  int workers = 1;        ///< of this process, which share its threads
  int sharers = 1;        ///< workers of all processes that share the memory of the machine
  int threads = 0;        ///< of this process; 0: as the configuration says
};

/// Takes batches, simulates a round of each and hands it over to be committed: the work of one thread. It takes the
/// next batch while the last one is being committed.
class Worker {
 public:
  /// worker  its number in the run
  Worker(WorkSite site, WorkerBackend backend, int worker);

  /// Until there is nothing more for this worker. Errors go to the source.
  void run(WorkSource& source, RoundControl& control);

  /// Begins no round that would not be finished then.
  void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

  [[nodiscard]] const TimeShares& times() const { return times_; }

 private:
  struct Member;
  /// A commit on its way, and the checkpoints that it makes superfluous.
  struct Handover {
    std::future<bool> committed;
    std::vector<std::string> superfluous;
  };

  void work(WorkSource& source, RoundControl& control);
  [[nodiscard]] BatchLimits batch_limits() const;
  [[nodiscard]] bool ends_before_deadline() const;
  bool load(WorkSource& source, const Chain& chain, Batch& batch, std::vector<Member>& members, RoundControl& control);
  void run_batch(WorkSource& source, Batch batch, RoundControl& control);
  void write_checkpoints(const Chain& chain, std::span<Member> members) const;
  void hand_over(WorkSource& source, std::vector<Member>& members, double seconds);
  void settle(std::size_t at_most);
  /// Whether `call` succeeded. Otherwise the device and the batch have been given up.
  template <class Call>
  bool on_device(WorkSource& source, const Batch& batch, const Call& call);

  WorkSite site_;
  WorkerBackend backend_;
  WorkerId id_;
  int threads_;                              ///< for checkpoints and disorder
  std::map<int, int> preferred_batch_;       ///< of the backend, by L; 0: none
  std::map<int, double> seconds_per_round_;  ///< of one realization, by L, measured in this run
  double longest_batch_ = 0.0;               ///< [s], with checkpoints
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::deque<Handover> handovers_;
  TimeShares times_;
};

}  // namespace glassworks::inline scheduler
