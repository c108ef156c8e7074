#pragma once

#include <string>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Adds to the obstacles of every claim the sizes of its fit that are not equilibrated or undecided.
void add_doubts(ScalingResult& result, const AnalysisResult& averages);

/// Of each size how many realizations there are, how many have converged, and whether they are equilibrated.
[[nodiscard]] Table equilibration_table(const AnalysisResult& averages);

/// What the table does not say, the most important first: what was not reached, what keeps averages from being used,
/// critical parameters with their errors, spread and worst case, or why there are none and where curves cross.
[[nodiscard]] std::vector<std::string> verdict_words(const OfflineAnalysis& analysis);

/// Table and sentences of the verdict of a document as lines of plain text.
[[nodiscard]] std::string verdict_text(const Document& document);

}}  // namespace glassworks::analysis
