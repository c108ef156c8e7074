#pragma once

#include <span>

#include "analysis/averages/analysis.hpp"
#include "analysis/histories/history_sections.hpp"

namespace glassworks { inline namespace analysis {

/// A size whose second or longer histories differ significantly from those of the campaign, in an average over the
/// realizations (PairedHistories::limit), is not equilibrated, whatever else was compared. Adds to the lines of every
/// verdict what these comparisons have shown. False alarms: 0.1 % for all observables and sizes of a part
/// (family::further_histories). Another generator says nothing on equilibration.
void judge_by_histories(AnalysisResult& averages, std::span<const PartComparison> comparisons);

}}  // namespace glassworks::analysis
