#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/ranks/transport.hpp"

namespace glassworks { inline namespace scheduler {

/// Rank 0: what all ranks have said of themselves, its own first. Throws InputError, with one sentence that says which
/// rank it is about, if one runs another version of the program, says something else than
/// Hello, or nothing at all in time; the others are to be dismissed then. A stop that is asked for meanwhile ends the
/// waiting: the list is empty then.
[[nodiscard]] std::vector<Hello> gather(Transport& transport, const Hello& self, const RoundControl& control,
                                        std::chrono::milliseconds patience = std::chrono::minutes(2));

/// Rank 0: the run does not begin. Refuses all other ranks and waits until that has left.
void dismiss(Transport& transport, const std::string& reason);

/// Waits until everything has left, for so long at most; whether it has. What comes in meanwhile is dropped.
bool flush(Transport& transport, std::chrono::milliseconds patience);

/// "rank 3 on n2 (process 4711)"
[[nodiscard]] std::string name_of_rank(int rank, const Hello& hello);

}}  // namespace glassworks::scheduler
