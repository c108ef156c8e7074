#pragma once

#include <span>
#include <vector>

#include "analysis/field/wave_vectors.hpp"

namespace glassworks { inline namespace analysis {

/// chi(k) of one size at small wave vectors other than k = 0, fitted with the propagator
///
///     1/chi(k) = a + b k^2 + c k^4,   k^2 = 4 sum_a sin^2(k_a/2)
///
/// by weighted least squares; c is left out (0) with fewer than four wave vectors. Weights are the inverse variances of
/// 1/chi(k) at that temperature, the same for all samples. chi(0) itself is left out: in a field it suffers most from
/// rare realizations and from corrections to scaling, which can hide a transition in small systems.
/// Source: Leuzzi, Parisi, Ricci-Tersenghi & Ruiz-Lorenzo, PRL 103, 267201 (2009).
struct SmallKFit {
  Curve inverse_chi_zero;  ///< a = 1/chi(k -> 0) extrapolated: vanishes where the infinite system is critical
  Curve slope;             ///< b
  Curve curvature;         ///< c
  Curve xi_over_L;         ///< sqrt(b/a)/L; NaN where a or b is not positive
  /// Probability of so bad a fit, from the residuals with their covariance (Hotelling's T^2) [temperature]; NaN with
  /// two wave vectors or too few samples.
  std::vector<double> p_value;
};

/// momentum_squared and chi belong together [wave vector], at least two, none of them k = 0. Where a chi(k) is not
/// positive everything is NaN.
[[nodiscard]] SmallKFit fit_small_k(std::span<const double> momentum_squared, std::span<const Curve> chi);

}}  // namespace glassworks::analysis
