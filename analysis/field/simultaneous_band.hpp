#pragma once

#include <vector>

#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

/// Difference D(T) = R_large(T) - R_small(T) of two sizes with a band that holds the whole curve at once.
struct DifferenceBand {
  std::vector<double> temperatures;  ///< ascending, common to both sizes
  std::size_t missing = 0;           ///< common temperatures that are left out, because D or its error is not available
  std::vector<double> difference;    ///< D
  std::vector<double> error;         ///< standard errors; all finite and positive
  /// D of every resampled set of one size with the other size as a whole [sample][temperature]
  std::vector<std::vector<double>> sampled_small, sampled_large;
  double spread_small = 0.0, spread_large = 0.0;
  /// With probability `confidence` the true curve lies within D +- factor * error at all these temperatures together.
  double confidence = 0.0, factor = 0.0;
};

/// The temperatures are those of the size that has more of them in the common range; the other curve is interpolated
/// (cubic through the four nearest points). Temperatures without a value or an error are left out.
///
/// The factor is the `confidence` quantile of max_T |t(T)| for a multivariate Student t with the correlations of D
/// between temperatures (from the resampled curves of both sizes, which are independent) and Welch's degrees of freedom
/// of the number of realizations, by a Monte Carlo of fixed seed; never above the Bonferroni factor.
[[nodiscard]] DifferenceBand difference_band(const Curve& small, const Curve& large, double confidence);

}}  // namespace glassworks::analysis
