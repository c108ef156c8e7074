#pragma once

#include <string>

#include "analysis/averages/analysis.hpp"

namespace glassworks { inline namespace analysis {

/// What averages leave out where convergence.left_out fixes it, in one sentence; else empty.
[[nodiscard]] std::string left_out_sentence(const Config& config);

/// What `glassworks analyze` prints: how the numbers are made, then for each size its averages at every temperature,
/// the logarithmic binning, the realizations that have not converged and the verdict, and last xi_table and
/// verdict_table.
[[nodiscard]] std::string report_text(const AnalysisResult& result);

/// Averages, binning and verdict of one size.
[[nodiscard]] std::string size_text(const AnalysisResult& result, const SizeResult& size);

/// xi_L/L against T, all sizes side by side where they share their temperatures, otherwise one below the other.
[[nodiscard]] std::string xi_table(const AnalysisResult& result);

/// One line per size: how many realizations, and whether it is equilibrated.
[[nodiscard]] std::string verdict_table(const AnalysisResult& result);

}}  // namespace glassworks::analysis
