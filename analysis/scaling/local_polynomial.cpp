#include "analysis/scaling/local_polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/linear/least_squares.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Index of the first of `count` consecutive points that stand most evenly around `at`.
Eigen::Index first_nearest(const Eigen::VectorXd& T, double at, Eigen::Index count) {
  const auto above = std::upper_bound(T.begin(), T.end(), at) - T.begin();
  return std::clamp<Eigen::Index>(above - count / 2, 0, T.size() - count);
}

}  // namespace

LinearFunctional interpolation(const Eigen::VectorXd& T, double at) {
  const Eigen::Index count = std::min<Eigen::Index>(4, T.size()), first = first_nearest(T, at, count);
  LinearFunctional result{first, Eigen::VectorXd::Ones(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      if (j != i) result.weights[i] *= (at - T[first + j]) / (T[first + i] - T[first + j]);
    }
  }
  return result;
}

PointRange points_near(const Eigen::VectorXd& T, double at, double half_width) {
  const Eigen::Index first = std::lower_bound(T.begin(), T.end(), at - half_width) - T.begin();
  const Eigen::Index count = std::upper_bound(T.begin(), T.end(), at + half_width) - T.begin() - first;
  if (count >= 5) return {first, count};
  const Eigen::Index nearest = std::min<Eigen::Index>(5, T.size());
  return {first_nearest(T, at, nearest), nearest};
}

LinearFunctional local_derivative(const Eigen::VectorXd& T, PointRange points, double at) {
  const Eigen::Index degree = std::min<Eigen::Index>(3, points.count - 1);
  if (degree == 0) return {points.first, Eigen::VectorXd::Zero(1)};
  const Eigen::ArrayXd distance = T.segment(points.first, points.count).array() - at;
  const double scale = distance.abs().maxCoeff();
  Eigen::MatrixXd powers = Eigen::MatrixXd::Ones(points.count, degree + 1);
  for (Eigen::Index k = 1; k <= degree; ++k) powers.col(k) = powers.col(k - 1).array() * distance / scale;
  const Eigen::MatrixXd coefficients = pseudo_inverse(powers);  // (power, point)
  return {points.first, coefficients.row(1).transpose() / scale};
}

}}  // namespace glassworks::analysis
