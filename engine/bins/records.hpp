#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

/// Life of a realization: queued -> equilibrating -> producing -> converged, or, each with its reason, failed (not
/// converged after the maximum of rounds) or quarantined (too many attempts at one round have failed).
enum class RealizationStatus { queued, equilibrating, producing, converged, failed, quarantined };

[[nodiscard]] const char* to_string(RealizationStatus status);
/// Whether nothing more is to be simulated.
[[nodiscard]] bool is_finished(RealizationStatus status);

struct RealizationKey {
  int L = 0;
  std::uint32_t realization = 0;
  auto operator<=>(const RealizationKey&) const = default;
};

/// The numbers of the last decision about a realization; all 0 before the first.
struct Judgement {
  double tau = 0.0;                        ///< that decides on the length of its history [measurements]
  std::uint32_t equilibration_rounds = 0;  ///< rounds at the start that averages leave out
  std::uint32_t expected_rounds = 0;       ///< estimate of all the rounds it needs
  bool operator==(const Judgement&) const = default;
};

/// One row of the realization table.
struct RealizationRow {
  RealizationKey key;
  RealizationStatus status = RealizationStatus::queued;
  std::uint32_t rounds = 0;  ///< committed
  std::string state_digest;  ///< of the state after `rounds` rounds, 32 hexadecimal digits
  /// The newest state on stable storage, and the one before it, as file name inside checkpoints/ and digest. The name
  /// says after how many rounds; what was committed since is simulated again where the state is needed. Empty: none.
  std::string checkpoint, checkpoint_digest;
  std::string previous_checkpoint, previous_digest;
  std::uint64_t round_trips = 0;  ///< of all replicas, since the start
  std::string reason;             ///< of the status, for people ("" while simple)
  int attempt = 0;                ///< fencing token: raised by every lease, and when a lease ends without a commit
  Judgement judgement;
  int failures = 0;         ///< attempts at the next round that ended without a commit
  std::int64_t worker = 0;  ///< who holds the lease; 0: nobody
};

/// A process that works on a campaign.
struct WorkerRow {
  std::int64_t id = 0;
  std::string host, backend;
  std::int64_t pid = 0;
  std::int64_t process_start = 0;  ///< clock ticks since the machine started: tells processes of one pid apart
  std::int64_t started = 0, heartbeat = 0, expires = 0;  ///< milliseconds since 1970, UTC
  std::uint64_t rounds = 0;                              ///< committed
  double updates = 0.0;                                  ///< spin updates in them
};

/// One stage of the adaptation of a ladder: a round of the pilots and what came of it.
struct LadderStage {
  int L = 0, stage = 0;  ///< stage from 0
  int pilots = 0, measurements = 0;
  std::vector<double> temperatures;                                 ///< of this stage, ascending
  std::vector<std::uint64_t> exchange_attempts, exchange_accepted;  ///< summed over pilots and copies [pair]
  std::vector<std::uint64_t> walk_up, walk_down;                    ///< summed over pilots [slot]
  std::uint64_t round_trips = 0;                                    ///< of all replicas of all pilots in this stage
  std::string checkpoints;  ///< of the pilots after it: "file digest" lines by realization
};

/// What produced a round.
struct Provenance {
  std::string version, commit, compiler, backend, host;
  bool operator==(const Provenance&) const = default;
};

/// A finished round ready to be committed: bins, new state reference, statistics and decision in one transaction.
struct RoundCommit {
  RealizationKey key;
  int attempt = 0;          ///< of the lease; the commit is refused if it is no longer the current one
  std::uint32_t round = 0;  ///< index of this round, from 0; must equal the rounds committed so far
  RoundRecord record;
  std::string checkpoint;  ///< file with the state after it; empty: none was written
  std::string state_digest;
  std::uint64_t round_trips = 0;
  RealizationStatus status = RealizationStatus::equilibrating;
  std::string reason;
  Judgement judgement;
  double seconds = 0.0;  ///< wall time of the round, shared out over its batch
};

/// A checkpoint of the state after the last committed round, written when a realization leaves its worker.
struct StateCommit {
  RealizationKey key;
  int attempt = 0;           ///< of the lease
  std::uint32_t rounds = 0;  ///< committed
  std::string checkpoint;
};

}}  // namespace glassworks::engine
