#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/fit_weights.hpp"
#include "analysis/scaling/scaling_curve.hpp"

namespace glassworks { inline namespace analysis {

enum class ScalingForm {
  ratio,          ///< y = R: xi_L/L, a Binder ratio
  susceptibility  ///< y = ln chi (from logarithm()): y gets (2 - eta) ln L in addition
};

enum class TemperatureVariable {
  temperature,  ///< t = T - T_c
  inverse       ///< t = T_c (T - T_c)/T = T_c^2 (1/T_c - 1/T): the same to first order
};

/// Scaling function with corrections,
///
///     y(T, L) = [(2 - eta) ln L] + sum_{i=0}^{order} a_i x^i + L^{-omega} sum_{j=0}^{correction_order} b_j x^j,
///     x = t L^{1/nu}.
struct ScalingFitOptions {
  ScalingForm form = ScalingForm::ratio;
  TemperatureVariable variable = TemperatureVariable::temperature;
  Weighting weighting = Weighting::uncorrelated;
  int order = 3;
  bool corrections = false;
  int correction_order = 0;
  std::optional<double> omega;  ///< with corrections: fixed; empty: fitted
  /// Taken from another fit, with its resampled values, instead of fitted.
  std::optional<SampledNumber> T_c, inverse_nu;
  bool resample = true;  ///< errors by refits of every resampled curve
};

struct ScalingParameter {
  std::string name;      ///< T_c, 1/nu, omega, 2 - eta, a_0 ..., b_0 ...
  SampledNumber number;  ///< its error: by refits with the weights of the whole
};

/// A least-squares fit, or why there is none.
struct ScalingFit {
  ScalingFitOptions options;
  std::string problem;  ///< one sentence; empty: the fit exists
  std::vector<int> sizes;
  Eigen::Index points = 0;
  double x_min = 0.0, x_max = 0.0;  ///< of the points
  std::vector<ScalingParameter> parameters;
  /// From the fit, (parameter, parameter): P root C root^T P^T with P the pseudo-inverse of the weighted derivatives;
  /// (J^T C^{-1} J)^{-1} if correlated. Valid if the model is linear within the errors.
  Eigen::MatrixXd covariance;
  double chi2 = 0.0, expected_chi2 = 0.0, p_value = 0.0;  ///< expected: sum of lambda of goodness_of_fit()
  int dof = 0;
  double shrinkage = 0.0;  ///< largest of all sizes, as in FitWeights
  Eigen::Index raised = 0;

  [[nodiscard]] bool ok() const { return problem.empty(); }
  /// nullptr if it was not fitted.
  [[nodiscard]] const SampledNumber* find(const std::string& name) const;
  [[nodiscard]] double T_c() const;
  [[nodiscard]] double inverse_nu() const;
  /// x of a temperature and size.
  [[nodiscard]] double scaling_variable(double T, int L) const;
  /// Scaling function without corrections, sum a_i x^i, and its standard error by the resampled coefficients.
  [[nodiscard]] Estimate scaling_function(double x) const;
  /// What has to be subtracted from y(T, L) to fall on the scaling function: (2 - eta) ln L and the corrections.
  [[nodiscard]] double offset(double T, int L) const;
};

/// Least squares by the Levenberg-Marquardt method from several starts of (T_c, 1/nu), the linear parameters solved
/// for. Errors of parameters come from refits, in which one size has a resampled curve and the weights stay. Uses all
/// points of `curves`. `start`: a fit of nearly the same data, tried as well.
[[nodiscard]] ScalingFit fit_scaling(std::span<const ScalingCurve> curves, const ScalingFitOptions& options,
                                     const ScalingFit* start = nullptr);

}}  // namespace glassworks::analysis
