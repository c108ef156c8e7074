#include "engine/bins/stationarity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "engine/bins/looks.hpp"
#include "tests/engine/round_means.hpp"

namespace glassworks { namespace {

using testing::log_binning;
using testing::RoundMeansSource;

/// |q|^2 that does not move.
RoundMeans still(std::size_t rounds) { return RoundMeans(rounds, {0.25}); }

TEST(LogBinning, NeedsEightRounds) {
  RoundMeansSource source(1);
  const LogBinningTest seven = log_binning(source.series(7, 3), source.series(7, 3), 1.0);
  EXPECT_FALSE(seven.possible);
  EXPECT_FALSE(seven.agrees());
  EXPECT_TRUE(log_binning(source.series(8, 3), source.series(8, 3), 1.0).possible);
}

TEST(LogBinning, ComparesTheThreeLastBins) {
  // Rounds 8-15: 3 5 5 3 3 5 5 3, no slope, scatter sqrt(8/6); 4-7: 5; 2-3: 4; 0-1 may hold anything.
  RoundMeans energy(16, std::vector<double>{5.0});
  energy[0][0] = energy[1][0] = 1e6;
  energy[2][0] = energy[3][0] = 4.0;
  for (std::size_t r = 8; r < 16; ++r) energy[r][0] = (r + 1) / 2 % 2 == 0 ? 3.0 : 5.0;
  const LogBinningTest test = log_binning(energy, still(16), 1.0);
  EXPECT_EQ(test.batches, 8);
  ASSERT_EQ(test.comparisons.size(), 4U);
  const BinComparison& last = test.comparisons[0];
  EXPECT_EQ(last.observable, "energy");
  EXPECT_EQ(last.bin, 0);
  EXPECT_NEAR(last.difference, -1.0, 1e-12);
  EXPECT_NEAR(last.error, std::sqrt(8.0 / 6.0 * (1.0 / 8.0 + 1.0 / 4.0)), 1e-12);
  EXPECT_NEAR(last.deviation, 1.0 / last.error, 1e-12);
  const BinComparison& before = test.comparisons[1];
  EXPECT_EQ(before.bin, 1);
  EXPECT_NEAR(before.difference, 1.0, 1e-12);
  EXPECT_NEAR(before.error, std::sqrt(8.0 / 6.0 * (1.0 / 4.0 + 1.0 / 2.0)), 1e-12);
  EXPECT_EQ(test.comparisons[2].observable, "|q|^2");
  EXPECT_EQ(test.comparisons[2].deviation, 0.0);
}

TEST(LogBinning, BatchesHoldTheCorrelation) {
  // Pairs of equal rounds: with batches of two the eight batch means are 3 5 5 3 3 5 5 3.
  RoundMeans energy(32, std::vector<double>{4.0});
  for (std::size_t r = 16; r < 32; ++r) energy[r][0] = (r / 2 + 1) / 2 % 2 == 0 ? 3.0 : 5.0;
  const LogBinningTest pairs = log_binning(energy, still(32), 2.0);
  EXPECT_EQ(pairs.batch_rounds, 2);
  EXPECT_EQ(pairs.batches, 8);
  EXPECT_NEAR(pairs.comparisons[0].error, std::sqrt(2.0 * 8.0 / 6.0 * (1.0 / 16.0 + 1.0 / 8.0)), 1e-12);
  EXPECT_NEAR(log_binning(energy, still(32), 1.0).comparisons[0].error,
              std::sqrt(16.0 / 14.0 * (1.0 / 16.0 + 1.0 / 8.0)), 1e-12);
}

TEST(LogBinning, BatchesAreAsLongAsWantedButAtLeastEight) {
  RoundMeansSource source(2);
  const auto batches = [&](std::size_t rounds, double wanted) {
    const LogBinningTest test = log_binning(source.series(rounds, 1), still(rounds), wanted);
    return std::pair(test.batch_rounds, test.batches);
  };
  constexpr double unknown = std::numeric_limits<double>::infinity();
  EXPECT_EQ(batches(8, unknown), std::pair(1, 4));
  EXPECT_EQ(batches(31, unknown), std::pair(2, 8));
  EXPECT_EQ(batches(64, unknown), std::pair(4, 8));
  EXPECT_EQ(batches(64, 0.1), std::pair(1, 32));
  EXPECT_EQ(batches(64, 2.5), std::pair(3, 10));
  EXPECT_EQ(batches(64, 100.0), std::pair(4, 8));
}

// Tabulated quantiles of Student's t: t_6(0.995) = 3.7074, t_15(0.9995) = 4.0728; of the normal distribution: 2.5758.
TEST(LogBinning, LimitIsAQuantileOfStudentsTSharedByAllComparisons) {
  EXPECT_NEAR(deviation_limit(1, 8), 3.7074, 1e-4);
  EXPECT_NEAR(deviation_limit(10, 17), 4.0728, 1e-4);
  EXPECT_NEAR(deviation_limit(1, 1'000'000), 2.5758, 1e-4);
  RoundMeansSource source(3);
  const LogBinningTest test = log_binning(source.series(64, 5), source.series(64, 5), 4.0);
  EXPECT_EQ(test.comparisons.size(), 20U);
  EXPECT_EQ(test.limit, deviation_limit(20, 8));
}

TEST(LogBinning, ADifferenceWithoutErrorOrNumberDoesNotAgree) {
  RoundMeans step = still(16);
  for (std::size_t r = 8; r < 16; ++r) step[r][0] = 0.5;
  EXPECT_TRUE(std::isinf(log_binning(step, still(16), 1.0).worst().deviation));
  EXPECT_FALSE(log_binning(step, still(16), 1.0).agrees());
  EXPECT_TRUE(log_binning(still(16), still(16), 1.0).agrees());
  step = still(16);
  step[3][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(log_binning(still(16), step, 1.0).agrees());
}

/// Share of realizations rejected among `trials` that stand still.
double rejected(std::size_t rounds, std::size_t slots, int trials, double correlation, double batch) {
  RoundMeansSource source(4);
  int count = 0;
  for (int t = 0; t < trials; ++t) {
    const RoundMeans energy = source.series(rounds, slots, correlation);
    if (!log_binning(energy, source.series(rounds, slots, correlation), batch).agrees()) ++count;
  }
  return static_cast<double>(count) / trials;
}

// Stated: 1 %. The two comparisons of a series share its scatter, so a little less. 20000 trials, 4 standard deviations
// of the count at either end: the four cases fail by chance with probability below 3e-4.
TEST(StatisticsLogBinning, FalseAlarmsAreAsStatedForAnyNumberOfRoundsAndSlots) {
  constexpr int trials = 20'000;
  const double allowed = 4.0 * std::sqrt(log_binning_false_alarm / trials);
  for (const std::size_t rounds : {8U, 16U, 40U}) {
    const double one = rejected(rounds, 1, trials, 0.0, 1.0);
    RecordProperty("one_slot_" + std::to_string(rounds), std::to_string(one));
    EXPECT_LT(one, log_binning_false_alarm + allowed) << rounds << " rounds";
    EXPECT_GT(one, 0.6 * log_binning_false_alarm) << rounds << " rounds";
  }
  const double many = rejected(16, 20, trials / 4, 0.0, 1.0);
  RecordProperty("twenty_slots_16", std::to_string(many));
  EXPECT_LT(many, log_binning_false_alarm + 2.0 * allowed);
  EXPECT_GT(many, 0.4 * log_binning_false_alarm);
}

// Rounds with tau = 3 rounds, 80 tau of them, in batches of 4 tau: the variance of a batch mean lacks a quarter of what
// correlations make it, so there are a few more false alarms than stated. Single rounds as batches would mostly reject.
TEST(StatisticsLogBinning, CorrelatedRoundsNeedBatches) {
  constexpr double correlation = 5.0 / 7.0;
  const double batches = rejected(240, 1, 5000, correlation, 12.0), rounds = rejected(240, 1, 1000, correlation, 1.0);
  RecordProperty("batches", std::to_string(batches));
  RecordProperty("rounds", std::to_string(rounds));
  EXPECT_LT(batches, 0.03);
  EXPECT_GT(rounds, 0.4);
}

/// Part of AR(1) histories of `rounds` rounds and `tau` rounds that fail log-binning, and the comparison of two copies.
std::array<double, 2> failing(std::size_t rounds, double tau, std::size_t slots, int trials) {
  RoundMeansSource source(6);
  const double correlation = (2.0 * tau - 1.0) / (2.0 * tau + 1.0);
  std::array<double, 2> count{};
  for (int t = 0; t < trials; ++t) {
    const NamedMeans copies[] = {{"energy", source.series(rounds, slots, correlation)},
                                 {"energy", source.series(rounds, slots, correlation)}};
    const LogBinningTest bins = glassworks::log_binning(std::span(copies).first(1), batch_in_tau * tau);
    count[0] += bins.agrees() ? 0.0 : 1.0 / trials;
    count[1] += compare_copies(copies, bins).agrees() ? 0.0 : 1.0 / trials;
  }
  return count;
}

// The rates that the verdict counts with are bounds: 1500 histories of each length, tau exactly known, and four
// standard deviations: the eight comparisons fail by chance with probability below 3e-4. At 20 tau of many rounds the
// comparison of copies has more than six times the rate of independent rounds.
TEST(StatisticsStationarity, RatesOfCorrelatedHistoriesAreBounded) {
  constexpr int trials = 1500;
  struct Case {
    std::size_t rounds;
    double tau;
  };
  for (const auto& [rounds, tau] : {Case{16, 0.5}, Case{16, 0.8}, Case{64, 1.6}, Case{64, 3.2}}) {
    const auto [bins, copies] = failing(rounds, tau, 8, trials);
    const double length = static_cast<double>(rounds) / tau;
    const double bound[] = {false_alarm_of_log_binning(length, tau), false_alarm_of_copies(length, tau)};
    RecordProperty(fmt::format("rounds_{}_tau_{}", rounds, tau), fmt::format("{} {}", bins, copies));
    EXPECT_LT(bins, bound[0] + 4.0 * std::sqrt(bound[0] / trials)) << length << " tau";
    EXPECT_LT(copies, bound[1] + 4.0 * std::sqrt(bound[1] / trials)) << length << " tau";
    if (length == 20.0 && rounds == 64) {
      EXPECT_GT(copies, 6.0 * log_binning_false_alarm);
    }
  }
  EXPECT_DOUBLE_EQ(false_alarm_of_copies(1e9, 0.5), log_binning_false_alarm);
}

TEST(Looks, TheLastOneIsTheLargestThatWasReached) {
  ConvergenceConfig criteria;
  criteria.min_rounds = 16;
  criteria.max_rounds = 64;
  EXPECT_EQ(last_look(criteria, 15), 0U);
  for (const std::uint32_t look : {16U, 20U, 25U, 31U, 38U, 47U, 58U, 64U}) {
    EXPECT_EQ(first_look_from(criteria, look), look);
    EXPECT_EQ(last_look(criteria, look), look);
    EXPECT_EQ(last_look(criteria, look + 1), look == 64 ? 65U : look) << "beyond the maximum every round is one";
  }
}

// A drift of 30 scatters over 32 rounds: 11 between the last half and the quarter before, with an error of 0.4.
TEST(StatisticsLogBinning, DriftIsRejected) {
  RoundMeansSource source(5);
  int drifting = 0, relaxing = 0;
  for (int t = 0; t < 200; ++t) {
    RoundMeans energy = source.series(32, 4), overlap = source.series(32, 4);
    for (std::size_t r = 0; r < 32; ++r) overlap[r][2] += 3.0 * static_cast<double>(r) / 32.0;
    const LogBinningTest drift = log_binning(energy, overlap, 1.0);
    if (!drift.agrees() && drift.worst().observable == "|q|^2" && drift.worst().slot == 2) ++drifting;
    // A relaxation that is over in the first quarter, seen from the bin that holds it.
    for (std::size_t r = 0; r < 8; ++r) energy[r][1] += 3.0 * std::exp(-static_cast<double>(r) / 3.0);
    const LogBinningTest relaxation = log_binning(energy, source.series(32, 4), 1.0);
    if (!relaxation.agrees() && relaxation.worst().slot == 1 && relaxation.worst().bin == 1) ++relaxing;
  }
  EXPECT_EQ(drifting, 200);
  EXPECT_EQ(relaxing, 200);
}

// The drift itself must not enter the error: however slow the aging and few the batches, it is seen.
TEST(LogBinning, DriftIsNoScatter) {
  RoundMeans line = still(16), aging = still(16);
  for (std::size_t r = 0; r < 16; ++r) {
    line[r][0] = static_cast<double>(r);
    aging[r][0] = std::log(static_cast<double>(r + 1));
  }
  EXPECT_GT(log_binning(line, still(16), 1.0).worst().deviation, 1e6);
  EXPECT_GT(log_binning(aging, still(16), 1.0).worst().deviation, 2.0 * deviation_limit(80, 8));
}

}}  // namespace glassworks
