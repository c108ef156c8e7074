#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/statistics/ensemble.hpp"

namespace glassworks::inline analysis {

enum class ResamplingKind { jackknife, bootstrap };

struct Resampling {
  ResamplingKind kind = ResamplingKind::jackknife;
  /// Jackknife: blocks, at most (and if there are fewer, exactly) one for each realization. Bootstrap: drawn sets.
  int samples = 200;
  std::uint64_t seed = 1;  ///< of the bootstrap; the sets of a size are a function of (seed, L)
};

/// Limits of blocks of consecutive realizations whose sizes differ by one at most: block b holds [limits[b],
/// limits[b + 1]).
[[nodiscard]] std::vector<std::size_t> block_limits(std::size_t realizations, std::size_t blocks);

/// Disorder averages at every temperature, over all realizations and over resampled sets of them. Sample s leaves out
/// the s-th block of realizations (jackknife; blocks of consecutive realizations whose sizes differ by one at most), or
/// averages over as many realizations drawn with replacement (bootstrap). All temperatures and columns share the sets,
/// so that every covariance between them is kept.
class ResampledAverages {
 public:
  /// Throws std::invalid_argument for an ensemble without a realization or of inconsistent shape, and for fewer than
  /// two samples. Where a value is NaN, so are all averages of its column at its temperature.
  ResampledAverages(const Ensemble& ensemble, const Resampling& resampling);

  /// 0 with one realization: there is nothing to resample.
  [[nodiscard]] std::size_t samples() const { return samples_; }
  /// cov(x, y) = spread / samples * sum_s (x_s - xbar)(y_s - ybar): samples - 1 for the jackknife,
  /// samples / (samples - 1) for the bootstrap. NaN with one realization.
  [[nodiscard]] double spread() const { return spread_; }
  /// Over all realizations [column].
  [[nodiscard]] std::span<const double> whole(std::size_t temperature) const;
  /// Over the realizations of sample s [column].
  [[nodiscard]] std::span<const double> sample(std::size_t s, std::size_t temperature) const;

 private:
  std::size_t temperatures_, columns_, samples_;
  double spread_;
  std::vector<double> whole_;    ///< [temperature][column]
  std::vector<double> sampled_;  ///< [sample][temperature][column]
};

/// How errors over so many realizations are made, in a sentence for people; with one realization, that there are none.
[[nodiscard]] std::string describe(const Resampling& resampling, std::size_t realizations);

}  // namespace glassworks::inline analysis
