#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/pairs/spin_bits.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"
#include "kernels/cpu/rows/counted_bonds.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace cpu {

/// What the fast replicas of one realization share: tables of the lattice and the couplings in their order.
class FastClusterSystem {
 public:
  /// measures: the replicas are measured, and others update them
  explicit FastClusterSystem(const ClusterSystem& system, bool measures = false);

  /// Padding behind the sites of an array, so that 64 elements may be read from any of them.
  static constexpr std::int64_t padding = 64;

  [[nodiscard]] const ClusterSystem& system() const { return system_; }
  [[nodiscard]] const ClusterGeometry& geometry() const { return geometry_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  [[nodiscard]] const float* couplings() const { return couplings_.data(); }  ///< [axis][stride]
  /// Whether all bonds have the same J.
  [[nodiscard]] bool one_coupling() const { return one_coupling_; }
  /// [component][stride]; null where there are none.
  [[nodiscard]] const float* fields() const { return system_.disorder.has_fields() ? fields_.data() : nullptr; }
  /// See LocalSweepJob.
  [[nodiscard]] const CountedWeights* counted(int slot) const { return counted_ ? counted_->weights(slot) : nullptr; }
  /// Bonds with J < 0 as bit rows; null if there is none.
  [[nodiscard]] const std::uint64_t* negative() const { return negative_.empty() ? nullptr : negative_.data(); }

 private:
  const ClusterSystem& system_;
  std::int64_t stride_;
  bool one_coupling_;
  std::vector<std::int32_t> forward_, backward_, coordinates_;
  std::vector<std::uint8_t> parity_;
  std::vector<std::uint64_t> negative_;
  AlignedBuffer<float> couplings_, fields_;
  std::optional<CountedBonds> counted_;
  ClusterGeometry geometry_{};
};

[[nodiscard]] const ClusterKernelTable& cluster_kernels(InstructionSet isa);

/// A replica updated with rows of bits, runs and union-find. `members` threads share it at most.
///
/// bits  if not null, where it leaves its spins as it adds its sums over sites, which are taken from there; of ising
[[nodiscard]] std::unique_ptr<ClusterReplica> make_fast_cluster_replica(std::shared_ptr<const FastClusterSystem> system,
                                                                        InstructionSet isa, int replica,
                                                                        const ChainState& state, int members,
                                                                        std::shared_ptr<SpinBits> bits = nullptr);

}}  // namespace glassworks::cpu
