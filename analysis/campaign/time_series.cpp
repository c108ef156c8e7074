#include "analysis/campaign/time_series.hpp"

namespace glassworks {
namespace {

constexpr std::size_t most_slots = 9;

/// Both ends and up to seven more at equal distances.
std::vector<std::size_t> spread_slots(std::size_t slots) {
  const std::size_t n = std::min(slots, most_slots);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < n; ++i) chosen.push_back(n == 1 ? 0 : i * (slots - 1) / (n - 1));
  return chosen;
}

}  // namespace

SizeTimeSeries::SizeTimeSeries(const Config& config, const SizeRow& size)
    : size_(size), columns_(size.observables, config.model.dim) {
  const std::pair<const char*, std::size_t> quantities[] = {{"energy", columns_["energy"]},
                                                            {"|q|^2", columns_.modes("overlap_k", 0).front()},
                                                            {"|q_c|^2", columns_["chiral_zero"]}};
  for (const auto& [name, column] : quantities) {
    for (const std::size_t slot : spread_slots(size.temperatures.size())) {
      observed_.push_back({.observable = name, .column = column, .slot = slot, .series = {}});
    }
  }
}

void SizeTimeSeries::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  if (rounds.empty()) return;
  measurements_ = rounds.front().record.measurements;
  for (Observed& o : observed_) {
    TimeSeries series = round_series(rounds, columns_, o.slot, o.column, row.judgement.equilibration_rounds);
    if (series.size() >= 2) o.series.push_back(std::move(series));
  }
}

std::vector<ObservedAutocorrelation> SizeTimeSeries::analyze() const {
  std::vector<ObservedAutocorrelation> results;
  for (const Observed& o : observed_) {
    ObservedAutocorrelation& result = results.emplace_back();
    result.observable = o.observable;
    result.T = size_.temperatures[o.slot];
    result.measurements_of_round = measurements_;
    if (o.series.empty()) continue;
    result.gamma = gamma_method(o.series);
    result.binning = binning_method(o.series);
  }
  return results;
}

}  // namespace glassworks
