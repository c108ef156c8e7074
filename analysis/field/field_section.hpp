#pragma once

#include <optional>
#include <span>

#include "analysis/field/field_curves.hpp"
#include "analysis/field/size_comparison.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// The report of a campaign in a field: connected susceptibilities and correlation lengths, the search for a de
/// Almeida-Thouless line by every pair of sizes, the identities, magnetization and [q]. Without four copies one
/// sentence and no number. No section for a campaign without field.
///
/// sizes        ascending in L, those with data
/// comparisons  of these sizes, by search_transition
[[nodiscard]] std::optional<Section> field_section(const Config& config, std::span<const FieldCurves> sizes,
                                                   std::span<const SizeComparison> comparisons);

/// Every pair of sizes and each of xi_L/L (from k = 0), xi_L/L from small k, R_12.
[[nodiscard]] std::vector<SizeComparison> search_transition(std::span<const FieldCurves> sizes,
                                                            double confidence = 0.95);

}}  // namespace glassworks::analysis
