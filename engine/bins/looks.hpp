#pragma once

#include <cstdint>

#include "engine/config/keys/convergence_keys.hpp"

namespace glassworks { inline namespace engine {

/// The first number of rounds, `rounds` or more, after which a realization is looked at: min_rounds, then each time the
/// history has grown by a quarter, and max_rounds; `rounds` itself beyond it. Fewer looks at the same data keep the
/// false-alarm rate of the tests low.
[[nodiscard]] std::uint32_t first_look_from(const ConvergenceConfig& config, std::uint32_t rounds);

/// The last number of rounds, `rounds` or fewer, after which a realization was looked at; 0 before the first.
[[nodiscard]] std::uint32_t last_look(const ConvergenceConfig& config, std::uint32_t rounds);

}}  // namespace glassworks::engine
