#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace rounds {

/// Isoenergetic cluster move between two copies of an Ising system: sites with s^(a) != s^(b) form clusters along the
/// bonds with J != 0; the copies swap one of them. E_a + E_b is conserved. Source: Zhu, Ochoa & Katzgraber, PRL 115,
/// 077201 (2015).
///
/// a, b     states of the copies [site]
/// word     selects the seed among the sites that differ
/// returns  sites swapped
std::int64_t isoenergetic_move(const ClusterSystem& system, std::uint32_t word, std::uint8_t* a, std::uint8_t* b);

/// Sums over a pair of replicas.
void add_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums);

}}  // namespace glassworks::rounds
