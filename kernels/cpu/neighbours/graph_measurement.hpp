#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/cpu/neighbours/graph_bundle.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/triangle_table.hpp"

namespace glassworks { inline namespace cpu {

/// Measurements of the replicas of a realization on a graph: of sixteen slots at once, whose replicas are brought into
/// the lanes of a bundle for each copy.
class GraphMeasurement {
 public:
  GraphMeasurement(const ClusterSystem& system, const GraphRealization& graph, const GraphTable& kernels, int members);

  [[nodiscard]] int groups() const { return (chain_.slots() + bundle_lanes - 1) / bundle_lanes; }
  /// The sums over the sites of the slots of a group, by a member of the team.
  ///
  /// at       the replica of each copy in each slot [copy * slots + slot]
  /// energy   [replica]
  void sum_up(int group, std::span<GraphBundle> bundles, std::span<const std::size_t> at,
              std::span<const std::int64_t> energy, int member);
  /// Adds measurement m to a record, from the sums of all groups. clusters: of the last step [copy * slots + slot].
  void add(int m, std::span<const ClusterSums> clusters, RoundRecord& record) const;

 private:
  /// Spins in lanes by slot, and sums over them.
  struct Workspace {
    std::vector<GraphSpins> copies;
    AlignedBuffer<std::int64_t> planes;  ///< [plane][column][lane]
  };

  /// Sums over the bonds, sites and triangles of a lane, one after the other.
  void add_of_lane(const GraphSpins& spins, int lane, SiteSums& sums) const;
  void add_of_lane(const GraphSpins& a, const GraphSpins& b, int lane, OverlapSums& sums) const;

  const ClusterSystem& system_;
  const Chain& chain_;
  const GraphRealization& graph_;
  const GraphTable& kernels_;
  const ClusterMeasurement measurement_;
  std::optional<TriangleTable> triangles_;  ///< where their chiralities are measured
  std::vector<Workspace> workspaces_;       ///< [member], made when first used
  std::vector<SiteSums> sites_;             ///< [slot * copies + copy]
  std::vector<OverlapSums> overlaps_;       ///< [slot * pairs + pair]
};

}}  // namespace glassworks::cpu
