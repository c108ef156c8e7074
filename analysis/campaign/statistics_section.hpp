#pragma once

#include <vector>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// How the numbers were made: reweighting between the temperatures of the ladder, control variates of the disorder,
/// autocorrelation times of the observables. Sections that have nothing to show say why.
[[nodiscard]] std::vector<Section> statistics_sections(const OfflineAnalysis& analysis);

}}  // namespace glassworks::analysis
