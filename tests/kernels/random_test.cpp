#include "kernels/core/random.hpp"

#include <Random123/philox.h>
#include <Random123/threefry.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

using Words = std::array<std::uint32_t, 4>;

Words philox(Words counter, PhiloxKey key) {
  philox4x32_10(counter.data(), key);
  return counter;
}

/// Vectors of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Philox, PublishedKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}, {0xffffffffU, 0xffffffffU}),
            (Words{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
            (Words{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(Philox, AgreesWithRandom123) {
  test::Source source(11);
  r123::Philox4x32 library;
  for (int i = 0; i < 100000; ++i) {
    const Words counter{source.word(), source.word(), source.word(), source.word()};
    const PhiloxKey key{source.word(), source.word()};
    const auto expected = library({{counter[0], counter[1], counter[2], counter[3]}}, {{key.k0, key.k1}});
    const Words words = philox(counter, key);
    ASSERT_TRUE(std::equal(words.begin(), words.end(), expected.begin())) << "counter " << i;
  }
}

TEST(Threefry, AgreesWithRandom123AtTheSameAddresses) {
  test::Source source(12);
  r123::Threefry4x32_R<20> library;
  for (int i = 0; i < 10000; ++i) {
    const PhiloxKey key{source.word(), source.word(), Generator::threefry4x32};
    const std::uint32_t site = source.word(), realization = source.word(), sweep = source.word();
    const RandomBlock words = random_block(key, Stream::exchange, realization, 77, sweep, site);
    const auto expected =
        library({{site, sweep, realization, counter_word3(Stream::exchange, 77, sweep)}}, {{key.k0, key.k1, 0, 0}});
    for (std::size_t w = 0; w < 4; ++w) ASSERT_EQ(words.word[w], expected[w]) << "counter " << i;
  }
}

TEST(Streams, AnotherHistoryHasAnotherKey) {
  const PhiloxKey first = size_key(5, 3, 8);
  EXPECT_EQ(first, size_key(5, 3, 8, 0));
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys{{first.k0, first.k1}};
  for (const std::uint32_t history : {1U, 2U, cooling_history, cooling_history + 1}) {
    const PhiloxKey key = size_key(5, 3, 8, history);
    EXPECT_TRUE(keys.insert({key.k0, key.k1}).second) << history;
  }
}

TEST(Streams, NumbersNeverChange) {
  EXPECT_EQ(static_cast<int>(Stream::size_key), 0);
  EXPECT_EQ(static_cast<int>(Stream::couplings), 1);
  EXPECT_EQ(static_cast<int>(Stream::fields), 2);
  EXPECT_EQ(static_cast<int>(Stream::initial_spins), 3);
  EXPECT_EQ(static_cast<int>(Stream::heat_bath), 4);
  EXPECT_EQ(static_cast<int>(Stream::exchange), 5);
}

TEST(Streams, CounterLayout) {
  r123::Philox4x32 library;
  for (std::uint32_t stream = 0; stream < 6; ++stream) {
    const std::uint64_t sweep = (std::uint64_t{0xABCD} << 32) | 0x12345678U;
    const RandomBlock b = random_block(PhiloxKey{7, 8}, static_cast<Stream>(stream), 55, 4095, sweep, 99);
    const auto expected = library({{99, 0x12345678U, 55, (stream << 28) | (4095U << 16) | 0xABCDU}}, {{7, 8}});
    for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(b.word[w], expected[w]) << "stream " << stream;
  }
}

TEST(Streams, CountersOfDifferentPlacesDiffer) {
  std::set<std::uint32_t> words;
  for (std::uint32_t stream = 0; stream < 6; ++stream) {
    for (std::uint32_t replica = 0; replica < max_replicas_per_realization; replica += 13) {
      for (const std::uint64_t high : {0ULL, 1ULL, 0xFFFFULL}) {
        const std::uint64_t sweep = high << 32;
        EXPECT_TRUE(words.insert(counter_word3(static_cast<Stream>(stream), replica, sweep)).second);
      }
    }
  }
}

/// Pinned: whoever changes the key of a size changes every campaign.
TEST(SizeKey, NeverChangesAndSeparatesSizes) {
  r123::Philox4x32 library;
  const auto expected = library({{8, 3, 0, 0}}, {{0x89ABCDEFU, 0x01234567U}});
  EXPECT_EQ(size_key(0x0123456789ABCDEFU, 3, 8), (PhiloxKey{expected[0], expected[1]}));
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  int count = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32, 2ULL}) {
    for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
      for (int L = 4; L <= 128; L += 2, ++count) {
        const PhiloxKey key = size_key(seed, dim, L);
        keys.insert({key.k0, key.k1});
      }
    }
  }
  EXPECT_EQ(keys.size(), static_cast<std::size_t>(count));
}

}}  // namespace glassworks
