#include "analysis/diagnostics/temperature_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"

namespace glassworks { namespace {

/// Three slots, two copies: 6 replicas; `accepted` of 100 attempts at both pairs; round trips of one replica.
RoundRow walk_round(std::uint32_t n, std::uint64_t accepted, std::uint32_t up, std::uint32_t trips) {
  RoundRow row = testing::fake_round(n, 3, [](int, const std::string&) { return 0.0; });
  row.record.exchange_attempts = {100, 100};
  row.record.exchange_accepted = {accepted, 2 * accepted};
  row.record.walk_up = {20, up, 0};
  row.record.walk_down = {0, 10, 20};
  row.record.round_trips[4] = trips;
  return row;
}

class Walk : public ::testing::Test {
 protected:
  void SetUp() override {
    RealizationRow first = testing::realization_row(0, 4), second = testing::realization_row(1, 2);
    first.judgement = {12.5, 1, 4};  // tau; the first round is left out
    walk_.add(first, std::vector<RoundRow>{walk_round(0, 50, 0, 7), walk_round(1, 20, 10, 1), walk_round(2, 20, 10, 0),
                                           walk_round(3, 20, 10, 2)});
    walk_.add(second, std::vector<RoundRow>{walk_round(0, 50, 0, 0), walk_round(1, 40, 30, 0)});
  }
  TemperatureWalk walk_{testing::diagnosed_size({0.5, 1.0, 2.0})};
};

TEST_F(Walk, AveragesTheEquilibratedPart) {
  EXPECT_NEAR(walk_.acceptance(0).mean, 0.3, 1e-12);
  EXPECT_NEAR(walk_.acceptance(0).error, 0.1, 1e-12);
  EXPECT_NEAR(walk_.acceptance(1).mean, 0.6, 1e-12);
  EXPECT_NEAR(walk_.up_fraction(0).mean, 1.0, 1e-12);
  EXPECT_NEAR(walk_.up_fraction(1).mean, 2.0 / 3.0, 1e-12);  // (10 + 30)/(10 + 30 + 20)
  EXPECT_NEAR(walk_.up_fraction(2).mean, 0.0, 1e-12);
}

TEST_F(Walk, ComparesTheRateOfRoundTripsWithItsBound) {
  EXPECT_NEAR(walk_.rejections().mean, 0.7 + 0.4, 1e-12);
  EXPECT_NEAR(walk_.rate_bound().mean, 1.0 / (2.0 + 2.0 * 1.1), 1e-12);
  // 3 trips in 30 measurements of one exchange step, two copies; and none
  EXPECT_NEAR(walk_.round_trip_rate().mean, 0.5 * 3.0 / 30.0 / 2.0, 1e-12);
  const TemperatureWalk* const sizes[] = {&walk_};
  const std::vector<Item> items = walk_items(sizes);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(std::get<Figure>(items[0]).series[0].x, (std::vector<double>{0.5, 1.0}));
  EXPECT_NEAR(std::get<Figure>(items[0]).series[0].y[1], 0.6, 1e-12);
  EXPECT_EQ(std::get<Figure>(items[1]).series[0].x.size(), 3U);
  const auto& row = std::get<Table>(items[3]).rows[1];
  EXPECT_EQ(row[2], "0.30(10)");
  EXPECT_EQ(row[3], "0.5");
}

TEST_F(Walk, DistributionsCountWholeHistories) {
  EXPECT_EQ(walk_.round_trips().values, (std::vector<double>{10.0, 0.0}));
  EXPECT_EQ(walk_.history_length().values, (std::vector<double>{40.0, 20.0}));
  EXPECT_EQ(walk_.tau().values, std::vector<double>{12.5}) << "the second has not been judged";
  const std::vector<double> time = walk_.round_trip_time().values;
  EXPECT_DOUBLE_EQ(time[0], 40.0 * 6.0 / 10.0);
  EXPECT_TRUE(std::isinf(time[1]));
  const TemperatureWalk* const sizes[] = {&walk_};
  const std::vector<Item> items = walk_distribution_items(sizes);
  ASSERT_EQ(items.size(), 9U);  // four quantities with histogram and tail, and the table
  EXPECT_EQ(std::get<Table>(items[8]).rows.size(), 5U);
  const auto& time_row = std::get<Table>(items[8]).rows[2];
  EXPECT_EQ(time_row[3], "24");
  EXPECT_EQ(time_row[9], "∞");
  EXPECT_EQ(time_row[10], "-") << "half of them make no round trip";
}

TEST(TemperatureWalk, OneTemperatureHasNoWalk) {
  TemperatureWalk walk(testing::diagnosed_size({1.0}));
  walk.add(testing::realization_row(0, 1),
           std::vector<RoundRow>{testing::fake_round(0, 1, [](int, const std::string&) { return 0.0; })});
  const TemperatureWalk* const sizes[] = {&walk};
  EXPECT_TRUE(walk_items(sizes).empty());
  EXPECT_EQ(walk_distribution_items(sizes).size(), 3U) << "lengths only";
}

}}  // namespace glassworks
