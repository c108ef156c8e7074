#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/collapse.hpp"

namespace glassworks { inline namespace analysis {

/// The likelihood of CollapseOptions as a function of its parameters, all of order one: (T_c - centre)/t_range, 1/nu,
/// [2 - eta], [omega], ln theta_0, ln theta_1, [ln theta_2], [ln theta_3].
class GaussianProcess {
 public:
  /// Throws std::invalid_argument if a point has no error bar.
  GaussianProcess(std::span<const ScalingCurve> curves, const CollapseOptions& options);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Eigen::VectorXd& lower() const { return lower_; }
  [[nodiscard]] const Eigen::VectorXd& upper() const { return upper_; }
  /// Lengths of typical features, for starts: theta_0 = 1, theta_1 = 1/2 ...
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  [[nodiscard]] Eigen::Index points() const { return T_.size(); }

  [[nodiscard]] double scaled_T_c(double T_c) const { return (T_c - centre_) / range_; }
  [[nodiscard]] double T_c(double scaled) const { return centre_ + range_ * scaled; }
  [[nodiscard]] double T_range() const { return range_; }

  /// Values of all curves as one vector [point] in the units of the likelihood.
  [[nodiscard]] Eigen::VectorXd scaled(std::span<const Eigen::VectorXd> y) const;
  /// -ln likelihood and its derivatives; +infinity where the covariance is not positive to rounding.
  double operator()(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient) const;
  /// The derivatives with other data (from scaled()) in place of the curves, for all of them at once.
  [[nodiscard]] std::vector<Eigen::VectorXd> gradients(const Eigen::VectorXd& parameters,
                                                       std::span<const Eigen::VectorXd> data) const;

  /// Mean and standard error of f at every point, in the units of the curves, with its x = t L^{1/nu}.
  struct Prediction {
    Eigen::VectorXd x, mean, error;
  };
  [[nodiscard]] Prediction predict(const Eigen::VectorXd& parameters) const;

  /// p value of chi^2 = (y - m)^T E^{-1} (y - m), m the posterior mean and E the data errors (with theta_2), if the
  /// data are a Gaussian process with these parameters: small where sizes do not fall on one function within their
  /// errors.
  [[nodiscard]] double goodness(const Eigen::VectorXd& parameters) const;

 private:
  struct Parts;
  [[nodiscard]] Parts parts(const Eigen::VectorXd& parameters) const;
  [[nodiscard]] Eigen::VectorXd derivatives(const Parts& at, const Eigen::VectorXd& data) const;
  [[nodiscard]] Eigen::VectorXd without_prefactor(const Parts& at, const Eigen::VectorXd& y) const;
  [[nodiscard]] Eigen::Index index(const std::string& name) const;

  CollapseOptions options_;
  std::vector<std::string> names_;
  Eigen::VectorXd lower_, upper_, start_;
  Eigen::ArrayXd T_, log_L_;  ///< ln(L/L_max)
  double log_L_max_ = 0.0, log_L_min_ = 0.0;
  double centre_ = 0.0, range_ = 1.0, y_centre_ = 0.0, y_scale_ = 1.0;
  Eigen::MatrixXd errors_;  ///< covariance of the data in units of y_scale^2
  Eigen::VectorXd y_;
};

}}  // namespace glassworks::analysis
