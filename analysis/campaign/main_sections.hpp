#pragma once

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks::inline analysis {

/// Takes the figures that a reader wants first out of the other sections, which keep the rest: ratios whose curves
/// cross at a transition, with T_c of the joint fit as a guide, their collapses, the susceptibility, the energy, and
/// the course of equilibration.
[[nodiscard]] Section main_figures(const OfflineAnalysis& analysis, std::vector<Section>& others);

/// T_c and exponents of every ratio, by the joint fit, the Gaussian process and the crossings, in one table.
[[nodiscard]] Section critical_section(const ScalingResult& scaling);

}  // namespace glassworks::inline analysis
