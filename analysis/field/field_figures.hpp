#pragma once

#include <span>
#include <vector>

#include "analysis/field/field_curves.hpp"
#include "analysis/field/size_comparison.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// chi_SG(0), its three terms, xi_L/L, xi_L/L from small k and R_12 against T.
[[nodiscard]] std::vector<Figure> field_observable_figures(std::span<const FieldCurves> sizes);
/// 1/chi_SG(k) against the lattice momentum squared at the lowest temperature, with the fits of small k.
[[nodiscard]] Figure inverse_susceptibility_figure(std::span<const FieldCurves> sizes);
/// The fits of small k at the lowest temperature.
[[nodiscard]] Table small_k_table(std::span<const FieldCurves> sizes);
/// D(T) of all pairs of sizes with their bands, one figure for each quantity.
[[nodiscard]] std::vector<Figure> difference_figures(std::span<const SizeComparison> comparisons);
/// State, band and statement of each comparison.
[[nodiscard]] Table comparison_table(std::span<const SizeComparison> comparisons);
/// Identities of bonds and field, magnetization and [q] against T, as far as the campaign has them.
[[nodiscard]] std::vector<Figure> field_check_figures(std::span<const FieldCurves> sizes);

}}  // namespace glassworks::analysis
