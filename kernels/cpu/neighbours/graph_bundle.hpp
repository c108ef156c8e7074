#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/neighbours/graph_realization.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace cpu {

class GraphClusters;

/// Spins of a bundle: spins[site][number][lane], float of vectors and ising (s = +-1), std::uint32_t of other states.
class GraphSpins {
 public:
  GraphSpins(const SpinModel& model, std::int64_t sites);

  [[nodiscard]] void* data() { return of_floats_ ? static_cast<void*>(floats_.data()) : states_.data(); }
  [[nodiscard]] const void* data() const {
    return of_floats_ ? static_cast<const void*>(floats_.data()) : states_.data();
  }
  [[nodiscard]] float* floats() { return floats_.data(); }
  [[nodiscard]] std::uint32_t* states() { return states_.data(); }
  [[nodiscard]] int numbers() const { return numbers_; }

  /// A replica comes from a state and goes to one.
  void load(int lane, const ChainState& state, int replica);
  void store(int lane, ChainState& state, int replica) const;
  /// Lane `lane` of all sites from lane `of` of other spins.
  void take(int lane, const GraphSpins& other, int of);
  /// Whether two lanes of ising differ at a site; swaps them there.
  [[nodiscard]] static bool differ(const GraphSpins& a, int lane_a, const GraphSpins& b, int lane_b, std::int64_t site);
  static void swap(GraphSpins& a, int lane_a, GraphSpins& b, int lane_b, std::int64_t site);

 private:
  bool of_floats_, discrete_;
  int numbers_;
  std::int64_t sites_;
  AlignedBuffer<float> floats_;
  AlignedBuffer<std::uint32_t> states_;
};

/// Sixteen replicas of a realization on a graph. Lanes beyond the last replica repeat it and are never stored.
class GraphBundle {
 public:
  GraphBundle(const ClusterSystem& system, const GraphRealization& graph, const GraphTable& kernels,
              const ChainState& state, int first_replica);
  GraphBundle(GraphBundle&&) noexcept;
  ~GraphBundle();

  /// Before the moves of a step; slot_of_replica: what they are made at.
  void begin_step(std::span<const std::uint16_t> slot_of_replica);
  /// Moves in a repetition, none of them between copies. See ClusterReplica::make.
  void make(std::span<const PlacedMove> moves, std::uint64_t repetition, bool observe);
  /// Brings unit vectors back to length 1; energy[replica] gets the energies; null: nobody needs
  /// them.
  void finish_step(std::int64_t* energy);
  void store(ChainState& state) const;

  [[nodiscard]] int first_replica() const { return first_replica_; }
  /// Lanes with replicas of their own.
  [[nodiscard]] int lanes() const { return lanes_; }
  [[nodiscard]] GraphSpins& spins() { return spins_; }
  /// What the updates of the last step did in a lane.
  [[nodiscard]] ClusterSums sums(int lane) const;

 private:
  [[nodiscard]] std::uint32_t replica_of(int lane) const;
  void local_sweep(const NumberedMove& move);

  const ClusterSystem& system_;
  const Chain& chain_;
  const GraphRealization& graph_;
  const GraphTable& kernels_;
  int first_replica_, lanes_;
  BesideLayout layout_;
  GraphSpins spins_;
  std::unique_ptr<GraphClusters> clusters_;  ///< where there are cluster updates
  int slot_[bundle_lanes] = {};
  std::uint64_t accepted_[bundle_lanes] = {};
  alignas(64) float minus_two_beta_[bundle_lanes],
      minus_inverse_beta_[bundle_lanes], beta_[bundle_lanes], width_[bundle_lanes];
};

}}  // namespace glassworks::cpu
