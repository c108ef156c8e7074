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

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/campaign/campaign_rows.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/campaign/work_source.hpp"
#include "scheduler/devices/worker_backend.hpp"
#include "scheduler/work/checkpoint_store.hpp"

namespace glassworks { inline namespace scheduler {

/// Where the time of the workers went, summed over them [s].
struct TimeShares {
  double rounds = 0.0, checkpoints = 0.0, database = 0.0;
  double idle = 0.0;          ///< waiting for realizations that other workers held
  double measurements = 0.0;  ///< of the rounds, in measurements of courses; the rest of a course is sweeps

  TimeShares& operator+=(const TimeShares& other) {
    rounds += other.rounds;
    checkpoints += other.checkpoints;
    database += other.database;
    idle += other.idle;
    measurements += other.measurements;
    return *this;
  }
};

/// State shared by the workers of a process. Referenced objects must outlive the workers.
struct WorkSite {
  const Config& config;
  std::filesystem::path checkpoints;  ///< directory that their states are in
  const Chains& chains;
  Provenance provenance;  ///< `backend` is filled in by each worker
  int workers = 1;        ///< of this process, which share its threads
  int sharers = 1;        ///< workers of all processes that share the memory of the machine
  int threads = 0;        ///< of this process; 0: as the configuration says
};

/// Takes batches, simulates round after round of each and hands them over to be committed: the work of one thread. A
/// batch stays with it, and its states stay where the backend works, until they are due to be written
/// (checkpoint.interval), others need it, or all of it is finished. Rounds go on while earlier ones are being
/// committed; only a decision is waited for.
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
    std::future<Committed> committed;
    std::vector<std::string> superfluous;
    std::uint64_t batch = 0;  ///< BatchState::number when it was sent
  };
  /// State of the current batch, as far as its commits are answered.
  struct BatchState {
    std::uint64_t number = 0;
    bool lost = false;    ///< its leases have ended
    bool yield = false;   ///< it is to be given back
    bool behind = false;  ///< rounds were simulated again when it was loaded: their states are still in no file
    std::vector<RealizationRow> rows;  ///< as the last commit left them
  };

  void work(WorkSource& source, RoundControl& control);
  [[nodiscard]] BatchLimits batch_limits() const;
  [[nodiscard]] bool ends_before_deadline() const;
  bool load(WorkSource& source, const Chain& chain, std::vector<Member>& members, RoundControl& control);
  void run_batch(WorkSource& source, Batch batch, RoundControl& control);
  /// Rounds of the members until some have finished or all are to leave. Whether the others go on.
  bool run_rounds(WorkSource& source, const Chain& chain, std::vector<Member>& members, RoundControl& control,
                  const Stopwatch& stay);
  bool run_round(WorkSource& source, HeldBatch& held, std::vector<Member>& members, RoundControl& control);
  bool write_checkpoints(WorkSource& source, const Chain& chain, const HeldBatch& held,
                         std::span<Member* const> members);
  void leave(WorkSource& source, const Chain& chain, const HeldBatch& held, std::span<Member* const> members);
  void hand_over(WorkSource& source, std::vector<Member>& members, LeaseAfter lease);
  void send(WorkSource& source, FinishedBatch batch, std::vector<std::string> superfluous);
  void settle(std::size_t at_most);
  /// How long a batch stays, unless something else ends it.
  [[nodiscard]] double stay_seconds(int L, std::size_t members) const;
  [[nodiscard]] bool decision_due(std::span<const Member> members) const;
  /// Whether `call` succeeded. Otherwise the device and the batch have been given up.
  template <class Members, class Call>
  bool on_device(WorkSource& source, const Members& members, const Call& call);

  WorkSite site_;
  WorkerBackend backend_;
  WorkerId id_;
  int threads_;  ///< for checkpoints and disorder
  CheckpointStore store_;
  std::map<int, int> preferred_batch_;       ///< of the backend, by L; 0: none
  std::map<int, int> batch_width_;           ///< the same, where it prefers one
  std::map<int, MemoryNeed> need_;           ///< of a batch, by L
  std::map<int, double> seconds_per_round_;  ///< of one realization, by L, measured in this run
  std::map<int, double> writing_seconds_;    ///< of the last checkpoint of one realization, by L
  double reading_seconds_ = 0.0;             ///< of the checkpoints that the current batch began with
  double longest_turn_ = 0.0;                ///< of a round, with what it needs before and after it [s]
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::deque<Handover> handovers_;
  BatchState batch_state_;
  TimeShares times_;
};

}}  // namespace glassworks::scheduler
