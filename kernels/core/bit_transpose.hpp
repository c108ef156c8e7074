#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace core {

/// Transposes squares of size x size bits, side by side in as many words. mask: the lower half of the bits of each
/// square. Source: Warren, Hacker's Delight, 7-3.
template <int size>
GLASSWORKS_HD void transpose_squares(std::uint64_t* word, std::uint64_t mask) {
  for (int j = size / 2; j != 0; j >>= 1, mask ^= mask << j) {
    for (int first = 0; first < size; first += 2 * j) {
      for (int k = first; k < first + j; ++k) {
        const std::uint64_t swap = (word[k] >> j ^ word[k + j]) & mask;
        word[k] ^= swap << j;
        word[k + j] ^= swap;
      }
    }
  }
}

/// Bit j of word i becomes bit i of word j, of 64 words.
GLASSWORKS_HD void transpose_bits(std::uint64_t* word) { transpose_squares<64>(word, 0x00000000FFFFFFFFU); }

/// The same in each of four squares of 16 x 16 bits: bit 16 f + j of word i becomes bit 16 f + i of word j, of 16
/// words.
GLASSWORKS_HD void transpose_quarters(std::uint64_t* word) { transpose_squares<16>(word, 0x00FF00FF00FF00FFU); }

}}  // namespace glassworks::core
