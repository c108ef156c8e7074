#pragma once

#include <string>
#include <vector>

#include "analysis/averages/analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Keeps of a whole analysis these sizes and observables: numbers, errors and verdicts stay those of the whole one.
///
/// sizes  empty: all
/// names  empty: all; in the tables they stand in this order
/// Throws InputError for a size or an observable that the campaign does not have.
void select_results(AnalysisResult& result, const std::vector<int>& sizes, const std::vector<std::string>& names);

/// Throws InputError where a campaign has no such size.
///
/// there  its sizes
void require_sizes(const std::vector<int>& wanted, const std::vector<int>& there);

}}  // namespace glassworks::analysis
