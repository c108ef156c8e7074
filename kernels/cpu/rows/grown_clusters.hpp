#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/cpu/rows/fast_cluster_replica.hpp"

namespace glassworks { inline namespace cpu {

/// Which clusters of an update of wolff or few_cluster may move, and how: by seeds and by coins.
class SingleClusters {
 public:
  SingleClusters(const ClusterSystem& system, std::uint32_t replica);

  [[nodiscard]] bool few() const { return few_; }
  [[nodiscard]] std::int64_t seeds() const { return few_ ? tiles_.sites() : 1; }
  [[nodiscard]] std::int64_t seed(std::uint64_t update, std::int64_t number) const;
  /// Of the cluster with this root, which is in this state; nothing: it stays.
  [[nodiscard]] std::optional<std::uint8_t> fate(std::uint64_t update, std::uint32_t root, std::uint8_t state) const;

 private:
  [[nodiscard]] RandomBlock block(Stream stream, std::uint64_t update, std::uint32_t index) const;

  const ClusterSystem& system_;
  std::uint32_t replica_;
  bool few_, new_states_;
  Lattice tiles_;  ///< each of which has a seed
};

/// Grows the clusters of wolff and few_cluster from their seeds: the time of what they touch instead of that of the
/// lattice, and the same bits. Where they hold much of the lattice, labelling all of it takes less time; an update that
/// meets such clusters gives up and leaves the spins as they are.
class GrownClusters {
 public:
  GrownClusters(const FastClusterSystem& system, const ClusterKernelTable& kernels, const SingleClusters& single,
                int members);

  /// Whether the next update is worth a try; after clusters that were too large, fewer and fewer are.
  [[nodiscard]] bool tries();
  /// Makes an update; nothing: its clusters are too large. job: all but `reached`. multiplier: as in
  /// ClusterKernelTable::move.
  [[nodiscard]] std::optional<ClusterChange> update(std::uint64_t update, GrowJob job, float multiplier);

  /// Bytes of a site.
  [[nodiscard]] static double site_bytes(bool few) {
    return 1.0 + sizeof(std::uint64_t) / (few ? few_part : wolff_part);
  }

 private:
  // A site of a cluster that grows takes as long as five to ten that are labelled. Half of the lattice by one cluster
  // is rare where clusters are small on average; clusters of many seeds are large together, update after update.
  static constexpr double wolff_part = 3.0, few_part = 24.0;
  static constexpr int longest_wait = 31;

  struct Cluster {
    std::int64_t begin, size, root;
  };

  const ClusterGeometry& g_;
  const ClusterKernelTable& kernels_;
  const SingleClusters& single_;
  std::int64_t limit_;  ///< sites of all clusters of an update
  int wait_ = 0, waited_ = 0;
  std::vector<std::uint8_t> reached_;
  std::vector<std::uint64_t> sites_;  ///< of the clusters, one after the other
  std::vector<Cluster> clusters_;
};

}}  // namespace glassworks::cpu
