#pragma once

#include <memory>

#include "kernels/core/lattice_table.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace reference {

/// The plain definition of every update and sum: one site at a time, clusters by breadth-first search from their
/// smallest site. Its share is always the whole replica. Keeps references to what it is given. table: of the lattice,
/// its own if null.
[[nodiscard]] std::unique_ptr<ClusterReplica> make_reference_cluster_replica(
    const ClusterSystem& system, int replica, const ChainState& state,
    std::shared_ptr<const LatticeTable> table = nullptr);

}}  // namespace glassworks::reference
