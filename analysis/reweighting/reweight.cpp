#include "analysis/reweighting/reweight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "analysis/basics/value_format.hpp"
#include "analysis/reweighting/multi_histogram.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Neighbours whose lowest and highest samples are further apart than this in Delta beta Delta E have no connection
/// that the equations could use; their overlap is below 2 exp(-12/2) = 0.005 in any case.
constexpr double widest_gap = 12.0;

/// A ladder in pieces that are connected by their energies; the equations of each are solved by themselves.
class Solution {
 public:
  Solution(const JointSamples& samples, const SampledQuantities& quantities, Binning binning)
      : temperatures_(samples.temperatures), columns_(quantities.size()) {
    const std::size_t joint = std::accumulate(samples.count.begin(), samples.count.end(), std::size_t{0});
    const std::span<const float> values(samples.values);
    std::vector<double> energy(joint), beta;
    for (std::size_t i = 0; i < joint; ++i) {
      energy[i] = quantities.total_energy(values.subspan(i * quantities.sampled(), quantities.sampled()));
    }
    for (const double T : temperatures_) beta.push_back(1.0 / T);
    const std::vector<EnergyMoments> slots = energy_moments(energy, samples.count);

    overlap_.assign(temperatures_.size() - 1, 0.0);
    std::size_t first = 0, sample = 0;
    for (std::size_t k = 0; k < slots.size(); ++k) {
      if (k + 1 < slots.size() && (beta[k] - beta[k + 1]) * (slots[k + 1].lowest - slots[k].highest) <= widest_gap) {
        continue;
      }
      const auto add_piece = [&](std::size_t from, std::size_t size) {
        const std::span<const std::size_t> count = std::span(samples.count).subspan(from, size);
        const std::size_t n = std::accumulate(count.begin(), count.end(), std::size_t{0});
        const std::span<const EnergyMoments> moments = std::span(slots).subspan(from, size);
        pieces_.emplace_back(
            pool(std::span(energy).subspan(sample, n),
                 values.subspan(sample * quantities.sampled(), n * quantities.sampled()), quantities, moments, binning),
            std::span(beta).subspan(from, size), count, moments);
        piece_of_slot_.insert(piece_of_slot_.end(), size, pieces_.size() - 1);
        std::ranges::copy(pieces_.back().overlap(), overlap_.begin() + static_cast<std::ptrdiff_t>(from));
        sample += n;
      };
      try {
        add_piece(first, k + 1 - first);
      } catch (const NoSolution&) {  // every slot by itself, and nothing between them
        unsolved_ = true;
        for (std::size_t slot = first; slot <= k; ++slot) add_piece(slot, 1);
      }
      first = k + 1;
    }
  }

  [[nodiscard]] const std::vector<double>& overlap() const { return overlap_; }
  [[nodiscard]] bool unsolved() const { return unsolved_; }

  /// Effective joint samples; 0 and NaN where the temperature is refused.
  double average(const LadderPlace& place, double T, std::span<double> averages) const {
    if (!place.at_slot && overlap_[place.slot] < smallest_overlap) {
      std::ranges::fill(averages, nan);
      return 0.0;
    }
    return pieces_[piece_of_slot_[place.slot]].average(1.0 / T, averages);
  }

  /// Full minus reweighted averages at every slot [slot][column]; 0 in columns that are not in `full`.
  [[nodiscard]] std::vector<double> residuals(const SlotAverages& full, const SampledQuantities& quantities) const {
    std::vector<double> residuals(temperatures_.size() * columns_, 0.0), averages(columns_);
    for (std::size_t k = 0; k < temperatures_.size(); ++k) {
      average({k, true}, temperatures_[k], averages);
      for (std::size_t c = 0; c < full.columns.size(); ++c) {
        if (!quantities.has(full.columns[c])) continue;
        const std::size_t column = quantities[full.columns[c]];
        residuals[k * columns_ + column] = full.values[k * full.columns.size() + c] - averages[column];
      }
    }
    return residuals;
  }

 private:
  std::vector<double> temperatures_;
  std::size_t columns_;
  std::vector<MultiHistogram> pieces_;
  std::vector<std::size_t> piece_of_slot_;
  std::vector<double> overlap_;
  bool unsolved_ = false;
};

void check_same_ladder(const JointSamples& samples, const SlotAverages& full) {
  check(full);
  if (full.temperatures == samples.temperatures) return;
  throw std::runtime_error(
      "The samples and the slot averages are at different temperatures (data of different ladders). Check the campaign "
      "directory.");
}

}  // namespace

Reweighted reweight(const JointSamples& samples, const SampledQuantities& quantities,
                    std::span<const double> temperatures, const SlotAverages* full, Binning binning) {
  check(samples, quantities);
  if (full != nullptr) check_same_ladder(samples, *full);
  std::vector<LadderPlace> places;
  for (const double T : temperatures) places.push_back(place_in_ladder(samples.temperatures, T));

  const Solution solution(samples, quantities, binning);
  const std::size_t columns = quantities.size();
  Reweighted result;
  result.overlap = solution.overlap();
  result.unsolved = solution.unsolved();
  result.values.resize(temperatures.size() * columns);
  result.effective_samples.resize(temperatures.size());
  for (std::size_t t = 0; t < temperatures.size(); ++t) {
    result.effective_samples[t] =
        solution.average(places[t], temperatures[t], std::span(result.values).subspan(t * columns, columns));
  }
  if (full == nullptr) return result;

  const std::vector<double> residuals = solution.residuals(*full, quantities);
  for (std::size_t t = 0; t < temperatures.size(); ++t) {
    const std::size_t k = places[t].slot;
    const double beta = 1.0 / temperatures[t], left = 1.0 / samples.temperatures[k];
    const double part = places[t].at_slot ? 0.0 : (beta - left) / (1.0 / samples.temperatures[k + 1] - left);
    for (std::size_t c = 0; c < columns; ++c) {
      double& value = result.values[t * columns + c];
      value += (1.0 - part) * residuals[k * columns + c];
      if (part > 0.0) value += part * residuals[(k + 1) * columns + c];
    }
  }
  return result;
}

}}  // namespace glassworks::analysis
