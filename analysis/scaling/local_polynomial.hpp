#pragma once

#include <Eigen/Core>

namespace glassworks { inline namespace analysis {

/// Value or derivative of a curve at T as a linear function of its points: sum_k weights[k] y[first + k].
struct LinearFunctional {
  Eigen::Index first = 0;
  Eigen::VectorXd weights;

  [[nodiscard]] double operator()(const Eigen::VectorXd& y) const {
    return weights.dot(y.segment(first, weights.size()));
  }
};

/// Interpolation by the polynomial through the four nearest points (fewer where there are fewer), error
/// O(h^4 y''''). `T` ascending; `at` inside of it.
[[nodiscard]] LinearFunctional interpolation(const Eigen::VectorXd& T, double at);

/// Consecutive points of a curve.
struct PointRange {
  Eigen::Index first = 0, count = 0;
};

/// The points with |T - at| <= half_width, the five nearest points if these are fewer.
[[nodiscard]] PointRange points_near(const Eigen::VectorXd& T, double at, double half_width);

/// dy/dT at `at` of the polynomial of degree min(3, points - 1) fitted to `points`. Resampled curves take the points of
/// the whole curve: a point that came or went with T_x would make a jump of the size of the error.
/// Source: Savitzky & Golay, Anal. Chem. 36, 1627 (1964), for points at any distances.
[[nodiscard]] LinearFunctional local_derivative(const Eigen::VectorXd& T, PointRange points, double at);

}}  // namespace glassworks::analysis
