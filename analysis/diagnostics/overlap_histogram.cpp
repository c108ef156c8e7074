#include "analysis/diagnostics/overlap_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

constexpr int most_halvings = 40;

}  // namespace

void OverlapHistogram::add(std::uint32_t realization, std::span<const double> samples) {
  if (samples.empty()) return;
  double largest = 0.0;
  for (const double x : samples) largest = std::max(largest, std::abs(x));
  Counts counts;
  while (counts.halvings < most_halvings && largest < std::ldexp(1.0, -counts.halvings - 1)) ++counts.halvings;
  counts.narrow.assign(static_cast<std::size_t>(sides() * bins_per_side), 0);
  for (const double x : samples) {
    const double place = std::floor(std::ldexp(x, counts.halvings) * bins_per_side);
    const int bin = static_cast<int>(std::clamp<double>(place, -zero(), bins_per_side - 1));
    ++counts.narrow[static_cast<std::size_t>(zero() + bin)];
  }
  counts_.insert_or_assign(realization, std::move(counts));
}

Density OverlapHistogram::density(std::size_t bins, Symmetry symmetry) const {
  int halvings = most_halvings;  // of the widest range
  for (const auto& [realization, counts] : counts_) halvings = std::min(halvings, counts.halvings);
  // Bin i = floor(x / width) of a range is bin i >> n of one that is 2^n times as wide.
  const auto coarse = [&](const Counts& counts, std::size_t place) {
    return (static_cast<int>(place) - zero()) >> (counts.halvings - halvings);
  };
  int extent = 1;  // narrow bins on each side of zero that hold samples
  for (const auto& [realization, counts] : counts_) {
    for (std::size_t place = 0; place < counts.narrow.size(); ++place) {
      const int bin = coarse(counts, place);
      if (counts.narrow[place] > 0) extent = std::max(extent, bin >= 0 ? bin + 1 : -bin);
    }
  }
  const int per_side = std::max(1, static_cast<int>(bins) / sides());
  const int merged = (extent + per_side - 1) / per_side, shown = (extent + merged - 1) / merged;
  const int first = (1 - sides()) * shown;  // bin shown that begins the density, counted from zero

  Density density;
  density.width = std::ldexp(static_cast<double>(merged) / bins_per_side, -halvings);
  density.low = density.width * first;
  std::vector<std::vector<double>> values(static_cast<std::size_t>(sides() * shown));  // [bin][realization]
  for (const auto& [realization, counts] : counts_) {
    const double all = std::accumulate(counts.narrow.begin(), counts.narrow.end(), 0.0);
    for (std::vector<double>& of_bin : values) of_bin.push_back(0.0);
    for (std::size_t place = 0; place < counts.narrow.size(); ++place) {
      if (counts.narrow[place] == 0) continue;
      const int bin = coarse(counts, place);
      const int bin_shown = bin >= 0 ? bin / merged : -((-bin - 1) / merged) - 1;
      values[static_cast<std::size_t>(bin_shown - first)].back() += counts.narrow[place] / (all * density.width);
    }
  }
  for (std::size_t i = 0, k = values.size(); symmetry == Symmetry::imposed && sides() == 2 && i < --k; ++i) {
    for (std::size_t r = 0; r < values[i].size(); ++r)
      values[i][r] = values[k][r] = 0.5 * (values[i][r] + values[k][r]);
  }
  for (const std::vector<double>& of_bin : values) density.value.push_back(mean_over_realizations(of_bin));
  return density;
}

}}  // namespace glassworks::analysis
