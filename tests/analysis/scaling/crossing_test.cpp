#include "analysis/scaling/crossing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scaling/extrapolation.hpp"
#include "analysis/scaling/quotients.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

SyntheticCampaign two_sizes(std::function<double(double T, int L)> mean) {
  SyntheticCampaign result;
  result.sizes = {4, 8};
  result.temperatures = equidistant(0.6, 1.4, 17);
  result.mean = std::move(mean);
  return result;
}

/// R = 0.5 exp(-(T - 1) L^{1/nu}), 1/nu = 0.7: crosses at T = 1 with R = 0.5.
double scaling_form(double T, int L) { return 0.5 * std::exp(-0.3 * (T - 1.0) * std::pow(L, 0.7)); }

// 400 repetitions: a covered fraction that is off by more than tolerance() = 0.07 has probability 0.003 for each of the
// two, and so has a mean deviation of more than 3 standard errors.
TEST(StatisticsCrossing, IsFoundWithoutBiasAndWithItsError) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.realizations = 100;
  Coverage T, R;
  for (std::uint64_t seed = 1; seed <= repetitions(400); ++seed) {
    const std::vector<PairCrossings> pairs = find_crossings(campaign.scaling(seed));
    ASSERT_NE(pairs[0].best(), nullptr) << pairs[0].sentence;
    T.add(pairs[0].best()->T.value, pairs[0].best()->T.error(), 1.0);
    R.add(pairs[0].best()->R.value, pairs[0].best()->R.error(), 0.5);
  }
  EXPECT_NEAR(T.fraction(), 0.683, T.tolerance());
  EXPECT_NEAR(R.fraction(), 0.683, R.tolerance());
  EXPECT_LT(std::abs(T.bias()), T.largest_bias());
  EXPECT_LT(std::abs(R.bias()), R.largest_bias());
}

TEST(Crossing, HasTheErrorOfTheDifferenceOverTheSlope) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.noise = 0.01;
  const std::vector<ScalingCurve> curves = campaign.scaling(5);
  const PairCrossings pair = find_crossings(curves[0], curves[1]);
  ASSERT_NE(pair.best(), nullptr);
  // The node at T = 1 is the eighth; d' = 0.15 (4^0.7 - 8^0.7).
  const double error = std::sqrt(curves[0].covariance()(8, 8) + curves[1].covariance()(8, 8));
  const double slope = 0.15 * (std::pow(4.0, 0.7) - std::pow(8.0, 0.7));
  EXPECT_NEAR(pair.best()->slope / slope, 1.0, 0.02);
  EXPECT_NEAR(pair.best()->T.error() / (error / std::abs(slope)), 1.0, 0.05);
}

TEST(Crossing, HasASpreadOverDescriptionsOfTheCurves) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.noise = 1e-6;
  const Crossing smooth = *find_crossings(campaign.scaling(5)).at(0).best();
  // 17 temperatures at distances of 0.05: seven lie within 15 % of T = 1, and 13 within 30 %.
  EXPECT_EQ(smooth.forms, 6);
  EXPECT_NEAR(smooth.spread.low, 1.0, 3e-3) << "a parabola over 30 %";
  EXPECT_NEAR(smooth.spread.high, 1.0, 3e-3);
  campaign.noise = 0.05;
  const Crossing noisy = *find_crossings(campaign.scaling(5)).at(0).best();
  EXPECT_LE(noisy.spread.low, noisy.T.value);
  EXPECT_GE(noisy.spread.high, noisy.T.value);
  EXPECT_GT(noisy.spread.high - noisy.spread.low, 0.05 * noisy.T.error());
  EXPECT_LT(noisy.spread.high - noisy.spread.low, 4.0 * noisy.T.error());
}

TEST(Crossing, IsInterpolatedBetweenDifferentTemperatures) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.noise = 1e-9;
  std::vector<ScalingCurve> curves = campaign.scaling(5);
  campaign.temperatures = equidistant(0.7, 1.5, 12);
  curves[1] = campaign.scaling(6)[1];
  const PairCrossings pair = find_crossings(curves[0], curves[1]);
  ASSERT_NE(pair.best(), nullptr);
  EXPECT_DOUBLE_EQ(pair.from, 0.7);
  EXPECT_DOUBLE_EQ(pair.to, 1.4);
  EXPECT_NEAR(pair.best()->T.value, 1.0, 1e-4);  // cubic interpolation at a distance of 0.07
}

TEST(Crossing, IsNotInventedWhereCurvesStayApart) {
  const auto apart = [](double T, int L) { return 0.5 - 0.2 * T + 0.02 * L; };
  const PairCrossings pair = find_crossings(two_sizes(apart).scaling(1))[0];
  EXPECT_EQ(pair.verdict, CrossingVerdict::none);
  EXPECT_EQ(pair.best(), nullptr);
  EXPECT_GT(pair.least_significance, 1.96);
  EXPECT_THAT(pair.sentence,
              HasSubstr("No crossing of L = 4 and L = 8 between T = 0.6 and 1.4: L = 8 is above at every"));
}

TEST(Crossing, IsNotEstablishedWhereCurvesMerge) {
  const auto merging = [](double T, int L) { return 0.5 - 0.2 * T - std::max(0.0, T - 1.0) * 0.05 * L; };
  int unresolved = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PairCrossings pair = find_crossings(two_sizes(merging).scaling(seed))[0];
    if (pair.verdict != CrossingVerdict::unresolved) continue;
    ++unresolved;
    EXPECT_EQ(pair.best(), nullptr);
    EXPECT_LT(pair.least_significance, 1.96);
    EXPECT_THAT(pair.sentence, HasSubstr("No crossing of L = 4 and L = 8 between T = 0.6 and 1.4 at 95 % confidence"));
  }
  // By chance, the merged part differs by 1.96 standard errors the wrong way somewhere, in one of two modes: 5 % each.
  // More than 6 of 20 has probability 0.002.
  EXPECT_GE(unresolved, 14);
}

TEST(Crossing, FindsAllOfSeveral) {
  const auto twice = [](double T, int L) { return 0.5 + (L - 6) * ((T - 1.0) * (T - 1.0) - 0.04); };
  SyntheticCampaign campaign = two_sizes(twice);
  campaign.noise = 0.05;
  const PairCrossings pair = find_crossings(campaign.scaling(1))[0];
  ASSERT_EQ(pair.crossings.size(), 2u);
  EXPECT_NEAR(pair.crossings[0].T.value, 0.8, 4.0 * pair.crossings[0].T.error());
  EXPECT_NEAR(pair.crossings[1].T.value, 1.2, 4.0 * pair.crossings[1].T.error());
  EXPECT_TRUE(pair.crossings[0].established && pair.crossings[1].established);
  EXPECT_EQ(pair.best(), &pair.crossings[0]);  // below it the larger size is above
  EXPECT_THAT(pair.sentence, HasSubstr("the best of 2 crossings"));
}

// 200 repetitions: tolerance() = 0.1. Noise that temperatures do not share makes the fine curves change order many
// times.
TEST(StatisticsCrossing, IsOneWhereCurvesChangeOrderSeveralTimesWithinErrors) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.temperatures = equidistant(0.6, 1.4, 81);
  campaign.independent = 1.0;
  campaign.realizations = 40;
  Coverage T;
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<ScalingCurve> curves = campaign.scaling(seed);
    const PairCrossings pair = find_crossings(curves)[0];
    int changes = 0;
    for (Eigen::Index i = 1; i < 81; ++i) {
      changes += (curves[1].y[i] > curves[0].y[i]) != (curves[1].y[i - 1] > curves[0].y[i - 1]) ? 1 : 0;
    }
    several += changes > 1 ? 1 : 0;
    if (pair.best() == nullptr) continue;
    T.add(pair.best()->T.value, pair.best()->T.error(), 1.0);
  }
  EXPECT_GT(several, 100u);
  EXPECT_GE(T.repetitions, 190);  // in the rest the parabolas do not meet: not established
  EXPECT_NEAR(T.fraction(), 0.683, T.tolerance());
  EXPECT_LT(std::abs(T.bias()), T.largest_bias());
}

TEST(Crossing, SaysWhyCurvesCannotBeCompared) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  std::vector<ScalingCurve> curves = campaign.scaling(1);
  curves[1].T.array() += 2.0;
  EXPECT_THAT(find_crossings(curves)[0].sentence, HasSubstr("no range of temperatures in common"));
  campaign.realizations = 1;
  const PairCrossings pair = find_crossings(campaign.scaling(1))[0];
  EXPECT_EQ(pair.verdict, CrossingVerdict::not_comparable);
  EXPECT_THAT(pair.sentence, HasSubstr("no error bars"));
}

TEST(Quotients, AreExactForPowerLaws) {
  SyntheticCampaign campaign = two_sizes([](double T, int L) {
    const double x = (T - 1.0) * std::pow(L, 0.7);
    return 0.5 - 0.1 * x + 0.01 * x * x;
  });
  campaign.noise = 1e-6;
  const std::vector<ScalingCurve> ratios = campaign.scaling(1);
  campaign.mean = [](double T, int L) { return std::pow(L, 2.3) * (2.0 - T); };
  const std::vector<ScalingCurve> chi = campaign.scaling(2);
  const std::vector<Quotient> found = quotients(ratios, chi, find_crossings(ratios));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].inverse_nu.value, 0.7, 1e-5);
  EXPECT_NEAR(found[0].nu.value, 1.0 / 0.7, 1e-5);
  EXPECT_NEAR(found[0].eta.value, -0.3, 1e-5);
  EXPECT_TRUE(std::isnan(quotients(ratios, {}, find_crossings(ratios))[0].eta.value));
}

// As above: 400 repetitions, 3 standard deviations each.
TEST(StatisticsQuotients, CoverTheTruth) {
  SyntheticCampaign campaign = two_sizes(scaling_form);
  campaign.noise = 0.05;
  campaign.realizations = 100;
  campaign.temperatures = equidistant(0.8, 1.2, 17);
  Coverage nu;
  for (std::uint64_t seed = 1; seed <= repetitions(400); ++seed) {
    const std::vector<ScalingCurve> curves = campaign.scaling(seed);
    const std::vector<Quotient> found = quotients(curves, {}, find_crossings(curves));
    ASSERT_EQ(found.size(), 1u);
    nu.add(found[0].inverse_nu.value, found[0].inverse_nu.error(), 0.7);
  }
  EXPECT_NEAR(nu.fraction(), 0.683, nu.tolerance());
  EXPECT_LT(std::abs(nu.bias()), nu.largest_bias());
}

TEST(Extrapolation, FindsTheLimitOfCrossings) {
  // T_x(L) of pairs (L, 2L) for R = f(t L) + b L^-1 ... to first order: the form itself is what is fitted.
  std::vector<PairCrossings> pairs;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  for (const int L : {4, 6, 8, 12, 16}) {
    PairCrossings pair;
    pair.L_small = L;
    pair.L_large = 2 * L;
    Crossing crossing;
    crossing.established = true;
    const double error = 1e-3, T = 1.0 + 0.8 * std::pow(L, -1.5) + error * normal(engine);
    SampledNumber::Part part{100 + L, 49.0, {}};  // its own size: independent
    for (int s = 0; s < 50; ++s) part.samples.push_back(T + error * (s % 2 == 0 ? 1.0 : -1.0) / 7.0);
    crossing.T = {T, {part}};
    pair.crossings.push_back(crossing);
    pairs.push_back(pair);
  }
  const Extrapolation all = extrapolate(pairs)[0];
  EXPECT_EQ(all.problem, "");
  EXPECT_NEAR(all.T_c.value, 1.0, 3.0 * all.T_c.error());
  EXPECT_NEAR(all.theta.value, 1.5, 3.0 * all.theta.error());
  EXPECT_NEAR(all.amplitude.value, 0.8, 3.0 * all.amplitude.error());
  EXPECT_LT(all.amplitude.error(), 0.15);
  EXPECT_LT(all.T_c.error(), 0.01);
  EXPECT_EQ(all.dof, 2);
  EXPECT_GT(all.p_value, 1e-3);
  pairs.resize(3);
  EXPECT_THAT(extrapolate(pairs)[0].problem, HasSubstr("four are needed"));
}

}}  // namespace glassworks
