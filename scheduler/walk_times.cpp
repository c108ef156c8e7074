#include "scheduler/walk_times.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/rounds/measurement_formulas.hpp"
#include "scheduler/round_groups.hpp"

namespace glassworks::inline scheduler {
namespace {

/// c(t) of integrated_time.
double correlation(std::span<const std::vector<double>> series, std::size_t t) {
  double sum = 0.0;
  for (const std::vector<double>& means : series) {
    for (std::size_t r = 0; r + t < means.size(); ++r) sum += means[r] * means[r + t];
  }
  return sum / static_cast<double>(series.size() * (series.front().size() - t));
}

/// correlation  c(t) as a function, t = 0 .. largest
template <class Correlation>
WalkTime windowed_time(const Correlation& correlation, std::size_t largest, double variance, double measurements) {
  WalkTime time;
  double sum = 0.0, tau = 0.0;
  for (std::size_t W = 0; W <= largest && !time.resolved; ++W) {
    sum += (W == 0 ? 1.0 : 2.0) * correlation(W);
    tau = measurements / (2.0 * variance) * sum;
    time.resolved = static_cast<double>(W) * measurements >= window_in_tau * tau;
  }
  time.tau = std::max(time.tau, tau);
  return time;
}

}  // namespace

std::array<double, walk_functions> walk_variances(int slots) {
  const PhaseTable phase(2 * slots);
  std::array<double, walk_functions> variance{};
  for (int slot = 0; slot < slots; ++slot) {
    std::array<double, walk_functions> f{};
    add_walk_functions(slot, slots, phase.cosine.data(), f.data());
    for (std::size_t k = 0; k < f.size(); ++k) variance[k] += f[k] * f[k] / slots;
  }
  return variance;
}

WalkTime integrated_time(std::span<const std::vector<double>> series, double variance, double measurements) {
  return windowed_time([&](std::size_t t) { return correlation(series, t); }, series.front().size() / 2, variance,
                       measurements);
}

WalkTime integrated_time(std::span<const double> correlation, double variance, double measurements) {
  return windowed_time([&](std::size_t t) { return correlation[t]; }, correlation.size() - 1, variance, measurements);
}

WalkTime WalkTimes::tau() const {
  WalkTime longest{0.5, exist()};
  for (std::size_t f = 0; f < walk_functions; ++f) {
    if (!has_function[f]) continue;
    longest.tau = std::max(longest.tau, of_all[f].tau);
    longest.resolved = longest.resolved && of_all[f].resolved;
  }
  return longest;
}

WalkTimes::Slowest WalkTimes::slowest() const {
  Slowest slowest;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (has_function[i % walk_functions] && times[i].tau > slowest.tau) slowest = {i / walk_functions, times[i].tau};
  }
  return slowest;
}

WalkTimes walk_times(std::span<const RoundRow> rounds, int slots) {
  WalkTimes walk;
  const std::array<double, walk_functions> variance = walk_variances(slots);
  for (std::size_t f = 0; f < walk_functions; ++f) walk.has_function[f] = variance[f] > 0.0;
  walk.first_round = rounds.size() / 8;
  if (slots == 1 || rounds.empty()) return walk;

  const std::span<const RoundRow> used = rounds.subspan(walk.first_round);
  const std::size_t columns = used.front().record.walk_mean.size();
  for (const RoundRow& row : used) {
    if (row.record.walk_mean.size() == columns && row.record.measurements == used.front().record.measurements) continue;
    throw std::runtime_error(
        "A realization cannot be judged (its rounds differ in replicas or measurements, so that some are not of this "
        "campaign). Restore the database from a copy.");
  }
  const RoundGroups groups(used);
  walk.times.assign(columns, {0.5, true});
  for (std::size_t f = 0; f < walk_functions; ++f) {
    if (!walk.has_function[f]) continue;
    std::vector<std::vector<double>> series;
    for (std::size_t column = f; column < columns; column += walk_functions) {
      series.push_back(groups.series(&RoundRecord::walk_mean, column));
      walk.times[column] = integrated_time({&series.back(), 1}, variance[f], groups.measurements());
    }
    walk.of_all[f] = integrated_time(series, variance[f], groups.measurements());
  }
  return walk;
}

}  // namespace glassworks::inline scheduler
