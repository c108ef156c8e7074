#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/series/correlation_tail.hpp"

namespace glassworks { inline namespace analysis {

/// Where the noise of a correlation function begins, and what continues it from there. Chosen from the averages of all
/// realizations, and kept for the leave-one-out values.
struct NoiseCut {
  /// r_c, the first r from 1 with C(r) < 3 errors (without errors: C(r) <= 0), or with C(r) < 6 errors where C rises;
  /// the number of points, if there is none.
  std::size_t at = 0;
  bool found = false;  ///< whether noise, not the lattice, ends the sum
  /// Of the tail: stretched, fitted from r_c/8 (2 at least), where this leaves enough points (r_c >= 8); exponential,
  /// fitted from r_c/2 (1 at least).
  TailShape shape = TailShape::exponential;
  std::size_t fit_from = 1;
  std::vector<double> weights;  ///< of ln C in the fit, at r = fit_from ... at - 1: (C/error)^2
};

/// Noise cuts below this leave no length.
inline constexpr std::size_t least_cut = 3;

/// values  C(r) at r = 0, 1, ... steps
[[nodiscard]] NoiseCut noise_cut(std::span<const Estimate> values);

/// C_4 below which plain sums end, whatever the noise is.
inline constexpr double plain_cut = 1e-3;

/// The cut at the first r from 1 with C(r) < `least`, with no tail beyond; as the other one where there is none.
[[nodiscard]] NoiseCut value_cut(std::span<const Estimate> values, double least);

/// Integrals of a correlation function and the lengths from them, in steps of r.
struct CorrelationIntegrals {
  /// I_k = int r^k C(r) dr = sum_{r < r_c} r^k C(r) + C(1)/6 - 2^k C(2)/24 + sum_{r >= r_c} r^k A r^-a exp(-(r/l)^b):
  /// the trapezoid rule with Gregory's correction of third order at r = 0. Without the correction the lengths are too
  /// large by C(0)/(12 I_1), which is 1 to 3 % for xi_12 of 2 to 8. A last term where the noise cut was found and C
  /// falls with l < r_c. NaN where r_c < 3: the length of one point would be 1, whatever it is.
  double I_1 = 0.0, I_2 = 0.0, I_3 = 0.0;
  double tail = 0.0;  ///< what the last terms add to I_2/I_1, as a part of it; NaN: noise hides the tail

  [[nodiscard]] double xi_12() const;  ///< I_2/I_1; NaN unless positive
  [[nodiscard]] double xi_23() const;  ///< I_3/I_2
};

/// The sums over r < r_c alone, without correction and tail.
[[nodiscard]] CorrelationIntegrals plain_sums(std::span<const double> values, const NoiseCut& cut);

/// values  C(r) at r = 0, 1, ... steps
[[nodiscard]] CorrelationIntegrals integrate(std::span<const double> values, const NoiseCut& cut);

}}  // namespace glassworks::analysis
