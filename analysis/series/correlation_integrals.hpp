#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/basics/jackknife.hpp"

namespace glassworks { inline namespace analysis {

/// Where the noise of a correlation function begins, and what continues it from there: a A exp(-r/l) through the points
/// between r_c/2 and r_c. Chosen from the averages of all realizations, and kept for the leave-one-out values.
struct NoiseCut {
  /// r_c, the first r from 1 with C(r) < 3 errors (without errors: C(r) <= 0), or with C(r) < 6 errors where C rises;
  /// the number of points, if there is none.
  std::size_t at = 0;
  bool found = false;           ///< whether noise, not the lattice, ends the sum
  std::vector<double> weights;  ///< of ln C in the fit of the tail, at r = at/2 (rounded down, from 1) ... at - 1
};

/// Noise cuts below this leave no length.
inline constexpr std::size_t least_cut = 3;

/// values  C(r) at r = 0, 1, ... steps
[[nodiscard]] NoiseCut noise_cut(std::span<const Estimate> values);

/// C below which published sums of C_4(r) end, whatever the noise is.
inline constexpr double published_cut = 1e-3;

/// The cut at the first r from 1 with C(r) < `least`, with no tail beyond; as the other one where there is none.
[[nodiscard]] NoiseCut value_cut(std::span<const Estimate> values, double least);

/// Integrals of a correlation function and the lengths from them, in steps of r.
struct CorrelationIntegrals {
  /// I_k = sum_{r < r_c} r^k C(r) + sum_{r >= r_c} r^k A exp(-r/l): the trapezoid sum over all integer r. A second term
  /// where the noise cut was found, and has two points at least from which C falls with l < r_c. NaN where r_c < 3: the
  /// length of one point would be 1, whatever it is.
  double I_1 = 0.0, I_2 = 0.0, I_3 = 0.0;
  double tail = 0.0;  ///< what the second terms add to I_2/I_1, as a part of it; NaN: noise hides the tail

  [[nodiscard]] double xi_12() const;  ///< I_2/I_1; NaN unless positive
  [[nodiscard]] double xi_23() const;  ///< I_3/I_2
};

/// values  C(r) at r = 0, 1, ... steps
[[nodiscard]] CorrelationIntegrals integrate(std::span<const double> values, const NoiseCut& cut);

}}  // namespace glassworks::analysis
