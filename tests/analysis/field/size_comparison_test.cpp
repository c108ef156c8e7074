#include "analysis/field/size_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/analysis/field/curve_fixture.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> ladder = {0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5};
constexpr int realizations_per_size = 30;
constexpr double sigma = 0.05;
/// Standard error of a difference at an end of the ladder.
const double end_error = sigma * std::sqrt(2.0 / realizations_per_size);

struct Pair {
  Curve small, large;
};

Pair pair(const std::function<double(double)>& difference, std::mt19937_64& generator) {
  const auto small = [](double T) { return 0.3 / T; };
  return {testing::noisy_curve(4, ladder, realizations_per_size, sigma, small, generator),
          testing::noisy_curve(
              8, ladder, realizations_per_size, sigma, [&](double T) { return small(T) + difference(T); }, generator)};
}

// Sizes that agree exactly: the band holds the whole curve in 95 % of the repetitions; with 400 of them the standard
// deviation of that part is 1.1 %, so 91.5 - 98.5 % leaves 0.2 % of seeds out on each side. A crossing needs both signs
// at once beyond the band, which is rarer still.
TEST(StatisticsSizeComparison, BandHoldsTheWholeCurveAsOftenAsItSays) {
  std::mt19937_64 generator(101);
  int held = 0, crossings = 0;
  constexpr int repetitions = 400;
  for (int i = 0; i < repetitions; ++i) {
    const Pair p = pair([](double) { return 0.0; }, generator);
    const SizeComparison c = compare_sizes(p.small, p.large);
    bool inside = true;
    for (std::size_t t = 0; t < ladder.size(); ++t) {
      inside = inside && std::abs(c.band.difference[t]) <= c.band.factor * c.band.error[t];
    }
    if (inside) ++held;
    if (c.state == CrossingState::crossing) ++crossings;
  }
  EXPECT_GT(held, 0.915 * repetitions);
  EXPECT_LT(held, 0.985 * repetitions);
  EXPECT_LT(crossings, 0.02 * repetitions);
}

// The curves touch at the lowest temperature and nowhere else: "no crossing" is false and may be said in 5 % of the
// repetitions at most; 300 of them scatter by 1.3 %, so 9 % is three of these above.
TEST(StatisticsSizeComparison, NoCrossingIsRarelySaidWhereCurvesMeet) {
  std::mt19937_64 generator(102);
  int said = 0, crossings = 0;
  constexpr int repetitions = 300;
  for (int i = 0; i < repetitions; ++i) {
    const Pair p = pair([](double T) { return -(T - 0.1) * 20.0 * sigma; }, generator);
    const SizeComparison c = compare_sizes(p.small, p.large);
    if (c.state == CrossingState::always_below) ++said;
    if (c.state == CrossingState::crossing) ++crossings;
  }
  EXPECT_LT(said, 0.09 * repetitions);
  EXPECT_LT(crossings, 0.09 * repetitions);
}

// D is eight standard errors below zero everywhere; the chance to miss that is below 1e-4 for each repetition.
TEST(SizeComparison, NoCrossingIsSaidWhereThereIsNone) {
  std::mt19937_64 generator(103);
  for (int i = 0; i < 20; ++i) {
    const Pair below = pair([](double) { return -8.0 * end_error; }, generator);
    const SizeComparison c = compare_sizes(below.small, below.large);
    ASSERT_EQ(c.state, CrossingState::always_below);
    EXPECT_THAT(c.statement, HasSubstr("No crossing in [0.1, 0.5] at 95 %: D(T) is below zero at all 8 temperatures"));
    const Pair above = pair([](double) { return 8.0 * end_error; }, generator);
    EXPECT_EQ(compare_sizes(above.small, above.large).state, CrossingState::always_above);
  }
}

// A crossing at T = 0.27, D linear in T. Each T_x +- error holds it with 68 %: sd of that part over 300 repetitions
// 2.7 %, 60 - 76 % is three of these (0.3 % of seeds). Mean of (T_x - 0.27)/error within 4.5/sqrt(300) (7e-6).
TEST(StatisticsSizeComparison, CrossingTemperatureHasHonestErrors) {
  std::mt19937_64 generator(104);
  int held = 0;
  double bias = 0.0;
  constexpr int repetitions = 300;
  for (int i = 0; i < repetitions; ++i) {
    const Pair p = pair([](double T) { return (0.27 - T) * 150.0 * end_error; }, generator);
    const SizeComparison c = compare_sizes(p.small, p.large);
    ASSERT_EQ(c.state, CrossingState::crossing);
    ASSERT_EQ(c.crossings.size(), 1U);
    const SizeCrossing& x = c.crossings.front();
    EXPECT_EQ(x.direction, CrossingDirection::ordering);
    EXPECT_LT(x.T_low, 0.27);
    EXPECT_GT(x.T_high, 0.27);
    if (std::abs(x.T - 0.27) < x.error) ++held;
    bias += (x.T - 0.27) / x.error / repetitions;
  }
  EXPECT_GT(held, 0.60 * repetitions);
  EXPECT_LT(held, 0.76 * repetitions);
  EXPECT_LT(std::abs(bias), 4.5 / std::sqrt(repetitions));
}

TEST(SizeComparison, SaysWhenACrossingIsNoSignOfATransition) {
  std::mt19937_64 generator(105);
  const Pair p = pair([](double T) { return (T - 0.27) * 400.0 * end_error; }, generator);
  const SizeComparison c = compare_sizes(p.small, p.large);
  ASSERT_EQ(c.state, CrossingState::crossing);
  EXPECT_EQ(c.crossings.front().direction, CrossingDirection::reversed);
  EXPECT_THAT(c.statement, HasSubstr("no sign of a transition"));
}

TEST(SizeComparison, UndecidedSaysWhereTheSignIsKnown) {
  std::mt19937_64 generator(106);
  const Pair p = pair([](double T) { return T < 0.22 ? 0.0 : -20.0 * end_error; }, generator);
  const SizeComparison c = compare_sizes(p.small, p.large);
  ASSERT_EQ(c.state, CrossingState::undecided);
  EXPECT_THAT(c.statement, HasSubstr("Undecided at 95 %: D(T) is below zero in [0.25, 0.5] and elsewhere zero within"));
}

/// Each sample moves one temperature only: independent of each other; or all alike.
Curve with_samples(int L, bool independent) {
  const std::size_t T = 10, samples = 2000;
  std::vector<double> temperatures;
  for (std::size_t t = 0; t < T; ++t) temperatures.push_back(1.0 + 0.1 * static_cast<double>(t));
  std::vector<std::vector<double>> sampled(samples, std::vector<double>(T, 0.0));
  for (std::size_t s = 0; s < samples; ++s) {
    for (std::size_t t = 0; t < T; ++t) {
      if (!independent || s % T == t) sampled[s][t] = (s / T) % 2 == 0 ? 1.0 : -1.0;
    }
  }
  return testing::given_curve(L, temperatures, std::vector<double>(T, 0.0), sampled, 1.0, 1000000);
}

// The quantile of 20000 draws scatters by 0.014: four of these.
TEST(SimultaneousBand, FactorIsThatOfIndependentOrOfEqualTemperatures) {
  // 95 % for ten independent two-sided Gaussian tests: each at 1 - 0.95^(1/10) = 0.00512, 2.800 sigma
  EXPECT_NEAR(difference_band(with_samples(4, true), with_samples(8, true), 0.95).factor, 2.80, 0.06);
  EXPECT_NEAR(difference_band(with_samples(4, false), with_samples(8, false), 0.95).factor, 1.96, 0.06);
  Curve precise = with_samples(4, true);  // what it adds to the noise of the difference does not count
  for (std::vector<double>& sample : precise.sampled) {
    for (double& x : sample) x *= 0.01;
  }
  EXPECT_NEAR(difference_band(precise, with_samples(8, false), 0.95).factor, 1.96, 0.06);
  EXPECT_NEAR(difference_band(with_samples(4, false), precise, 0.95).factor, 1.96, 0.06);
}

TEST(SimultaneousBand, InterpolatesLaddersThatDifferAndStaysInTheCommonRange) {
  const auto curve = [](int L, const std::vector<double>& T, double shift) {
    std::vector<double> values;
    for (const double t : T) values.push_back(t * t * t - t + shift);
    std::vector<std::vector<double>> sampled;
    for (const double s : {-0.1, 0.0, 0.1}) {
      sampled.push_back(values);
      for (double& v : sampled.back()) v += s;
    }
    return testing::given_curve(L, T, values, sampled, 2.0, 3);
  };
  const Curve small = curve(4, {0.1, 0.3, 0.5, 0.7, 0.9, 1.1}, 0.0);
  const Curve large = curve(8, {0.2, 0.25, 0.4, 0.55, 0.6, 0.75, 0.8, 1.0, 1.4}, -0.5);
  const DifferenceBand band = difference_band(small, large, 0.95);
  EXPECT_EQ(band.temperatures, (std::vector<double>{0.2, 0.25, 0.4, 0.55, 0.6, 0.75, 0.8, 1.0}));
  for (const double d : band.difference) EXPECT_NEAR(d, -0.5, 1e-12) << "a cubic is interpolated exactly";
  for (const double e : band.error) EXPECT_GT(e, 0.1);
}

TEST(SimultaneousBand, LeavesOutWhatCannotBeHad) {
  std::mt19937_64 generator(107);
  Pair p = pair([](double) { return -10.0 * end_error; }, generator);
  p.large.value[7] = no_value;
  for (auto& sample : p.small.sampled) sample[0] = no_value;
  p.small.sampled[3][4] = no_value;  // one of thirty samples: left out of that temperature's error
  const SizeComparison c = compare_sizes(p.small, p.large);
  EXPECT_EQ(c.band.temperatures, (std::vector<double>{0.15, 0.2, 0.25, 0.3, 0.35, 0.4}));
  EXPECT_EQ(c.state, CrossingState::undecided) << "a crossing may hide at the two temperatures";
  EXPECT_THAT(c.statement, HasSubstr("below zero in [0.15, 0.4], but is not available at 2 of 8 temperatures"));
}

TEST(SizeComparison, NothingInCommonIsSaid) {
  std::mt19937_64 generator(108);
  const Pair p = pair([](double) { return 0.0; }, generator);
  Curve hot = p.large;
  for (double& T : hot.temperatures) T += 3.0;
  EXPECT_EQ(compare_sizes(p.small, hot).state, CrossingState::no_data);
  EXPECT_THAT(compare_sizes(p.small, hot).statement, HasSubstr("Nothing to compare"));
  const Curve one = testing::noisy_curve(
      8, ladder, 1, sigma, [](double) { return 0.1; }, generator);
  EXPECT_EQ(compare_sizes(p.small, one).state, CrossingState::no_data) << "one realization has no error";
  EXPECT_EQ(compare_sizes(p.small, Curve{}).state, CrossingState::no_data);
}

}}  // namespace glassworks
