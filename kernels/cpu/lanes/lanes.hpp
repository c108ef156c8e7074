#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"
#include "kernels/core/scalar.hpp"

namespace glassworks { inline namespace cpu {

/// Replicas of one realization are bundled by 16: a bundle stores spins[site][component][lane], and each lane is one
/// replica. All lanes share the couplings.
constexpr int bundle_lanes = 16;

}}  // namespace glassworks::cpu

namespace glassworks::exact {

/// A Philox block after its first round, for lanes that differ in counter word 3 only. word2 of a lane is
/// word2_xor ^ (its counter word 3); product0 is the product of word 0 in round 2.
struct PhiloxStart {
  std::uint32_t word1, word3, word2_xor, product0_high, product0_low;
  PhiloxKey key;
};

GLASSWORKS_HD PhiloxStart start_philox(PhiloxKey key, std::uint32_t word0, std::uint32_t word1, std::uint32_t word2) {
  PhiloxStart s{};
  std::uint32_t high0, low0, high1, low1;
  mul_hi_lo(word0, philox_multiplier0, high0, low0);
  mul_hi_lo(word2, philox_multiplier1, high1, low1);
  mul_hi_lo(high1 ^ word1 ^ key.k0, philox_multiplier0, s.product0_high, s.product0_low);
  s.word1 = low1;
  s.word3 = low0;
  s.word2_xor = high0 ^ key.k1;
  s.key = key;
  return s;
}

/// Load, store and sum `width` lanes of a number type. Specialized per instruction set.
template <class F>
struct Lanes;

/// Portable: one lane at a time.
template <>
struct Lanes<float> {
  static constexpr int width = 1;
  GLASSWORKS_HD static float load(const float* p) { return *p; }
  GLASSWORKS_HD static void store(float* p, float x) { *p = x; }
  GLASSWORKS_HD static std::uint32_t load(const std::uint32_t* p) { return *p; }
  GLASSWORKS_HD static void add_to(std::int32_t* sum, std::uint32_t x) { *sum += static_cast<std::int32_t>(x); }
  GLASSWORKS_HD static void store(std::int32_t* sum, std::uint32_t x) { *sum = static_cast<std::int32_t>(x); }
  GLASSWORKS_HD static void add_wide(std::int64_t* sum, std::uint32_t x) { *sum += static_cast<std::int32_t>(x); }

  /// The nine rounds that follow start_philox.
  GLASSWORKS_HD static void philox(PhiloxStart s, std::uint32_t word3, std::uint32_t out[4]) {
    std::uint32_t k0 = s.key.k0 + philox_key_step0, k1 = s.key.k1 + philox_key_step1, high1, low1;
    mul_hi_lo(s.word2_xor ^ word3, philox_multiplier1, high1, low1);
    out[0] = high1 ^ s.word1 ^ k0;
    out[1] = low1;
    out[2] = s.product0_high ^ s.word3 ^ k1;
    out[3] = s.product0_low;
    for (int round = 2; round < 10; ++round) {
      k0 += philox_key_step0;
      k1 += philox_key_step1;
      std::uint32_t high0, low0;
      mul_hi_lo(out[0], philox_multiplier0, high0, low0);
      mul_hi_lo(out[2], philox_multiplier1, high1, low1);
      out[0] = high1 ^ out[1] ^ k0;
      out[2] = high0 ^ out[3] ^ k1;
      out[1] = low1;
      out[3] = low0;
    }
  }
};

}  // namespace glassworks::exact
