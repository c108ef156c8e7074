#pragma once

#include <optional>

#include "engine/percolation/percolation.hpp"

/// What is known exactly about percolation.
namespace glassworks { inline namespace engine {

/// The threshold p_c in the infinite lattice, where it is known exactly: bonds of the chain, square, triangular,
/// honeycomb and Bethe lattices, sites of the chain, triangular and Bethe lattices.
/// Source: M. F. Sykes and J. W. Essam, J. Math. Phys. 5, 1117 (1964).
[[nodiscard]] std::optional<double> exact_threshold(const Graph& graph, Occupation occupation);

/// Infinite Bethe lattice below its threshold: mean size of the cluster of a site (1 + p)/(1 - (z - 1) p), times p for
/// sites, where an empty site counts 0. None at the threshold and above.
[[nodiscard]] std::optional<double> bethe_mean_size(int z, double p, Occupation occupation);

/// Infinite Bethe lattice: probability P_inf that a site belongs to an infinite cluster, 1 - Q^z with Q = 1 - p + p
/// Q^(z-1) the probability that a branch ends; times p for sites. z = 3: 1 - ((1 - p)/p)^3.
[[nodiscard]] double bethe_infinite(int z, double p, Occupation occupation);

}}  // namespace glassworks::engine
