#include "analysis/statistics/group_correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/basics/jackknife.hpp"
#include "analysis/basics/test_family.hpp"
#include "tests/analysis/statistics/grouped_noise.hpp"

namespace glassworks { namespace {

using testing::grouped_pairs;
using testing::rho_of_ratio;

constexpr int group = 16, groups = 20;
constexpr double level = family::shared_random_numbers.each(1);

std::vector<std::size_t> equal_groups(std::size_t n) {
  std::vector<std::size_t> limits;
  for (std::size_t first = 0; first < n; first += group) limits.push_back(first);
  limits.push_back(n);
  return limits;
}

/// Centred and of norm 1.
void normalize(GroupDeviations& d) {
  const std::size_t n = d.of.size() / d.values;
  for (std::size_t v = 0; v < d.values; ++v) {
    double mean = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += d.of[i * d.values + v] / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) squares += std::pow(d.of[i * d.values + v] - mean, 2);
    for (std::size_t i = 0; i < n; ++i) d.of[i * d.values + v] = (d.of[i * d.values + v] - mean) / std::sqrt(squares);
  }
}

enum class Tails { normal, heavy };

/// Values of n realizations: neighbours v, v + 1 are correlated as neighbouring temperatures are.
GroupDeviations drawn(int n, double ratio, std::uint64_t seed, Tails tails = Tails::normal) {
  testing::GroupedNoise noise(seed, group, rho_of_ratio(ratio, group));
  GroupDeviations d{.values = 12, .of = {}};
  for (int i = 0; i < n; ++i) {
    const std::vector<double> x = noise.of(i, d.values + 1);
    for (std::size_t v = 0; v < d.values; ++v) {
      const double y = x[v] + x[v + 1];
      d.of.push_back(tails == Tails::normal ? y : std::exp(1.5 * y));
    }
  }
  normalize(d);
  return d;
}

int alarms(int n, double ratio, int ensembles, std::uint64_t first_seed, Tails tails = Tails::normal) {
  int count = 0;
  for (int i = 0; i < ensembles; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    const GroupDeviations d = drawn(n, ratio, seed, tails);
    if (test_groups(d, equal_groups(static_cast<std::size_t>(n)), level, seed).p_value <= level) ++count;
  }
  return count;
}

// 2000 ensembles at 1 %: 20 alarms, binomial; outside [7, 36] with probability 1.2e-3 for each of the three.
TEST(StatisticsGroupCorrelation, FalseAlarmsHaveTheStatedRate) {
  const int n = group * groups;
  for (const int count : {alarms(n, 1.0, 2000, 1), alarms(n, 1.0, 2000, 10001, Tails::heavy),
                          alarms(n - 10, 1.0, 2000, 20001)}) {  // the last group is smaller
    EXPECT_GE(count, 7);
    EXPECT_LE(count, 36);
  }
}

// The largest of 12 ratios of 20 groups: its limit at 1 % is below 3; a ratio of 4 chi^2_19/19 is below 3 with
// probability 0.26 for one value and 1e-4 for six independent ones.
TEST(StatisticsGroupCorrelation, ARatioOfFourIsFound) {
  EXPECT_GE(alarms(group * groups, 4.0, 200, 30001), 198);
  EXPECT_GE(alarms(group * groups, 1.5, 200, 40001), 20) << "1.5 is found more often than by chance (2 of 200)";
}

TEST(GroupCorrelation, TheLargestRatioIsThatOfTheSquaredErrors) {
  const int n = group * groups - 5;
  const Ensemble e = grouped_pairs(n, group, 0.2, 7);
  GroupDeviations d{.values = 2, .of = e.values};
  normalize(d);
  const std::vector<std::size_t> limits = equal_groups(static_cast<std::size_t>(n));
  const GroupTest test = test_groups(d, limits, level);
  double largest = 0.0;
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<double> x;
    for (std::size_t r = 0; r < e.realizations.size(); ++r) x.push_back(e.at(r, 0)[c]);
    const double ratio = std::pow(mean_over_groups(x, limits).error / mean_over_realizations(x).error, 2);
    largest = std::max(largest, ratio);
  }
  EXPECT_NEAR(test.largest, largest, 1e-12);
  EXPECT_EQ(test.p_value, 1.0 / 500.0) << "none of 499 orders is as large";
}

// Four sizes have a quarter of the level each, and more orders, so that their smallest p lies below it by a factor
// of 5.
TEST(GroupCorrelation, TheSmallestProbabilityLiesBelowTheLevelOfASize) {
  for (const std::size_t sizes : {1U, 4U, 10U}) {
    const double of_size = family::shared_random_numbers.each(sizes);
    EXPECT_LE(1.0 / (most_orders(of_size) + 1), of_size / 5.0) << sizes << " sizes";
  }
  const double of_four = family::shared_random_numbers.each(4);
  const std::vector<std::size_t> limits = equal_groups(group * groups);
  EXPECT_EQ(test_groups(drawn(group * groups, 8.0, 1), limits, of_four).p_value, of_four / 5.0);
}

TEST(GroupCorrelation, NothingVariesIsNoCorrelation) {
  EXPECT_EQ(test_groups({}, std::vector<std::size_t>{0, 1, 2}, level).p_value, 1.0);
  EXPECT_EQ(test_groups(drawn(group, 1.0, 1), std::vector<std::size_t>{0, group}, level).p_value, 1.0) << "one group";
}

TEST(GroupCorrelation, AppliesToTheResamplingOnlyWhereItIsFound) {
  GroupCorrelation found{.state = GroupState::correlated, .group = 128, .groups = 16};
  EXPECT_EQ(found.applied({.samples = 50}).group, 128U);
  EXPECT_EQ(found.applied({.samples = 50}).samples, 50);
  for (const GroupState state : {GroupState::none, GroupState::few_groups, GroupState::independent}) {
    found.state = state;
    EXPECT_EQ(found.applied({}).group, 1U);
  }
}

TEST(GroupCorrelation, SentencesAreThese) {
  GroupCorrelation found{.state = GroupState::correlated,
                         .group = 128,
                         .groups = 16,
                         .largest = 3.94,
                         .observable = "energy",
                         .T = 1.25,
                         .p_value = 0.002,
                         .level = 0.0025};
  EXPECT_EQ(found.sentence(),
            "The 128 realizations that share random numbers (multi-spin coding) are correlated: errors are those over "
            "16 groups, not over realizations (largest ratio of squared errors 3.9, energy at T = 1.25; p = 0.002, "
            "level 0.0025).");
  EXPECT_EQ(found.unit(), "groups of 128 realizations");
  found.state = GroupState::independent;
  found.p_value = 0.42;
  EXPECT_EQ(found.sentence(),
            "128 realizations share random numbers (multi-spin coding); no correlation between them is seen in 16 "
            "groups (largest ratio of squared errors 3.9, energy at T = 1.25; p = 0.42, level 0.0025).");
  EXPECT_EQ(found.unit(), "realizations");
  found = {.state = GroupState::few_groups, .group = 128, .groups = 1};
  EXPECT_EQ(found.sentence(),
            "128 realizations share random numbers (multi-spin coding); whether this correlates them cannot be tested "
            "with 1 group (at least 8 are needed).");
  EXPECT_EQ(GroupCorrelation().sentence(), "");
}

}}  // namespace glassworks
