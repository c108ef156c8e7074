#pragma once

#include <string>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Adds to the obstacles of every claim the sizes of its fit that are not equilibrated or undecided.
void add_doubts(ScalingResult& result, const AnalysisResult& averages);

/// The report in a few sentences, the most important first: what was not reached, whether the campaign is equilibrated,
/// how many realizations have converged, critical parameters with their errors, spread and worst case, or why there are
/// none and where curves cross.
[[nodiscard]] std::vector<std::string> verdict_words(const OfflineAnalysis& analysis);

}}  // namespace glassworks::analysis
