#include "analysis/field/simultaneous_band.hpp"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/matrices.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Draws of max |t|: the probability that the factor stands for is then known to 0.15 % at 95 %.
constexpr int draws = 20000;

std::size_t count_within(const std::vector<double>& temperatures, double low, double high) {
  return static_cast<std::size_t>(
      std::count_if(temperatures.begin(), temperatures.end(), [&](double T) { return T >= low && T <= high; }));
}

/// Weights of Lagrange's polynomial through the (at most) four points nearest to T; exact where T is a point.
struct Interpolation {
  std::size_t first = 0;
  std::vector<double> weight;

  Interpolation(const std::vector<double>& x, double T) {
    const auto above = std::lower_bound(x.begin(), x.end(), T);
    if (above != x.end() && *above == T) {
      first = static_cast<std::size_t>(above - x.begin());
      weight = {1.0};
      return;
    }
    const std::size_t points = std::min<std::size_t>(4, x.size());
    const auto place = static_cast<std::size_t>(above - x.begin());
    first = std::min(place < 2 ? 0 : place - 2, x.size() - points);
    for (std::size_t i = first; i < first + points; ++i) {
      double w = 1.0;
      for (std::size_t j = first; j < first + points; ++j) {
        if (j != i) w *= (T - x[j]) / (x[i] - x[j]);
      }
      weight.push_back(w);
    }
  }
  [[nodiscard]] double operator()(const std::vector<double>& y) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < weight.size(); ++i) sum += weight[i] * y[first + i];
    return sum;
  }
};

/// A curve at the common temperatures.
struct Resampled {
  std::vector<double> value;
  std::vector<std::vector<double>> sampled;
};

Resampled at_temperatures(const Curve& curve, const std::vector<double>& temperatures) {
  Resampled result;
  result.sampled.resize(curve.sampled.size());
  for (const double T : temperatures) {
    const Interpolation at(curve.temperatures, T);
    result.value.push_back(at(curve.value));
    for (std::size_t s = 0; s < curve.sampled.size(); ++s) result.sampled[s].push_back(at(curve.sampled[s]));
  }
  return result;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t t) {
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(row[t]);
  return values;
}

/// Deviations from their mean, scaled so that A^T A is the covariance [sample, temperature]; 0 where a sample is NaN.
Eigen::MatrixXd deviations(const std::vector<std::vector<double>>& sampled, double spread, std::size_t temperatures) {
  Eigen::MatrixXd A =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(sampled.size()), static_cast<Eigen::Index>(temperatures));
  for (std::size_t t = 0; t < temperatures; ++t) {
    double sum = 0.0, used = 0.0;
    for (const std::vector<double>& row : sampled) {
      if (!std::isfinite(row[t])) continue;
      sum += row[t];
      used += 1.0;
    }
    for (std::size_t s = 0; s < sampled.size(); ++s) {
      if (!std::isfinite(sampled[s][t])) continue;
      A(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(t)) =
          (sampled[s][t] - sum / used) * std::sqrt(spread / used);
    }
  }
  return A;
}

double independent_sets(const Curve& curve) {
  return static_cast<double>(std::min<std::size_t>(curve.sampled.size(), static_cast<std::size_t>(curve.realizations)));
}

/// Quantile of max |t| of a multivariate t with this covariance.
double largest_t_quantile(const Eigen::MatrixXd& covariance, double degrees, double confidence) {
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(correlation);
  const double smallest = 1e-8 * eigen.values.maxCoeff();
  const Eigen::Index n = correlation.rows();
  Eigen::Index first = 0;
  while (eigen.values(first) < smallest) ++first;
  const Eigen::MatrixXd root =
      eigen.vectors.rightCols(n - first) * eigen.values.tail(n - first).cwiseSqrt().asDiagonal();

  boost::random::mt19937_64 generator(20260103);
  boost::random::normal_distribution<double> normal;
  boost::random::gamma_distribution<double> chi_squared(0.5 * degrees, 2.0);
  std::vector<double> largest;
  Eigen::VectorXd g(root.cols());
  for (int draw = 0; draw < draws; ++draw) {
    for (double& x : g) x = normal(generator);
    largest.push_back((root * g).cwiseAbs().maxCoeff() / std::sqrt(chi_squared(generator) / degrees));
  }
  const auto place = largest.begin() + static_cast<std::ptrdiff_t>(confidence * (draws - 1));
  std::nth_element(largest.begin(), place, largest.end());
  return *place;
}

}  // namespace

DifferenceBand difference_band(const Curve& small, const Curve& large, double confidence) {
  DifferenceBand band;
  band.confidence = confidence;
  band.spread_small = small.spread;
  band.spread_large = large.spread;
  if (small.temperatures.empty() || large.temperatures.empty()) return band;
  const double low = std::max(small.temperatures.front(), large.temperatures.front());
  const double high = std::min(small.temperatures.back(), large.temperatures.back());
  const bool of_small = count_within(small.temperatures, low, high) > count_within(large.temperatures, low, high);
  std::vector<double> common;
  for (const double T : of_small ? small.temperatures : large.temperatures) {
    if (T >= low && T <= high) common.push_back(T);
  }

  const Resampled a = at_temperatures(small, common), b = at_temperatures(large, common);
  band.sampled_small.resize(a.sampled.size());
  band.sampled_large.resize(b.sampled.size());
  double degrees = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < common.size(); ++t) {
    const double error_a = resampled_error(column(a.sampled, t), small.spread);
    const double error_b = resampled_error(column(b.sampled, t), large.spread);
    const double error = std::hypot(error_a, error_b), difference = b.value[t] - a.value[t];
    if (!std::isfinite(difference) || !std::isfinite(error) || !(error > 0.0)) continue;
    band.temperatures.push_back(common[t]);
    band.difference.push_back(difference);
    band.error.push_back(error);
    for (std::size_t s = 0; s < a.sampled.size(); ++s) band.sampled_small[s].push_back(b.value[t] - a.sampled[s][t]);
    for (std::size_t s = 0; s < b.sampled.size(); ++s) band.sampled_large[s].push_back(b.sampled[s][t] - a.value[t]);
    const double va = error_a * error_a, vb = error_b * error_b;
    degrees =
        std::min(degrees, (va + vb) * (va + vb) /
                              (va * va / (independent_sets(small) - 1.0) + vb * vb / (independent_sets(large) - 1.0)));
  }
  const std::size_t points = band.temperatures.size();
  band.missing = common.size() - points;
  if (points == 0) return band;
  const Eigen::MatrixXd A = deviations(band.sampled_small, small.spread, points);
  const Eigen::MatrixXd B = deviations(band.sampled_large, large.spread, points);
  const Eigen::MatrixXd covariance = transposed_product(A, A) + transposed_product(B, B);
  const double bonferroni = student_quantile(degrees, 0.5 * (1.0 - confidence) / static_cast<double>(points));
  band.factor = std::min(bonferroni, largest_t_quantile(covariance, degrees, confidence));
  return band;
}

}}  // namespace glassworks::analysis
