#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/neighbours/graph_bundle.hpp"

namespace glassworks { inline namespace cpu {

/// Cluster updates of a bundle on a graph. Swendsen-Wang: the bonds of all lanes at once, then the components of one
/// lane after the other by union-find over the bonds. Wolff: the cluster of each lane from its seed.
class GraphClusters {
 public:
  GraphClusters(const ClusterSystem& system, const GraphRealization& graph, const GraphTable& kernels,
                int first_replica, int lanes);

  void begin_step(const int* slot_of_lane);
  void update(GraphSpins& spins, MoveRule rule, std::uint64_t number, bool observe);
  /// What the updates of the step did in a lane.
  [[nodiscard]] const ClusterSums& sums(int lane) const { return sums_[lane]; }

 private:
  template <class M>
  void swendsen_wang(GraphSpins& spins, std::uint64_t update, bool observe);
  template <class M>
  void wolff(GraphSpins& spins, int lane, std::uint64_t update);

  [[nodiscard]] RandomBlock block(Stream stream, std::uint64_t sweep, int lane, std::uint32_t index) const;
  /// Bonds and words of an update, of a stream.
  [[nodiscard]] GraphActivation job(Stream stream, std::uint64_t update);
  template <int n>
  void choose_directions(std::uint64_t update);
  void activate(const GraphSpins& spins, std::uint64_t update);
  /// Roots of all sites, the smallest of their clusters.
  void label(int lane);
  void add_decomposition(int lane, bool vectors);
  /// What becomes of the clusters of all possible roots: coins, or new states of `states`.
  void draw_coins(std::uint64_t update);
  void draw_states(std::uint64_t update, std::uint32_t states);

  const ClusterSystem& system_;
  const GraphRealization& graph_;
  const GraphTable& kernels_;
  int first_replica_, lanes_;
  std::int64_t sites_;
  int slot_[bundle_lanes] = {};
  ClusterSums sums_[bundle_lanes];
  alignas(64) std::uint32_t word3_[bundle_lanes];
  alignas(64) float minus_factor_beta_[bundle_lanes], threshold_[bundle_lanes];
  AlignedBuffer<std::uint16_t> active_;          ///< [bond]
  AlignedBuffer<float> direction_, projection_;  ///< of vectors [component][lane], [site][lane]
  AlignedBuffer<std::uint32_t> fate_;            ///< [site][lane]
  AlignedBuffer<std::uint32_t> words_;           ///< [block][word][lane]
  std::vector<std::uint32_t> parent_;            ///< of one lane [site]
  std::vector<std::uint64_t> bonds_;             ///< active bonds of all lanes [lane][word]
  std::vector<std::uint8_t> reached_;            ///< of one cluster [site]
  std::vector<std::int32_t> cluster_;            ///< its sites
};

}}  // namespace glassworks::cpu
