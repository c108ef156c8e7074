#pragma once

#include <string>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"

namespace glassworks::inline analysis {

/// The report in a few sentences, the most important first: whether the campaign is equilibrated, how many realizations
/// have converged, what scaling says, what must not be concluded.
[[nodiscard]] std::vector<std::string> verdict_words(const OfflineAnalysis& analysis);

}  // namespace glassworks::inline analysis
