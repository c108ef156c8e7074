#pragma once

#include <string>
#include <vector>

#include "analysis/export/export.hpp"

namespace glassworks { inline namespace analysis {

/// Writes the files of a campaign with a course, under the names that those of a campaign in equilibrium have:
///
///     results.csv       series_csv: every quantity at every time
///     realizations.csv  as TableWriter
///     covariance.csv    covariance_csv; on demand
///     bins.csv          L,realization,t,slot,T,observable,mean; on demand: what each realization has measured
///     campaign.h5       write_course_file
///     digests.csv       RoundDigests; on demand
[[nodiscard]] std::vector<SizeSummary> export_course(const CampaignSet& campaigns, const CampaignSnapshot& snapshot,
                                                     const ExportOptions& options, const std::string& created,
                                                     Staging& staging);

}}  // namespace glassworks::analysis
