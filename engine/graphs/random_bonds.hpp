#pragma once

#include <cstdint>
#include <vector>

#include "engine/graphs/bond_words.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Erdos-Renyi graph G(N, M): uniform among those with M = N c/2 bonds (rounded), 0 < c <= N - 1. For large N the same
/// as bonds with probability c/(N - 1) each, without the scatter of their number.
[[nodiscard]] std::vector<GraphBond> erdos_renyi_bonds(std::int64_t sites, double c, BondWords& words);
/// Their number.
[[nodiscard]] std::int64_t erdos_renyi_bond_count(std::int64_t sites, double c);

/// Distances of N sites on a ring: the chord r = (N/pi) sin(pi d/N) of sites d steps apart (Katzgraber and Young,
/// PRB 67, 134410 (2003)).
class RingDistances {
 public:
  explicit RingDistances(int sites);
  /// r^(-power) of sites d steps apart, 1 <= d < N.
  [[nodiscard]] double decay(int d, double power) const;

 private:
  std::vector<double> log_;  ///< log r [d - 1], d = 1 .. N/2
  int sites_;
};

/// Ring with N c/2 bonds (rounded), each put between a random site and one that has distance r with probability
/// proportional to r^(-2 sigma), and drawn anew where the two have a bond already (Leuzzi et al., PRL 101, 107203
/// (2008); Katzgraber, Larson and Young, PRL 102, 177205 (2009)). Short distances are therefore rarer than that where
/// most of their bonds are there. Throws std::invalid_argument where sigma is so large that too few sites are in reach.
[[nodiscard]] std::vector<GraphBond> power_law_bonds(int sites, double c, double sigma, BondWords& words);
/// Their number.
[[nodiscard]] std::int64_t power_law_bond_count(int sites, double c);

/// All pairs of N sites, in ascending order.
[[nodiscard]] std::vector<GraphBond> all_pairs(std::int64_t sites);

/// Factors of the couplings of all pairs on a ring, a r^(-sigma) with sum_j a^2 r_ij^(-2 sigma) = 1, so that the
/// mean-field T_c of couplings of variance 1 is 1 (Katzgraber and Young 2003, eq. 4). In the order of all_pairs.
[[nodiscard]] std::vector<double> power_law_weights(int sites, double sigma);

}}  // namespace glassworks::engine
