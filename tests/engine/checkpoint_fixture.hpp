#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "engine/checkpoint/checkpoint.hpp"
#include "tests/refusals.hpp"

namespace glassworks {

inline ChainState small_state() {
  ChainState state;
  state.steps = 1234567890123ULL;
  state.slot = {1, 0};
  state.heading = {1, -1};
  state.round_trips = {7, 0};
  state.spins = {0.5F, -0.0F, 1.0F, -1.0F, 1e-40F, 0.25F};
  return state;
}

/// Of the small state: one spin, one copy, two slots.
inline CheckpointIdentity small_identity() {
  CheckpointIdentity identity{.dim = 3, .L = 1, .copies = 1, .slots = 2, .realization = 7, .rounds = 12, .origin = {}};
  identity.origin.fill(std::byte{0xA5});
  return identity;
}

inline bool same_bits(const ChainState& a, const ChainState& b) {
  return a.steps == b.steps && a.slot == b.slot && a.heading == b.heading && a.round_trips == b.round_trips &&
         a.spins.size() == b.spins.size() &&
         std::equal(a.spins.begin(), a.spins.end(), b.spins.begin(), [](float x, float y) {
           return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
         });
}

/// A directory for checkpoint files that goes with the test.
class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "checkpoint-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory_), std::filesystem::directory_iterator()));
  }

  std::filesystem::path directory_;
};

}  // namespace glassworks
