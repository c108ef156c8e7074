#include "scheduler/convergence/walk_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/enough.hpp"
#include "tests/scheduler/ladder_walk.hpp"

namespace glassworks { namespace {

using testing::LadderWalk;
using testing::walk_functions_at;

TEST(WalkVariances, AreThoseOfUniformSlots) {
  const auto two = walk_variances(2), three = walk_variances(3), twenty = walk_variances(20);
  EXPECT_NEAR(two[0], 0.25, 1e-15);
  EXPECT_NEAR(two[1], 1.0, 1e-15);
  EXPECT_EQ(two[2], 0.0) << "cos(2 pi x) vanishes at x = 1/4 and 3/4";
  EXPECT_NEAR(three[0], 8.0 / 27.0, 1e-15);
  EXPECT_NEAR(three[1], 2.0 / 3.0, 1e-15);
  EXPECT_NEAR(three[2], 0.5, 1e-15);
  EXPECT_NEAR(twenty[0], 399.0 / 1200.0, 1e-15);
  EXPECT_NEAR(twenty[1], 1.0, 1e-14);
  EXPECT_NEAR(twenty[2], 0.5, 1e-14);
}

/// Of a single series.
WalkTime time_of(const std::vector<double>& means, double variance, double measurements) {
  return integrated_time({&means, 1}, variance, measurements);
}

TEST(IntegratedTime, FollowsItsFormula) {
  // c(0) = 1/4, c(1) = 1/7, then 0: tau(1) = 2 (1/4 + 2/7) = 15/14 is too long for one round of 4, not for two.
  const std::vector<double> means = {1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  const WalkTime time = time_of(means, 1.0, 4);
  EXPECT_TRUE(time.resolved);
  EXPECT_DOUBLE_EQ(time.tau, 15.0 / 14.0);
  EXPECT_DOUBLE_EQ(time_of(means, 0.5, 4).tau, 15.0 / 7.0);
}

TEST(IntegratedTime, AveragesCorrelationsOverEquivalentSeries) {
  // The second series adds nothing to any c(t) but halves the mean: c(0) = 1/8, c(1) = 1/14.
  const std::vector<std::vector<double>> series = {{1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, std::vector<double>(8)};
  EXPECT_DOUBLE_EQ(integrated_time(series, 1.0, 4).tau, 15.0 / 28.0);
}

TEST(IntegratedTime, IsAtLeastThatOfIndependentMeasurements) {
  EXPECT_EQ(time_of({0.1, -0.1, 0.1, -0.1, 0.1, -0.1}, 1.0, 100), (WalkTime{0.5, true}));
}

TEST(IntegratedTime, OfAConstantGrowsWithTheHistoryAndIsNeverResolved) {
  for (const std::size_t n : {1U, 8U, 64U}) {
    const WalkTime time = time_of(std::vector<double>(n, 0.7), 0.49, 10);
    EXPECT_FALSE(time.resolved);
    EXPECT_NEAR(time.tau, 5.0 * (1.0 + static_cast<double>(n / 2 * 2)), 1e-9);
  }
}

// 32 walks of 1e5 measurements: the mean of their times has a standard deviation of sqrt(24 tau / 3.2e6) = 2.8 % for
// the longest tau = 100 and less for the others; all nine comparisons at 10 % fail with probability below 1e-2 %.
TEST(StatisticsWalkTimes, AreThoseOfAWalkWithKnownAnswerAboveAndBelowOneRound) {
  constexpr std::size_t replicas = 32;
  for (const int measurements : {4, 100, 1000}) {
    LadderWalk walk(20, replicas, 0.4, 1);
    const WalkTimes times =
        walk_times(walk.rounds(100'000U / static_cast<std::size_t>(measurements), measurements), 20);
    ASSERT_EQ(times.replicas(), replicas);
    for (std::size_t f = 0; f < walk_functions; ++f) {
      double mean = 0.0;
      for (std::size_t r = 0; r < replicas; ++r) {
        EXPECT_TRUE(times.at(r, f).resolved);
        mean += times.at(r, f).tau / replicas;
      }
      EXPECT_NEAR(mean / walk.tau(f), 1.0, 0.1) << "function " << f << ", rounds of " << measurements;
      EXPECT_NEAR(times.of_all[f].tau / walk.tau(f), 1.0, 0.1) << "function " << f << ", rounds of " << measurements;
    }
  }
}

TEST(LongWalkTimes, AStuckReplicaIsFoundInEverySlotOfEveryLadder) {
  constexpr double history = 64 * 1000;
  for (int slots = 2; slots <= 21; slots += test::enough(5, 1)) {
    std::vector<RoundRow> rounds = LadderWalk(slots, 40, 0.4, 2).rounds(64, 1000);
    EXPECT_LT(walk_times(rounds, slots).slowest().tau, 0.1 * history) << slots << " slots";
    for (int slot = 0; slot < slots; ++slot) {
      const auto f = walk_functions_at(slot, slots);
      for (RoundRow& row : rounds) std::copy(f.begin(), f.end(), row.record.walk_mean.begin() + 17 * walk_functions);
      const WalkTimes::Slowest slowest = walk_times(rounds, slots).slowest();
      EXPECT_GT(slowest.tau, 0.43 * history) << slots << " slots, stuck in " << slot;
      EXPECT_EQ(slowest.replica, 17U);
    }
  }
}

TEST(WalkTimes, TauIsTheLongestOfTheFunctionsThatExist) {
  WalkTimes times{.of_all = {WalkTime{3.0, true}, WalkTime{7.0, true}, WalkTime{9.0, false}},
                  .times = std::vector<WalkTime>(2 * walk_functions, {3.0, true}),
                  .has_function = {true, true, true}};
  times.times[2] = {50.0, true};
  times.times[4] = {40.0, false};
  EXPECT_EQ(times.tau(), (WalkTime{9.0, false}));
  EXPECT_EQ(times.slowest().replica, 0U);
  EXPECT_EQ(times.slowest().tau, 50.0);
  times.has_function[2] = false;
  EXPECT_EQ(times.tau(), (WalkTime{7.0, true}));
  EXPECT_EQ(times.slowest().replica, 1U);
  EXPECT_EQ(times.slowest().tau, 40.0);
}

TEST(WalkTimes, OfTwoSlotsDoWithoutTheFunctionThatVanishes) {
  const WalkTimes times = walk_times(LadderWalk(2, 4, 0.4, 3).rounds(32, 100), 2);
  EXPECT_THAT(times.has_function, ::testing::ElementsAre(true, true, false));
  // 2 x - 1 and sign(2 x - 1) are proportional: an eigenvector with eigenvalue 1 - 2 hop = 0.2, tau = 3/4.
  EXPECT_DOUBLE_EQ(times.at(0, 0).tau, times.at(0, 1).tau);
  EXPECT_TRUE(times.tau().resolved);
}

TEST(WalkTimes, OfOneSlotDoNotExist) {
  const WalkTimes times = walk_times(std::vector<RoundRow>(16, LadderWalk(1, 2, 0.0, 4).round(5)), 1);
  EXPECT_FALSE(times.exist());
  EXPECT_FALSE(times.tau().resolved);
  EXPECT_EQ(times.slowest().tau, 0.0);
}

TEST(WalkTimes, LeaveTheFirstEighthOut) {
  LadderWalk walk(5, 4, 0.4, 5);
  std::vector<RoundRow> rounds = walk.rounds(24, 100);
  const auto times_of = [&] {
    const WalkTimes walk_now = walk_times(rounds, 5);
    return std::pair(walk_now.times, walk_now.of_all);
  };
  const auto before = times_of();
  for (std::size_t r = 0; r < 3; ++r) rounds[r].record.walk_mean.assign(4 * walk_functions, 1.0);
  EXPECT_EQ(times_of(), before);
  rounds[3].record.walk_mean.assign(4 * walk_functions, 1.0);
  EXPECT_NE(times_of().first, before.first);
  EXPECT_NE(times_of().second, before.second);
}

TEST(WalkTimes, LongSeriesAreJoinedToRoundsOfSeveral) {
  LadderWalk walk(5, 2, 0.4, 6);
  const std::vector<RoundRow> rounds = walk.rounds(2400, 10);  // 2100 are used, three at a time
  std::vector<RoundRow> joined;
  for (std::size_t r = 300; r < 2400; r += 3) {
    RoundRow& row = joined.emplace_back(rounds[r]);
    row.record.measurements = 30;
    for (std::size_t i = 0; i < 2 * walk_functions; ++i) {
      row.record.walk_mean[i] =
          (rounds[r].record.walk_mean[i] + rounds[r + 1].record.walk_mean[i] + rounds[r + 2].record.walk_mean[i]) / 3.0;
    }
  }
  joined.insert(joined.begin(), 100, joined.front());  // the eighth that is left out
  EXPECT_EQ(walk_times(rounds, 5).times, walk_times(joined, 5).times);
}

TEST(WalkTimes, RefuseRoundsOfAnotherShape) {
  std::vector<RoundRow> rounds = LadderWalk(4, 2, 0.4, 7).rounds(8, 5);
  rounds[5].record.measurements = 6;
  EXPECT_THROW((void)walk_times(rounds, 4), std::runtime_error);
  rounds[5].record.measurements = 5;
  rounds[6].record.walk_mean.pop_back();
  EXPECT_THROW((void)walk_times(rounds, 4), std::runtime_error);
}

/// Histories of 20 replicas in ten slots whose longest tau is that of 2 x - 1, about one round of 25 measurements.
class StatisticsOfTau : public ::testing::Test {
 protected:
  static constexpr int slots = 10, measurements = 25, histories = 60;
  static LadderWalk walk(std::uint64_t seed) { return {slots, 20, 0.4, seed}; }
  static double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + histories / 2, values.end());
    return values[histories / 2];
  }
  /// Medians over histories of this length: tau, and the longest time of a single replica, in units of the exact tau.
  [[nodiscard]] std::pair<double, double> ratios(std::size_t rounds) const {
    std::vector<double> of_all, longest;
    for (std::uint64_t seed = 0; seed < histories; ++seed) {
      const WalkTimes times = walk_times(walk(seed).rounds(rounds, measurements), slots);
      of_all.push_back(times.tau().tau / tau_);
      longest.push_back(times.slowest().tau / tau_);
    }
    return {median(of_all), median(longest)};
  }
  const double tau_ = walk(0).tau(0);  ///< 24.9
};

// Single ratios scatter by 0.25 and 0.05 (all replicas) and by 1.7 and 0.35 (the longest of them) about their medians;
// the bounds are four standard deviations of the median of 60, exceeded with probability 1e-4 each.
TEST_F(StatisticsOfTau, IsCloseToTheTruthWhileTheLongestOfSingleReplicasIsFarAbove) {
  const auto [brief, brief_longest] = ratios(20);
  EXPECT_NEAR(brief, 1.0, 0.17);
  EXPECT_NEAR(brief_longest, 4.6, 1.1);
  const auto [lengthy, lengthy_longest] = ratios(400);
  EXPECT_NEAR(lengthy, 1.0, 0.04);
  EXPECT_NEAR(lengthy_longest, 1.65, 0.23);
}

// Looks after each growth by a quarter, so lengths between 20 and 26 tau are expected; they scatter by 4.
TEST_F(StatisticsOfTau, DemandsItsMultipleOfTheTruth) {
  std::vector<double> length;  // in units of the exact tau, where 20 times tau first fit in
  for (std::uint64_t seed = 0; seed < histories; ++seed) {
    LadderWalk source = walk(seed);
    std::vector<RoundRow> rounds = source.rounds(16, measurements);
    const auto long_enough = [&] {
      const WalkTime time = walk_times(rounds, slots).tau();
      return time.resolved && static_cast<double>(rounds.size()) * measurements >= 20.0 * time.tau;
    };
    while (!long_enough()) {
      for (std::size_t more = rounds.size() / 4; more > 0; --more) rounds.push_back(source.round(measurements));
    }
    length.push_back(static_cast<double>(rounds.size()) * measurements / tau_);
  }
  EXPECT_NEAR(median(length), 22.5, 3.0);
}

}}  // namespace glassworks
