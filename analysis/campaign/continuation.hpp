#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/reweighting/reweighted_ensemble.hpp"

namespace glassworks { inline namespace analysis {

/// `count` temperatures at equal ratios over the range that the ladders of all sizes have in common, ends included;
/// empty if there is none or count < 2.
[[nodiscard]] std::vector<double> common_grid(const std::vector<SizeRow>& sizes, int count);

/// Averages at the slots by the names of sampled quantities, from the columns of a campaign: those of the same name,
/// and means over equivalent wave vectors ("overlap_kmin" of overlap_k at all k_min, "chi_2_zero", ...). Quantities
/// that single measurements have alone are left out.
///
/// mean  [slot][column of Columns]
[[nodiscard]] SlotAverages slot_averages(const Columns& columns, std::vector<double> temperatures,
                                         std::span<const double> mean, std::span<const std::string> quantities);

/// Reweights the realizations of one size while their histories are read.
class SizeReweighting {
 public:
  /// realizations  ids of those that will be added, ascending
  SizeReweighting(const Config& config, const SizeRow& size, std::vector<double> temperatures,
                  std::vector<std::uint32_t> realizations);

  /// May be called by several threads at once. Ignores a realization that the constructor was not given; problem()
  /// reports one that cannot be reweighted.
  void add(const RealizationRow& row, std::span<const RoundRow> rounds, const RealizationSummary& summary);

  /// Why the averages cannot be reweighted: a sentence that ends with the consequence; empty if they can.
  [[nodiscard]] std::string problem(const std::string& consequence) const;
  /// The reweighted averages; call only if problem() is empty.
  [[nodiscard]] Ensemble ensemble() const;
  /// Nothing where some history holds no samples.
  [[nodiscard]] std::optional<ReweightingSummary> summary() const;

 private:
  const SizeRow size_;
  Columns columns_;
  SampledQuantities quantities_;
  std::vector<std::uint32_t> realizations_;
  std::unique_ptr<ReweightedEnsemble> reweighted_;
  std::atomic<std::size_t> added_ = 0;
  std::mutex mutex_;
  std::map<std::uint32_t, std::string> failures_;  ///< what reweight threw, by realization
};

}}  // namespace glassworks::analysis
