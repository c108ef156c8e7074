#pragma once

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Takes the figures that a reader wants first out of the other sections, which keep the rest: ratios whose curves
/// cross at a transition, with T_c of the joint fit as a guide where it may be quoted, their collapses, the
/// susceptibility, the energy, and the course of equilibration.
[[nodiscard]] Section main_figures(const OfflineAnalysis& analysis, std::vector<Section>& others);

/// T_c, nu and eta of every ratio whose joint fit may stand in a headline (critical_claim), each with its statistical
/// error, its spread over the accepted fits and the worst case; and a table of the crossings. Sentences say how the fit
/// was chosen, or why there is no T_c.
[[nodiscard]] Section critical_section(const ScalingResult& scaling);

}}  // namespace glassworks::analysis
