#pragma once

#include <span>

#include "analysis/scaling/analyze_scaling.hpp"
#include "analysis/statistics/convergence_effect.hpp"

namespace glassworks { inline namespace analysis {

/// How far realizations that have not converged may have moved crossings and critical parameters: fills in `worst` and
/// `without` of the claims and of the established crossings, where a size that they rest on has such realizations.
///
/// The curve of one size is moved as a whole to its lowest or highest worst case (ConvergenceEffect: every unconverged
/// realization replaced by the one that makes the observable extreme), or to that of the converged alone, and
/// everything is computed again with the same points, weights and form of the fit. Effects of several sizes add up with
/// the sign that makes the shift largest, to first order:
///
///     worst = x + sum_L [min, max] over the cases of L of (x_L - x),   without = x + sum_L (x_L(converged) - x)
///
/// A crossing moves by -(d_{L'} - d_L)/slope, d the shifts of the two curves at T_x. Cases without a fit, and crossings
/// that would leave the temperatures simulated, are not bounded.
void add_worst_cases(ScalingResult& scaling, std::span<const ConvergenceEffects> effects);

}}  // namespace glassworks::analysis
