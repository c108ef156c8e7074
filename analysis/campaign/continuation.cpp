#include "analysis/campaign/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace analysis {

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
      columns_(config, size),
      quantities_(config, size),
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
  try {
    reweighted_->add(static_cast<std::size_t>(place - realizations_.begin()), samples, &full);
    ++added_;
  } catch (const std::runtime_error& error) {
    const std::lock_guard lock(mutex_);
    failures_.emplace(row.key.realization, error.what());
  }
}

Ensemble SizeReweighting::ensemble() const { return reweighted_->ensemble(); }

std::optional<ReweightingSummary> SizeReweighting::summary() const {
  if (added_ != realizations_.size()) return std::nullopt;
  return reweighted_->summary();
}

std::string SizeReweighting::problem(const std::string& consequence) const {
  if (!failures_.empty()) {
    return fmt::format("L = {}: {} of {} realizations cannot be reweighted, so {}. The first: {}", size_.L,
                       failures_.size(), realizations_.size(), consequence, failures_.begin()->second);
  }
  if (added_ != realizations_.size()) {
    return fmt::format("L = {}: {} of {} realizations hold no samples of single measurements, so {}.", size_.L,
                       realizations_.size() - added_, realizations_.size(), consequence);
  }
  const ReweightingSummary summary = reweighted_->summary();
  if (summary.refused.empty()) return {};
  const RefusedRange& first = summary.refused.front();
  if (summary.unsolved > 0) {
    return fmt::format(
        "L = {}: the multi-histogram equations of {} of {} realizations have no solution (energies of neighbouring "
        "temperatures hardly overlap, or are not in equilibrium; first between T = {:.5g} and {:.5g}), so {}.",
        size_.L, summary.unsolved, summary.realizations, first.lowest, first.highest, consequence);
  }
  return fmt::format(
      "L = {}: the energies of neighbouring temperatures hardly overlap (first between T = {:.5g} and {:.5g}, in {} of "
      "{} realizations), so {}; a campaign with more temperatures, or more samples (round.samples), would change that.",
      size_.L, first.lowest, first.highest, first.realizations, summary.realizations, consequence);
}

}}  // namespace glassworks::analysis
