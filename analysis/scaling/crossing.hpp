#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/critical_claim.hpp"
#include "analysis/scaling/scaling_curve.hpp"

namespace glassworks { inline namespace analysis {

/// One crossing of the curves of two sizes, T_x: R(T_x, L) = R(T_x, L'), R_x = R(T_x).
struct Crossing {
  SampledNumber T, R;
  double slope = 0.0;  ///< d/dT [R(L') - R(L)] at T_x, L' > L: negative where the larger size wins below T_x
  /// The smaller one of the largest significances of the difference on the two sides, up to the next crossing or the
  /// end of the temperatures, in standard errors.
  double significance = 0.0;
  /// Both sides differ at 95 % confidence (1.96 standard errors, at one temperature) and T_x has an error.
  bool established = false;
  /// T_x of an established crossing over `forms` descriptions of the difference of the curves: T_x itself, the nearest
  /// root between straight lines, and those of parabolas and cubics fitted, weighted by errors, to all points within
  /// 15 % and 30 % of T_x, as far as there are more points than coefficients and the root lies among them.
  ValueRange spread = {};
  int forms = 0;
  /// T_x with the realizations that have not converged at their worst, and without them (add_worst_cases).
  ValueRange worst = {};
  double without = std::numeric_limits<double>::quiet_NaN();
};

enum class CrossingVerdict {
  crossing,       ///< exactly one established crossing, or several
  unresolved,     ///< the curves agree within errors somewhere, but no crossing is established
  none,           ///< they differ at 95 % at every temperature, always in the same direction
  not_comparable  ///< fewer than two temperatures in common, or no errors
};

/// All that can be said about the crossings of two sizes L < L'.
struct PairCrossings {
  int L_small = 0, L_large = 0;
  double from = 0.0, to = 0.0;  ///< temperatures that both have
  /// Every change of sign, ascending T_x, established or not; several that lie between significant differences of
  /// opposite sign are one, where parabolas through their region meet.
  std::vector<Crossing> crossings;
  CrossingVerdict verdict = CrossingVerdict::not_comparable;
  double least_significance = 0.0;  ///< smallest |difference| / standard error
  double least_at = 0.0;            ///< temperature of it
  std::string sentence;             ///< the verdict in words, for people

  /// The established crossing of smallest error, of those with the larger size above below T_x (order at low
  /// temperature) if there are any; nullptr if none is established.
  [[nodiscard]] const Crossing* best() const;
};

/// Crossings of two curves, with cubic interpolation between their temperatures (which may differ). A resampled curve
/// takes part with its own crossing in the same direction that is nearest to T_x.
[[nodiscard]] PairCrossings find_crossings(const ScalingCurve& small, const ScalingCurve& large);

/// All pairs L < L' of curves in ascending order of L.
[[nodiscard]] std::vector<PairCrossings> find_crossings(std::span<const ScalingCurve> curves);

}}  // namespace glassworks::analysis
