#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/jackknife.hpp"

namespace glassworks {

/// Probability density of one quantity, averaged over disorder.
struct Density {
  double low = 0.0, width = 0.0;  ///< bin i is [low + i width, low + (i + 1) width)
  std::vector<Estimate> value;    ///< [bin]; errors from the spread over realizations

  [[nodiscard]] double centre(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width; }
};

/// Distribution P(q) = [P_J(q)]_J of a number that is sampled in every realization, each realization with the same
/// weight. Samples are counted in narrow bins, of which the density shown merges several.
class OverlapHistogram {
 public:
  /// Samples lie in [low, high]; one that rounding has put outside counts in the last bin on its side.
  OverlapHistogram(double low, double high) : low_(low), high_(high) {}

  void add(std::uint32_t realization, std::span<const double> samples);
  void merge(OverlapHistogram&& other) { counts_.merge(other.counts_); }

  [[nodiscard]] std::size_t realizations() const { return counts_.size(); }
  /// From zero, or symmetric about zero where low < 0, to the sample that is farthest away, in at most `bins` bins.
  [[nodiscard]] Density density(std::size_t bins) const;

 private:
  static constexpr std::size_t narrow_bins = 480;
  [[nodiscard]] std::size_t bin_of(double x) const;

  double low_, high_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> counts_;  ///< by realization [narrow bin]
};

}  // namespace glassworks
