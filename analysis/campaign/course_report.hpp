#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/basics/campaign_set.hpp"
#include "analysis/report/figure.hpp"
#include "analysis/series/reference_series.hpp"

namespace glassworks { inline namespace analysis {

struct CourseReportOptions {
  std::vector<ReferenceSeries> reference;  ///< shown beside the campaign's values
  /// Called with a stage, and how much of it is done; total = 0 if unknown. May be empty.
  std::function<void(const std::string& stage, int done, int total)> progress;
};

/// The report of a campaign with a course: what was simulated, how far it is and what can be trusted, figures against
/// time, how the numbers were made, provenance, configuration.
///
/// name  of the campaign, for the title
[[nodiscard]] Document course_report(const std::string& name, const CampaignSet& campaigns,
                                     const CourseReportOptions& options);

}}  // namespace glassworks::analysis
