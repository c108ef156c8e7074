#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/rounds/held_batch.hpp"

namespace glassworks { inline namespace engine {

/// state_digest of each task of a batch, without taking the states off a device that can make them there [task].
///
/// threads  of the host, for states in its memory
[[nodiscard]] std::vector<std::string> state_digests(const HeldBatch& held, std::size_t tasks, int threads = 1);

}}  // namespace glassworks::engine
