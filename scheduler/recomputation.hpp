#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config.hpp"
#include "kernels/backend.hpp"

namespace glassworks::inline scheduler {

/// Where the states of one lattice size lie and what they are functions of.
struct StateSource {
  const std::filesystem::path& checkpoints;
  const Config& config;
  const Chain& chain;
};

/// `wanted` of `count` indices, spread evenly, ascending; all of them if there are no more.
[[nodiscard]] std::vector<std::size_t> spread_evenly(std::size_t count, std::size_t wanted);

/// Whether the last round of a realization can be simulated again at little cost: from the state before it, or, while
/// there are only a few rounds, from the start.
[[nodiscard]] bool can_recompute(const RealizationRow& row);

/// What came of simulating the last rounds of a realization again.
struct Recomputation {
  std::size_t rounds = 0;  ///< simulated again
  std::string difference;  ///< of bins or state from what is stored; empty: the same to the bit
};

/// Simulates the last round of a realization again, from the state before it, or, if the row names none, from the
/// start.
///
/// returns nothing if `control` asked to stop
/// Throws FileError if the state before it cannot be read.
[[nodiscard]] std::optional<Recomputation> recompute_last_round(const StateSource& source, const Database& database,
                                                                const RealizationRow& row, Backend& backend,
                                                                RoundControl& control);

}  // namespace glassworks::inline scheduler
