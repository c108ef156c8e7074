#pragma once

#include <string>
#include <vector>

#include "analysis/scaling/crossing.hpp"

namespace glassworks { inline namespace analysis {

/// Exponents from two sizes at their crossing T_x of R = xi/L, s = L'/L:
///
///     Q_O = O(T_x, L')/O(T_x, L) = s^{x_O/nu} [1 + O(L^{-omega})]
///
/// O = dR/dT gives 1/nu = ln Q/ln s (d xi/dT, with x = 1 + nu, gives the same number, because xi = L R), and O = chi
/// gives 2 - eta = ln Q/ln s. Errors contain those of T_x.
/// Source: Ballesteros, Fernandez, Martin-Mayor & Munoz Sudupe, Phys. Lett. B 378, 207 (1996).
struct Quotient {
  int L_small = 0, L_large = 0;
  SampledNumber T_x;
  SampledNumber inverse_nu, nu;
  SampledNumber eta;  ///< NaN without a susceptibility
};

/// `half_width`: of the local polynomial of the derivative, relative to T_x.
/// `susceptibility`: chi of the same order parameter and sizes from the same resampled sets; may be empty.
/// One entry for each pair with an established crossing.
[[nodiscard]] std::vector<Quotient> quotients(std::span<const ScalingCurve> ratios,
                                              std::span<const ScalingCurve> susceptibility,
                                              std::span<const PairCrossings> pairs, double half_width = 0.15);

}}  // namespace glassworks::analysis
