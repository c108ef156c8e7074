#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace cpu {

/// What local sweeps of ising and potts need where all couplings have one modulus and there are no fields: a spin then
/// knows its neighbours by counting bonds, and every probability is in a table of a few numbers, which the formulas of
/// the models make.
class CountedBonds {
 public:
  /// Of a chain that this applies to. couplings: as in SpinArrays.
  CountedBonds(const ClusterSystem& system, const float* couplings, std::int64_t stride);

  [[nodiscard]] static bool applies_to(const Chain& chain, const Disorder& disorder);

  [[nodiscard]] const CountedWeights* weights(int slot) const { return &weights_[static_cast<std::size_t>(slot)]; }

 private:
  std::vector<CountedWeights> weights_;  ///< [slot]
  AlignedBuffer<std::uint8_t> negative_;
};

}}  // namespace glassworks::cpu
