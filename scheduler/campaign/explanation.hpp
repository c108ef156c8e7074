#pragma once

#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// Everything behind the state of a realization, in words and tables for people: stored state and looks, times of the
/// temperature walk, round trips, log-binning, rounds left out of averages, estimate of rounds still needed, and
/// attempts. The tests are evaluated for all committed rounds, also between two looks.
///
/// rounds  all committed rounds of the realization
/// size    its lattice size
[[nodiscard]] std::string explain(const Config& config, const RealizationRow& row, const std::vector<RoundRow>& rounds,
                                  const SizeRow& size);

}}  // namespace glassworks::scheduler
