#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/rows/fast_cluster_replica.hpp"
#include "kernels/rounds/cluster_measurement.hpp"

namespace glassworks { inline namespace cpu {

/// The clusters of one update of a replica, as a forest over runs. Functions with a share are called by all members.
class ClusterLabels {
 public:
  ClusterLabels(const FastClusterSystem& system, const ClusterKernelTable& kernels, int members);

  /// Bit rows that the activation fills [axis][row].
  [[nodiscard]] std::uint64_t* active() { return active_.data(); }
  /// Finds the runs along the active bonds.
  void find_runs(const Share& share);
  /// Unites them to clusters. `windings` also finds out which of these wrap around the lattice.
  void unite(const Share& share, bool windings);
  /// Lets every run point at its root; by one thread, after unite().
  void compress() { kernels_.compress(runs_.parent, run_count_); }
  /// The root of the cluster of a site, as a run and as the site that it starts with; after compress().
  [[nodiscard]] std::uint32_t root_run(std::int64_t site) const { return parent_[kernels_.run_of(g_, runs_, site)]; }
  [[nodiscard]] std::uint32_t first_site(std::uint32_t run) const;
  /// Sums over all clusters; after unite() with windings and compress(), by one thread. projection: null for discrete
  /// spins.
  void add_decomposition(const float* projection, ClusterSums& sums);

  [[nodiscard]] const Runs& runs() const { return runs_; }
  [[nodiscard]] std::uint32_t run_count() const { return run_count_; }

 private:
  void allocate_runs(std::uint32_t count);

  const FastClusterSystem& system_;
  const ClusterGeometry& g_;
  const ClusterKernelTable& kernels_;
  std::vector<std::uint64_t> active_, starts_;
  std::vector<std::uint32_t> before_, parent_;
  std::vector<std::uint8_t> fate_;
  std::vector<std::uint32_t> first_run_;  ///< runs of each member, then the number of the first one [member]
  std::vector<std::int64_t> bounds_;      ///< rows of each member [member + 1]
  std::uint32_t run_count_ = 0;
  Runs runs_{};
  std::vector<std::int32_t> crossed_;
  std::vector<std::uint8_t> wraps_;
  std::vector<std::uint32_t> cluster_, size_;
  std::vector<std::int64_t> terms_;
  std::vector<float> cosine_, sine_;
  std::vector<std::int64_t> cosine_sum_, sine_sum_;
};

}}  // namespace glassworks::cpu
