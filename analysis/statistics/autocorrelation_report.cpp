#include "analysis/statistics/autocorrelation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// At most `count` places of 0 .. size - 1, both ends among them.
std::vector<std::size_t> spread_over(std::size_t size, std::size_t count) {
  std::vector<std::size_t> places;
  const std::size_t n = std::min(size, count);
  for (std::size_t i = 0; i < n; ++i) places.push_back(n == 1 ? 0 : i * (size - 1) / (n - 1));
  return places;
}

/// Whether the rounds of a realization hold every measurement of some observables.
bool keeps_all(std::span<const RoundRow> rounds, const SizeRow& size,
               std::span<const std::pair<std::string, std::size_t>> observables) {
  const std::size_t values = size.samples.size() * size.temperatures.size();
  const bool sampled = std::ranges::all_of(observables, [&](const auto& observable) {
    return std::ranges::find(size.samples, observable.first) != size.samples.end();
  });
  return sampled && values > 0 && std::all_of(rounds.begin(), rounds.end(), [&](const RoundRow& row) {
           return row.record.samples_per_slot == row.record.measurements &&
                  row.record.samples.size() == values * static_cast<std::size_t>(row.record.samples_per_slot);
         });
}

std::string time_text(const Autocorrelation& x) {
  if (std::isnan(x.tau)) return "no fluctuations";
  return format_value(x.tau, x.tau_error) + (x.reliable ? "" : " (too short)");
}

}  // namespace

TauCollector::TauCollector(const SizeRow& size, const Columns& columns, std::span<const std::string> observables,
                           std::size_t slots)
    : size_(size), columns_(columns), slots_(spread_over(size.temperatures.size(), slots)) {
  for (const std::string& name : observables) {
    if (columns_.has(name)) observables_.emplace_back(name, columns_[name]);
  }
  series_.resize(observables_.size() * slots_.size());
}

RealizationVisitor TauCollector::visitor() {
  return [this](const RealizationRow& row, std::span<const RoundRow> rounds) -> Keep {
    std::vector<TimeSeries> series;
    const bool all = keeps_all(rounds, size_, observables_);
    for (const auto& [name, column] : observables_) {
      for (const std::size_t slot : slots_) {
        const std::uint32_t equilibration = row.judgement.equilibration_rounds;
        series.push_back(all ? sample_series(rounds, size_, slot, name, equilibration)
                             : round_series(rounds, columns_, slot, column, equilibration));
      }
    }
    const int measurements = all ? 1 : rounds.back().record.measurements;
    return [this, all, measurements, series = std::move(series)]() mutable {
      measurements_ = measurements;
      entries_ = all ? TauEntries::measurements : TauEntries::rounds;
      for (std::size_t i = 0; i < series.size(); ++i) series_[i].push_back(std::move(series[i]));
    };
  };
}

std::vector<ObservableTau> TauCollector::times() const {
  std::vector<ObservableTau> times;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const bool any =
        std::any_of(series_[i].begin(), series_[i].end(), [](const TimeSeries& x) { return x.size() > 1; });
    if (!any) continue;
    times.push_back({.observable = observables_[i / slots_.size()].first,
                     .L = size_.L,
                     .T = size_.temperatures[slots_[i % slots_.size()]],
                     .measurements = measurements_,
                     .gamma = gamma_method(series_[i]),
                     .binning = binning_method(series_[i]),
                     .entries = entries_});
  }
  return times;
}

Table tau_table(std::span<const ObservableTau> times) {
  Table table{.id = "autocorrelation",
              .title = "Integrated autocorrelation times",
              .caption =
                  "Of round means, pooled over realizations with their own means; 1/2 round: independent rounds. "
                  "In measurements they are upper bounds where they are about a round or less. Error: of the "
                  "thermal average over that of independent rounds, sqrt(2 tau). (too short): the histories are "
                  "shorter than 20 tau or show no window.",
              .rows = {{"L", "observable", "T", "Gamma method (rounds)", "binning (rounds)",
                        "Gamma method (measurements)", "error"}}};
  if (!times.empty() && times.front().entries == TauEntries::measurements) {
    table.caption =
        "Of single measurements, pooled over realizations with their own means; 1/2: independent measurements. Error: "
        "of the thermal average over that of independent measurements, sqrt(2 tau). (too short): the histories are "
        "shorter than 20 tau or show no window.";
    table.rows.front()[3] = "Gamma method";
    table.rows.front()[4] = "binning";
  }
  for (const ObservableTau& x : times) {
    table.rows.push_back(
        {fmt::format("{}", x.L), x.observable, fmt::format("{:.5g}", x.T), time_text(x.gamma), time_text(x.binning),
         std::isnan(x.gamma.tau) ? "-" : format_value(x.measurements * x.gamma.tau, x.measurements * x.gamma.tau_error),
         std::isnan(x.gamma.tau) ? "-" : fmt::format("{:.2f}", std::sqrt(2.0 * x.gamma.tau))});
  }
  return table;
}

Figure tau_figure(std::span<const ObservableTau> times, const std::string& observable, const std::string& label) {
  Figure figure{.id = "tau_" + observable,
                .title = "Integrated autocorrelation time of " + label,
                .caption =
                    "Of round means by the Γ method, pooled over realizations with their own means, in "
                    "measurements.",
                .x = {"T", false},
                .y = {"τ_{int}(" + label + ") [measurements]", true},
                .series = {},
                .guides = {}};
  if (!times.empty() && times.front().entries == TauEntries::measurements) {
    figure.caption = "Of single measurements by the Γ method, pooled over realizations with their own means.";
  }
  for (const ObservableTau& x : times) {
    if (x.observable != observable) continue;
    const std::string name = size_label(x.L);
    if (figure.series.empty() || figure.series.back().name != name) {
      figure.series.emplace_back();
      figure.series.back().name = name;
    }
    Series& series = figure.series.back();
    series.x.push_back(x.T);
    series.y.push_back(x.measurements * x.gamma.tau);
    series.y_error.push_back(x.measurements * x.gamma.tau_error);
  }
  return figure;
}

}}  // namespace glassworks::analysis
