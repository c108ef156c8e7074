#pragma once

#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace rounds {

/// Adds the sums of a pair of replicas of XY spins to OverlapSums::chirality.
void add_chiral_sums(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums);

}}  // namespace glassworks::rounds
