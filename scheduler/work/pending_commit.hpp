#pragma once

#include <exception>

#include "scheduler/campaign/work_source.hpp"
#include "scheduler/work/queue_answers.hpp"

namespace glassworks { inline namespace scheduler {

/// A finished batch on its way into the database: a value with exactly one owner at a time. The owner performs the step
/// of the current state and sets the next state; BatchQueue::advance then moves the value to the owner of that state.
struct PendingCommit {
  enum class State {
    deciding,  ///< about realizations that are due, by a thread that reads their histories; passed over where none is
    writing,   ///< by the thread of the queue, in its next transaction
    answering  ///< the transaction has ended, `result` and `failure` are final: who committed it is told
  };

  WorkerId who;
  FinishedBatch batch;
  AnswerTo<Committed> answer_to;
  State state = State::deciding;
  Committed result = {};
  std::exception_ptr failure = {};  ///< what went wrong: nothing was written, and the run cannot go on
};

}}  // namespace glassworks::scheduler
