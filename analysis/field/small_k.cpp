#include "analysis/field/small_k.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/least_squares.hpp"
#include "analysis/linear/matrices.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Powers of k^2 [wave vector, coefficient].
Eigen::MatrixXd powers(std::span<const double> momentum_squared) {
  const auto n = static_cast<Eigen::Index>(momentum_squared.size());
  Eigen::MatrixXd design = Eigen::MatrixXd::Ones(n, n < 4 ? 2 : 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index p = 1; p < design.cols(); ++p) {
      design(i, p) = design(i, p - 1) * momentum_squared[static_cast<std::size_t>(i)];
    }
  }
  return design;
}

/// Coefficients as linear functions of 1/chi [coefficient, wave vector].
Eigen::MatrixXd solver(const Eigen::MatrixXd& design, const Eigen::VectorXd& weight) {
  const Eigen::VectorXd root = weight.cwiseSqrt();
  return pseudo_inverse(root.asDiagonal() * design) * root.asDiagonal();
}

/// Hotelling's T^2 of residuals r = (1 - X S) y whose covariance comes from the resampled y.
double fit_probability(const Eigen::MatrixXd& design, const Eigen::MatrixXd& solve, std::span<const Curve> inverse,
                       std::size_t t) {
  const Eigen::Index n = design.rows();
  const Curve& first = inverse.front();
  const auto independent = static_cast<double>(std::min<std::size_t>(first.sampled.size(), first.realizations));
  const auto degrees = static_cast<double>(n - design.cols());
  if (degrees < 1.0 || independent <= degrees + 1.0) return nan;
  Eigen::MatrixXd covariance(n, n);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Curve& a = inverse[static_cast<std::size_t>(i)];
    y(i) = a.value[t];
    for (Eigen::Index j = 0; j < n; ++j) {
      covariance(i, j) = a.covariance(t, inverse[static_cast<std::size_t>(j)], t);
    }
  }
  if (!covariance.allFinite()) return nan;
  const Eigen::MatrixXd residual = Eigen::MatrixXd::Identity(n, n) - product(design, solve);
  const SymmetricEigen scatter = symmetric_eigen(propagated(residual, covariance));
  const Eigen::Index rank = n - design.cols();  // the other eigenvalues are 0 to rounding
  if ((scatter.values.array() > 1e-9 * scatter.values[n - 1]).count() != rank) return nan;
  const Eigen::VectorXd r = scatter.vectors.rightCols(rank).transpose() * (residual * y);
  const double T2 = (r.array().square() / scatter.values.tail(rank).array()).sum();
  const double F = std::max(0.0, T2 * (independent - degrees) / (degrees * (independent - 1.0)));
  return fisher_tail(degrees, independent - degrees, F);
}

}  // namespace

SmallKFit fit_small_k(std::span<const double> momentum_squared, std::span<const Curve> chi) {
  const Eigen::MatrixXd design = powers(momentum_squared);
  std::vector<Curve> inverse;
  for (const Curve& c : chi) {
    inverse.push_back(combine("inverse_" + c.observable, std::span(&c, 1),
                              [](std::span<const double> v, std::size_t) { return v[0] > 0.0 ? 1.0 / v[0] : nan; }));
  }
  std::vector<Eigen::MatrixXd> solve;
  SmallKFit fit;
  for (std::size_t t = 0; t < chi.front().temperatures.size(); ++t) {
    Eigen::VectorXd weight(design.rows());
    for (std::size_t i = 0; i < inverse.size(); ++i) {
      const double error = inverse[i].error(t);
      weight(static_cast<Eigen::Index>(i)) = 1.0 / (error * error);
    }
    if (!weight.allFinite()) weight.setOnes();  // one realization, or data without scatter
    solve.push_back(solver(design, weight));
    fit.p_value.push_back(fit_probability(design, solve.back(), inverse, t));
  }
  const auto coefficient = [&](Eigen::Index row) {
    return [&solve, row](std::span<const double> y, std::size_t t) {
      return solve[t].row(row).dot(Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size())));
    };
  };
  fit.inverse_chi_zero = combine("inverse_chi_sg_field_extrapolated", inverse, coefficient(0));
  fit.slope = combine("slope_of_inverse_chi_sg_field", inverse, coefficient(1));
  fit.curvature = design.cols() < 3 ? combine("curvature_of_inverse_chi_sg_field", inverse,
                                              [](std::span<const double>, std::size_t) { return 0.0; })
                                    : combine("curvature_of_inverse_chi_sg_field", inverse, coefficient(2));
  const Curve both[] = {fit.inverse_chi_zero, fit.slope};
  fit.xi_over_L = combine("xi_field_small_k_over_L", both, [L = chi.front().L](std::span<const double> v, std::size_t) {
    return v[0] > 0.0 && v[1] > 0.0 ? std::sqrt(v[1] / v[0]) / L : nan;
  });
  return fit;
}

}}  // namespace glassworks::analysis
