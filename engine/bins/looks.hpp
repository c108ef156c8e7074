#pragma once

#include <cstdint>

#include "engine/config/keys/convergence_keys.hpp"

namespace glassworks { inline namespace engine {

/// Number of rounds, at least `rounds`, at the next convergence check: checks are due at min_rounds, whenever the
/// history has grown by a quarter, and at max_rounds; beyond it, after every round. Few checks of the same data keep
/// the false-alarm rate low.
[[nodiscard]] std::uint32_t first_look_from(const ConvergenceConfig& config, std::uint32_t rounds);

/// The last number of rounds, `rounds` or fewer, after which a realization was looked at; 0 before the first.
[[nodiscard]] std::uint32_t last_look(const ConvergenceConfig& config, std::uint32_t rounds);

}}  // namespace glassworks::engine
