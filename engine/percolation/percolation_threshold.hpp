#pragma once

#include <optional>
#include <vector>

#include "engine/percolation/percolation.hpp"

namespace glassworks { inline namespace engine {

/// A root in p with its standard error (jackknife over blocks of samples); the error is NaN where it cannot be had.
struct PercolationThreshold {
  double p = 0.0, error = 0.0;
  double crossing = 0.0;  ///< value of the curves there
};

/// Root of a curve that is negative before and positive behind it, by linear interpolation between points: halfway
/// between the first and the last change of sign from its minimum to the maximum that follows. None if there is none.
[[nodiscard]] std::optional<double> rising_root(const std::vector<double>& x, const std::vector<double>& y);

/// Where the curves of a crossing probability of two sizes meet: the larger one is the lower one before and the higher
/// one behind. Both have the same p.
[[nodiscard]] std::optional<PercolationThreshold> crossing_of_sizes(const PercolationResult& small,
                                                                    const PercolationResult& large,
                                                                    PercolationQuantity quantity);

/// Where in two dimensions, periodic, the probability that one cluster winds around the torus both ways independently
/// is that of none winding at all. Duality exchanges the two, so the root of bond percolation on square, triangular and
/// honeycomb lattices is p_c at any size, and converges quickly on others.
/// Source: C. R. Scullard and J. L. Jacobsen, J. Phys. A 45, 494004 (2012).
[[nodiscard]] std::optional<PercolationThreshold> dual_balance(const PercolationResult& result);

}}  // namespace glassworks::engine
