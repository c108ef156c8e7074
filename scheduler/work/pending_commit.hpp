#pragma once

#include <exception>

#include "scheduler/campaign/work_source.hpp"
#include "scheduler/work/queue_answers.hpp"

namespace glassworks { inline namespace scheduler {

/// A finished batch on its way into the database: one value that one place owns at a time. A place does what belongs to
/// the state, sets the next one, and BatchQueue::advance gives the value to the place of that.
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
