#pragma once

#include <cstdint>

#include "engine/graphs/bond_words.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Number of sets of k among n; of any size, so that it is rounded.
[[nodiscard]] double binomial(int n, int k);

/// `count` terms of p different sites of N, uniform among all sets of so many different terms.
[[nodiscard]] TermList drawn_terms(int sites, int p, std::int64_t count, BondWords& words);

/// Terms of p different sites of N with z terms at each site, uniform among the sets of different terms: z entries of
/// each site are put into a random order and cut into terms, until none has a site twice and no two are the same.
/// About exp((p - 1) (z - 1)/2) orders are drawn. Throws std::invalid_argument where none of 10^5 was right.
[[nodiscard]] TermList regular_terms(int sites, int p, int z, BondWords& words);
/// Largest (p - 1) (z - 1): one order in 3000 is right.
constexpr int most_clashes = 16;

/// The plaquettes of a closed hypercubic lattice of L^d vertices, L >= 2: the bond from vertex x along axis mu is site
/// d x + mu, and the plaquette of mu < nu at x has the bonds (x, mu), (x + mu, nu), (x + nu, mu) and (x, nu). Source:
/// Wegner, J. Math. Phys. 12, 2259 (1971).
[[nodiscard]] TermList plaquettes(int dim, int L);

}}  // namespace glassworks::engine
