#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/statistics/ensemble.hpp"

namespace glassworks { inline namespace analysis {

enum class ResamplingKind { jackknife, bootstrap };

struct Resampling {
  ResamplingKind kind = ResamplingKind::jackknife;
  /// Jackknife: blocks, at most (and if there are fewer, exactly) one for each realization. Bootstrap: drawn sets.
  int samples = 200;
  std::uint64_t seed = 1;  ///< of the bootstrap; the sets of a size are a function of (seed, L)
  /// Realizations of one quotient realization / group are left out, or drawn, together; 1: each on its own.
  std::uint32_t group = 1;
};

/// Limits of blocks of consecutive realizations whose sizes differ by one at most: block b holds [limits[b],
/// limits[b + 1]).
[[nodiscard]] std::vector<std::size_t> block_limits(std::size_t realizations, std::size_t blocks);

/// Limits of the groups of realizations with equal quotient id / group: group g holds [limits[g], limits[g + 1]).
///
/// realizations  ids, ascending
[[nodiscard]] std::vector<std::size_t> group_limits(std::span<const std::uint32_t> realizations, std::uint32_t group);

/// Disorder averages at every temperature, over all realizations and over resampled sets of them. Sample s leaves out
/// the s-th block of realizations (jackknife; blocks of consecutive realizations whose sizes differ by one at most), or
/// averages over as many realizations drawn with replacement (bootstrap). All temperatures and columns share the sets,
/// so that every covariance between them is kept.
///
/// Groups (Resampling::group > 1) stay together: blocks are one group each (of more groups than samples: consecutive
/// groups), and the bootstrap draws as many groups as there are. Groups may differ in size. With G blocks, block s of
/// m_s of the n realizations and of the mean x_s, sample s of the jackknife is
///
///     x - (m_s/n) (x_s - x) / (1 - 1/G),   x over all,
///
/// the average without the block where all blocks are equal. The covariance of two averages is then
/// G/(G - 1) sum_s (m_s/n)^2 (x_s - x)(y_s - y), that of a ratio estimator over clusters of unequal size.
/// Sources: Cameron & Miller, J. Hum. Resour. 50, 317 (2015), sec. II; Kott, J. Off. Stat. 17, 521 (2001).
class ResampledAverages {
 public:
  /// Throws std::invalid_argument for an ensemble without a realization or of inconsistent shape, and for fewer than
  /// two samples. Where a value is NaN, so are all averages of its column at its temperature.
  ResampledAverages(const Ensemble& ensemble, const Resampling& resampling);

  /// 0 with one realization, or one group: there is nothing to resample.
  [[nodiscard]] std::size_t samples() const { return samples_; }
  /// cov(x, y) = spread / samples * sum_s (x_s - xbar)(y_s - ybar): samples - 1 for the jackknife,
  /// samples / (samples - 1) for the bootstrap, times G/(G - 1) where G groups are drawn. NaN without samples.
  [[nodiscard]] double spread() const { return spread_; }
  /// Groups that stay together; 0: realizations are resampled each on its own.
  [[nodiscard]] int groups() const { return groups_; }
  /// Over all realizations [column].
  [[nodiscard]] std::span<const double> whole(std::size_t temperature) const;
  /// Over the realizations of sample s [column].
  [[nodiscard]] std::span<const double> sample(std::size_t s, std::size_t temperature) const;

 private:
  using Limits = std::span<const std::size_t>;
  void leave_out_blocks(const Ensemble& ensemble, Limits groups);
  void draw_sets(const Ensemble& ensemble, const Resampling& resampling, Limits groups);

  std::size_t temperatures_, columns_, samples_;
  double spread_;
  int groups_ = 0;
  std::vector<double> whole_;    ///< [temperature][column]
  std::vector<double> sampled_;  ///< [sample][temperature][column]
};

/// One sentence on how errors over so many realizations are computed; with one realization, that there are none.
/// Each realization is resampled on its own.
[[nodiscard]] std::string describe(const Resampling& resampling, std::size_t realizations);

}}  // namespace glassworks::analysis
