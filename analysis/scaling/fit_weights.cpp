#include "analysis/scaling/fit_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/linear/matrices.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double smallest_eigenvalue = 1e-4;  // of the correlation matrix, relative to the largest

/// lambda* = sum_{i != j} Var(r_ij) / sum_{i != j} r_ij^2 from standardized samples (sample, point).
double shrinkage_intensity(const Eigen::MatrixXd& standardized, const Eigen::MatrixXd& correlation) {
  const double n = static_cast<double>(standardized.rows());
  double variances = 0.0, squares = 0.0;
  for (Eigen::Index i = 0; i < correlation.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const Eigen::ArrayXd products = standardized.col(i).array() * standardized.col(j).array();
      variances += (products - products.mean()).square().sum() * n / std::pow(n - 1.0, 3);
      squares += correlation(i, j) * correlation(i, j);
    }
  }
  return squares > 0.0 ? std::clamp(variances / squares, 0.0, 1.0) : 1.0;
}

}  // namespace

FitWeights fit_weights(const ScalingCurve& curve, Weighting weighting) {
  const Eigen::MatrixXd covariance = curve.covariance();
  const Eigen::ArrayXd sigma = covariance.diagonal().array().sqrt();
  for (Eigen::Index i = 0; i < curve.points(); ++i) {
    if (sigma[i] > 0.0 && std::isfinite(sigma[i])) continue;
    throw std::invalid_argument(
        fmt::format("L = {} has no error bar at T = {:.6g} (from {} realizations). Give it more realizations, or leave "
                    "the size out.",
                    curve.L, curve.T[i], curve.realizations));
  }
  const Eigen::VectorXd scale = sigma.inverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  FitWeights result;
  if (weighting == Weighting::uncorrelated) {
    result.root = scale.asDiagonal();
    result.noise = correlation;
    return result;
  }
  const double samples = std::min(static_cast<double>(curve.sampled.rows()),
                                  static_cast<double>(curve.groups > 0 ? curve.groups : curve.realizations));
  const double points = static_cast<double>(curve.points());
  Eigen::MatrixXd estimate = correlation;
  if (samples >= 4.0 * points && samples > points + 5.0) {
    result.chi2_factor = (samples - points - 2.0) / (samples - 1.0);
    result.freedom = samples - points;
  } else {
    const Eigen::MatrixXd deviations = curve.sampled.rowwise() - curve.sampled.colwise().mean();
    const Eigen::MatrixXd standardized = deviations * (std::sqrt(curve.spread) * scale).asDiagonal();
    result.shrinkage = shrinkage_intensity(standardized, correlation);
    estimate *= 1.0 - result.shrinkage;
    estimate.diagonal().setOnes();
  }
  const SymmetricEigen eigen = symmetric_eigen(estimate);
  const double floor = smallest_eigenvalue * eigen.values.maxCoeff();
  result.raised = (eigen.values.array() < floor).count();
  const Eigen::VectorXd inverse_root = eigen.values.cwiseMax(floor).cwiseSqrt().cwiseInverse();
  result.root = inverse_root.asDiagonal() * eigen.vectors.transpose() * scale.asDiagonal();
  result.noise = propagated(result.root, covariance);
  return result;
}

double goodness_of_fit(double chi2, const Eigen::VectorXd& lambda, double freedom) {
  const double inflation = freedom > 4.0 ? (freedom + static_cast<double>(lambda.size()) - 2.0) / (freedom - 4.0) : 1.0;
  const double mean = lambda.sum(), variance = 2.0 * lambda.squaredNorm() * inflation;
  const double third = 8.0 * lambda.array().cube().sum() * inflation * inflation;
  if (!(third > 0.0) || !std::isfinite(chi2)) return std::numeric_limits<double>::quiet_NaN();
  const double degrees = 8.0 * std::pow(variance, 3) / (third * third);
  const double matched = (chi2 - mean) * std::sqrt(2.0 * degrees / variance) + degrees;
  if (matched <= 0.0) return 1.0;
  return chi_squared_tail(degrees, matched);
}

}}  // namespace glassworks::analysis
