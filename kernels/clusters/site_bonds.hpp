#pragma once

#include <cstdint>
#include <span>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace clusters {

/// Site percolation as bond percolation: sets `bonds` to the existing bonds both of whose ends are occupied.
///
/// occupied  bit s % 32 of word s / 32, (N + 31)/32 words, bits beyond the last site 0
void join_occupied_sites(const Graph& graph, std::span<const std::uint32_t> occupied, BondSet& bonds);

}}  // namespace glassworks::clusters
