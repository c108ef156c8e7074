#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/config_fixture.hpp"

namespace glassworks {
namespace {

Config with_ladder(LadderKind kind, double T_min, double T_max, std::vector<int> slots) {
  Config config = parse_config(minimal_config);
  config.ladder = {kind, T_min, T_max, std::move(slots), {}, {}};
  return config;
}

TEST(Ladder, GeometricRatiosAreEqualAndTheEndsExact) {
  for (const int slots : {2, 3, 30, 233, 1024}) {
    const std::vector<double> T = ladder_temperatures(with_ladder(LadderKind::geometric, 0.1, 0.6, {slots}), 0);
    ASSERT_EQ(T.size(), static_cast<std::size_t>(slots));
    EXPECT_EQ(T.front(), 0.1);
    EXPECT_EQ(T.back(), 0.6);
    for (std::size_t i = 0; i < T.size(); ++i) {
      const double exact = 0.1 * std::pow(6.0, static_cast<double>(i) / (slots - 1));
      EXPECT_NEAR(T[i] / exact, 1.0, 1e-12) << slots << " " << i;
    }
  }
}

TEST(Ladder, LinearSteps) {
  const std::vector<double> T = ladder_temperatures(with_ladder(LadderKind::linear, 0.1, 0.6, {6}), 0);
  ASSERT_EQ(T.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(T[i], 0.1 * static_cast<double>(i + 1), 1e-15);
  EXPECT_EQ(T.back(), 0.6);
}

TEST(Ladder, SlotsPerSize) {
  const Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {5, 9});
  EXPECT_EQ(ladder_temperatures(config, 0).size(), 5U);
  EXPECT_EQ(ladder_temperatures(config, 1).size(), 9U);
}

/// physics.md, "Ladder sizes": measured numbers of slots for T from 0.1 to 0.6.
TEST(AutomaticSlots, TableForTheSpinGlass) {
  const std::vector<std::pair<int, int>> table = {{8, 30}, {12, 54}, {16, 83}, {24, 152}, {32, 233}};
  for (const auto& [L, slots] : table) EXPECT_EQ(automatic_slots({3, L}, 0.1, 0.6), slots) << L;
  EXPECT_NEAR(automatic_slots({3, 48}, 0.1, 0.6), 427, 1);
}

TEST(AutomaticSlots, AcceptanceIsTheTarget) {
  const Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {});
  for (const int L : {8, 16, 32}) {
    Config one = config;
    one.model.L = {L};
    const std::vector<double> T = ladder_temperatures(one, 0);
    const double acceptance = std::erfc(0.5 * std::log(T[1] / T[0]) * std::sqrt(1.1 * L * L * L));
    EXPECT_NEAR(acceptance, 0.3, 0.02) << L;
  }
}

/// The number of spacings against the integral of sqrt(c N) / T by the trapezoidal rule, c = 1.1 min(1, (0.6/T)^2).
TEST(AutomaticSlots, IntegralAcrossThePlateauEnd) {
  for (const auto& [T_min, T_max] : {std::pair{0.1, 0.6}, {0.2, 1.5}, {0.8, 4.0}}) {
    const int n = 200'000;
    double integral = 0.0;
    for (int i = 0; i < n; ++i) {
      const double T = T_min + (T_max - T_min) * (i + 0.5) / n;
      integral += std::sqrt(1.1) * std::min(1.0, 0.6 / T) / T * (T_max - T_min) / n;
    }
    const double spacing = 2.0 * 0.7328690779592169;
    EXPECT_NEAR(std::erfc(spacing / 2.0), 0.3, 1e-14);
    EXPECT_EQ(automatic_slots({3, 16}, T_min, T_max), std::lround(64.0 * integral / spacing) + 1) << T_max;
  }
}

TEST(AutomaticSlots, Limits) {
  EXPECT_EQ(automatic_slots({3, 4}, 0.5, 0.5001), 2);
  EXPECT_THROW(static_cast<void>(automatic_slots({3, 128}, 0.1, 0.6)), InputError);
}

TEST(ChainBuilder, TakesEverythingFromTheConfiguration) {
  Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {5, 7});
  config.seed = 42;
  config.copies = 4;
  config.measurements_per_round = 17;
  config.protocol.heatbath = 3;
  const Chain chain = make_chain(config, 1);
  EXPECT_EQ(chain.lattice, (Lattice{3, 6}));
  EXPECT_EQ(chain.copies, 4);
  EXPECT_EQ(chain.slots(), 7);
  EXPECT_EQ(chain.beta.front(), 10.0F);
  EXPECT_EQ(chain.beta.back(), static_cast<float>(1.0 / 0.6));
  EXPECT_TRUE(std::is_sorted(chain.beta.rbegin(), chain.beta.rend()));
  EXPECT_EQ(chain.protocol, config.protocol);
  EXPECT_EQ(chain.measurements, 17);
  EXPECT_EQ(chain.key, size_key(42, 3, 6));
}

TEST(ChainBuilder, ATileAsLargeAsTheLatticeIsNoTile) {
  Config config = parse_config(minimal_config);
  config.model.L = {4, 8};
  config.protocol.tile = 4;
  EXPECT_EQ(make_chain(config, 0).protocol.tile, 0);
  EXPECT_EQ(make_chain(config, 1).protocol.tile, 4);
}

}  // namespace
}  // namespace glassworks
