#include "analysis/scaling/gaussian_process.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/linear/matrices.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double constant_variance = 100.0;  // of the unknown constant, in units of the spread of the data
constexpr double rounding = 1e-10;           // keeps the Cholesky decomposition of nearly equal points positive

double median_distance(const Eigen::VectorXd& T) {
  if (T.size() < 2) return 0.0;
  std::vector<double> distances;
  for (Eigen::Index i = 1; i < T.size(); ++i) distances.push_back(T[i] - T[i - 1]);
  std::ranges::sort(distances);
  return distances[distances.size() / 2];
}

}  // namespace

/// What the likelihood is made of at some parameters, without the values of the data.
struct GaussianProcess::Parts {
  Eigen::VectorXd p;
  Cholesky cholesky;                           ///< of the covariance C of the data
  Eigen::MatrixXd inverse;                     ///< C^{-1}
  Eigen::ArrayXd scale, x, x_by_T_c, x_by_nu;  ///< [point]
  Eigen::ArrayXd l;                            ///< size of corrections [point]
  Eigen::ArrayXXd shape;                       ///< exp(-(x - x')^2/(2 theta_1^2)) (point, point)
  double theta_0 = 0.0, theta_1 = 0.0, theta_2 = 0.0, theta_3 = 0.0, omega = 0.0;
};

GaussianProcess::GaussianProcess(std::span<const ScalingCurve> curves, const CollapseOptions& options)
    : options_(options) {
  Eigen::Index points = 0;
  for (const ScalingCurve& curve : curves) points += curve.points();
  T_.resize(points);
  log_L_.resize(points);
  errors_ = Eigen::MatrixXd::Zero(points, points);
  Eigen::VectorXd y(points);
  log_L_max_ = std::log(curves.back().L);
  log_L_min_ = std::log(curves.front().L);
  Eigen::Index at = 0;
  for (const ScalingCurve& curve : curves) {
    const Eigen::Index n = curve.points();
    T_.segment(at, n) = curve.T;
    log_L_.segment(at, n) = std::log(curve.L) - log_L_max_;
    y.segment(at, n) = curve.y;
    const Eigen::MatrixXd inverse_root =
        solve(fit_weights(curve, options.weighting).root, Eigen::MatrixXd::Identity(n, n));
    errors_.block(at, at, n, n) = product(inverse_root, inverse_root.transpose());
    at += n;
  }
  centre_ = 0.5 * (T_.minCoeff() + T_.maxCoeff());
  range_ = std::max(0.5 * (T_.maxCoeff() - T_.minCoeff()), 1e-12);
  y_centre_ = y.mean();
  y_scale_ = std::max(std::sqrt((y.array() - y_centre_).square().mean()), 1e-300);
  errors_ /= y_scale_ * y_scale_;

  std::vector<double> lower, upper, start;
  const auto add = [&](const char* name, double from, double to, double first) {
    names_.emplace_back(name);
    lower.push_back(from);
    upper.push_back(to);
    start.push_back(first);
  };
  add("T_c", -1.5, 1.5, 0.0);
  add("1/nu", 0.05, 10.0, 1.0);
  if (options.form == ScalingForm::susceptibility) add("2 - eta", -5.0, 10.0, 2.0);
  if (options.corrections && !options.omega) add("omega", 0.1, 8.0, 1.0);
  add("ln theta_0", -5.0, 8.0, 0.0);
  const double smallest_length = std::clamp(median_distance(curves.back().T) / range_, 1e-3, 0.5);
  add("ln theta_1", std::log(smallest_length), 5.0, std::log(0.5));
  if (options.noise) add("ln theta_2", -15.0, 1.0, -5.0);
  if (options.corrections) add("ln theta_3", -12.0, 5.0, -2.0);
  lower_ = Eigen::VectorXd::Map(lower.data(), static_cast<Eigen::Index>(lower.size()));
  upper_ = Eigen::VectorXd::Map(upper.data(), static_cast<Eigen::Index>(upper.size()));
  start_ = Eigen::VectorXd::Map(start.data(), static_cast<Eigen::Index>(start.size()));
  std::vector<Eigen::VectorXd> values;
  for (const ScalingCurve& curve : curves) values.push_back(curve.y);
  y_ = scaled(values);
}

Eigen::VectorXd GaussianProcess::scaled(std::span<const Eigen::VectorXd> y) const {
  Eigen::VectorXd result(points());
  Eigen::Index at = 0;
  for (const Eigen::VectorXd& part : y) {
    result.segment(at, part.size()) = (part.array() - y_centre_) / y_scale_;
    at += part.size();
  }
  return result;
}

Eigen::Index GaussianProcess::index(const std::string& name) const {
  return std::ranges::find(names_, name) - names_.begin();
}

Eigen::VectorXd GaussianProcess::without_prefactor(const Parts& at, const Eigen::VectorXd& y) const {
  if (options_.form == ScalingForm::ratio) return y;
  return y - at.p[2] / y_scale_ * log_L_.matrix();
}

GaussianProcess::Parts GaussianProcess::parts(const Eigen::VectorXd& p) const {
  Parts result;
  const double c = T_c(p[0]);
  const bool inverse = options_.variable == TemperatureVariable::inverse;
  result.scale = (p[1] * log_L_).exp() / range_;
  result.x = (inverse ? (c * (1.0 - c / T_)).eval() : (T_ - c).eval()) * result.scale;
  result.x_by_T_c =
      (inverse ? (1.0 - 2.0 * c / T_).eval() : Eigen::ArrayXd::Constant(points(), -1.0).eval()) * result.scale * range_;
  result.x_by_nu = result.x * log_L_;
  result.theta_0 = std::exp(p[index("ln theta_0")]);
  result.theta_1 = std::exp(p[index("ln theta_1")]);
  if (options_.noise) result.theta_2 = std::exp(p[index("ln theta_2")]);
  if (options_.corrections) {
    result.theta_3 = std::exp(p[index("ln theta_3")]);
    result.omega = options_.omega ? *options_.omega : p[index("omega")];
  }
  result.l = (-result.omega * (log_L_ + (log_L_max_ - log_L_min_))).exp();
  const Eigen::ArrayXXd distance = result.x.replicate(1, points()).rowwise() - result.x.transpose();
  result.shape = (-0.5 / (result.theta_1 * result.theta_1) * distance.square()).exp();
  const Eigen::ArrayXXd amplitude =
      result.theta_0 * result.theta_0 +
      result.theta_3 * result.theta_3 * (result.l.matrix() * result.l.matrix().transpose()).array();
  Eigen::MatrixXd covariance = errors_ + (result.shape * amplitude + constant_variance).matrix();
  covariance.diagonal().array() += result.theta_2 * result.theta_2 + rounding;
  result.p = p;
  result.cholesky = Cholesky(covariance);
  result.inverse = result.cholesky.inverse();
  return result;
}

double GaussianProcess::operator()(const Eigen::VectorXd& p, Eigen::VectorXd& gradient) const {
  const Parts at = parts(p);
  gradient.setZero(p.size());
  if (!at.cholesky.positive()) return std::numeric_limits<double>::infinity();
  gradient = derivatives(at, y_);
  const Eigen::VectorXd y = without_prefactor(at, y_);
  const double count = static_cast<double>(points());
  return 0.5 * y.dot(at.inverse * y) + 0.5 * at.cholesky.log_determinant() +
         count * (0.5 * std::log(2.0 * 3.14159265358979323846) + std::log(y_scale_));
}

std::vector<Eigen::VectorXd> GaussianProcess::gradients(const Eigen::VectorXd& p,
                                                        std::span<const Eigen::VectorXd> data) const {
  const Parts at = parts(p);
  std::vector<Eigen::VectorXd> result;
  for (const Eigen::VectorXd& y : data) result.push_back(derivatives(at, y));
  return result;
}

Eigen::VectorXd GaussianProcess::derivatives(const Parts& at, const Eigen::VectorXd& data) const {
  const Eigen::VectorXd alpha = at.inverse * without_prefactor(at, data);
  // d cost = sum_ij V_ij d C_ij / 2, V = C^{-1} - alpha alpha^T
  const Eigen::ArrayXXd v = (at.inverse - alpha * alpha.transpose()).array() * at.shape;
  const Eigen::ArrayXXd outer = (at.l.matrix() * at.l.matrix().transpose()).array();
  const double main = at.theta_0 * at.theta_0, correction = at.theta_3 * at.theta_3;
  const Eigen::ArrayXXd weighted = v * (main + correction * outer);
  const Eigen::ArrayXXd distance = at.x.replicate(1, points()).rowwise() - at.x.transpose();
  const double inverse_square = 1.0 / (at.theta_1 * at.theta_1);
  const Eigen::ArrayXd by_x = -inverse_square * (weighted * distance).rowwise().sum();
  Eigen::VectorXd gradient(at.p.size());
  gradient[0] = (by_x * at.x_by_T_c).sum();
  gradient[1] = (by_x * at.x_by_nu).sum();
  if (options_.form == ScalingForm::susceptibility) gradient[2] = -alpha.dot(log_L_.matrix()) / y_scale_;
  gradient[index("ln theta_0")] = v.sum() * main;
  gradient[index("ln theta_1")] = 0.5 * (weighted * distance.square()).sum() * inverse_square;
  if (options_.noise) {
    gradient[index("ln theta_2")] = (at.inverse.trace() - alpha.squaredNorm()) * at.theta_2 * at.theta_2;
  }
  if (options_.corrections) {
    gradient[index("ln theta_3")] = (v * outer).sum() * correction;
    if (!options_.omega) {
      const Eigen::ArrayXd l_by_omega = -(log_L_ + (log_L_max_ - log_L_min_)) * at.l;
      gradient[index("omega")] = correction * l_by_omega.matrix().dot(v.matrix() * at.l.matrix());
    }
  }
  return gradient;
}

GaussianProcess::Prediction GaussianProcess::predict(const Eigen::VectorXd& p) const {
  const Parts at = parts(p);
  const Eigen::MatrixXd prior = (at.theta_0 * at.theta_0 * at.shape + constant_variance).matrix();
  Prediction result;
  result.x = at.x * range_ * std::exp(p[1] * log_L_max_);
  result.mean = (prior * (at.inverse * without_prefactor(at, y_))).array() * y_scale_ + y_centre_;
  if (options_.form == ScalingForm::susceptibility) result.mean.array() -= p[2] * log_L_max_;
  const Eigen::MatrixXd known = product(product(prior, at.inverse), prior);
  result.error = (prior.diagonal() - known.diagonal()).cwiseMax(0.0).cwiseSqrt() * y_scale_;
  return result;
}

double GaussianProcess::goodness(const Eigen::VectorXd& p) const {
  const Parts at = parts(p);
  Eigen::MatrixXd errors = errors_;
  errors.diagonal().array() += at.theta_2 * at.theta_2 + rounding;
  // y - m = E alpha, alpha = C^{-1} y with covariance C^{-1}: chi^2 = alpha^T E alpha
  const Eigen::VectorXd alpha = at.inverse * without_prefactor(at, y_);
  const Eigen::MatrixXd form = at.cholesky.whitened(at.cholesky.whitened(errors).transpose());
  const Eigen::VectorXd lambda = symmetric_eigenvalues(form).cwiseMax(0.0);
  return goodness_of_fit(alpha.dot(errors * alpha), lambda, 0.0);
}

}}  // namespace glassworks::analysis
