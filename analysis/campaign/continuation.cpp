#include "analysis/campaign/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks {

std::vector<double> common_grid(const std::vector<SizeRow>& sizes, int count) {
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  for (const SizeRow& size : sizes) {
    low = std::max(low, size.temperatures.front());
    high = std::min(high, size.temperatures.back());
  }
  if (count < 2 || !(low < high) || !std::isfinite(high)) return {};
  std::vector<double> grid;
  for (int i = 0; i < count; ++i) grid.push_back(low * std::pow(high / low, static_cast<double>(i) / (count - 1)));
  grid.front() = low;
  grid.back() = high;
  return grid;
}

SizeReweighting::SizeReweighting(const Config& config, const SizeRow& size, std::vector<double> temperatures,
                                 std::vector<std::uint32_t> realizations)
    : size_(size),
      columns_(size.observables, config.model.dim),
      quantities_(size.samples, std::pow(size.L, config.model.dim)),
      realizations_(std::move(realizations)),
      reweighted_(std::make_unique<ReweightedEnsemble>(size.L, quantities_, size.temperatures, std::move(temperatures),
                                                       realizations_)) {}

void SizeReweighting::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  const auto place = std::lower_bound(realizations_.begin(), realizations_.end(), row.key.realization);
  if (place == realizations_.end() || *place != row.key.realization) return;
  const RoundRange used =
      equilibrated_part(static_cast<std::uint32_t>(rounds.size()), row.judgement.equilibration_rounds);
  std::vector<StoredSamples> stored;
  for (const RoundRow& round : rounds.subspan(used.first, used.last - used.first)) {
    stored.push_back({round.record.samples, static_cast<std::size_t>(round.record.samples_per_slot)});
  }
  const JointSamples samples = gather(size_.temperatures, quantities_, stored);
  if (samples.values.empty()) {
    ++without_samples_;
    return;
  }
  SlotAverages full{.temperatures = size_.temperatures, .columns = column_names(columns_), .values = {}};
  full.values =
      summarize(row.key, rounds, columns_, size_.temperatures.size(), row.judgement.equilibration_rounds).mean;
  reweighted_->add(static_cast<std::size_t>(place - realizations_.begin()), samples, &full);
  ++added_;
}

std::optional<Ensemble> SizeReweighting::ensemble() const {
  if (added_ != realizations_.size()) return std::nullopt;
  return reweighted_->ensemble();
}

std::optional<ReweightingSummary> SizeReweighting::summary() const {
  if (added_ != realizations_.size()) return std::nullopt;
  return reweighted_->summary();
}

std::string SizeReweighting::problem() const {
  if (without_samples_ == 0) return {};
  return fmt::format(
      "L = {}: {} of {} realizations hold no samples of single measurements, so curves between the temperatures of the "
      "ladder are interpolated, not reweighted.",
      size_.L, without_samples_.load(), realizations_.size());
}

}  // namespace glassworks
