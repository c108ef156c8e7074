#include "scheduler/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks {
namespace {

using Series = std::vector<std::vector<double>>;  // [round][slot]

struct Range {
  std::size_t first, last;
  [[nodiscard]] double size() const { return static_cast<double>(last - first); }
};

double mean(const Series& series, std::size_t slot, Range range) {
  double sum = 0.0;
  for (std::size_t r = range.first; r < range.last; ++r) sum += series[r][slot];
  return sum / range.size();
}

/// Unbiased variance of the round means in a range.
double variance(const Series& series, std::size_t slot, Range range) {
  const double m = mean(series, slot, range);
  double sum = 0.0;
  for (std::size_t r = range.first; r < range.last; ++r) sum += (series[r][slot] - m) * (series[r][slot] - m);
  return sum / (range.size() - 1.0);
}

void compare(const Series& series, const char* name, LogBinningTest& test) {
  const std::size_t n = series.size();
  const Range bins[3] = {{n / 2, n}, {n / 4, n / 2}, {n / 8, n / 4}};
  for (std::size_t slot = 0; slot < series.front().size(); ++slot) {
    const double scatter = variance(series, slot, bins[0]);
    for (int k = 0; k < 2; ++k) {
      const double difference = std::fabs(mean(series, slot, bins[k]) - mean(series, slot, bins[k + 1]));
      const double error = std::sqrt(scatter * (1.0 / bins[k].size() + 1.0 / bins[k + 1].size()));
      const double deviation = difference == 0.0 ? 0.0 : difference / error;
      if (deviation > test.worst_deviation) {
        test.worst_deviation = deviation;
        test.worst_slot = static_cast<int>(slot);
        test.worst_observable = name;
      }
    }
  }
}

}  // namespace

bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds) {
  const auto last = static_cast<std::uint32_t>(config.max_rounds);
  if (rounds >= last) return true;
  auto due = static_cast<std::uint32_t>(config.min_rounds);
  while (due < rounds) due += std::max(1U, due / 4);
  return due == rounds;
}

LogBinningTest log_binning(const Series& energy, const Series& overlap) {
  LogBinningTest test;
  if (energy.size() < 8) return test;
  test.possible = true;
  compare(energy, "energy", test);
  compare(overlap, "|q|^2", test);
  return test;
}

Decision decide(const ConvergenceConfig& config, const std::vector<RoundRow>& rounds, int slots,
                const ObservableLayout& layout, std::uint64_t round_trips) {
  const auto column = [&](int observable) {
    Series series;
    for (const RoundRow& row : rounds) {
      std::vector<double>& values = series.emplace_back();
      for (int slot = 0; slot < slots; ++slot) {
        values.push_back(row.record.mean[static_cast<std::size_t>(slot * layout.size() + observable)]);
      }
    }
    return series;
  };
  const LogBinningTest test = log_binning(column(ObservableLayout::energy), column(layout.overlap_mode(0)));
  const bool agrees = test.possible && test.worst_deviation <= log_binning_limit;
  const bool walks = slots == 1 || round_trips >= static_cast<std::uint64_t>(config.min_round_trips);

  std::string reason = !test.possible ? fmt::format("{} rounds are too few for log-binning (8 needed)", rounds.size())
                                      : fmt::format("log-binning: worst deviation {:.1f} standard errors ({}, slot {})",
                                                    test.worst_deviation, test.worst_observable, test.worst_slot);
  if (slots > 1) reason += fmt::format("; {} of {} round trips", round_trips, config.min_round_trips);

  if (agrees && walks) return {RealizationStatus::converged, reason};
  if (rounds.size() >= static_cast<std::size_t>(config.max_rounds)) {
    return {RealizationStatus::failed, fmt::format("maximum of {} rounds reached; {}", config.max_rounds, reason)};
  }
  return {agrees ? RealizationStatus::producing : RealizationStatus::equilibrating, reason};
}

}  // namespace glassworks
