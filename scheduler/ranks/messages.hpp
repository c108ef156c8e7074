#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scheduler/campaign/work_source.hpp"
#include "scheduler/ranks/node_share.hpp"

namespace glassworks { inline namespace scheduler {

/// Messages between rank 0, which coordinates a run over several machines, and the other ranks, its workers.
///
/// Sequence: every worker sends a Handshake; rank 0 answers with Refusal or with the campaign (Welcome). A worker then
/// announces its devices (Ready), takes batches (Take -> BatchReply) and commits them (Commit -> CommitReply). When no
/// work is left it sends Finished and waits for End; rank 0 sends Stop to end a run early.

/// What a rank is. Sent before anything else, as lines of text that every version can read: ranks of different versions
/// must be able to refuse each other. The first line is "glassworks hello", the last one "end"; those between are "NAME
/// VALUE" in any order. A line of a name that the reader does not know is passed over, and what no line tells is empty:
/// only `version`, `commit`, `compiler`, `host` and `pid` are promised to be there for ever.
struct Handshake {
  std::string version, commit, compiler;  ///< of the program
  std::string host;
  std::int64_t pid = 0;
  RankPlace place;
  bool operator==(const Handshake&) const = default;
};

/// A checkpoint on its way between a worker that does not see the campaign's directory and rank 0.
struct CheckpointFile {
  std::string name;
  std::vector<std::byte> bytes;
  bool operator==(const CheckpointFile&) const = default;
};

struct DeviceOfRank {
  std::string description;  ///< of its backend
  int workers = 1;
  bool operator==(const DeviceOfRank&) const = default;
};

/// The worker has its backends.
struct Ready {
  std::vector<DeviceOfRank> devices;  ///< numbered from 0 in the rank
  int threads = 0;                    ///< processor threads of its share
  bool sees_directory = false;        ///< whether it reads and writes the campaign's directory that rank 0 uses
  std::string problem;                ///< why it cannot work; empty if it can
};

struct Take {
  WorkerId who;  ///< device of the rank, worker of the rank
  BatchLimits limits;
};

struct Commit {
  WorkerId who;
  std::uint64_t id = 0;  ///< of the worker rank's choice; comes back with the reply
  FinishedBatch batch;
  std::vector<CheckpointFile> files;  ///< that the batch names, where rank 0 writes them
};

struct GiveBack {
  Batch batch;
};

/// A failed round; `device` < 0: of the realizations, else of that device, which is given up.
struct Failed {
  int device = -1;
  std::string backend, reason;
  Batch batch;
};

struct Note {
  std::string text;
};

/// The rank cannot go on, and so the run cannot.
struct Abort {
  std::string reason;
  bool out_of_memory = false;
};

/// A signal asked this rank to end, and so the run is to.
struct StopRequest {};

/// Sent by a worker that has nothing else to say.
struct Heartbeat {};

/// Where the time of a rank's workers went [s].
struct Finished {
  double rounds = 0.0, checkpoints = 0.0, database = 0.0, idle = 0.0, measurements = 0.0;
};

using FromWorker = std::variant<Ready, Take, Commit, GiveBack, Failed, Note, Abort, StopRequest, Heartbeat, Finished>;

/// The run does not begin: why, for people. Only rank 0 shows it.
struct Refusal {
  std::string reason;
};

struct Welcome {
  std::string config_text;        ///< canonical, with absolute paths
  std::string directory;          ///< of the campaign, absolute
  std::string token_file, token;  ///< file in the directory, and what it holds: tells whether it is the same one
  std::map<int, std::vector<double>> temperatures;  ///< by L, as the database holds them
  double seconds_left = -1.0;                       ///< until the time limit; negative: none
  RankShare share;                                  ///< what the rank works with
};

struct BatchReply {
  WorkerId who;  ///< as in Take
  Batch batch;
  std::vector<CheckpointFile> files;  ///< its states, for a worker that does not see the directory
};

struct CommitReply {
  std::uint64_t id = 0;
  Committed result;
};

/// Tells a worker rank to abandon its running rounds, release its batches and send Finished.
struct Stop {};

/// Tells a worker rank to exit.
struct End {};

using FromCoordinator = std::variant<Refusal, Welcome, BatchReply, CommitReply, Stop, End>;

[[nodiscard]] std::vector<std::byte> encode(const Handshake& hello);
[[nodiscard]] std::vector<std::byte> encode(const FromWorker& message);
[[nodiscard]] std::vector<std::byte> encode(const FromCoordinator& message);

/// Throws std::runtime_error for bytes that are none: something else than Glassworks answers.
[[nodiscard]] Handshake decode_handshake(std::span<const std::byte> bytes);
/// Throw std::runtime_error for bytes that are none. Allocate little more than the bytes that are there.
[[nodiscard]] FromWorker decode_from_worker(std::span<const std::byte> bytes);
[[nodiscard]] FromCoordinator decode_from_coordinator(std::span<const std::byte> bytes);

}}  // namespace glassworks::scheduler
