#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/rounds/cluster_replica.hpp"
#include "kernels/rounds/replicas.hpp"

namespace glassworks { inline namespace rounds {

/// Whether the replicas of a chain are those of a ClusterSystem, with ClusterMeasurement: of all models but heisenberg,
/// whose replicas and Measurement are its own.
[[nodiscard]] constexpr bool has_cluster_replicas(const Chain& chain) { return !measures_tensors(chain.model); }

/// Makes the replicas of one realization, each for at most `members` threads.
using MakeClusterReplicas = std::function<std::vector<std::unique_ptr<ClusterReplica>>(
    const ClusterSystem& system, const ChainState& state, int members)>;

/// Adds the sums over two replicas, as rounds::add_overlap does; empty: it is called. It may be called after all
/// replicas have added their sums over sites.
using AddOverlap = std::function<void(std::size_t a, std::size_t b, OverlapSums& sums)>;

/// The replicas of a realization of such a chain. The members of the team are dealt out to
/// groups; a group updates every groups-th replica, and its members share the rows of a replica.
[[nodiscard]] std::unique_ptr<Replicas> make_cluster_replicas(const Chain& chain, const RoundTask& task, Team& team,
                                                              const MakeClusterReplicas& make,
                                                              AddOverlap overlaps = {});

}}  // namespace glassworks::rounds
