#include "analysis/scaling/scaling_model.hpp"

#include <cmath>

namespace glassworks { inline namespace analysis {

ScalingModel::ScalingModel(std::span<const ScalingCurve> curves, const ScalingFitOptions& options) : options_(options) {
  Eigen::Index points = 0;
  for (const ScalingCurve& curve : curves) points += curve.points();
  T_.resize(points);
  log_L_.resize(points);
  Eigen::Index at = 0;
  for (const ScalingCurve& curve : curves) {
    T_.segment(at, curve.points()) = curve.T;
    log_L_.segment(at, curve.points()) = std::log(curve.L);
    at += curve.points();
  }
}

Eigen::Index ScalingModel::nonlinear() const {
  return (options_.T_c ? 0 : 1) + (options_.inverse_nu ? 0 : 1) + (options_.corrections && !options_.omega ? 1 : 0);
}

Eigen::Index ScalingModel::linear() const {
  return (options_.form == ScalingForm::susceptibility ? 1 : 0) + options_.order + 1 +
         (options_.corrections ? options_.correction_order + 1 : 0);
}

std::vector<std::string> ScalingModel::names() const {
  std::vector<std::string> result;
  if (!options_.T_c) result.emplace_back("T_c");
  if (!options_.inverse_nu) result.emplace_back("1/nu");
  if (options_.corrections && !options_.omega) result.emplace_back("omega");
  if (options_.form == ScalingForm::susceptibility) result.emplace_back("2 - eta");
  for (int i = 0; i <= options_.order; ++i) result.push_back("a_" + std::to_string(i));
  for (int j = 0; options_.corrections && j <= options_.correction_order; ++j) {
    result.push_back("b_" + std::to_string(j));
  }
  return result;
}

double ScalingModel::omega(const Eigen::VectorXd& parameters) const {
  return options_.omega ? *options_.omega : parameters[nonlinear() - 1];
}

Eigen::ArrayXd ScalingModel::x(const Eigen::VectorXd& parameters) const {
  const double c = T_c(parameters);
  const Eigen::ArrayXd scale = (inverse_nu(parameters) * log_L_).exp();
  if (options_.variable == TemperatureVariable::inverse) return c * (1.0 - c / T_) * scale;
  return (T_ - c) * scale;
}

Eigen::MatrixXd ScalingModel::basis(const Eigen::VectorXd& parameters) const {
  const Eigen::ArrayXd variable = x(parameters);
  Eigen::MatrixXd result(points(), linear());
  Eigen::Index column = 0;
  if (options_.form == ScalingForm::susceptibility) result.col(column++) = log_L_;
  const auto powers = [&](const Eigen::VectorXd& first, int order) {
    result.col(column++) = first;
    for (int i = 1; i <= order; ++i, ++column) {
      result.col(column) = (result.col(column - 1).array() * variable).matrix();
    }
  };
  powers(Eigen::VectorXd::Ones(points()), options_.order);
  if (options_.corrections) powers((-omega(parameters) * log_L_).exp(), options_.correction_order);
  return result;
}

Eigen::MatrixXd ScalingModel::jacobian(const Eigen::VectorXd& parameters) const {
  const Eigen::MatrixXd linear_part = basis(parameters);
  const Eigen::ArrayXd variable = x(parameters);
  const Eigen::Index first = nonlinear(), shift = options_.form == ScalingForm::susceptibility ? 1 : 0;
  const Eigen::Index corrections = shift + options_.order + 1;
  Eigen::ArrayXd slope = Eigen::ArrayXd::Zero(points());  // dy/dx
  for (int i = 1; i <= options_.order; ++i) {
    slope += i * parameters[first + shift + i] * linear_part.col(shift + i - 1).array();
  }
  for (int j = 1; options_.corrections && j <= options_.correction_order; ++j) {
    slope += j * parameters[first + corrections + j] * linear_part.col(corrections + j - 1).array();
  }
  Eigen::MatrixXd result(points(), size());
  Eigen::Index column = 0;
  if (!options_.T_c) {
    const double c = T_c(parameters);
    const Eigen::ArrayXd scale = (inverse_nu(parameters) * log_L_).exp();
    const bool inverse = options_.variable == TemperatureVariable::inverse;
    const Eigen::ArrayXd by_T_c = inverse ? (1.0 - 2.0 * c / T_).eval() : Eigen::ArrayXd::Constant(points(), -1.0);
    result.col(column++) = slope * by_T_c * scale;
  }
  if (!options_.inverse_nu) result.col(column++) = slope * variable * log_L_;
  if (options_.corrections && !options_.omega) {
    const Eigen::Index count = options_.correction_order + 1;
    result.col(column++) = -log_L_ * (linear_part.rightCols(count) * parameters.tail(count)).array();
  }
  result.rightCols(linear()) = linear_part;
  return result;
}

}}  // namespace glassworks::analysis
