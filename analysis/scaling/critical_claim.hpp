#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "analysis/scaling/scaling_curve.hpp"

namespace glassworks { inline namespace analysis {

/// The smallest and the largest of some values.
struct ValueRange {
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool known() const;    ///< there was a value
  [[nodiscard]] bool bounded() const;  ///< both are finite
  void add(double value);              ///< NaN is left out
  /// "0.1 to 0.2", "not bounded"; digits as format_value(value, error) shows them.
  [[nodiscard]] std::string text(double error) const;
};

/// A critical parameter and how far it may be off.
struct CriticalNumber {
  SampledNumber number;  ///< with its statistical error
  ValueRange spread;     ///< over the accepted fits, this one included
  int fits = 0;          ///< of the spread
  /// With the realizations that have not converged at their worst (add_worst_cases); not known where all have.
  ValueRange worst;
  double without = std::numeric_limits<double>::quiet_NaN();  ///< without these realizations

  [[nodiscard]] bool known() const { return std::isfinite(number.value); }
};

/// What a joint fit says on a transition, and whether it may stand in a headline.
struct CriticalClaim {
  CriticalNumber T_c, nu, eta;
  std::vector<int> sizes;              ///< of the fit
  std::vector<std::string> obstacles;  ///< clauses; empty: it may

  [[nodiscard]] bool holds() const { return obstacles.empty() && T_c.known(); }
};

/// Sizes that a fit needs for a headline.
constexpr int fewest_sizes_of_claim = 4;

}}  // namespace glassworks::analysis
