#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/diagnostics/diagnosed_size.hpp"
#include "analysis/observables/identity_columns.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// One logarithmic bin of Monte Carlo time at one temperature, averaged over realizations.
struct IdentityPoint {
  double sweeps = 0.0;          ///< per spin since the start, at the end of the bin
  Estimate bond_energy;         ///< U_J of all realizations
  Estimate other_side;          ///< -(z/2) beta (q_s - q_l)
  Estimate difference;          ///< U_J + (z/2) beta (q_s - q_l), paired within each realization
  Estimate difference_present;  ///< the same of those realizations only that have run for so long
};

/// The identity of Gaussian couplings, U_J = -(z/2) beta [q_s - q_l], against Monte Carlo time. Time is cut into the
/// rounds [0, 1), [1, 2), [2, 4), [4, 8), ...; both sides are averaged over the bin within a realization, then over
/// realizations. Started from random spins, U_J falls and the other side grows towards the common value.
///
/// The identity holds for the average over all disorder. Realizations that still run when others have converged are
/// the hard ones: a selection, for which it need not hold. So a realization that has converged stands in the later
/// bins with the mean of the last half of its own history, which is what it would give there.
/// Source: Katzgraber & Young, PRB 67, 134410 (2003); Lee & Young, PRB 76, 024405 (2007).
class IdentityHistory {
 public:
  explicit IdentityHistory(std::shared_ptr<const DiagnosedSize> size);

  void add(const RealizationRow& row, std::span<const RoundRow> rounds);
  void merge(IdentityHistory&& other) { histories_.merge(other.histories_); }

  /// Whether the couplings have this identity, and bins hold both sides.
  [[nodiscard]] bool exists() const { return columns_.has_value(); }
  [[nodiscard]] const std::vector<std::size_t>& slots() const { return slots_; }
  /// All bins that some realization has, at slots()[place].
  [[nodiscard]] std::vector<IdentityPoint> points(std::size_t place) const;

  /// Both sides and their difference, at the lowest, a middle and the highest temperature.
  [[nodiscard]] Figure sides_figure() const;
  [[nodiscard]] Figure difference_figure() const;

 private:
  using Sides = std::array<double, 2>;  ///< U_J and the other side
  struct History {
    std::vector<std::vector<Sides>> bins;  ///< [bin][place of slot]
    std::vector<Sides> last_half;          ///< [place of slot]; empty unless converged
  };
  [[nodiscard]] std::vector<Sides> average(std::span<const RoundRow> rounds) const;

  std::shared_ptr<const DiagnosedSize> size_;
  std::vector<std::size_t> slots_;
  std::optional<IdentityColumns> columns_;
  std::map<std::uint32_t, History> histories_;  ///< by realization: sums do not depend on the order of additions
};

}}  // namespace glassworks::analysis
