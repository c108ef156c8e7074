#include "analysis/statistics/resampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/basics/jackknife.hpp"
#include "analysis/statistics/curve.hpp"
#include "tests/analysis/statistics/grouped_noise.hpp"

namespace glassworks { namespace {

using testing::correlated_pairs;
using testing::grouped_pairs;
using testing::make_synthetic;
using testing::Noise;
using testing::rho_of_ratio;

const DerivedObservable ratio = [](std::span<const double> x, double) { return x[0] / x[1]; };

/// Sample covariance of columns c at t and d at u, divided by n: the analytic covariance of two means.
double covariance_of_means(const Ensemble& e, std::size_t t, std::size_t c, std::size_t u, std::size_t d) {
  const double n = static_cast<double>(e.realizations.size());
  double a = 0.0, b = 0.0, product = 0.0;
  for (std::size_t r = 0; r < e.realizations.size(); ++r) {
    a += e.at(r, t)[c] / n;
    b += e.at(r, u)[d] / n;
  }
  for (std::size_t r = 0; r < e.realizations.size(); ++r) product += (e.at(r, t)[c] - a) * (e.at(r, u)[d] - b);
  return product / (n * (n - 1.0));
}

TEST(BlockLimits, AreEvenWithinOne) {
  EXPECT_EQ(block_limits(7, 3), (std::vector<std::size_t>{0, 2, 4, 7}));
  EXPECT_EQ(block_limits(3, 3), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Resampling, JackknifeLeavesOutBlocks) {
  const Ensemble e = correlated_pairs(7, 1);
  const ResampledAverages averages(e, {ResamplingKind::jackknife, 3, 1});
  ASSERT_EQ(averages.samples(), 3U);
  EXPECT_EQ(averages.spread(), 2.0);
  const auto mean = [&](std::initializer_list<std::size_t> used, std::size_t t, std::size_t c) {
    double sum = 0.0;
    for (const std::size_t r : used) sum += e.at(r, t)[c] / static_cast<double>(used.size());
    return sum;
  };
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(averages.whole(t)[c], mean({0, 1, 2, 3, 4, 5, 6}, t, c), 1e-14);
      EXPECT_NEAR(averages.sample(0, t)[c], mean({2, 3, 4, 5, 6}, t, c), 1e-14);
      EXPECT_NEAR(averages.sample(1, t)[c], mean({0, 1, 4, 5, 6}, t, c), 1e-14);
      EXPECT_NEAR(averages.sample(2, t)[c], mean({0, 1, 2, 3}, t, c), 1e-14);
    }
  }
}

TEST(Resampling, BootstrapSetsAreAFunctionOfSeedAndSize) {
  Ensemble e = correlated_pairs(20, 2);
  const auto first = [&](std::uint64_t seed) {
    const ResampledAverages averages(e, {ResamplingKind::bootstrap, 50, seed});
    return std::vector<double>{averages.sample(0, 0)[0], averages.sample(49, 1)[1]};
  };
  const std::vector<double> one = first(1);
  EXPECT_EQ(first(1), one);
  EXPECT_NE(first(2), one);
  EXPECT_NE(first(1 + (std::uint64_t{1} << 32U)), one) << "all of the seed counts";
  e.L = 6;
  EXPECT_NE(first(1), one);
}

TEST(Resampling, JackknifeOfMeansGivesTheSampleCovarianceExactly) {
  const Ensemble e = correlated_pairs(30, 3);
  const ResampledAverages averages(e, {});
  ASSERT_EQ(averages.samples(), 30U);
  const Curve a = make_curve("a", e, averages, [](std::span<const double> x, double) { return x[0]; });
  const Curve b = make_curve("b", e, averages, [](std::span<const double> x, double) { return x[1]; });
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t u = 0; u < 2; ++u) {
      EXPECT_NEAR(a.covariance(t, a, u), covariance_of_means(e, t, 0, u, 0), 1e-15);
      EXPECT_NEAR(a.covariance(t, b, u), covariance_of_means(e, t, 0, u, 1), 1e-15);
    }
    EXPECT_NEAR(a.error(t), std::sqrt(covariance_of_means(e, t, 0, t, 0)), 1e-15);
  }
  EXPECT_GT(a.covariance(0, b, 0), 0.5 * a.error(0) * b.error(0)) << "the common part is there";
}

// The same number as jackknife() in analysis/basics/jackknife.cpp, an independent implementation.
TEST(Resampling, AgreesWithTheLeaveOneOutJackknife) {
  const Ensemble e = correlated_pairs(25, 4);
  const Curve curve = make_curve("ratio", e, ResampledAverages(e, {}), ratio);
  SampleTable table(2);
  for (std::size_t r = 0; r < 25; ++r) table.add(e.at(r, 1));
  const Estimate expected = jackknife(table, [](std::span<const double> x) { return x[0] / x[1]; });
  EXPECT_NEAR(curve.at(1).mean, expected.mean, 1e-14);
  EXPECT_NEAR(curve.at(1).error, expected.error, 1e-14);
  EXPECT_EQ(curve.at(1).realizations, 25);
}

// Analytic error of a ratio, sum_i (a_i - r b_i)^2 / (n (n - 1) bbar^2). Relative standard deviation of a squared error
// from B sets: sqrt(2/B) plus that of 1/n corrections; limits at five of these (false alarm below 1e-5 in all).
TEST(Resampling, BlocksAndBootstrapGiveTheAnalyticErrorOfARatio) {
  const int n = 3000;
  const Ensemble e = correlated_pairs(n, 5);
  for (std::size_t t = 0; t < 2; ++t) {
    double a = 0.0, b = 0.0, squares = 0.0;
    for (std::size_t r = 0; r < e.realizations.size(); ++r) {
      a += e.at(r, t)[0] / n;
      b += e.at(r, t)[1] / n;
    }
    for (std::size_t r = 0; r < e.realizations.size(); ++r) {
      const double d = e.at(r, t)[0] - a / b * e.at(r, t)[1];
      squares += d * d;
    }
    const double analytic = squares / (static_cast<double>(n) * (n - 1) * b * b);
    const auto variance = [&](const Resampling& resampling) {
      const double error = make_curve("r", e, ResampledAverages(e, resampling), ratio).error(t);
      return error * error;
    };
    EXPECT_NEAR(variance({ResamplingKind::jackknife, n, 1}) / analytic, 1.0, 2e-3);
    EXPECT_NEAR(variance({ResamplingKind::jackknife, 200, 1}) / analytic, 1.0, 5.0 * std::sqrt(2.0 / 200));
    EXPECT_NEAR(variance({ResamplingKind::bootstrap, 2000, 7}) / analytic, 1.0, 5.0 * std::sqrt(2.0 / 2000));
  }
}

// Variance of the mean of independent unit normal numbers is 1/n; blocks of uneven sizes must not bias it. Average over
// 2000 data sets: relative standard error sqrt(2/(B 2000)), limit at four (false alarm 6e-5).
TEST(Resampling, UnevenBlocksAreUnbiased) {
  Noise noise(6);
  double sum = 0.0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Ensemble e = make_synthetic(29, {1.0}, {"x"}, [&](int, std::size_t, std::size_t) { return noise.normal(); });
    const ResampledAverages averages(e, {ResamplingKind::jackknife, 20, 1});
    const Curve curve = make_curve("x", e, averages, [](std::span<const double> x, double) { return x[0]; });
    sum += curve.error(0) * curve.error(0) * 29.0 / 2000.0;
  }
  EXPECT_NEAR(sum, 1.0, 4.0 * std::sqrt(2.0 / (19.0 * 2000.0)));
}

TEST(Resampling, GroupsHaveEqualQuotients) {
  const std::vector<std::uint32_t> ids = {0, 1, 3, 4, 9, 10, 11, 12};
  EXPECT_EQ(group_limits(ids, 4), (std::vector<std::size_t>{0, 3, 4, 7, 8}));
  EXPECT_EQ(group_limits(ids, 1), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(group_limits(ids, 100), (std::vector<std::size_t>{0, 8}));
  EXPECT_EQ(group_limits({}, 4), (std::vector<std::size_t>{0}));
}

TEST(Resampling, LeavesOutWholeGroups) {
  const Ensemble e = grouped_pairs(12, 4, 0.5, 1);
  const ResampledAverages averages(e, {.group = 4});
  ASSERT_EQ(averages.samples(), 3U);
  EXPECT_EQ(averages.groups(), 3);
  EXPECT_EQ(averages.spread(), 2.0);
  for (std::size_t g = 0; g < 3; ++g) {
    double rest = 0.0;
    for (std::size_t r = 0; r < 12; ++r) rest += r / 4 == g ? 0.0 : e.at(r, 0)[1] / 8.0;
    EXPECT_NEAR(averages.sample(g, 0)[1], rest, 1e-14);
  }
  EXPECT_EQ(ResampledAverages(e, {.samples = 2, .group = 4}).samples(), 2U) << "consecutive groups";
  EXPECT_EQ(ResampledAverages(e, {}).groups(), 0);
  const Curve one = make_curve("r", e, ResampledAverages(e, {.group = 12}), ratio);
  EXPECT_TRUE(std::isnan(one.error(0))) << "one group";
}

// The same number as mean_over_groups in analysis/basics/jackknife.cpp, an independent implementation; the last group
// has one realization.
TEST(Resampling, GroupsOfUnequalSizeGiveTheVarianceOfARatioEstimator) {
  const Ensemble e = grouped_pairs(41, 8, 0.3, 2);
  const ResampledAverages averages(e, {.group = 8});
  const Curve a = make_curve("a", e, averages, [](std::span<const double> x, double) { return x[0]; });
  const Curve b = make_curve("b", e, averages, [](std::span<const double> x, double) { return x[1]; });
  const Curve sum = make_curve("a + b", e, averages, [](std::span<const double> x, double) { return x[0] + x[1]; });
  std::vector<double> x;
  for (std::size_t r = 0; r < 41; ++r) x.push_back(e.at(r, 0)[0]);
  const Estimate expected = mean_over_groups(x, group_limits(e.realizations, 8));
  EXPECT_NEAR(a.error(0), expected.error, 1e-15);
  EXPECT_EQ(a.at(0).groups, 6);
  EXPECT_EQ(a.at(0).independent(), 6);
  EXPECT_NEAR(sum.covariance(0, sum, 0), a.covariance(0, a, 0) + b.covariance(0, b, 0) + 2.0 * a.covariance(0, b, 0),
              1e-15);
}

/// Squared errors of a mean and of a ratio over groups of 16 over the exact variance of the mean (of the linearized
/// ratio), averaged over ensembles of n realizations.
std::pair<double, double> error_over_truth(int n, double ratio_of_variances, ResamplingKind kind, int ensembles) {
  constexpr int group = 16;
  const double rho = rho_of_ratio(ratio_of_variances, group);
  double truth = 0.0;
  for (int first = 0; first < n; first += group) {
    const double m = std::min(group, n - first);
    truth += 0.01 * m * (1.0 + (m - 1.0) * rho) / (n * n);
  }
  double mean = 0.0, quotient = 0.0;
  for (int i = 0; i < ensembles; ++i) {
    const Ensemble e = grouped_pairs(n, group, rho, static_cast<std::uint64_t>(i) + 1);
    const ResampledAverages averages(e, {.kind = kind, .samples = 100, .group = group});
    const Curve a = make_curve("a", e, averages, [](std::span<const double> x, double) { return x[0]; });
    const Curve r = make_curve("r", e, averages, ratio);
    mean += std::pow(a.error(0), 2) / truth / ensembles;
    quotient += std::pow(r.error(0), 2) / (truth * (1.0 / 4.0 + 9.0 / 16.0)) / ensembles;
  }
  return {mean, quotient};
}

// G = 20 groups, 500 ensembles: relative standard error sqrt(2/(19 500)) = 1.5 % (bootstrap of 100 sets: 1.6 %). Limit
// at four of these; false alarm below 1e-3 in all 24. A last group of 4 realizations adds a bias below 2 %.
TEST(StatisticsResampling, ErrorsOverGroupsAreRightForAnyCorrelationInThem) {
  for (const ResamplingKind kind : {ResamplingKind::jackknife, ResamplingKind::bootstrap}) {
    for (const double expected : {1.0, 1.5, 4.0}) {
      for (const int n : {320, 308}) {
        const auto [mean, quotient] = error_over_truth(n, expected, kind, 500);
        const double limit = 4.0 * 0.016 + (n == 320 ? 0.0 : 0.02);
        EXPECT_NEAR(mean, 1.0, limit) << "ratio " << expected << ", n = " << n;
        EXPECT_NEAR(quotient, 1.0, limit) << "ratio " << expected << ", n = " << n;
      }
    }
  }
}

TEST(Resampling, OneRealizationHasAverageButNoError) {
  const Ensemble e = correlated_pairs(1, 7);
  for (const ResamplingKind kind : {ResamplingKind::jackknife, ResamplingKind::bootstrap}) {
    const ResampledAverages averages(e, {kind, 200, 1});
    EXPECT_EQ(averages.samples(), 0U);
    EXPECT_TRUE(std::isnan(averages.spread()));
    const Curve curve = make_curve("ratio", e, averages, ratio);
    EXPECT_NEAR(curve.value[0], e.at(0, 0)[0] / e.at(0, 0)[1], 1e-15);
    EXPECT_TRUE(std::isnan(curve.error(0)));
  }
}

TEST(Resampling, RefusesWhatCannotBeResampled) {
  EXPECT_THROW(ResampledAverages(correlated_pairs(0, 1), {}), std::invalid_argument);
  EXPECT_THROW(ResampledAverages(correlated_pairs(5, 1), {ResamplingKind::jackknife, 1, 1}), std::invalid_argument);
  Ensemble torn = correlated_pairs(5, 1);
  torn.values.pop_back();
  EXPECT_THROW(ResampledAverages(torn, {}), std::invalid_argument);
  EXPECT_THROW(ResampledAverages(correlated_pairs(5, 1), {.group = 0}), std::invalid_argument);
}

TEST(Resampling, SaysHowErrorsAreMade) {
  EXPECT_EQ(describe({}, 1), "One realization has no error (its distance from the others is unknown).");
  EXPECT_EQ(describe({}, 64), "Errors: jackknife over 64 realizations, leaving out one at a time.");
  EXPECT_EQ(describe({}, 1000), "Errors: jackknife over 1000 realizations in 200 blocks of 5.");
  EXPECT_EQ(describe({}, 250), "Errors: jackknife over 250 realizations in 200 blocks of 1 or 2.");
  EXPECT_EQ(describe({ResamplingKind::bootstrap, 500, 1}, 64), "Errors: bootstrap over 64 realizations, 500 sets.");
}

TEST(Resampling, OneTemperatureIsEnough) {
  const Ensemble e = make_synthetic(4, {0.7}, {"x"}, [](int r, std::size_t, std::size_t) { return r; });
  const Curve curve =
      make_curve("x", e, ResampledAverages(e, {}), [](std::span<const double> x, double T) { return x[0] / T; });
  EXPECT_DOUBLE_EQ(curve.value.at(0), 1.5 / 0.7);
  EXPECT_DOUBLE_EQ(curve.error(0), std::sqrt(5.0 / 12.0) / 0.7);
}

TEST(Resampling, NotANumberStaysInItsColumnAndTemperature) {
  for (const ResamplingKind kind : {ResamplingKind::jackknife, ResamplingKind::bootstrap}) {
    Ensemble e = correlated_pairs(10, 8);
    e.values[1] = std::numeric_limits<double>::quiet_NaN();  // realization 0, temperature 0, column 1
    const ResampledAverages averages(e, {kind, 200, 1});
    EXPECT_TRUE(std::isnan(averages.whole(0)[1]));
    EXPECT_FALSE(std::isnan(averages.whole(0)[0]));
    EXPECT_FALSE(std::isnan(averages.sample(0, 1)[1]));
    EXPECT_TRUE(std::isnan(make_curve("ratio", e, averages, ratio).error(0)));
    EXPECT_FALSE(std::isnan(make_curve("ratio", e, averages, ratio).error(1)));
  }
}

TEST(Curve, LeavesOutAFewUndefinedSamplesButNotMany) {
  std::vector<double> samples(20, 0.0);
  for (std::size_t s = 0; s < 20; ++s) samples[s] = s % 2 == 0 ? 1.0 : -1.0;
  EXPECT_DOUBLE_EQ(resampled_error(samples, 19.0), std::sqrt(19.0));
  samples[0] = samples[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(resampled_error(samples, 19.0), std::sqrt(19.0)) << "a tenth";
  samples[2] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(resampled_error(samples, 19.0)));
  EXPECT_TRUE(std::isnan(resampled_error({}, 19.0)));
}

TEST(Curve, RefusesCovarianceOfOtherSamples) {
  const auto curve = [](int L, int realizations) {
    const Ensemble e = make_synthetic(
        realizations, {1.0}, {"x"}, [](int r, std::size_t, std::size_t) { return r; }, L);
    return make_curve("x", e, ResampledAverages(e, {}), [](std::span<const double> x, double) { return x[0]; });
  };
  EXPECT_NO_THROW((void)curve(4, 5).covariance(0, curve(4, 5), 0));
  EXPECT_THROW((void)curve(4, 5).covariance(0, curve(6, 5), 0), std::invalid_argument);
  EXPECT_THROW((void)curve(4, 5).covariance(0, curve(4, 6), 0), std::invalid_argument);
}

}}  // namespace glassworks
