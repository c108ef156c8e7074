#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Chimera C_m: m x m cells K_{4,4}. Qubit (i, j, u, k), row i, column j, side u, k = 0 .. 3, has the number
/// 8 (m i + j) + 4 u + k, as in dwave_networkx.chimera_graph(m). Bonds: all between the sides of a cell, (i, j, 0, k) -
/// (i + 1, j, 0, k) and (i, j, 1, k) - (i, j + 1, 1, k). Two colours: the parity of u + i + j.
[[nodiscard]] SiteGraph chimera_graph(int m);
[[nodiscard]] std::int64_t chimera_sites(int m);
[[nodiscard]] std::int64_t chimera_bonds(int m);

/// Pegasus P_m, m >= 2 (Boothby et al., arXiv:2003.00133): the 8 (m - 1)(3 m - 1) qubits of its fabric, in the order of
/// their numbers ((m u + w) 12 + k)(m - 1) + z in dwave_networkx.pegasus_graph(m). Qubit (u, w, k, z): orientation u,
/// w = 0 .. m - 1, k = 0 .. 11, z = 0 .. m - 2. Bonds: (u, w, k, z) - (u, w, k, z + 1); (u, w, 2 k, z) - (u, w, 2 k +
/// 1, z); (0, w, k, z) - (1, z + [k' < S0(k)], k', w - [k < S1(k')]). Four colours: 2 u + (k + z) mod 2.
[[nodiscard]] SiteGraph pegasus_graph(int m);
[[nodiscard]] std::int64_t pegasus_sites(int m);
[[nodiscard]] std::int64_t pegasus_bonds(int m);
/// Their numbers in dwave_networkx [site].
[[nodiscard]] std::vector<std::int32_t> pegasus_numbers(int m);

}}  // namespace glassworks::engine
