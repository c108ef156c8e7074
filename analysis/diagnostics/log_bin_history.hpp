#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Logarithmic binning of several observables: bin 0 is the last half of a history, bin 1 the quarter before it, and so
/// on (logarithmic_bins). Each bin is compared with the last one, paired within every realization that has it, so that
/// the scatter of the disorder cancels.
class LogBinHistory {
 public:
  /// overlap and xi_over_L are those of the order parameter (Columns::order_parameter).
  enum Observable { energy, overlap, xi_over_L, chi_cg, link_overlap, observable_count };
  static constexpr std::size_t most_bins = 8;  ///< bin 7 is [n/256, n/128)

  explicit LogBinHistory(std::shared_ptr<const DiagnosedSize> size) : size_(std::move(size)) {}

  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  void merge(LogBinHistory&& other) { bins_.merge(other.bins_); }

  [[nodiscard]] const DiagnosedSize& size() const { return *size_; }
  /// Whether the campaign stores what it is made of.
  [[nodiscard]] bool has(Observable observable) const;
  /// Bins that some realization has, at most most_bins.
  [[nodiscard]] std::size_t bins() const;
  /// O(bin) - O(last bin) at a slot, the mean over realizations with its standard error; for xi_L/L the difference of
  /// functions of averages over these realizations, with the jackknife error.
  [[nodiscard]] Estimate difference(Observable observable, std::size_t bin, std::size_t slot) const;
  /// Slot where bin 1 or 2 deviates most in standard errors; 0 where there is none.
  [[nodiscard]] std::size_t worst_slot(Observable observable) const;

 private:
  enum Stored { q_energy, q_overlap, q_overlap_kmin, q_chiral, q_link, stored_count };
  using Means = std::array<double, stored_count>;
  [[nodiscard]] Estimate xi_difference(std::size_t bin, std::size_t slot) const;

  std::shared_ptr<const DiagnosedSize> size_;
  std::map<std::uint32_t, std::vector<Means>> bins_;  ///< by realization [bin * slots + slot]
};

/// One figure for each observable, all sizes, at the lowest temperature and at the one that deviates most; and the
/// largest deviations as a table.
[[nodiscard]] std::vector<Item> log_bin_items(std::span<const LogBinHistory* const> sizes);

}}  // namespace glassworks::analysis
