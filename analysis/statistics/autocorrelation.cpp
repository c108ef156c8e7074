#include "analysis/statistics/autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"
#include "analysis/linear/matrices.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double reliable_length = 20.0;  // in units of tau
/// Series without their means, and what they have in common.
struct Deviations {
  std::vector<TimeSeries> of;  ///< [series][entry]
  double mean = 0.0;
  std::size_t entries = 0, longest = 0;

  explicit Deviations(std::span<const TimeSeries> series) {
    for (const TimeSeries& a : series) {
      if (a.size() < 2) continue;  // has no deviation
      double sum = 0.0;
      for (const double x : a) sum += x;
      if (!std::isfinite(sum))
        throw std::invalid_argument("Autocorrelation: a series with an entry that is not finite");
      const double own_mean = sum / static_cast<double>(a.size());
      TimeSeries& deviation = of.emplace_back();
      for (const double x : a) deviation.push_back(x - own_mean);
      mean += sum;
      entries += a.size();
      longest = std::max(longest, a.size());
    }
    if (of.empty()) throw std::invalid_argument("Autocorrelation: no series of at least two entries");
    mean /= static_cast<double>(entries);
  }

  [[nodiscard]] double mean_length() const { return static_cast<double>(entries) / static_cast<double>(of.size()); }

  /// Gamma(t) as measured.
  [[nodiscard]] double gamma(std::size_t t) const {
    double sum = 0.0, pairs = 0.0;
    for (const TimeSeries& a : of) {
      if (a.size() <= t) continue;
      for (std::size_t i = 0; i + t < a.size(); ++i) sum += a[i] * a[i + t];
      pairs += static_cast<double>(a.size() - t);
    }
    return sum / pairs;
  }
};

/// Expected Gamma as measured, with deviations from the means of series of n entries, for Gamma(t >= size) = 0:
///
///     Gamma(t) - 2/(n (n-t)) sum_s K_t(s) Gamma(s) + 1/n^2 sum_{i,j} Gamma(i-j),
///     K_t(s): pairs of one of the first n - t entries and any entry at distance s
///
/// returns  the matrix [measured t][true s]; different lengths enter with their numbers of pairs
Eigen::MatrixXd effect_of_own_means(const Deviations& deviations, Eigen::Index size) {
  std::map<std::size_t, double> lengths;
  for (const TimeSeries& a : deviations.of) lengths[a.size()] += 1.0;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(size, size);
  for (Eigen::Index t = 0; t < size; ++t) {
    double pairs = 0.0;
    for (const auto& [n, count] : lengths)
      pairs += count * std::max(static_cast<double>(n) - static_cast<double>(t), 0.0);
    for (const auto& [length, count] : lengths) {
      const double n = static_cast<double>(length), m = n - static_cast<double>(t);
      if (m <= 0.0) continue;
      for (Eigen::Index distance = 0; distance < std::min(size, static_cast<Eigen::Index>(length)); ++distance) {
        const double s = static_cast<double>(distance);
        const double K = distance == 0 ? m : std::min(m, n - s) + std::max(m - s, 0.0);
        const double all = (distance == 0 ? 1.0 : 2.0) * (n - s);
        matrix(t, distance) += count * m / pairs * (all / (n * n) - 2.0 * K / (n * m));
      }
    }
  }
  return matrix;
}

Autocorrelation start(const Deviations& deviations) {
  Autocorrelation result;
  result.mean = deviations.mean;
  result.entries = deviations.entries;
  result.series = deviations.of.size();
  return result;
}

/// Fills in what follows from variance and tau.
void finish(Autocorrelation& result, const Deviations& deviations) {
  result.error = std::sqrt(2.0 * result.tau * result.variance / static_cast<double>(result.entries));
  result.reliable = result.reliable && deviations.mean_length() >= reliable_length * result.tau;
}

Autocorrelation without_fluctuations(Autocorrelation result) {
  result.tau = result.tau_error = nan;
  return result;
}

}  // namespace

Autocorrelation gamma_method(std::span<const TimeSeries> series, double S) {
  const Deviations deviations(series);
  Autocorrelation result = start(deviations);
  const double N = static_cast<double>(result.entries);
  Eigen::VectorXd measured = Eigen::VectorXd::Constant(1, deviations.gamma(0));
  if (!(measured[0] > 0.0)) return without_fluctuations(result);

  const auto widest = static_cast<Eigen::Index>(deviations.mean_length() / 2.0);
  for (Eigen::Index W = 1; W <= std::max(widest, Eigen::Index{1}); W += 1 + W / 8) {
    const Eigen::Index known = measured.size();
    measured.conservativeResize(W + 1);
    for (Eigen::Index t = known; t <= W; ++t) measured[t] = deviations.gamma(static_cast<std::size_t>(t));
    const Eigen::VectorXd gamma = solve(effect_of_own_means(deviations, W + 1), measured);
    const double w = static_cast<double>(W);
    result.window = static_cast<std::size_t>(W);
    result.variance = gamma[0];
    result.tau = gamma.sum() / gamma[0] - 0.5;
    result.tau_error =
        2.0 * result.tau * std::sqrt(std::max(w + 0.5 - result.tau, 0.0) / N) / (1.0 - w / deviations.mean_length());
    const double tau_W = result.tau > 0.5 ? S / std::log((2.0 * result.tau + 1.0) / (2.0 * result.tau - 1.0)) : 0.0;
    result.reliable = tau_W <= 0.0 || std::exp(-w / tau_W) < tau_W / std::sqrt(w * N);
    if (result.reliable) break;
  }
  finish(result, deviations);
  return result;
}

std::vector<BlockingLevel> blocking_levels(std::span<const TimeSeries> series) {
  const Deviations deviations(series);
  std::vector<BlockingLevel> levels;
  double single = 0.0;
  for (std::size_t block = 1;; block *= 2) {
    double squares = 0.0, freedom = 0.0;
    for (const TimeSeries& a : deviations.of) {
      const std::size_t blocks = a.size() / block;
      if (blocks < 2) continue;
      double sum = 0.0, sum_of_squares = 0.0;
      for (std::size_t b = 0; b < blocks; ++b) {
        double x = 0.0;
        for (std::size_t i = 0; i < block; ++i) x += a[b * block + i];
        x /= static_cast<double>(block);
        sum += x;
        sum_of_squares += x * x;
      }
      squares += std::max(sum_of_squares - sum * sum / static_cast<double>(blocks), 0.0);
      freedom += static_cast<double>(blocks - 1);
    }
    if (freedom < 1.0 || (block > 1 && freedom < 2.0)) return levels;
    const double variance = squares / freedom;
    if (block == 1) single = variance;
    const double tau = 0.5 * static_cast<double>(block) * variance / single;
    levels.push_back({block, tau, tau * std::sqrt(2.0 / freedom)});
  }
}

Autocorrelation binning_method(std::span<const TimeSeries> series) {
  const Deviations deviations(series);
  Autocorrelation result = start(deviations);
  const double N = static_cast<double>(result.entries);
  double squares = 0.0;
  for (const TimeSeries& a : deviations.of) {
    for (const double x : a) squares += x * x;
  }
  if (!(squares > 0.0)) return without_fluctuations(result);
  result.variance = squares / static_cast<double>(result.entries - result.series);
  for (const BlockingLevel& level : blocking_levels(series)) {
    result.window = level.block;
    result.tau = level.tau;
    result.tau_error = level.tau_error;
    const double b = static_cast<double>(level.block);
    result.reliable = b * b * b > 8.0 * N * level.tau * level.tau;
    if (result.reliable) break;
  }
  finish(result, deviations);
  return result;
}

TimeSeries round_series(std::span<const RoundRow> rounds, const Columns& columns, std::size_t slot, std::size_t column,
                        std::uint32_t equilibration) {
  const RoundRange range = equilibrated_part(static_cast<std::uint32_t>(rounds.size()), equilibration);
  TimeSeries series;
  for (const RoundRow& row : rounds.subspan(range.first, range.last - range.first)) {
    series.push_back(row.record.mean[slot * columns.stored() + column]);
  }
  return series;
}

TimeSeries sample_series(std::span<const RoundRow> rounds, const SizeRow& size, std::size_t slot,
                         const std::string& quantity, std::uint32_t equilibration) {
  const RoundRange range = equilibrated_part(static_cast<std::uint32_t>(rounds.size()), equilibration);
  const std::size_t width = size.samples.size();
  const auto found = std::find(size.samples.begin(), size.samples.end(), quantity);
  const auto column = static_cast<std::size_t>(found - size.samples.begin());
  TimeSeries series;
  if (column == width) return series;
  for (const RoundRow& row : rounds.subspan(range.first, range.last - range.first)) {
    const auto count = static_cast<std::size_t>(row.record.samples_per_slot);
    for (std::size_t sample = 0; sample < count; ++sample) {
      series.push_back(static_cast<double>(row.record.samples[(slot * count + sample) * width + column]));
    }
  }
  return series;
}

}}  // namespace glassworks::analysis
