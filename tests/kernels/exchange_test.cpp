#include "kernels/rounds/exchange.hpp"

#include <gtest/gtest.h>

#include "kernels/rounds/round_record.hpp"
#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

/// Accepted fraction against exp((beta_high - beta_low)(E_high - E_low)) at 4 sigma, false-alarm probability 6.3e-5 for
/// each of the eight cases.
TEST(StatisticsExchange, AcceptanceFrequencies) {
  constexpr int n = 1000000;
  constexpr double unit = 0x1p-20;
  test::Source source(101);
  for (const double exponent : {-1e-3, -0.02, -0.3, -0.9, -1.7, -3.0, -6.0, -10.0}) {
    const float beta_low = 2.5F, beta_high = 2.25F;  // slot t is the colder one
    const std::int64_t low = -123456789, high = low + std::llround(exponent / -0.25 / unit);
    const double p = std::exp(-0.25 * static_cast<double>(high - low) * unit);
    int accepted = 0;
    for (int i = 0; i < n; ++i) accepted += exchange_accepted(beta_low, beta_high, low, high, unit, source.word());
    EXPECT_NEAR(accepted / static_cast<double>(n), p, 4.0 * std::sqrt(p * (1.0 - p) / n)) << exponent;
  }
}

TEST(Exchange, AlwaysAcceptedTowardsLowerColdEnergyAndNeverAcrossHugeGaps) {
  for (const std::uint32_t word : {0U, 0x80000000U, 0xFFFFFFFFU}) {
    EXPECT_TRUE(exchange_accepted(2.0F, 1.0F, 0, 0, 1.0, word));
    EXPECT_TRUE(exchange_accepted(2.0F, 1.0F, 5, 4, 1.0, word));
    EXPECT_TRUE(exchange_accepted(2.0F, 1.0F, 1LL << 60, -(1LL << 60), 1.0, word));
    EXPECT_FALSE(exchange_accepted(2.0F, 1.0F, 0, 88, 1.0, word));
    EXPECT_FALSE(exchange_accepted(2.0F, 1.0F, -(1LL << 60), 1LL << 60, 1.0, word));
  }
}

TEST(Exchange, PairsOfTheSchedules) {
  const auto list = [](ExchangeSchedule schedule, std::uint64_t step) {
    const ExchangePairs pairs = exchange_pairs(schedule, step);
    std::vector<int> result;
    for (int t = pairs.first; t + 1 < 6; t += pairs.stride) result.push_back(t);
    return result;
  };
  for (const std::uint64_t step : {0ULL, 1ULL, 7ULL}) {
    EXPECT_EQ(list(ExchangeSchedule::sequential, step), (std::vector<int>{0, 1, 2, 3, 4}));
  }
  EXPECT_EQ(list(ExchangeSchedule::even_odd, 0), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(list(ExchangeSchedule::even_odd, 1), (std::vector<int>{1, 3}));
  EXPECT_EQ(list(ExchangeSchedule::even_odd, (1ULL << 40) + 1), (std::vector<int>{1, 3}));
}

/// A ladder without spins: `slots` slots and chosen energies.
struct Ladder {
  explicit Ladder(int slots, ExchangeSchedule schedule, int copies = 1)
      : chain(test::make_chain({1, 4}, copies, test::geometric_betas(slots, 0.5, 2.0), {0, 1, 1, 1, schedule, 0}, 1)),
        state(initial_state(chain, 0)),
        record(empty_record(chain)),
        energy(static_cast<std::size_t>(chain.replicas()), 0),
        scratch(static_cast<std::size_t>(slots)) {}
  void step() { exchange_replicas(chain, 0, state.steps++, energy.data(), 0x1p-20, state, record, scratch.data()); }

  Chain chain;
  ChainState state;
  RoundRecord record;
  std::vector<std::int64_t> energy;
  std::vector<int> scratch;
};

using Slots = std::vector<std::uint16_t>;

/// Equal energies: every exchange is accepted, and the walk is known.
TEST(Exchange, EvenOddWalkOfEqualEnergiesIsBallistic) {
  Ladder ladder(4, ExchangeSchedule::even_odd);
  const std::vector<Slots> expected = {{1, 0, 3, 2}, {2, 0, 3, 1}, {3, 1, 2, 0}, {3, 2, 1, 0},
                                       {2, 3, 0, 1}, {1, 3, 0, 2}, {0, 2, 1, 3}, {0, 1, 2, 3}};
  for (std::size_t step = 0; step < 16; ++step) {
    ladder.step();
    EXPECT_EQ(ladder.state.slot, expected[step % 8]) << step;
  }
  // Replica 0 reaches the top at step 3 and the bottom at steps 7 and 15. Replicas 1 and 2 stand at the bottom first,
  // at steps 1 and 5, and come back once; replica 3 does so at step 3 and again at step 11.
  EXPECT_EQ(ladder.state.round_trips, (std::vector<std::uint32_t>{2, 1, 1, 1}));
  EXPECT_EQ(ladder.record.round_trips, ladder.state.round_trips);
  EXPECT_EQ(ladder.record.exchange_attempts, (std::vector<std::uint64_t>{8, 8, 8}));
  EXPECT_EQ(ladder.record.exchange_accepted, ladder.record.exchange_attempts);
}

/// From the bottom upward, one configuration is carried through the whole ladder in one step.
TEST(Exchange, SequentialWalkCarriesThroughTheLadder) {
  Ladder ladder(4, ExchangeSchedule::sequential);
  ladder.step();
  EXPECT_EQ(ladder.state.slot, (Slots{3, 0, 1, 2}));
  EXPECT_EQ(ladder.state.heading, (std::vector<std::int8_t>{-1, 1, 0, 0}));
  ladder.step();
  EXPECT_EQ(ladder.state.slot, (Slots{2, 3, 0, 1}));
  ladder.step();
  ladder.step();
  EXPECT_EQ(ladder.state.slot, (Slots{0, 1, 2, 3}));
  EXPECT_EQ(ladder.state.round_trips, (std::vector<std::uint32_t>{1, 0, 0, 0}));
}

/// Sorted energies across a wide gap are never exchanged, reversed ones sort themselves; copies do not mix.
TEST(Exchange, CopiesAreSortedApart) {
  for (const ExchangeSchedule schedule : {ExchangeSchedule::sequential, ExchangeSchedule::even_odd}) {
    Ladder ladder(4, schedule, 2);
    for (int r = 0; r < 4; ++r) {
      ladder.energy[static_cast<std::size_t>(r)] = std::int64_t{r} << 30;
      ladder.energy[static_cast<std::size_t>(4 + r)] = -(std::int64_t{r} << 30);
    }
    for (int step = 0; step < 8; ++step) ladder.step();
    EXPECT_EQ(ladder.state.slot, (Slots{0, 1, 2, 3, 3, 2, 1, 0}));
    EXPECT_EQ(ladder.state.round_trips, std::vector<std::uint32_t>(8, 0));
  }
}

TEST(RoundTrips, HandMadeWalk) {
  std::int8_t heading = 0;
  int trips = 0;
  const auto visit = [&](std::initializer_list<int> slots) {
    for (const int slot : slots) {
      const Heading next = next_heading(heading, slot, 4);
      heading = next.heading;
      trips += next.round_trip ? 1 : 0;
    }
  };
  visit({2, 3, 2, 3});
  EXPECT_EQ(heading, 0);  // the top counts only after the bottom
  visit({2, 1, 0});
  EXPECT_EQ(heading, 1);
  EXPECT_EQ(trips, 0);
  visit({1, 2, 1, 0, 1, 2});
  EXPECT_EQ(trips, 0);
  visit({3, 3, 2, 3, 1});
  EXPECT_EQ(heading, -1);
  EXPECT_EQ(trips, 0);
  visit({0, 0, 1, 0});
  EXPECT_EQ(trips, 1);
  visit({1, 2, 3, 2, 1, 0});
  EXPECT_EQ(trips, 2);
  EXPECT_EQ(next_heading(0, 0, 1).heading, 0);  // one slot: nothing to walk
}

/// The words come from stream `exchange` of (realization, copy, step, pair): every decision can be recomputed.
TEST(Exchange, DecisionsArePureFunctionsOfTheirPlace) {
  Ladder ladder(8, ExchangeSchedule::even_odd, 2);
  test::Source source(103);
  for (int step = 0; step < 200; ++step) {
    for (std::int64_t& e : ladder.energy) e = static_cast<std::int64_t>(source.uniform() * 0x1p22);
    std::vector<int> at(16);
    for (int r = 0; r < 16; ++r)
      at[static_cast<std::size_t>(8 * (r / 8) + ladder.state.slot[static_cast<std::size_t>(r)])] = r;
    const std::uint64_t now = ladder.state.steps;
    ladder.step();
    for (int copy = 0; copy < 2; ++copy) {
      for (int t = static_cast<int>(now % 2); t + 1 < 8; t += 2) {
        const int low = at[static_cast<std::size_t>(8 * copy + t)],
                  high = at[static_cast<std::size_t>(8 * copy + t + 1)];
        const RandomBlock u = random_block(ladder.chain.key, Stream::exchange, 0, static_cast<std::uint32_t>(8 * copy),
                                           now, static_cast<std::uint32_t>(t));
        const double step_in_beta = static_cast<double>(ladder.chain.beta[static_cast<std::size_t>(t + 1)]) -
                                    static_cast<double>(ladder.chain.beta[static_cast<std::size_t>(t)]);
        const double exponent = step_in_beta * 0x1p-20 *
                                static_cast<double>(ladder.energy[static_cast<std::size_t>(high)] -
                                                    ladder.energy[static_cast<std::size_t>(low)]);
        const double w = ((u.word[0] >> 9) + 0.5) * 0x1p-23;
        if (std::abs(w - std::exp(exponent)) < 1e-6) continue;  // too close to call in double
        EXPECT_EQ(ladder.state.slot[static_cast<std::size_t>(low)], w < std::exp(exponent) ? t + 1 : t);
      }
    }
  }
}

}}  // namespace glassworks
