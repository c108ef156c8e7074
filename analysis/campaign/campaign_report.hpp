#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/campaign/referee_section.hpp"
#include "analysis/campaign/reference_points.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

struct ReportOptions {
  OfflineOptions analysis;
  std::vector<ReferencePoints> reference;  ///< shown beside the campaign's values
};

/// The whole report of a campaign, from its database alone: what was simulated, the verdict in words, the main figures
/// and the critical parameters; folded, all observables, finite-size scaling, what there is to say in a field,
/// equilibration, how the numbers were made, provenance, configuration.
///
/// name  of the campaign, for the title
[[nodiscard]] Document campaign_report(const std::string& name, const CampaignSet& campaigns,
                                       const ReportOptions& options);

/// The document of an analysis that has been made; headline, provenance and configuration are left empty.
[[nodiscard]] Document make_document(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference);

/// Where the numbers of a report come from: campaign, program, digest of the configuration, what computed the rounds,
/// rows of (what, value).
[[nodiscard]] std::vector<std::vector<std::string>> report_provenance(const std::string& name,
                                                                      const CampaignSet& campaigns);

}}  // namespace glassworks::analysis
