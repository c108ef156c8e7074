#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scheduler/campaign/work_source.hpp"
#include "scheduler/ranks/messages.hpp"

namespace glassworks { inline namespace scheduler {

// A request of another rank is a value with exactly one owner at a time. The owner performs the step of the current
// state and sets the next state; Coordinator::advance then moves the value to the owner of that state.

/// A rank's question for a batch.
struct RankQuestion {
  enum class State {
    leasing,   ///< by the queue
    reading,   ///< of states, by a thread for files, for a rank that does not see the directory; else passed over
    answering  ///< everything is there
  };

  int rank;
  int rejoins;  ///< Peer::rejoins when the rank asked
  Take take;
  State state = State::leasing;
  Batch batch = {};
  std::vector<CheckpointFile> files = {};
};

/// A rank's commit.
struct RankCommit {
  enum class State {
    storing,     ///< of states, by a thread for files, for a rank that does not see the directory; else passed over
    committing,  ///< by the queue
    answering    ///< `result` is final
  };

  int rank;
  Commit message;  ///< `files` until they are stored, `batch` until the queue has it
  State state = State::storing;
  std::uint64_t number = 0;  ///< among those of the rank that are stored
  double updates = 0.0;
  std::vector<std::string> obsolete = {};  ///< files that rank 0 has to remove when it is committed
  Committed result = {};
};

/// Checkpoint files that are no longer needed.
struct ObsoleteFiles {
  std::vector<std::string> names;
};

/// What threads for files work on, and what comes back from them.
using FileTask = std::variant<RankQuestion, RankCommit, ObsoleteFiles>;
using FilesDone = std::variant<RankQuestion, RankCommit>;

}}  // namespace glassworks::scheduler
