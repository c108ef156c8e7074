#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "analysis/scaling/scaling_curve.hpp"
#include "analysis/statistics/curve.hpp"

namespace glassworks {

/// Disorder averages with a known mean(T, L). A realization differs from it by `noise` in units of the mean, with two
/// modes that all temperatures share and a small part that they do not, as realizations of a spin glass do.
struct SyntheticCampaign {
  std::vector<int> sizes;
  std::vector<double> temperatures;
  std::function<double(double T, int L)> mean;
  int realizations = 200;
  double noise = 0.2;        ///< standard deviation of one realization
  double independent = 0.1;  ///< of it, not shared between temperatures
  Resampling resampling = {};

  [[nodiscard]] std::vector<Curve> curves(std::uint64_t seed, const std::string& name = "xi_over_L") const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<Curve> result;
    for (const int L : sizes) {
      Ensemble ensemble{.L = L, .temperatures = temperatures, .columns = {"R"}, .realizations = {}, .values = {}};
      const double width = temperatures.back() - temperatures.front();
      for (int i = 0; i < realizations; ++i) {
        ensemble.realizations.push_back(static_cast<std::uint32_t>(i));
        const double level = normal(engine), tilt = normal(engine);
        for (const double T : temperatures) {
          const double u = std::numbers::pi * (T - temperatures.front()) / width;
          const double shared = level * std::cos(0.5 * u) + tilt * std::sin(0.5 * u);
          ensemble.values.push_back(mean(T, L) * (1.0 + noise * (shared + independent * normal(engine))));
        }
      }
      const ResampledAverages averages(ensemble, resampling);
      result.push_back(make_curve(name, ensemble, averages, [](std::span<const double> x, double) { return x[0]; }));
    }
    return result;
  }

  [[nodiscard]] std::vector<ScalingCurve> scaling(std::uint64_t seed) const { return scaling_curves(curves(seed)); }
};

/// n temperatures at equal distances.
inline std::vector<double> equidistant(double from, double to, int n) {
  std::vector<double> result;
  for (int i = 0; i < n; ++i) result.push_back(from + (to - from) * i / (n - 1));
  return result;
}

/// A curve whose points have independent errors: resampled curves that each move one point up or down, so that the
/// covariance is exactly diagonal.
inline ScalingCurve independent_points(int L, const std::vector<double>& T, const std::vector<double>& y,
                                       const std::vector<double>& error) {
  const auto n = static_cast<Eigen::Index>(T.size());
  ScalingCurve curve;
  curve.L = L;
  curve.T = Eigen::VectorXd::Map(T.data(), n);
  curve.y = Eigen::VectorXd::Map(y.data(), n);
  curve.spread = static_cast<double>(2 * n - 1);
  curve.realizations = static_cast<int>(2 * n);
  curve.sampled = curve.y.transpose().replicate(2 * n, 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double step = error[static_cast<std::size_t>(i)] * std::sqrt(static_cast<double>(n) / curve.spread);
    curve.sampled(2 * i, i) += step;
    curve.sampled(2 * i + 1, i) -= step;
  }
  return curve;
}

/// Of many repetitions of a measurement with known truth: how often the truth lies within the standard error, and the
/// mean deviation in units of its own standard error.
struct Coverage {
  int repetitions = 0, covered = 0;
  double sum = 0.0, squares = 0.0;

  void add(double value, double error, double truth) {
    ++repetitions;
    covered += std::abs(value - truth) <= error ? 1 : 0;
    sum += value - truth;
    squares += (value - truth) * (value - truth);
  }
  /// Three standard deviations of fraction() if it is 0.683: exceeded by chance with probability 0.003. With thousands
  /// of repetitions, what the methods leave: errors from 60 realizations are up to a tenth too small or too large.
  [[nodiscard]] double tolerance() const { return std::max(3.0 * std::sqrt(0.683 * 0.317 / repetitions), 0.066); }
  [[nodiscard]] double fraction() const { return static_cast<double>(covered) / repetitions; }
  [[nodiscard]] double bias() const { return sum / std::sqrt(squares); }  ///< in units of its standard error
  /// Three standard errors, or an eighth of the error of one measurement.
  [[nodiscard]] double largest_bias() const { return std::max(3.0, 0.125 * std::sqrt(repetitions)); }
};

/// Ten times the repetitions of statistical tests: GLASSWORKS_TEST_ALL is in the environment.
inline bool many_repetitions() { return std::getenv("GLASSWORKS_TEST_ALL") != nullptr; }

inline std::uint64_t repetitions(std::uint64_t quick) { return many_repetitions() ? 10 * quick : quick; }

}  // namespace glassworks
