#include "analysis/statistics/autocorrelation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/analysis/fake_campaign.hpp"
#include "tests/analysis/statistics/synthetic_ensemble.hpp"

namespace glassworks { namespace {

using testing::Noise;

/// AR(1) process x' = a x + sqrt(1 - a^2) noise of variance 1 in equilibrium, rho(t) = a^t, tau_int = (1 + a)/(2 (1 -
/// a)). Every series has an offset of its own, as realizations have.
std::vector<TimeSeries> ar1(double tau, int series, int length, Noise& noise) {
  const double a = (2.0 * tau - 1.0) / (2.0 * tau + 1.0);
  std::vector<TimeSeries> all;
  for (int r = 0; r < series; ++r) {
    TimeSeries& x = all.emplace_back();
    double value = noise.normal();
    for (int i = 0; i < length; ++i) {
      x.push_back(value + 3.0 * r);
      value = a * value + std::sqrt(1.0 - a * a) * noise.normal();
    }
  }
  return all;
}

struct Case {
  double tau;
  int series, length;
};

constexpr int repetitions = 400;

/// What the repetitions of a case gave; every share has the standard error sqrt(0.68 0.32 / 400) = 0.023.
struct Coverage {
  double tau = 0.0, variance = 0.0;              ///< mean over repetitions
  double tau_covered = 0.0, mean_covered = 0.0;  ///< share of intervals of one standard error that hold the truth
};

template <typename Method>
Coverage cover(const Case& c, const Method& method) {
  Noise noise(20240607);
  Coverage result;
  for (int k = 0; k < repetitions; ++k) {
    const Autocorrelation x = method(ar1(c.tau, c.series, c.length, noise));
    result.tau += x.tau / repetitions;
    result.variance += x.variance / repetitions;
    if (std::abs(x.tau - c.tau) < x.tau_error) result.tau_covered += 1.0 / repetitions;
    if (std::abs(x.mean - 1.5 * (c.series - 1)) < x.error) result.mean_covered += 1.0 / repetitions;
  }
  return result;
}

// 68 % of the intervals of the mean hold the truth, within 0.09 = 4 standard errors of the share. The error of tau is a
// little too wide (Wolff's formula is an approximation): 68 to 73 %, again within four standard errors. False alarm of
// all limits together below 1e-3.
TEST(GammaMethod, IntervalsOfTauAndMeanCoverTheTruthOfAR1) {
  for (const Case& c : {Case{0.5, 1, 1000}, Case{0.8, 1, 2000}, Case{5.0, 1, 4000}, Case{5.0, 20, 400},
                        Case{2.0, 40, 60}, Case{0.5, 64, 16}}) {
    const Coverage x = cover(c, [](const std::vector<TimeSeries>& s) { return gamma_method(s); });
    SCOPED_TRACE(::testing::Message() << "tau " << c.tau << ", " << c.series << " x " << c.length);
    EXPECT_NEAR(x.tau_covered, 0.705, 0.115);
    EXPECT_NEAR(x.mean_covered, 0.683, 0.09);
    EXPECT_NEAR(x.tau / c.tau, 1.0, 0.05);
    EXPECT_NEAR(x.variance, 1.0, 0.03);
  }
}

TEST(BinningMethod, IntervalsOfTauAndMeanCoverTheTruthOfAR1) {
  for (const Case& c : {Case{0.5, 1, 1000}, Case{0.8, 1, 2000}, Case{5.0, 1, 4000}, Case{5.0, 20, 800}}) {
    const Coverage x = cover(c, [](const std::vector<TimeSeries>& s) { return binning_method(s); });
    SCOPED_TRACE(::testing::Message() << "tau " << c.tau << ", " << c.series << " x " << c.length);
    EXPECT_NEAR(x.tau_covered, 0.683, 0.09);
    EXPECT_NEAR(x.mean_covered, 0.683, 0.09);
    EXPECT_NEAR(x.tau / c.tau, 1.0, 0.08);
  }
}

// The plain correction to first order would give tau = 0.5 and 0.9 here; Wolff's correction for a common mean less.
TEST(GammaMethod, IsUnbiasedForManySeriesOfTenTau) {
  for (const Case& c : {Case{5.0, 100, 50}, Case{2.0, 200, 32}}) {
    const Coverage x = cover(c, [](const std::vector<TimeSeries>& s) { return gamma_method(s); });
    EXPECT_NEAR(x.tau / c.tau, 1.0, 0.05) << c.tau;
    EXPECT_NEAR(x.mean_covered, 0.683, 0.09) << c.tau;
  }
}

TEST(Autocorrelation, SaysWhenSeriesAreTooShort) {
  Noise noise(5);
  int reliable_when_long = 0, reliable_when_short = 0;
  for (int k = 0; k < 100; ++k) {
    reliable_when_long += gamma_method(ar1(5.0, 1, 4000, noise)).reliable ? 1 : 0;
    reliable_when_short += gamma_method(ar1(100.0, 1, 400, noise)).reliable ? 1 : 0;
    reliable_when_short += binning_method(ar1(100.0, 10, 200, noise)).reliable ? 1 : 0;
  }
  EXPECT_EQ(reliable_when_long, 100);
  EXPECT_LE(reliable_when_short, 50) << "of 200";
}

// Four entries, by hand: abar = 2.5, deviations -1.5, -0.5, 0.5, 1.5: variance 5/3; pairs of two: 1.5 and 3.5: 2.
TEST(BlockingLevels, AreTheVariancesOfBlockMeans) {
  const std::vector<TimeSeries> series = {{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}, {1.0, 2.0, 3.0, 4.0}};
  const std::vector<BlockingLevel> levels = blocking_levels(series);
  ASSERT_EQ(levels.size(), 2U);
  const double single = (42.0 + 5.0) / 10.0, pairs = (20.0 + 2.0) / 4.0;
  EXPECT_EQ(levels[0].block, 1U);
  EXPECT_DOUBLE_EQ(levels[0].tau, 0.5);
  EXPECT_DOUBLE_EQ(levels[0].tau_error, 0.5 * std::sqrt(2.0 / 10.0));
  EXPECT_EQ(levels[1].block, 2U);
  EXPECT_DOUBLE_EQ(levels[1].tau, pairs / single);
  EXPECT_DOUBLE_EQ(levels[1].tau_error, pairs / single * std::sqrt(2.0 / 4.0));
}

TEST(Autocorrelation, ConstantSeriesHaveNoError) {
  const std::vector<TimeSeries> series = {{2.0, 2.0, 2.0}, {4.0, 4.0, 4.0}};
  for (const Autocorrelation& x : {gamma_method(series), binning_method(series)}) {
    EXPECT_EQ(x.mean, 3.0);
    EXPECT_EQ(x.error, 0.0);
    EXPECT_TRUE(std::isnan(x.tau));
    EXPECT_FALSE(x.reliable);
  }
}

TEST(Autocorrelation, TwoEntriesGiveNothingReliable) {
  const std::vector<TimeSeries> series = {{1.0, 2.0}};
  EXPECT_FALSE(gamma_method(series).reliable);
  EXPECT_FALSE(binning_method(series).reliable);
}

TEST(Autocorrelation, RefusesWhatIsNoSeries) {
  EXPECT_THROW((void)gamma_method({}), std::invalid_argument);
  const std::vector<TimeSeries> short_series = {{1.0}, {}}, hole = {{1.0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_THROW((void)gamma_method(short_series), std::invalid_argument);
  EXPECT_THROW((void)binning_method(short_series), std::invalid_argument);
  EXPECT_THROW((void)gamma_method(hole), std::invalid_argument);
  EXPECT_THROW((void)blocking_levels(hole), std::invalid_argument);
}

TEST(Autocorrelation, SeriesOfRoundsLeaveOutTheEquilibration) {
  const Columns columns(testing::stored_names(), 3);
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < 5; ++n) {
    rounds.push_back(testing::fake_round(
        n, 2, [n](int slot, const std::string& name) { return name == "q_s" ? n + 10.0 * slot : -1.0; }));
  }
  EXPECT_EQ(round_series(rounds, columns, 1, columns["q_s"], 3), (TimeSeries{13.0, 14.0}));
  EXPECT_EQ(round_series(rounds, columns, 0, columns["q_s"], 0), (TimeSeries{2.0, 3.0, 4.0}));
}

}}  // namespace glassworks
