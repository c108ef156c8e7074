#include "analysis/statistics/curve.hpp"

#include <cmath>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// spread / m sum_s (x_s - xbar)(y_s - ybar) over the m samples in which both are finite; NaN if these are fewer than
/// nine tenths.
template <typename X, typename Y>
double sampled_covariance(std::size_t samples, double spread, const X& x, const Y& y) {
  double used = 0.0, mean_x = 0.0, mean_y = 0.0, product = 0.0;
  for (std::size_t s = 0; s < samples; ++s) {
    const double a = x(s), b = y(s);
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    used += 1.0;
    const double before = a - mean_x;
    mean_x += before / used;
    mean_y += (b - mean_y) / used;
    product += before * (b - mean_y);
  }
  if (used < 2.0 || 10.0 * used < 9.0 * static_cast<double>(samples)) return nan;
  return spread / used * product;
}

}  // namespace

double Curve::error(std::size_t temperature) const { return std::sqrt(covariance(temperature, *this, temperature)); }

double Curve::covariance(std::size_t t, const Curve& other, std::size_t u) const {
  if (other.L != L || other.sampled.size() != sampled.size()) {
    throw std::invalid_argument("Curve::covariance: curves of other samples");
  }
  if (std::isnan(value[t]) || std::isnan(other.value[u])) return nan;
  return sampled_covariance(
      sampled.size(), spread, [&](std::size_t s) { return sampled[s][t]; },
      [&](std::size_t s) { return other.sampled[s][u]; });
}

Curve make_curve(const std::string& observable, const Ensemble& ensemble, const ResampledAverages& averages,
                 const DerivedObservable& f) {
  Curve curve{.observable = observable,
              .L = ensemble.L,
              .temperatures = ensemble.temperatures,
              .value = {},
              .sampled = std::vector<std::vector<double>>(averages.samples()),
              .spread = averages.spread(),
              .realizations = static_cast<int>(ensemble.realizations.size()),
              .groups = averages.groups()};
  const std::vector<double>& T = curve.temperatures;
  for (std::size_t t = 0; t < T.size(); ++t) curve.value.push_back(f(averages.whole(t), T[t]));
  for (std::size_t s = 0; s < averages.samples(); ++s) {
    curve.sampled[s].reserve(T.size());
    for (std::size_t t = 0; t < T.size(); ++t) curve.sampled[s].push_back(f(averages.sample(s, t), T[t]));
  }
  return curve;
}

double resampled_error(std::span<const double> samples, double spread) {
  const auto x = [&](std::size_t s) { return samples[s]; };
  return std::sqrt(sampled_covariance(samples.size(), spread, x, x));
}

}}  // namespace glassworks::analysis
