#pragma once

#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/series/reference_series.hpp"
#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// The figures and tables of a campaign with a course, in sections; those without a point are left out.
///
/// references  drawn beside what they are of
[[nodiscard]] std::vector<Section> series_sections(const CourseAnalysis& analysis,
                                                   const std::vector<ReferenceSeries>& references);

}}  // namespace glassworks::analysis
