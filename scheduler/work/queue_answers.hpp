#pragma once

#include <cstdint>
#include <future>
#include <variant>

#include "scheduler/campaign/work_source.hpp"

namespace glassworks { inline namespace scheduler {

/// Caller-chosen number that identifies an asynchronous answer.
using Ticket = std::uint64_t;

/// Where an answer goes: to a thread that waits for it, or with its number to BatchQueue::answers.
template <class T>
using AnswerTo = std::variant<std::promise<T>, Ticket>;

/// Asynchronous answers. If the run has failed, the batch is empty and nothing was written.
struct LeaseAnswer {
  Ticket ticket;
  Batch batch;
};
struct CommitAnswer {
  Ticket ticket;
  Committed result;
};
using QueueAnswer = std::variant<LeaseAnswer, CommitAnswer>;

}}  // namespace glassworks::scheduler
