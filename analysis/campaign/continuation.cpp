#include "analysis/campaign/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks {

SlotAverages slot_averages(const Columns& columns, std::vector<double> temperatures, std::span<const double> mean,
                           std::span<const std::string> quantities) {
  SlotAverages averages{.temperatures = std::move(temperatures), .columns = {}, .values = {}};
  std::vector<std::vector<std::size_t>> sources;
  for (const std::string& quantity : quantities) {
    std::vector<std::size_t> source = columns_of_sample(columns, quantity);
    if (source.empty()) continue;
    averages.columns.push_back(quantity);
    sources.push_back(std::move(source));
  }
  for (std::size_t slot = 0; slot < averages.temperatures.size(); ++slot) {
    for (const std::vector<std::size_t>& source : sources) {
      double sum = 0.0;
      for (const std::size_t column : source) sum += mean[slot * columns.size() + column];
      averages.values.push_back(sum / static_cast<double>(source.size()));
    }
  }
  return averages;
}

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

void SizeReweighting::add(const RealizationRow& row, std::span<const RoundRow> rounds,
                          const RealizationSummary& summary) {
  const auto place = std::lower_bound(realizations_.begin(), realizations_.end(), row.key.realization);
  if (place == realizations_.end() || *place != row.key.realization) return;
  const RoundRange used =
      equilibrated_part(static_cast<std::uint32_t>(rounds.size()), row.judgement.equilibration_rounds);
  std::vector<StoredSamples> stored;
  for (const RoundRow& round : rounds.subspan(used.first, used.last - used.first)) {
    stored.push_back({round.record.samples, static_cast<std::size_t>(round.record.samples_per_slot)});
  }
  const JointSamples samples = gather(size_.temperatures, quantities_, stored);
  if (samples.values.empty()) return;
  const SlotAverages full = slot_averages(columns_, size_.temperatures, summary.mean, quantities_.names());
  reweighted_->add(static_cast<std::size_t>(place - realizations_.begin()), samples, &full);
  ++added_;
}

Ensemble SizeReweighting::ensemble() const { return reweighted_->ensemble(); }

std::optional<ReweightingSummary> SizeReweighting::summary() const {
  if (added_ != realizations_.size()) return std::nullopt;
  return reweighted_->summary();
}

std::string SizeReweighting::problem() const {
  if (added_ != realizations_.size()) {
    return fmt::format(
        "L = {}: {} of {} realizations hold no samples of single measurements, so curves between the temperatures of "
        "the ladder are interpolated, not reweighted.",
        size_.L, realizations_.size() - added_, realizations_.size());
  }
  const std::vector<RefusedRange> refused = reweighted_->summary().refused;
  if (refused.empty()) return {};
  return fmt::format(
      "L = {}: the energies of neighbouring temperatures hardly overlap (first between T = {:.5g} and {:.5g}), so "
      "curves "
      "between the temperatures of the ladder are interpolated, not reweighted; a ladder with more temperatures, or "
      "more "
      "samples (round.samples), would make it possible.",
      size_.L, refused.front().lowest, refused.front().highest);
}

}  // namespace glassworks
