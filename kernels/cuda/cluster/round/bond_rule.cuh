#pragma once

#include <type_traits>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace cuda {

[[nodiscard]] __device__ __forceinline__ std::uint32_t chosen_word(const RandomBlock& random, std::uint32_t word) {
  return word < 2 ? (word == 0 ? random.word[0] : random.word[1]) : (word == 2 ? random.word[2] : random.word[3]);
}

/// Whether a bond of a system is active, from what its sites have: states, or projections r.s of vectors.
template <bool discrete>
struct BondRule {
  using Value = std::conditional_t<discrete, std::uint8_t, float>;

  float exponent_factor;
  bool uniform;
  std::uint32_t threshold;  ///< where all couplings of the task have one modulus

  __device__ __forceinline__ BondRule(const ClusterBatch& b, int task, int slot)
      : exponent_factor(exact::mul(b.minus_factor, b.common.d_beta[slot])),
        uniform(discrete && b.d_uniform[task] != 0),
        threshold(uniform ? b.d_threshold[task * b.common.slots + slot] : 0) {}

  [[nodiscard]] __device__ __forceinline__ bool operator()(float J, Value i, Value j, std::uint32_t word) const {
    if constexpr (discrete) {
      const bool satisfied = exact::is_satisfied(J, i, j);
      if (uniform) return satisfied && word < threshold;
      return satisfied && exact::is_active(exact::satisfied_exponent(exponent_factor, J), word);
    } else {
      return exact::is_active(exact::reflected_exponent(exponent_factor, J, i, j), word);
    }
  }
  /// Whether any word makes it active.
  [[nodiscard]] __device__ __forceinline__ bool may_be_active(float J, Value i, Value j) const {
    if constexpr (discrete) {
      return exact::is_satisfied(J, i, j);
    } else {
      return exact::reflected_exponent(exponent_factor, J, i, j) < 0.0F;
    }
  }
};

}}  // namespace glassworks::cuda
