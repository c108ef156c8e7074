#include "analysis/reweighting/reweighted_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

struct Spread {
  double smallest, median;
};

/// Of column `c` of rows of length `columns`. The median of an even number is the mean of the middle two.
Spread spread_of(std::span<const double> rows, std::size_t columns, std::size_t c) {
  std::vector<double> x;
  for (std::size_t i = c; i < rows.size(); i += columns) x.push_back(rows[i]);
  std::sort(x.begin(), x.end());
  return {x.front(), 0.5 * (x[(x.size() - 1) / 2] + x[x.size() / 2])};
}

}  // namespace

ReweightedEnsemble::ReweightedEnsemble(int L, SampledQuantities quantities, std::vector<double> ladder,
                                       std::vector<double> temperatures, std::vector<std::uint32_t> realizations)
    : L_(L),
      quantities_(std::move(quantities)),
      ladder_(std::move(ladder)),
      temperatures_(std::move(temperatures)),
      realizations_(std::move(realizations)),
      values_(realizations_.size() * temperatures_.size() * quantities_.size()),
      effective_samples_(realizations_.size() * temperatures_.size()),
      overlap_(ladder_.empty() ? 0 : realizations_.size() * (ladder_.size() - 1)),
      added_(realizations_.size(), 0),
      unsolved_(realizations_.size(), 0) {
  if (ladder_.empty() || temperatures_.empty() || realizations_.empty()) {
    throw std::runtime_error(fmt::format(
        "Nothing of L = {} can be reweighted (no temperature or no realization). Give at least one of each.", L_));
  }
  for (const double T : temperatures_) (void)place_in_ladder(ladder_, T);
}

void ReweightedEnsemble::add(std::size_t index, const JointSamples& samples, const SlotAverages* full) {
  const std::string where = fmt::format("L = {}, realization {}: ", L_, realizations_.at(index));
  if (samples.temperatures != ladder_) {
    throw std::runtime_error(
        where + "the samples are at other temperatures than the ladder (foreign data). Check the campaign directory.");
  }
  Reweighted reweighted;
  try {
    reweighted = reweight(samples, quantities_, temperatures_, full);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(where + error.what());
  }
  const auto copy = [index](const std::vector<double>& row, std::vector<double>& table) {
    std::copy(row.begin(), row.end(), table.begin() + static_cast<std::ptrdiff_t>(index * row.size()));
  };
  copy(reweighted.values, values_);
  copy(reweighted.effective_samples, effective_samples_);
  copy(reweighted.overlap, overlap_);
  unsolved_[index] = reweighted.unsolved ? 1 : 0;
  added_[index] = 1;
}

void ReweightedEnsemble::check_complete() const {
  if (std::find(added_.begin(), added_.end(), 0) != added_.end()) {
    throw std::logic_error("ReweightedEnsemble: a realization was not added");
  }
}

Ensemble ReweightedEnsemble::ensemble() const {
  check_complete();
  const std::size_t columns = quantities_.size(), all = temperatures_.size();
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < all; ++t) {
    if (spread_of(effective_samples_, all, t).smallest > 0.0) kept.push_back(t);
  }
  if (kept.empty()) {
    throw std::runtime_error(fmt::format(
        "L = {} cannot be reweighted to any of the temperatures (energies of neighbouring slots overlap too little). "
        "Use the slot averages, or a ladder with more temperatures.",
        L_));
  }
  Ensemble ensemble = {L_, {}, quantities_.names(), realizations_, {}};
  for (const std::size_t t : kept) ensemble.temperatures.push_back(temperatures_[t]);
  ensemble.values.reserve(realizations_.size() * kept.size() * columns);
  for (std::size_t r = 0; r < realizations_.size(); ++r) {
    for (const std::size_t t : kept) {
      const auto first = values_.begin() + static_cast<std::ptrdiff_t>((r * all + t) * columns);
      ensemble.values.insert(ensemble.values.end(), first, first + static_cast<std::ptrdiff_t>(columns));
    }
  }
  return ensemble;
}

ReweightingSummary ReweightedEnsemble::summary() const {
  check_complete();
  ReweightingSummary summary;
  summary.L = L_;
  summary.realizations = realizations_.size();
  summary.temperatures = temperatures_;
  summary.ladder = ladder_;
  summary.unsolved = static_cast<std::size_t>(std::count(unsolved_.begin(), unsolved_.end(), 1));
  const std::size_t all = temperatures_.size(), pairs = ladder_.size() - 1;
  for (std::size_t t = 0; t < all; ++t) {
    const Spread samples = spread_of(effective_samples_, all, t);
    summary.smallest_samples.push_back(samples.smallest);
    summary.median_samples.push_back(samples.median);
    std::size_t flagged = 0;
    for (std::size_t r = 0; r < realizations_.size(); ++r) {
      if (effective_samples_[r * all + t] < fewest_effective_samples) ++flagged;
    }
    summary.flagged.push_back(flagged);
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    const Spread overlap = spread_of(overlap_, pairs, k);
    summary.smallest_overlap.push_back(overlap.smallest);
    summary.median_overlap.push_back(overlap.median);
    if (overlap.smallest >= smallest_overlap) continue;
    RefusedRange range = {ladder_[k], ladder_[k + 1], 0, overlap.smallest};
    for (std::size_t r = 0; r < realizations_.size(); ++r) {
      if (overlap_[r * pairs + k] < smallest_overlap) ++range.realizations;
    }
    summary.refused.push_back(range);
  }
  return summary;
}

}}  // namespace glassworks::analysis
