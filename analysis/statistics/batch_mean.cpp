#include "analysis/statistics/batch_mean.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glassworks { inline namespace analysis {

BatchMean batch_mean(std::span<const double> series) {
  if (series.empty()) return {};
  const std::size_t length = series.size() / moment_batches;
  if (length == 0)
    return {std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(series.size()), 0.0};
  const std::span<const double> used = series.last(length * moment_batches);
  const double mean = std::accumulate(used.begin(), used.end(), 0.0) / static_cast<double>(used.size());
  double squares = 0.0, products = 0.0, before = 0.0;
  for (std::size_t b = 0; b < moment_batches; ++b) {
    const std::span<const double> batch = used.subspan(b * length, length);
    const double d = std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(length) - mean;
    squares += d * d;
    products += d * before;
    before = d;
  }
  constexpr double free = moment_batches - 1;
  return {mean, std::sqrt(squares / (moment_batches * free)), products / free};
}

double correlation_factor(std::span<const BatchMean> means) {
  static_assert(moment_batches == 8, "the expectations below are those of eight batches");
  double variance = 0.0, neighbours = 0.0;
  for (const BatchMean& mean : means) {
    variance += moment_batches * mean.error * mean.error;
    neighbours += mean.neighbours;
  }
  if (!(variance > 0.0)) return 1.0;
  const double ratio = neighbours / variance, correlation = (ratio + 1.0 / 8.0) / (169.0 / 224.0 + ratio / 4.0);
  return std::max(1.0, (1.0 + 1.75 * correlation) / (1.0 - 0.25 * correlation));
}

}}  // namespace glassworks::analysis
