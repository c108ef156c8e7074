#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/crossing.hpp"

namespace glassworks { inline namespace analysis {

/// Crossing temperatures of pairs (L, sL) with one ratio s, extrapolated to large sizes,
///
///     T_x(L) = T_c + A L^{-theta},   theta = 1/nu + omega.
struct Extrapolation {
  double ratio = 0.0;              ///< s
  std::vector<int> sizes;          ///< L of the pairs
  std::vector<SampledNumber> T_x;  ///< [pair]
  SampledNumber T_c, amplitude, theta;
  double chi2 = 0.0, p_value = 0.0;  ///< with the covariance of the T_x, which share sizes
  int dof = 0;
  std::string problem;  ///< one sentence; empty: the numbers exist
};

/// One entry for each ratio s that at least two established crossings have, largest number of pairs first. Needs four
/// pairs: three parameters, and one point to see whether they describe the data. theta between 0.2 and 10.
[[nodiscard]] std::vector<Extrapolation> extrapolate(std::span<const PairCrossings> pairs);

}}  // namespace glassworks::analysis
