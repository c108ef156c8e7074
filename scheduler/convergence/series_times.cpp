#include "scheduler/convergence/series_times.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

#include "scheduler/convergence/round_groups.hpp"

namespace glassworks { inline namespace scheduler {

bool moves(std::span<const double> series) {
  return std::adjacent_find(series.begin(), series.end(), std::not_equal_to<>()) != series.end();
}

bool is_absent(const ChainObservables::Named& named, std::span<const double> series) {
  return named.name == std::string_view("energy") && series.front() == 0.0 && !moves(series);
}

WalkTime centred_time(std::span<const double> series, double measurements) {
  const std::size_t n = series.size();
  const double mean = std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(n);
  const auto correlation = [&](std::size_t t) {
    double sum = 0.0;
    for (std::size_t r = 0; r + t < n; ++r) sum += (series[r] - mean) * (series[r + t] - mean);
    return sum / static_cast<double>(n - t);
  };
  WalkTime time{0.5 * measurements, false};
  const double variance = correlation(0);
  if (!moves(series)) return time;
  double tau = 0.5, largest = 0.5;
  for (std::size_t W = 1; W <= n / 2 && !time.resolved; ++W) {
    tau += correlation(W) / variance;
    largest = std::max(largest, tau);
    time.resolved = static_cast<double>(W) >= window_in_tau * largest;
  }
  time.tau = largest * measurements;
  return time;
}

ColdTime cold_time(const char* observable, std::span<const std::vector<double>> series, double measurements) {
  struct Centred {
    std::vector<double> values;
    double variance = 0.0;
  };
  std::vector<Centred> centred;
  const std::size_t n = series.front().size();
  const auto correlation = [n](const std::vector<double>& x, std::size_t t) {
    return std::inner_product(x.begin(), x.end() - static_cast<std::ptrdiff_t>(t),
                              x.begin() + static_cast<std::ptrdiff_t>(t), 0.0) /
           static_cast<double>(n - t);
  };
  for (const std::vector<double>& one : series) {
    if (!moves(one)) continue;
    const double mean = std::accumulate(one.begin(), one.end(), 0.0) / static_cast<double>(n);
    Centred& c = centred.emplace_back();
    for (const double x : one) c.values.push_back(x - mean);
    c.variance = correlation(c.values, 0);
  }
  ColdTime cold{observable, {0.5 * measurements, false}, 0.5 * measurements};
  if (centred.empty()) return cold;
  double sum = 0.5, largest = 0.5;
  for (std::size_t W = 1; W <= n / 2 && !cold.time.resolved; ++W) {
    double rho = 0.0;
    for (const Centred& c : centred) rho += correlation(c.values, W) / c.variance;
    sum += rho / static_cast<double>(centred.size());
    const auto width = static_cast<double>(2 * W + 1), rounds = static_cast<double>(n);
    largest = std::max(largest, sum * (1.0 + width / rounds));
    cold.time.resolved = static_cast<double>(W) >= window_in_tau * largest;
    cold.upper = largest * measurements * std::max(1.0, 0.25 + std::sqrt(2.0 * width / rounds));
  }
  cold.time.tau = largest * measurements;
  return cold;
}

std::vector<ColdTime> cold_times(std::span<const RoundRow> rounds, int slots, const ChainObservables& observables) {
  std::vector<ColdTime> times;
  const std::span<const RoundRow> used = rounds.subspan(rounds.size() / 8);
  if (used.size() < 2) return times;
  const RoundGroups groups(used);
  for (const ChainObservables::Named& named : observables.cold_timed()) {
    std::vector<std::vector<double>> series;
    for (int slot = 0; slot < coldest_slots(slots); ++slot) {
      const auto column = static_cast<std::size_t>(slot * observables.size() + named.observable);
      series.push_back(groups.series(&RoundRecord::mean, column));
    }
    times.push_back(cold_time(named.name, series, groups.measurements()));
  }
  return times;
}

const SeriesTimes::Entry& SeriesTimes::longest() const {
  return *std::max_element(entries.begin(), entries.end(),
                           [](const Entry& a, const Entry& b) { return a.time.tau < b.time.tau; });
}

WalkTime SeriesTimes::tau() const {
  return {longest().time.tau,
          std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.time.resolved; })};
}

bool has_independent_slots(std::span<const RoundRow> rounds, const ChainObservables& observables) {
  if (observables.timed().empty()) return false;
  return std::all_of(rounds.begin(), rounds.end(), [](const RoundRow& row) {
    const std::vector<std::uint64_t>& attempts = row.record.exchange_attempts;
    return std::all_of(attempts.begin(), attempts.end(), [](std::uint64_t n) { return n == 0; });
  });
}

SeriesTimes series_times(std::span<const RoundRow> rounds, int slots, const ChainObservables& observables) {
  SeriesTimes times;
  times.first_round = rounds.size() / 8;
  const std::span<const RoundRow> used = rounds.subspan(times.first_round);
  if (used.empty()) return times;
  const RoundGroups groups(used);
  for (const ChainObservables::Named& named : observables.timed()) {
    for (int slot = 0; slot < slots; ++slot) {
      const auto column = static_cast<std::size_t>(slot * observables.size() + named.observable);
      const std::vector<double> series = groups.series(&RoundRecord::mean, column);
      if (is_absent(named, series)) continue;
      times.entries.push_back({named.name, slot, centred_time(series, groups.measurements())});
    }
  }
  return times;
}

}}  // namespace glassworks::scheduler
