#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cluster/cluster_measurement.hpp"
#include "kernels/cluster/cpu/fast_cluster_replica.hpp"

namespace glassworks {

/// The clusters of one update of a replica, as a forest over runs. Functions with a share are called by all members.
class ClusterLabels {
 public:
  ClusterLabels(const FastClusterSystem& system, const ClusterKernelTable& kernels, int members);

  /// Bit rows that the activation fills [axis][row].
  [[nodiscard]] std::uint64_t* active() { return active_.data(); }
  /// Labels the clusters of active(). `windings` also finds out which of them wrap around the lattice.
  void label(const Share& share, bool windings);
  /// Root site of the cluster of a site; after label().
  [[nodiscard]] std::uint32_t root_of_site(std::int64_t site) const;
  /// Sums over all clusters; after label() with windings, by one thread. projection: null for discrete spins.
  void add_decomposition(const float* projection, ClusterSums& sums);

  [[nodiscard]] const Runs& runs() const { return runs_; }

 private:
  void allocate_runs(std::uint32_t count);
  void add_roots(ClusterSums& sums) const;

  const FastClusterSystem& system_;
  const ClusterGeometry& g_;
  const ClusterKernelTable& kernels_;
  std::vector<std::uint64_t> active_, starts_;
  std::vector<std::uint32_t> before_, site_, parent_;
  std::vector<std::uint32_t> first_run_;  ///< runs of each member, then the number of the first one [member]
  std::vector<std::int64_t> bounds_;      ///< rows of each member [member + 1]
  std::uint32_t run_count_ = 0;
  Runs runs_{};
  std::vector<std::int32_t> crossed_;
  std::vector<std::uint8_t> wraps_;
  std::vector<std::uint32_t> size_;
  std::vector<std::int64_t> terms_;
  std::vector<float> cosine_, sine_;
  std::vector<std::int64_t> cosine_sum_, sine_sum_;
};

}  // namespace glassworks
