#pragma once

#include <span>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/campaign/reference_points.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Every observable against temperature, all sizes in one figure: averages at the slots with error bars, the curves in
/// between as bands, reference values where there are any; then a table for each size.
[[nodiscard]] Section observable_section(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference);

}}  // namespace glassworks::analysis
