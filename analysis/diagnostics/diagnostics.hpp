#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/diagnostics/identity_history.hpp"
#include "analysis/diagnostics/log_bin_history.hpp"
#include "analysis/diagnostics/overlap_distributions.hpp"
#include "analysis/diagnostics/sample_fluctuations.hpp"
#include "analysis/diagnostics/temperature_walk.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// All diagnostics of one lattice size, fed with one realization after the other. Results are bitwise independent of
/// the order of realizations and of how they are divided among objects that are merged. Keeps about 40 kB
/// of a realization with 64 temperatures.
class SizeDiagnostics {
 public:
  SizeDiagnostics(const Config& config, const SizeRow& size, const DistributionOptions& distributions = {});

  /// Adds a realization, once; one without a round is left out. Throws std::runtime_error with one sentence where a
  /// round has another shape than the campaign or holds a mean that is not a finite number.
  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  /// Adds the realizations of an object of the same size, for example of another thread.
  void merge(SizeDiagnostics&& other);

  [[nodiscard]] const DiagnosedSize& size() const { return *size_; }
  [[nodiscard]] std::size_t realizations() const { return walk_.realizations(); }
  [[nodiscard]] const IdentityHistory& identity() const { return identity_; }
  [[nodiscard]] const LogBinHistory& log_bins() const { return log_bins_; }
  [[nodiscard]] const TemperatureWalk& walk() const { return walk_; }
  [[nodiscard]] const SampleFluctuations& fluctuations() const { return fluctuations_; }
  [[nodiscard]] const OverlapDistributions& overlaps() const { return overlaps_; }

 private:
  std::shared_ptr<const DiagnosedSize> size_;
  IdentityHistory identity_;
  LogBinHistory log_bins_;
  TemperatureWalk walk_;
  SampleFluctuations fluctuations_;
  OverlapDistributions overlaps_;
};

/// Everything for the report: equilibration against Monte Carlo time, the walk through temperatures, the distributions
/// of overlaps, and the fluctuations over realizations. Sizes without data are left out; a sentence replaces what
/// cannot be shown.
[[nodiscard]] std::vector<Section> diagnostics_sections(std::span<const SizeDiagnostics> sizes);

}}  // namespace glassworks::analysis
