#include "tools/tune/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace glassworks { inline namespace tools {
namespace {

/// (R-1)/R sum_r (x_r - mean)^2 of values without one realization each, as wide as Student's t; 0 for a single one. The
/// variance of t is infinite for R = 2 and 3, which count as R = 3.2.
double jackknife_variance(std::span<const double> x) {
  if (x.size() < 2) return 0.0;
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double sum = 0.0;
  for (const double one : x) sum += (one - mean) * (one - mean);
  return (n - 1.0) / n * sum * (n - 1.0) / std::max(n - 3.0, 0.2);
}

}  // namespace

LogRatio log_ratio(const LogFigure& a, const LogFigure& b) {
  std::vector<double> without(std::min(a.without.size(), b.without.size()));
  for (std::size_t r = 0; r < without.size(); ++r) without[r] = a.without[r] - b.without[r];
  const double variance = std::max(jackknife_variance(without), a.least_variance + b.least_variance);
  return {a.value - b.value, std::sqrt(variance + a.timing_variance + b.timing_variance)};
}

LogRatio log_value(const LogFigure& a) {
  LogFigure one;
  one.without.assign(a.without.size(), 0.0);
  return log_ratio(a, one);
}

LogFigure mean_of(std::span<const LogFigure> figures) {
  LogFigure mean = figures.front();
  const auto n = static_cast<double>(figures.size());
  for (const LogFigure& figure : figures.subspan(1)) {
    mean.value += figure.value;
    mean.least_variance += figure.least_variance;
    for (std::size_t r = 0; r < mean.without.size(); ++r) mean.without[r] += figure.without[r];
  }
  mean.value /= n;
  mean.least_variance /= n * n;
  for (double& one : mean.without) one /= n;
  return mean;
}

LogFigure times(LogFigure x, double factor, double timing_variance) {
  const double shift = std::log(factor);
  x.value += shift;
  for (double& one : x.without) one += shift;
  x.timing_variance += timing_variance;
  return x;
}

LogFigure squared_error(std::span<const double> run_means, int realizations) {
  const auto R = static_cast<std::size_t>(realizations), K = run_means.size() / R;
  std::vector<double> relative(R);
  for (std::size_t r = 0; r < R; ++r) {
    const std::span<const double> runs = run_means.subspan(r * K, K);
    const double mean = std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(K);
    double sum = 0.0;
    for (const double x : runs) sum += (x - mean) * (x - mean);
    relative[r] = sum / (static_cast<double>(K) - 1.0) / (mean * mean);
  }
  const double sum = std::accumulate(relative.begin(), relative.end(), 0.0), count = static_cast<double>(R);
  LogFigure figure;
  figure.least_variance = 2.0 / ((static_cast<double>(K) - 1.0) * count);
  figure.value = sum > 0.0 ? std::log(sum / count) : std::numeric_limits<double>::quiet_NaN();
  for (const double one : relative) {
    figure.without.push_back(R > 1 ? std::log((sum - one) / (count - 1.0)) : figure.value);
  }
  return figure;
}

double drift(std::span<const double> first, std::span<const double> second) {
  const auto n = static_cast<double>(first.size());
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) sum += second[i] - first[i];
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double x = second[i] - first[i] - sum / n;
    squares += x * x;
  }
  return squares > 0.0 ? sum / n / std::sqrt(squares / (n * (n - 1.0))) : 0.0;
}

MedianTime median_time(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto quantile = [&](double p) {
    const double place = p * (n - 1.0);
    const auto low = static_cast<std::size_t>(place), high = std::min(low + 1, values.size() - 1);
    return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
  };
  const double median = quantile(0.5), deviation = (quantile(0.75) - quantile(0.25)) / 1.349;
  const double error = 1.2533 * deviation / (median * std::sqrt(n));
  return {median, median > 0.0 ? error * error : 0.0};
}

MedianTime time_between(const MedianTime& t_a, int a, const MedianTime& t_b, int b) {
  const double difference = t_b.seconds - t_a.seconds;
  const double variance =
      t_a.seconds * t_a.seconds * t_a.relative_variance + t_b.seconds * t_b.seconds * t_b.relative_variance;
  return {difference / (b - a), difference > 0.0 ? variance / (difference * difference) : 0.0};
}

}}  // namespace glassworks::tools
