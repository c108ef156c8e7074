#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/random.hpp"

namespace glassworks {

/// Sixteen random blocks, sixteen comparisons, 64 bytes at a time: what the loops of cluster updates need of a vector
/// unit. This one is plain code.
struct WidePortable {
  /// Blocks with counter words first + lane, word1, word2, word3: out[word][lane].
  static void philox(PhiloxKey key, std::uint32_t first, const std::uint32_t rest[3], std::uint32_t out[4][16]) {
    for (std::uint32_t lane = 0; lane < 16; ++lane) {
      std::uint32_t c[4] = {first + lane, rest[0], rest[1], rest[2]};
      philox4x32_10(c, key);
      for (int w = 0; w < 4; ++w) out[w][lane] = c[w];
    }
  }
  /// Bit i: word[i] < threshold.
  static std::uint32_t below(const std::uint32_t word[16], std::uint32_t threshold) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 16; ++i) bits |= (word[i] < threshold ? 1U : 0U) << i;
    return bits;
  }
  /// Bit i: flag[i] != 0; flags are 0 or ~0.
  static std::uint32_t flags(const std::uint32_t flag[16]) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 16; ++i) bits |= (flag[i] & 1U) << i;
    return bits;
  }
  /// Bit i: a[i] = b[i], i = 0 .. 63.
  static std::uint64_t equal(const std::uint8_t* a, const std::uint8_t* b) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) bits |= static_cast<std::uint64_t>(a[i] == b[i]) << i;
    return bits;
  }
  /// state[i] ^= bit i.
  static void flip(std::uint8_t* state, std::uint64_t bits) {
    for (int i = 0; i < 64; ++i) state[i] = static_cast<std::uint8_t>(state[i] ^ ((bits >> i) & 1U));
  }
};

}  // namespace glassworks
