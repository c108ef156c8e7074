#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/diagnostics/distribution.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// How much the susceptibility chi = N <|q|^2> of one realization differs from that of another, over the equilibrated
/// part of each history.
class SampleFluctuations {
 public:
  explicit SampleFluctuations(std::shared_ptr<const DiagnosedSize> size) : size_(std::move(size)) {}

  /// Runs of a pure system, which differ by chance only, and single copies, which have no overlap, are left out; not so
  /// for heisenberg.
  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  void merge(SampleFluctuations&& other) { means_.merge(other.means_); }

  [[nodiscard]] const DiagnosedSize& size() const { return *size_; }
  [[nodiscard]] std::size_t realizations() const { return means_.size(); }

  /// chi of each realization over the disorder average, at a slot.
  [[nodiscard]] Distribution relative_susceptibility(std::size_t slot) const;
  /// xi_L/L of each realization, from its own chi(0) and chi(k_min); realizations that have none are left out.
  [[nodiscard]] Distribution correlation_ratio(std::size_t slot) const;
  /// R = ([chi^2] - [chi]^2)/[chi]^2 with chi^2 of a realization as the product of its two half averages, so that the
  /// noise of its own finite history does not count as disorder. Self-averaging: R -> 0 as L grows; R ~ 1/N where the
  /// correlation length is short, constant at a critical point with relevant disorder.
  /// Source: Aharony & Harris, PRL 77, 3700 (1996); Wiseman & Domany, PRE 58, 2938 (1998).
  [[nodiscard]] Estimate relative_variance(std::size_t slot) const;
  /// The same with the square of the average over the whole history: more by the noise of short histories.
  [[nodiscard]] Estimate raw_relative_variance(std::size_t slot) const;

 private:
  enum Stored { whole, first_half, second_half, whole_kmin, stored_count };
  using Means = std::array<double, stored_count>;  ///< per N: |q|^2 at k = 0 (and its halves) and at k_min

  std::shared_ptr<const DiagnosedSize> size_;
  std::map<std::uint32_t, std::vector<Means>> means_;  ///< by realization [slot]; halves NaN with one round
};

/// Distributions at the lowest temperature, relative variance against L and T, quantiles as a table.
[[nodiscard]] std::vector<Item> fluctuation_items(std::span<const SampleFluctuations* const> sizes);

}}  // namespace glassworks::analysis
