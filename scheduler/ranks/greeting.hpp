#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/ranks/transport.hpp"

namespace glassworks { inline namespace scheduler {

/// Rank 0: collects the first messages of all ranks, its own first. Throws InputError naming the rank if a rank runs
/// another version, sends anything else, or sends nothing in time; the caller must then dismiss the others. Returns an
/// empty list if a stop is requested meanwhile.
[[nodiscard]] std::vector<Handshake> gather(Transport& transport, const Handshake& self, const RoundControl& control,
                                            std::chrono::milliseconds max_wait = std::chrono::minutes(2));

/// Rank 0: cancels the run before it begins. Sends a refusal to all other ranks and waits until it is sent.
void dismiss(Transport& transport, const std::string& reason);

/// Waits until all messages are sent, up to a time limit; returns whether they are. Drops incoming messages.
bool flush(Transport& transport, std::chrono::milliseconds max_wait);

/// "rank 3 on n2 (process 4711)"
[[nodiscard]] std::string name_of_rank(int rank, const Handshake& hello);

}}  // namespace glassworks::scheduler
