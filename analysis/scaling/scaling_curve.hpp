#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

/// The curve of one size as matrices, without the temperatures at which it or one of its resampled curves is not
/// finite.
struct ScalingCurve {
  int L = 0;
  Eigen::VectorXd T;        ///< [point], ascending
  Eigen::VectorXd y;        ///< [point]
  Eigen::MatrixXd sampled;  ///< (sample, point)
  double spread = 0.0;      ///< of Curve
  int realizations = 0;
  int groups = 0;            ///< of Curve
  std::size_t left_out = 0;  ///< temperatures without a finite value

  [[nodiscard]] Eigen::Index points() const { return T.size(); }
  /// Covariance of the values (point, point); zero if there are no resampled curves.
  [[nodiscard]] Eigen::MatrixXd covariance() const;
  /// Its diagonal, square roots of it.
  [[nodiscard]] Eigen::VectorXd errors() const;
};

/// The curves of one observable, by ascending L; sizes without a finite point are left out. Throws
/// std::invalid_argument for two curves of one size.
[[nodiscard]] std::vector<ScalingCurve> scaling_curves(std::span<const Curve> curves);

/// ln y of each curve; points at which y or a resampled y is not positive are left out.
[[nodiscard]] ScalingCurve logarithm(const ScalingCurve& curve);

/// The points with from <= T <= to; if these are more than `most`, the `most` of them that stand nearest to equal
/// distances. Values of one realization at neighbouring temperatures are nearly the same number, so nothing is lost.
[[nodiscard]] ScalingCurve thinned(const ScalingCurve& curve, double from, double to, Eigen::Index most);

/// A number that was computed from the curves of several independent sizes, and again with one resampled curve in place
/// of the whole one, for each size and each of its samples: its errors and covariances to first order in the deviations
/// of each size,
///
///     cov(a, b) = sum_L spread_L / S_L sum_s (a_{L,s} - abar_L)(b_{L,s} - bbar_L).
struct SampledNumber {
  struct Part {
    int L = 0;
    double spread = 0.0;
    std::vector<double> samples;
  };
  double value = std::numeric_limits<double>::quiet_NaN();
  std::vector<Part> parts;

  /// With the s-th resampled curve of size L; the value itself if it does not depend on that size.
  [[nodiscard]] double with_sample(int L, std::size_t s) const;
  /// NaN if more than a tenth of the samples of a size are NaN; fewer are left out.
  [[nodiscard]] double covariance(const SampledNumber& other) const;
  [[nodiscard]] double error() const;
};

/// Which resampled curve stands in place of a whole one; L = 0: none.
struct Replaced {
  int L = 0;
  std::size_t sample = 0;
};

/// Numbers f(y[curve], replaced) of the values of all curves as SampledNumbers. `numbers` is the length of what f
/// returns; for a resampled curve f may return NaN.
[[nodiscard]] std::vector<SampledNumber> propagate(
    std::span<const ScalingCurve> curves, std::size_t numbers,
    const std::function<Eigen::VectorXd(std::span<const Eigen::VectorXd> y, Replaced replaced)>& f);

/// f of each number and of each of its samples.
[[nodiscard]] SampledNumber transformed(const SampledNumber& x, const std::function<double(double)>& f);

}}  // namespace glassworks::analysis
