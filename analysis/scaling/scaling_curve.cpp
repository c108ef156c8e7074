#include "analysis/scaling/scaling_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/matrices.hpp"

namespace glassworks { inline namespace analysis {
namespace {

ScalingCurve selected(const ScalingCurve& curve, const std::vector<Eigen::Index>& points) {
  ScalingCurve result = curve;
  result.T = curve.T(points);
  result.y = curve.y(points);
  result.sampled = curve.sampled(Eigen::all, points);
  return result;
}

ScalingCurve finite_points(const ScalingCurve& curve) {
  std::vector<Eigen::Index> points;
  for (Eigen::Index t = 0; t < curve.points(); ++t) {
    if (std::isfinite(curve.y[t]) && curve.sampled.col(t).allFinite()) points.push_back(t);
  }
  ScalingCurve result = selected(curve, points);
  result.left_out += static_cast<std::size_t>(curve.points() - result.points());
  return result;
}

/// Mean product of deviations of two parts over the samples in which both are finite, times the spread.
double part_covariance(const SampledNumber::Part& a, const SampledNumber::Part& b) {
  double used = 0.0, mean_a = 0.0, mean_b = 0.0, product = 0.0;
  for (std::size_t s = 0; s < a.samples.size(); ++s) {
    if (!std::isfinite(a.samples[s]) || !std::isfinite(b.samples[s])) continue;
    used += 1.0;
    const double before = a.samples[s] - mean_a;
    mean_a += before / used;
    mean_b += (b.samples[s] - mean_b) / used;
    product += before * (b.samples[s] - mean_b);
  }
  if (used < 2.0 || 10.0 * used < 9.0 * static_cast<double>(a.samples.size())) return nan;
  return a.spread / used * product;
}

}  // namespace

Eigen::MatrixXd ScalingCurve::covariance() const {
  if (sampled.rows() == 0) return Eigen::MatrixXd::Zero(points(), points());
  const Eigen::MatrixXd deviations = sampled.rowwise() - sampled.colwise().mean();
  return transposed_product(deviations, deviations) * (spread / static_cast<double>(sampled.rows()));
}

Eigen::VectorXd ScalingCurve::errors() const {
  if (sampled.rows() == 0) return Eigen::VectorXd::Zero(points());
  Eigen::VectorXd result(points());
  for (Eigen::Index t = 0; t < points(); ++t) {
    const double squares = (sampled.col(t).array() - sampled.col(t).mean()).square().sum();
    result[t] = std::sqrt(spread / static_cast<double>(sampled.rows()) * squares);
  }
  return result;
}

std::vector<ScalingCurve> scaling_curves(std::span<const Curve> curves) {
  std::vector<ScalingCurve> result;
  for (const Curve& curve : curves) {
    const auto points = static_cast<Eigen::Index>(curve.temperatures.size());
    const auto samples = static_cast<Eigen::Index>(curve.sampled.size());
    ScalingCurve raw{.L = curve.L,
                     .T = Eigen::VectorXd::Map(curve.temperatures.data(), points),
                     .y = Eigen::VectorXd::Map(curve.value.data(), points),
                     .sampled = Eigen::MatrixXd(samples, points),
                     .spread = curve.spread,
                     .realizations = curve.realizations,
                     .groups = curve.groups};
    for (Eigen::Index s = 0; s < samples; ++s) {
      raw.sampled.row(s) = Eigen::RowVectorXd::Map(curve.sampled[static_cast<std::size_t>(s)].data(), points);
    }
    ScalingCurve finite = finite_points(raw);
    if (finite.points() > 0) result.push_back(std::move(finite));
  }
  std::ranges::sort(result, {}, &ScalingCurve::L);
  if (std::ranges::adjacent_find(result, {}, &ScalingCurve::L) != result.end()) {
    throw std::invalid_argument("scaling_curves: two curves of one size");
  }
  return result;
}

ScalingCurve logarithm(const ScalingCurve& curve) {
  ScalingCurve result = curve;
  result.y = curve.y.array().log();
  result.sampled = curve.sampled.array().log();
  return finite_points(result);
}

ScalingCurve thinned(const ScalingCurve& curve, double from, double to, Eigen::Index most) {
  std::vector<Eigen::Index> inside;
  for (Eigen::Index t = 0; t < curve.points(); ++t) {
    if (curve.T[t] >= from && curve.T[t] <= to) inside.push_back(t);
  }
  if (static_cast<Eigen::Index>(inside.size()) <= most || most < 2) return selected(curve, inside);
  std::vector<Eigen::Index> points;
  const double first = curve.T[inside.front()], width = curve.T[inside.back()] - first;
  for (Eigen::Index k = 0; k < most; ++k) {
    const double target = first + width * static_cast<double>(k) / static_cast<double>(most - 1);
    const auto nearest =
        *std::ranges::min_element(inside, {}, [&](Eigen::Index t) { return std::abs(curve.T[t] - target); });
    if (points.empty() || points.back() != nearest) points.push_back(nearest);
  }
  return selected(curve, points);
}

double SampledNumber::with_sample(int L, std::size_t s) const {
  const auto part = std::ranges::find(parts, L, &Part::L);
  return part == parts.end() || s >= part->samples.size() ? value : part->samples[s];
}

double SampledNumber::covariance(const SampledNumber& other) const {
  if (!std::isfinite(value) || !std::isfinite(other.value) || parts.empty()) return nan;
  double sum = 0.0;
  for (const Part& part : parts) {
    const auto match = std::ranges::find(other.parts, part.L, &Part::L);
    if (match == other.parts.end()) continue;
    if (match->samples.size() != part.samples.size()) {
      throw std::invalid_argument("SampledNumber::covariance: numbers of other samples");
    }
    sum += part_covariance(part, *match);
  }
  return sum;
}

double SampledNumber::error() const { return std::sqrt(covariance(*this)); }

std::vector<SampledNumber> propagate(
    std::span<const ScalingCurve> curves, std::size_t numbers,
    const std::function<Eigen::VectorXd(std::span<const Eigen::VectorXd> y, Replaced replaced)>& f) {
  std::vector<Eigen::VectorXd> y;
  for (const ScalingCurve& curve : curves) y.push_back(curve.y);
  std::vector<SampledNumber> result(numbers);
  const Eigen::VectorXd whole = f(y, {});
  for (std::size_t k = 0; k < numbers; ++k) result[k].value = whole[static_cast<Eigen::Index>(k)];
  if (!whole.allFinite()) return result;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const ScalingCurve& curve = curves[c];
    const auto samples = static_cast<std::size_t>(curve.sampled.rows());
    for (SampledNumber& number : result) number.parts.push_back({curve.L, curve.spread, std::vector<double>(samples)});
    for (std::size_t s = 0; s < samples; ++s) {
      y[c] = curve.sampled.row(static_cast<Eigen::Index>(s)).transpose();
      const Eigen::VectorXd values = f(y, {curve.L, s});
      for (std::size_t k = 0; k < numbers; ++k) {
        result[k].parts.back().samples[s] = values[static_cast<Eigen::Index>(k)];
      }
    }
    y[c] = curve.y;
  }
  return result;
}

SampledNumber transformed(const SampledNumber& x, const std::function<double(double)>& f) {
  SampledNumber result = x;
  result.value = f(x.value);
  for (SampledNumber::Part& part : result.parts) {
    for (double& sample : part.samples) sample = f(sample);
  }
  return result;
}

}}  // namespace glassworks::analysis
