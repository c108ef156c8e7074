#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/scaling_fit.hpp"

namespace glassworks { inline namespace analysis {

/// The formula of ScalingFitOptions at a list of points, with derivatives. Parameters in the order of names(): those of
/// T_c, 1/nu, omega that are fitted, then the linear ones.
class ScalingModel {
 public:
  ScalingModel(std::span<const ScalingCurve> curves, const ScalingFitOptions& options);

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] Eigen::Index size() const { return nonlinear() + linear(); }
  [[nodiscard]] Eigen::Index nonlinear() const;
  [[nodiscard]] Eigen::Index linear() const;
  [[nodiscard]] Eigen::Index points() const { return T_.size(); }

  /// Values of what is not fitted.
  void fix(double T_c, double inverse_nu) { fixed_T_c_ = T_c, fixed_inverse_nu_ = inverse_nu; }

  /// Derivatives with respect to the linear parameters (point, parameter): the model is this times them.
  [[nodiscard]] Eigen::MatrixXd basis(const Eigen::VectorXd& parameters) const;
  /// All derivatives (point, parameter).
  [[nodiscard]] Eigen::MatrixXd jacobian(const Eigen::VectorXd& parameters) const;
  [[nodiscard]] Eigen::VectorXd values(const Eigen::VectorXd& parameters) const {
    return basis(parameters) * parameters.tail(linear());
  }
  /// x of every point.
  [[nodiscard]] Eigen::ArrayXd x(const Eigen::VectorXd& parameters) const;

  [[nodiscard]] double T_c(const Eigen::VectorXd& parameters) const {
    return options_.T_c ? fixed_T_c_ : parameters[0];
  }
  [[nodiscard]] double inverse_nu(const Eigen::VectorXd& parameters) const {
    return options_.inverse_nu ? fixed_inverse_nu_ : parameters[options_.T_c ? 0 : 1];
  }

 private:
  [[nodiscard]] double omega(const Eigen::VectorXd& parameters) const;

  ScalingFitOptions options_;
  Eigen::ArrayXd T_, log_L_;
  double fixed_T_c_ = 0.0, fixed_inverse_nu_ = 0.0;
};

}}  // namespace glassworks::analysis
