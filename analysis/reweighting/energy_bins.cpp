#include "analysis/reweighting/energy_bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

constexpr double bins_per_deviation = 20.0;
constexpr std::size_t cells = 1024;  // of the table that maps energies to bins

/// Maps energies to bins whose width follows the local standard deviation: linear in each of equally wide cells.
class BinMap {
 public:
  /// deviations: (mean energy, standard deviation > 0) in order of energy; [lowest, highest]: range of the energies.
  BinMap(std::span<const std::pair<double, double>> deviations, double lowest, double highest)
      : lowest_(lowest), cells_per_energy_(static_cast<double>(cells) / (highest - lowest)) {
    const double width = 1.0 / cells_per_energy_;
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double E = lowest + (static_cast<double>(cell) + 0.5) * width;
      while (next < deviations.size() && deviations[next].first <= E) ++next;
      const auto& [right, right_deviation] = deviations[std::min(next, deviations.size() - 1)];
      const auto& [left, left_deviation] = deviations[next > 0 ? next - 1 : 0];
      const double part = right > left ? (E - left) / (right - left) : 0.0;
      const double deviation = left_deviation + part * (right_deviation - left_deviation);
      first_[cell + 1] = first_[cell] + bins_per_deviation * width / deviation;
    }
  }

  [[nodiscard]] double bins() const { return first_[cells] + 1.0; }
  [[nodiscard]] std::size_t operator()(double energy) const {
    const double position = (energy - lowest_) * cells_per_energy_;
    const std::size_t cell = std::min(static_cast<std::size_t>(position), cells - 1);
    return static_cast<std::size_t>(first_[cell] +
                                    (position - static_cast<double>(cell)) * (first_[cell + 1] - first_[cell]));
  }

 private:
  double lowest_, cells_per_energy_;
  std::vector<double> first_ = std::vector<double>(cells + 1, 0.0);  ///< bins below each cell
};

/// bin of each sample.
std::vector<std::size_t> bins_of(std::span<const double> energy, std::span<const EnergyMoments> slots,
                                 Binning binning) {
  std::vector<std::size_t> bin(energy.size(), 0);
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  std::vector<std::pair<double, double>> deviations;
  for (const EnergyMoments& slot : slots) {
    lowest = std::min(lowest, slot.lowest);
    highest = std::max(highest, slot.highest);
    if (slot.deviation > 0.0) deviations.emplace_back(slot.mean, slot.deviation);
  }
  std::sort(deviations.begin(), deviations.end());
  if (binning == Binning::fine && !deviations.empty()) {
    const BinMap map(deviations, lowest, highest);
    if (map.bins() <= static_cast<double>(energy.size())) {
      std::transform(energy.begin(), energy.end(), bin.begin(), map);
      return bin;
    }
  }
  std::vector<std::size_t> order(energy.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return energy[a] < energy[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) bin[order[i]] = i;
  return bin;
}

}  // namespace

std::vector<EnergyMoments> energy_moments(std::span<const double> energy, std::span<const std::size_t> count) {
  std::vector<EnergyMoments> slots;
  std::size_t first = 0;
  for (const std::size_t n : count) {
    const std::span<const double> part = energy.subspan(first, n);
    EnergyMoments slot;
    slot.mean = std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(n);
    double squares = 0.0;
    for (const double E : part) squares += (E - slot.mean) * (E - slot.mean);
    if (n > 1) slot.deviation = std::sqrt(squares / static_cast<double>(n - 1));
    const auto [low, high] = std::minmax_element(part.begin(), part.end());
    slot.lowest = *low;
    slot.highest = *high;
    // Equal energies differ from their mean by rounding only.
    if (!(slot.highest > slot.lowest)) slot.mean = slot.lowest, slot.deviation = 0.0;
    slots.push_back(slot);
    first += n;
  }
  return slots;
}

EnergyBins pool(std::span<const double> energy, std::span<const float> values, const SampledQuantities& quantities,
                std::span<const EnergyMoments> slots, Binning binning) {
  const std::vector<std::size_t> bin = bins_of(energy, slots, binning);
  std::vector<std::size_t> place(*std::max_element(bin.begin(), bin.end()) + 1, 0);
  for (const std::size_t b : bin) place[b] = 1;
  std::size_t used = 0;
  for (std::size_t& p : place) p = p > 0 ? used++ : 0;

  EnergyBins bins;
  bins.columns = quantities.size();
  bins.origin = slots[slots.size() / 2].mean;
  bins.count.assign(used, 0.0);
  bins.energy.assign(used, 0.0);
  bins.sums.assign(used * bins.columns, 0.0);
  for (std::size_t i = 0; i < energy.size(); ++i) {
    const std::size_t b = place[bin[i]];
    bins.count[b] += 1.0;
    bins.energy[b] += energy[i] - bins.origin;
    quantities.add_to(std::span(bins.sums).subspan(b * bins.columns, bins.columns),
                      values.subspan(i * quantities.sampled(), quantities.sampled()));
  }
  for (std::size_t b = 0; b < used; ++b) bins.energy[b] /= bins.count[b];
  return bins;
}

}}  // namespace glassworks::analysis
