#include "kernels/models/ising_decision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/step_words.hpp"
#include "kernels/models/unit_vectors.hpp"
#include "tests/kernels/support.hpp"

/// What the kernels of GPUs take instead of the definition of an Ising heat bath: the same words, the same spins.
namespace glassworks { namespace {

TEST(StepWords, AreThoseOfTheBlocks) {
  test::Source source(31);
  for (int i = 0; i < 2000; ++i) {
    const PhiloxRoundKeys key(PhiloxKey{source.word(), source.word()});
    const std::uint32_t realization = source.word(), replica = source.word() % max_replicas_per_realization;
    const std::uint64_t sweep = (std::uint64_t{source.word() % 0x10000U} << 32) | (source.word() & 0xFFFF0000U);
    const std::uint32_t cell[2] = {source.word(), source.word()};
    StepWords<2> words;
    words.begin(key, Stream::local_update, realization, replica, sweep, [&](int k) { return cell[k]; });
    for (std::uint64_t n = sweep; n < sweep + 3; ++n) {
      std::uint32_t w[4];
      words.draw(key, static_cast<std::uint32_t>(n), w);
      for (int k = 0; k < 2; ++k) {
        const RandomBlock block = random_block(key, Stream::local_update, realization, replica, n, cell[k]);
        ASSERT_EQ(w[2 * k], block.word[0]) << "case " << i;
        ASSERT_EQ(w[2 * k + 1], block.word[2]) << "case " << i;
      }
    }
  }
}

/// Words at and around the border between the spins, and exponentials that are wrong by what devices may be wrong by.
TEST(IsingDecision, IsTheHeatBathWhereItIsSure) {
  test::Source source(32);
  int sure = 0, unsure = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto beta = static_cast<float>(std::exp(6.0 * source.uniform() - 3.0));
    const auto h = i % 97 == 0 ? 0.0F : static_cast<float>(source.normal() * std::exp(4.0 * source.uniform() - 3.0));
    const exact::HeatBathTemperature<float> t{-2.0F * beta, -1.0F / beta};
    const double error = 1.9e-6 * (2.0 * source.uniform() - 1.0);
    const auto exp2 = [error](float x) { return static_cast<float>(std::max(0.0, std::exp2(double{x}) + error)); };
    const double border = 0x1p32 / (1.0 + std::exp(-2.0 * double{beta} * std::abs(double{h})));
    const double near = border + std::exp2(20.0 * source.uniform()) * (source.word() % 2 == 0 ? 1.0 : -1.0);
    const auto word = i % 3 == 0 ? source.word() : static_cast<std::uint32_t>(std::clamp(near, 0.0, 0x1p32 - 1.0));
    float distance = 0.0F;
    const float spin = IsingDecision(t.minus_two_beta).spin(h, word, exp2, distance);
    ++(IsingDecision::unsure(distance) ? unsure : sure);
    if (IsingDecision::unsure(distance)) continue;
    ASSERT_EQ(spin, exact::local_update<float>(exact::Vector<1>{}, {{h}}, t, 0, word, 0U).c[0])
        << "h " << h << ", beta " << beta << ", word " << word;
  }
  EXPECT_GT(sure, 60000);
  EXPECT_GT(unsure, 60000);
}

}}  // namespace glassworks
