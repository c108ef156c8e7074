#include "analysis/diagnostics/overlap_histogram.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glassworks {

std::size_t OverlapHistogram::bin_of(double x) const {
  const double place = (x - low_) / (high_ - low_) * static_cast<double>(narrow_bins);
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(narrow_bins) - 0.5));
}

void OverlapHistogram::add(std::uint32_t realization, std::span<const double> samples) {
  if (samples.empty()) return;
  std::vector<std::uint32_t> counts(narrow_bins, 0);
  for (const double x : samples) ++counts[bin_of(x)];
  counts_.insert_or_assign(realization, std::move(counts));
}

Density OverlapHistogram::density(std::size_t bins) const {
  const bool both_sides = low_ < 0.0;
  const std::size_t zero = both_sides ? narrow_bins / 2 : 0;
  std::size_t extent = 1;  // narrow bins on each side of zero that hold samples
  for (const auto& [realization, counts] : counts_) {
    for (std::size_t bin = 0; bin < narrow_bins; ++bin) {
      if (counts[bin] > 0) extent = std::max(extent, bin >= zero ? bin - zero + 1 : zero - bin);
    }
  }
  const std::size_t per_side = std::max<std::size_t>(1, both_sides ? bins / 2 : bins);
  const std::size_t merged = (extent + per_side - 1) / per_side, shown = (extent + merged - 1) / merged;
  const double narrow = (high_ - low_) / static_cast<double>(narrow_bins);

  Density density;
  density.width = narrow * static_cast<double>(merged);
  density.low = both_sides ? -density.width * static_cast<double>(shown) : 0.0;
  const auto first = static_cast<std::ptrdiff_t>(zero) -
                     (both_sides ? static_cast<std::ptrdiff_t>(shown * merged) : std::ptrdiff_t{0});
  std::vector<double> of_realization;
  for (std::size_t bin = 0; bin < (both_sides ? 2 : 1) * shown; ++bin) {
    of_realization.clear();
    // The outermost bins may reach beyond the range, where nothing is.
    const std::ptrdiff_t begin = first + static_cast<std::ptrdiff_t>(bin * merged);
    const auto clamped = [](std::ptrdiff_t i) { return std::clamp<std::ptrdiff_t>(i, 0, narrow_bins); };
    for (const auto& [realization, counts] : counts_) {
      const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
      const double here = std::accumulate(counts.begin() + clamped(begin),
                                          counts.begin() + clamped(begin + static_cast<std::ptrdiff_t>(merged)), 0.0);
      of_realization.push_back(here / (all * density.width));
    }
    density.value.push_back(mean_over_realizations(of_realization));
  }
  return density;
}

}  // namespace glassworks
