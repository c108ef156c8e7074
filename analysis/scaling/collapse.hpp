#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/scaling_fit.hpp"

namespace glassworks { inline namespace analysis {

/// Data collapse with a Gaussian process for the scaling function,
///
///     y(T, L) = [(2 - eta) ln(L/L_max)] + f(x) + l g(x) + data error,   x = t (L/L_max)^{1/nu} / t_range,
///     l = (L/L_min)^{-omega},
///     cov f(x), f(x') = theta_0^2 exp(-(x - x')^2/(2 theta_1^2)) + constant of any size,
///     cov g(x), g(x') = theta_3^2 exp(-(x - x')^2/(2 theta_1^2)),
///
/// with y in units of the spread of the data. Data errors are those of the curves, with the covariance between
/// temperatures if correlated, plus theta_2 at every point if `noise`. theta_1 is at least the median distance of the
/// temperatures of the largest size: a function that varies faster could pass through the points of all sizes without
/// any collapse.
/// Sources: Harada, PRE 84, 056704 (2011); with corrections: PRE 92, 012106 (2015).
struct CollapseOptions {
  ScalingForm form = ScalingForm::ratio;
  TemperatureVariable variable = TemperatureVariable::temperature;
  Weighting weighting = Weighting::correlated;
  bool noise = false;
  bool corrections = false;
  std::optional<double> omega;  ///< with corrections: fixed; empty: one of the parameters
  /// Parameters tried as a start beside those of the program.
  std::optional<double> start_T_c, start_inverse_nu;
};

struct Collapse {
  CollapseOptions options;
  std::string problem;  ///< one sentence; empty: the collapse exists
  std::vector<int> sizes;
  Eigen::Index points = 0;
  /// T_c, 1/nu, [2 - eta], [omega], ln theta_0, ln theta_1, [ln theta_2], [ln theta_3] at the maximum of the
  /// likelihood. Errors of the numbers: one Newton step of the maximum for every resampled curve.
  std::vector<ScalingParameter> parameters;
  /// Inverse of the curvature of -ln likelihood at its minimum (parameter, parameter), all parameters free; empty if
  /// the minimum is not quadratic.
  Eigen::MatrixXd covariance;
  double log_likelihood = 0.0;
  double p_value = 0.0;  ///< of the data around the mean scaling function; small: the sizes do not collapse

  /// The scaling function f at the points in ascending x = t L^{1/nu} (as in ScalingFit): mean and standard error.
  std::vector<double> x, f, f_error;

  [[nodiscard]] bool ok() const { return problem.empty(); }
  [[nodiscard]] const SampledNumber* find(const std::string& name) const;
  /// Standard error from the curvature; NaN if there is none.
  [[nodiscard]] double posterior_error(const std::string& name) const;
};

/// Maximum likelihood by L-BFGS-B from several starts. Cost of one likelihood: (points)^3.
[[nodiscard]] Collapse collapse(std::span<const ScalingCurve> curves, const CollapseOptions& options);

}}  // namespace glassworks::analysis
