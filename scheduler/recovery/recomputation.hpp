#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace glassworks { inline namespace scheduler {

/// `wanted` of `count` indices, spread evenly, ascending; all of them if there are no more.
[[nodiscard]] std::vector<std::size_t> spread_evenly(std::size_t count, std::size_t wanted);

/// The kind of backend that supports the chains of a configuration, regardless of its backend.kind.
[[nodiscard]] BackendKind recomputing_backend(const Config& config);
/// One of that kind.
[[nodiscard]] std::unique_ptr<Backend> make_recomputing_backend(const Config& config);

/// Whether the last rounds of a realization can be simulated again at little cost: from a checkpoint before them, or,
/// while there are only a few rounds, from the start.
[[nodiscard]] bool can_recompute(const RealizationRow& row);

/// What came of simulating the last rounds of a realization again.
struct Recomputation {
  std::size_t rounds = 0;  ///< simulated again
  std::string difference;  ///< of bins or state from what is stored; empty: the same to the bit
};

/// Simulates the last rounds of a realization again, from the newest checkpoint that is older than its state, or, if
/// the row names none, from the start.
///
/// returns nothing if `control` asked to stop
/// Throws FileError if that checkpoint cannot be read.
[[nodiscard]] std::optional<Recomputation> recompute_last_rounds(const StateSource& source, const Database& database,
                                                                 const RealizationRow& row, Backend& backend,
                                                                 RoundControl& control);

}}  // namespace glassworks::scheduler
