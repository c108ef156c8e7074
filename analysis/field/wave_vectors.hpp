#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

/// Wave vectors that lattice symmetry makes equal: multiple * (2 pi/L) on so many axes. None is k = 0.
struct WaveVectors {
  std::string id, symbol;  ///< "kmin", "k_{min}"
  int axes = 0, multiple = 1;

  /// Square of the lattice momentum, 4 sum_a sin^2(k_a/2) [lattice constant^-2].
  [[nodiscard]] double momentum_squared(int L) const;
};

/// k = 0, k_min, (1,1,0), (1,1,1), 2 k_min, as far as the dimension has them; ascending in momentum.
[[nodiscard]] std::vector<WaveVectors> wave_vectors(int dim);

/// A curve computed from other curves of the same size and samples, point by point: f(values of the others, index of
/// the temperature).
using CurveFunction = std::function<double(std::span<const double> values, std::size_t temperature)>;
[[nodiscard]] Curve combine(const std::string& observable, std::span<const Curve> curves, const CurveFunction& f);

}}  // namespace glassworks::analysis
