#pragma once

#include <cstdint>
#include <future>
#include <variant>

#include "scheduler/campaign/work_source.hpp"

namespace glassworks { inline namespace scheduler {

/// The number under which somebody who does not wait for an answer gets it; theirs to choose.
using Ticket = std::uint64_t;

/// Where an answer goes: to a thread that waits for it, or with its number to BatchQueue::answers.
template <class T>
using AnswerTo = std::variant<std::promise<T>, Ticket>;

/// Answers to those who do not wait. Where the run cannot go on, the batch is empty and nothing is written.
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
