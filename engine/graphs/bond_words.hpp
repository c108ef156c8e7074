#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/core/random.hpp"

namespace glassworks { inline namespace engine {

/// Replica of the stream dilution that draws the bonds of a graph: the four bits of the stream have no further number.
constexpr std::uint32_t graph_bonds_replica = 2;

/// Random words of the bonds of a graph that is drawn for a realization: word w of the Philox block b at (stream
/// dilution, replica 2, sweep 0, index b) is word 4 b + w. Bounded numbers are exactly uniform.
class BondWords {
 public:
  BondWords(PhiloxKey key, std::uint32_t realization) : key_(key), realization_(realization) {}

  std::uint32_t word() {
    if (used_ == words_.size()) refill();
    return words_[used_++];
  }

  /// Uniform among 0 .. n-1, n >= 1 (Lemire, ACM TOMACS 29, 3 (2019)).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t least = (0U - n) % n;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{word()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// True with probability `favourable` / `all`, exactly; 0 <= favourable <= all.
  bool happens(std::int64_t favourable, std::int64_t all) {
    const std::uint64_t mask = std::bit_ceil(static_cast<std::uint64_t>(all)) - 1;
    for (;;) {
      const std::uint64_t high = word(), x = ((high << 32) | word()) & mask;
      if (x < static_cast<std::uint64_t>(all)) return x < static_cast<std::uint64_t>(favourable);
    }
  }

  /// Uniform in (0, 1], a multiple of 2^-53.
  double uniform() {
    const std::uint64_t high = word(), x = ((high << 32) | word()) >> 11;
    return static_cast<double>(x + 1) * 0x1p-53;
  }

 private:
  /// Several blocks at once: they do not wait for each other.
  void refill() {
    for (std::size_t i = 0; i < words_.size(); i += 4, ++block_number_) {
      const RandomBlock block = random_block(key_, Stream::dilution, realization_, graph_bonds_replica,
                                             block_number_ >> 32, static_cast<std::uint32_t>(block_number_));
      std::copy_n(block.word, 4, words_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    used_ = 0;
  }

  PhiloxKey key_;
  std::uint32_t realization_;
  std::uint64_t block_number_ = 0;
  std::array<std::uint32_t, 64> words_{};
  std::size_t used_ = words_.size();
};

}}  // namespace glassworks::engine
