#pragma once

#include <string>
#include <vector>

#include "analysis/field/simultaneous_band.hpp"

namespace glassworks { inline namespace analysis {

enum class CrossingState {
  crossing,      ///< D has both signs beyond its band: curves of the two sizes cross
  always_below,  ///< D < 0 beyond its band at every temperature: no crossing
  always_above,  ///< D > 0 beyond its band at every temperature: no crossing
  undecided,     ///< neither: D is within its band somewhere, or is missing at some temperatures
  no_data        ///< no temperature with both D and its error
};

enum class CrossingDirection {
  ordering,  ///< D > 0 below it, as at a transition
  reversed   ///< D > 0 above it, which is no sign of one
};

/// Where D changes its sign: certainly (at the confidence of the band) between two temperatures.
struct SizeCrossing {
  double T = 0.0, error = 0.0;       ///< zero of a straight line through D between the two temperatures
  double T_low = 0.0, T_high = 0.0;  ///< the two temperatures
  CrossingDirection direction = CrossingDirection::ordering;
};

/// The curves of one dimensionless quantity R (xi_L/L, R_12) of two sizes. Where a phase transition makes R independent
/// of L the curves cross; below it the larger size lies higher, D = R_large - R_small > 0.
struct SizeComparison {
  std::string observable;
  int small = 0, large = 0;  ///< L
  DifferenceBand band;
  CrossingState state = CrossingState::no_data;
  std::vector<SizeCrossing> crossings;
  std::string statement;  ///< one or two sentences with numbers and confidence
};

/// All statements of one comparison hold together with the confidence of the band, at the temperatures compared.
[[nodiscard]] SizeComparison compare_sizes(const Curve& small, const Curve& large, double confidence = 0.95);

/// "crossing", "no crossing", ...
[[nodiscard]] const char* to_string(CrossingState state);

}}  // namespace glassworks::analysis
