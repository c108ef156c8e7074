#pragma once

#include <span>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/campaign/reference_points.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks::inline analysis {

/// Every observable against temperature, all sizes in one figure: averages at the slots with error bars, the curves in
/// between as bands, reference values where there are any; then a table for each size.
[[nodiscard]] Section observable_section(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference);

/// How an observable is called in figures: "ξ_{L}/L" for xi_over_L; its name if it has no symbol.
[[nodiscard]] std::string observable_label(const std::string& name);

}  // namespace glassworks::inline analysis
