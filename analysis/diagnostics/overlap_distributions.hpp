#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/diagnostics/overlap_histogram.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Which distributions of overlaps are wanted.
struct DistributionOptions {
  std::vector<double> temperatures =
      {};  ///< of each the nearest slot; empty: the lowest, a middle and the highest slot
  Symmetry symmetry = Symmetry::as_sampled;
};

/// P(q), P(|q|) and its chiral counterpart of one size at a few temperatures, from the
/// single measurements that rounds keep, of the equilibrated part of each history.
///
///     q      (1/N) sum_i s_i^(a).s_i^(b), signed; every pair of copies counts
///     |q|    sqrt(sum_{mu nu} (q^{mu nu})^2), with four copies the rms over pairs
///     q_c    rms of q_c^a = (1/N) sum_i kappa_i^{a(1)} kappa_i^{a(2)} over axes a (orientations of XY plaquettes) and
///            pairs
class OverlapDistributions {
 public:
  enum Kind { overlap, modulus, chiral, kind_count };

  explicit OverlapDistributions(std::shared_ptr<const DiagnosedSize> size, DistributionOptions options = {});

  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  void merge(OverlapDistributions&& other);

  [[nodiscard]] const DiagnosedSize& size() const { return *size_; }
  [[nodiscard]] const std::vector<std::size_t>& slots() const { return slots_; }
  [[nodiscard]] const DistributionOptions& options() const { return options_; }
  /// At slots()[place].
  [[nodiscard]] const OverlapHistogram& histogram(Kind kind, std::size_t place) const {
    return histograms_[place][kind];
  }
  /// Whether a realization with samples of this kind was added.
  [[nodiscard]] bool has(Kind kind) const {
    return !histograms_.empty() && histograms_.front()[kind].realizations() > 0;
  }

 private:
  std::shared_ptr<const DiagnosedSize> size_;
  DistributionOptions options_;
  std::vector<std::size_t> slots_;
  std::array<std::vector<std::size_t>, kind_count> quantities_;       ///< of a sample; empty: not sampled
  std::vector<std::array<OverlapHistogram, kind_count>> histograms_;  ///< [place of slot]
};

/// One figure for each kind and temperature with all sizes, or a sentence where there are no samples.
[[nodiscard]] Section overlap_section(std::span<const OverlapDistributions* const> sizes);

}}  // namespace glassworks::analysis
