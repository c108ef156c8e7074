#pragma once

#include <vector>

#include "kernels/rounds/cluster_replica.hpp"
#include "kernels/rounds/local_names.hpp"

namespace glassworks { inline namespace rounds {

/// What the sums of local observables are divided by, in the order of bins.
[[nodiscard]] std::vector<double> local_terms(LocalSelection selection, const Lattice& lattice);

/// Adds the sums over the sites of a share to SiteSums::local.
void add_local_sums(const ClusterSystem& system, ClusterReplica& replica, const Share& share, SiteSums& sums);

}}  // namespace glassworks::rounds
