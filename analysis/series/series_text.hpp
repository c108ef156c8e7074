#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Places of at most `most` of the times, at about equal ratios; the first and the last are among them.
[[nodiscard]] std::vector<std::size_t> thinned_times(const std::vector<std::uint64_t>& times, std::size_t most);

/// What `glassworks analyze` prints of a campaign with a course: for each size and temperature a table against time,
/// the aging of correlations where there are waiting times, and the verdict.
[[nodiscard]] std::string series_text(const CourseAnalysis& analysis);

}}  // namespace glassworks::analysis
