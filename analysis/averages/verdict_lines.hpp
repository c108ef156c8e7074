#pragma once

#include <string>
#include <vector>

#include "analysis/averages/verdict.hpp"

namespace glassworks { inline namespace analysis {

/// A verdict in words, with the numbers: the headline with what was not reached, the realizations, the worst
/// comparisons.
[[nodiscard]] std::vector<std::string> verdict_lines(const Verdict& verdict, const RealizationCounts& counts,
                                                     const VerdictData& data);

}}  // namespace glassworks::analysis
