#pragma once

#include <limits>
#include <span>

namespace glassworks { inline namespace analysis {

/// chi^2 = d^T C^{-1} d of differences d whose covariance C was estimated with `freedom` degrees of freedom. Where C
/// is singular, or estimated by too few realizations, d and C are those of the leading eigenvectors of the correlation
/// matrix (`rank` of `values`).
///
///     p = P(F(rank, freedom - rank + 1) > chi^2 (freedom - rank + 1)/(rank freedom))    (Hotelling's T^2)
struct ChiSquare {
  double chi2 = 0.0;
  int rank = 0, values = 0;
  double freedom = std::numeric_limits<double>::infinity();
  double condition = 1.0;  ///< of the correlation matrix: largest eigenvalue over the smallest, infinite if singular
  double p_value = 1.0;

  [[nodiscard]] bool reduced() const { return rank < values; }
};

/// The test of differences d with the covariance C of so many degrees of freedom; infinite: C is exact.
[[nodiscard]] ChiSquare chi_square(std::span<const double> d, std::span<const double> C, double freedom);

}}  // namespace glassworks::analysis
