#pragma once

#include <cstdint>
#include <vector>

#include "engine/graphs/bond_words.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// How the bonds of a regular graph were found.
enum class RegularDraw {
  pairing,     ///< a pairing of the ends of bonds that is simple by itself
  switchings,  ///< one whose loops and double bonds were switched away
  chain,       ///< a long chain of exchanges, where both of these are too rare
};

/// The bonds of a graph of N sites, drawn uniformly among all labelled simple graphs with z bonds at each site.
///
/// The z N ends of bonds are paired at random. Loops and double bonds of a pairing are then removed by switchings that
/// are accepted so that each simple graph has the same probability (McKay and Wormald, J. Algorithms 11, 52 (1990);
/// the acceptance in two steps as Arman, Gao and Wormald, arXiv:1905.03446); whatever is refused begins anew. Expected
/// cost: O(z^2 N) for z^3 << N. If 2^24 words have brought nothing, which takes small N and z > 6 or large z, the
/// graph comes from `chain_regular_bonds`.
///
/// N z even, 1 <= z < N. how: set to what was used
[[nodiscard]] std::vector<GraphBond> random_regular_bonds(std::int64_t sites, int z, BondWords& words,
                                                          RegularDraw* how = nullptr);

/// The same by a Markov chain: from a ring with bonds to the nearest sites, 64 proposals a bond to exchange the ends of
/// two random bonds, a - b, c - d -> a - d, c - b, carried out where the graph stays simple. The proposals are
/// symmetric and lead from every such graph to every other one, so that the chain converges to the uniform
/// distribution; how far it has come is known by experience alone.
[[nodiscard]] std::vector<GraphBond> chain_regular_bonds(std::int64_t sites, int z, BondWords& words);

}}  // namespace glassworks::engine
