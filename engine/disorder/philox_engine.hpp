#pragma once

#include <cstdint>
#include <limits>

#include "kernels/core/random.hpp"

namespace glassworks { inline namespace engine {

/// The words of one stream of one realization in order, for the distributions of Boost.Random: word 4 b + w is word w
/// of the Philox block with index b. 2^34 words.
class PhiloxEngine {
 public:
  using result_type = std::uint32_t;

  PhiloxEngine(PhiloxKey key, Stream stream, std::uint32_t realization)
      : key_(key), stream_(stream), realization_(realization) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    if (used_ == 4) {
      block_ = random_block(key_, stream_, realization_, 0, 0, next_block_++);
      used_ = 0;
    }
    return block_.word[used_++];
  }

 private:
  PhiloxKey key_;
  Stream stream_;
  std::uint32_t realization_;
  std::uint32_t next_block_ = 0;
  RandomBlock block_{};
  unsigned used_ = 4;
};

}}  // namespace glassworks::engine
