#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/jackknife.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks {

/// Probability density of one quantity, averaged over disorder.
struct Density {
  double low = 0.0, width = 0.0;  ///< bin i is [low + i width, low + (i + 1) width)
  std::vector<Estimate> value;    ///< [bin]; errors from the spread over realizations
};

/// Distribution of a number that is sampled in each realization, averaged over realizations with equal weight,
/// P(q) = [P_J(q)]. Samples are counted in narrow bins; what is shown merges them.
class OverlapHistogram {
 public:
  /// Samples lie in [low, high]; what is a rounding error outside counts in the last bin on its side.
  OverlapHistogram(double low, double high);

  /// Counts of one realization.
  using Counts = std::vector<std::uint32_t>;
  [[nodiscard]] Counts count(std::span<const float> samples) const;
  void add(std::uint32_t realization, std::span<const float> samples);
  void merge(OverlapHistogram&& other) { counts_.merge(other.counts_); }

  [[nodiscard]] std::size_t realizations() const { return counts_.size(); }
  /// In at most `bins` bins of equal width between low (or, trimmed, 0 where low is 0) and the largest sample.
  [[nodiscard]] Density density(int bins) const;

 private:
  static constexpr std::size_t narrow_bins = 480;
  double low_, high_;
  std::map<std::uint32_t, Counts> counts_;  ///< by realization
};

}  // namespace glassworks
