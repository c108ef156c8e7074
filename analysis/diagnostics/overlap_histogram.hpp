#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"

namespace glassworks { inline namespace analysis {

/// Probability density of one quantity, averaged over disorder.
struct Density {
  double low = 0.0, width = 0.0;  ///< bin i is [low + i width, low + (i + 1) width)
  std::vector<Estimate> value;    ///< [bin]; errors from the spread over realizations

  [[nodiscard]] double centre(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width; }
};

/// Whether a quantity has a sign.
enum class SampleSign { positive, either };

/// Whether P(q) and P(-q) are shown as one.
enum class Symmetry { as_sampled, imposed };

/// Distribution P(q) = [P_J(q)]_J of a number |q| <= 1 that is sampled in every realization, each realization with the
/// same weight. Samples of a realization are counted in narrow bins up to the power of 1/2 that holds them all, so that
/// the distributions of large systems, which lie close to zero, are resolved as well; the density shown merges bins.
class OverlapHistogram {
 public:
  /// A sample that rounding has put beyond 1 counts in the last bin on its side.
  explicit OverlapHistogram(SampleSign sign) : sign_(sign) {}

  void add(std::uint32_t realization, std::span<const double> samples);
  void merge(OverlapHistogram&& other) { counts_.merge(other.counts_); }

  [[nodiscard]] std::size_t realizations() const { return counts_.size(); }
  /// From zero, or symmetric about zero where there is a sign, to the sample that is farthest away, in at most `bins`
  /// bins. With an imposed symmetry (P(q) + P(-q))/2 of every realization takes the place of P(q).
  [[nodiscard]] Density density(std::size_t bins, Symmetry symmetry = Symmetry::as_sampled) const;

 private:
  static constexpr int bins_per_side = 256;
  struct Counts {
    int halvings = 0;                   ///< the range is +- 2^-halvings
    std::vector<std::uint32_t> narrow;  ///< of negative samples, where there is a sign, then of positive ones
  };
  [[nodiscard]] int sides() const { return sign_ == SampleSign::either ? 2 : 1; }
  /// Index of the narrow bin 0, that of [0, width).
  [[nodiscard]] int zero() const { return (sides() - 1) * bins_per_side; }

  SampleSign sign_;
  std::map<std::uint32_t, Counts> counts_;  ///< by realization
};

}}  // namespace glassworks::analysis
