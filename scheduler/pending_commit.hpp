#pragma once

#include <exception>
#include <functional>

#include "scheduler/work_source.hpp"

namespace glassworks::inline scheduler {

/// A finished batch on its way into the database. It is one value that is handed on: from whoever committed it to the
/// threads that decide, from these to the thread that writes, which answers once the transaction is on stable storage.
struct PendingCommit {
  enum class State {
    deciding,  ///< about realizations that are due; passed over where none is
    writing,   ///< waits for the next transaction, or is in it
    answering  ///< the transaction has ended; `committed` and `failure` are final
  };
  /// committed  false: the leases had ended, nothing was written
  /// failure    what went wrong, if anything: nothing was written, and the run cannot go on
  using Reply = std::function<void(bool committed, const std::exception_ptr& failure)>;

  WorkerId who;
  FinishedBatch batch;
  Reply reply;
  State state = State::deciding;
  bool committed = false;
  std::exception_ptr failure = {};
};

}  // namespace glassworks::inline scheduler
