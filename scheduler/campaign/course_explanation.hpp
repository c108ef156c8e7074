#pragma once

#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// Everything behind the state of a realization with a course, in words and tables for people: the time that it has
/// reached, its segments, measurement times and kept states, the next round, the rate and what is left, and attempts.
///
/// rounds  all committed rounds of the realization
/// size    its lattice size
[[nodiscard]] std::string explain_course(const Config& config, const RealizationRow& row,
                                         const std::vector<RoundRow>& rounds, const SizeRow& size);

}}  // namespace glassworks::scheduler
