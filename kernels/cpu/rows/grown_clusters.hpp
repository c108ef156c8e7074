#pragma once

#include <cstdint>
#include <memory>
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
/// lattice, and the same bits. Where they hold much of the lattice on average, labelling all of it takes less time.
class GrownClusters {
 public:
  GrownClusters(const FastClusterSystem& system, const ClusterKernelTable& kernels, const SingleClusters& single,
                int members);

  /// Whether clusters have been so small that growing those of the next update is expected to take less time than
  /// labelling the lattice.
  [[nodiscard]] bool pay() const { return mean_ <= most_; }
  /// Makes an update. job: all but `reached`. multiplier: as in ClusterKernelTable::move.
  [[nodiscard]] ClusterChange update(std::uint64_t update, GrowJob job, float multiplier);
  /// What an update that labelled the lattice moved [sites].
  void see_moved(std::uint64_t moved) { see(static_cast<double>(moved) / flipped_); }

  /// Bytes of a site.
  [[nodiscard]] static double site_bytes() { return 1.0 + sizeof(std::uint64_t); }

 private:
  struct Cluster {
    std::int64_t begin, size, root;
  };

  void see(double size) { mean_ = mean_ < 0.0 ? size : mean_ + (size - mean_) / 8.0; }

  const ClusterGeometry& g_;
  const ClusterKernelTable& kernels_;
  const SingleClusters& single_;
  double flipped_;      ///< part of the clusters that move
  double most_;         ///< sites of the clusters of an update, on average, up to which growing them pays
  double mean_ = -1.0;  ///< of the last updates; -1: there was none
  std::vector<std::uint8_t> reached_;
  std::unique_ptr<std::uint64_t[]> sites_;  ///< of the clusters, one after the other
  std::vector<Cluster> clusters_;
};

}}  // namespace glassworks::cpu
