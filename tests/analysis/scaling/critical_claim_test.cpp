#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scaling/analyze_scaling.hpp"
#include "analysis/scaling/worst_case.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Curves that cross at 0.3, up to a correction amplitude/L.
SyntheticCampaign claimed(std::vector<int> sizes, double amplitude = 0.0) {
  SyntheticCampaign result;
  result.sizes = std::move(sizes);
  result.temperatures = equidistant(0.15, 0.6, 12);
  result.mean = [amplitude](double T, int L) {
    return 0.5 * std::exp(-0.5 * (T - 0.3) * std::pow(L, 0.8)) + amplitude / L;
  };
  result.realizations = 100;
  result.noise = 0.02;
  result.resampling.samples = 25;
  return result;
}

ScalingResult claims(const SyntheticCampaign& campaign, std::uint64_t seed = 1) {
  ScalingOptions options;
  options.collapse = false;
  options.most_points = 8;
  return analyze_scaling(campaign.curves(seed), options);
}

TEST(CriticalClaim, HoldsForFourSizesThatScale) {
  const CriticalClaim claim = claims(claimed({4, 6, 8, 12})).observables.at(0).claim;
  EXPECT_THAT(claim.obstacles, IsEmpty());
  EXPECT_TRUE(claim.holds());
  EXPECT_THAT(claim.sizes, ElementsAre(4, 6, 8, 12));
  EXPECT_GT(claim.T_c.fits, 3);
  EXPECT_LE(claim.T_c.spread.low, claim.T_c.number.value);
  EXPECT_GE(claim.T_c.spread.high, claim.T_c.number.value);
  EXPECT_NEAR(claim.nu.number.value, 1.25, 4.0 * claim.nu.number.error());
  EXPECT_FALSE(claim.T_c.worst.known());
}

TEST(CriticalClaim, NeedsFourSizes) {
  const CriticalClaim three = claims(claimed({4, 6, 8})).observables.at(0).claim;
  EXPECT_FALSE(three.holds());
  EXPECT_THAT(three.obstacles, ElementsAre("there are 3 sizes (L = 4, 6, 8) and 4 are needed"));
  EXPECT_THAT(claims(claimed({8})).observables.at(0).claim.obstacles,
              ElementsAre("there is one size (L = 8) and 4 are needed"));
  // The smallest size does not scale: three of four are left.
  SyntheticCampaign shifted = claimed({4, 6, 8, 12});
  const auto mean = shifted.mean;
  shifted.mean = [mean](double T, int L) { return mean(T, L) + (L == 4 ? 0.1 : 0.0); };
  EXPECT_THAT(claims(shifted).observables.at(0).claim.obstacles,
              Contains(HasSubstr("only 3 of 4 sizes (L = 6, 8, 12) agree with one scaling function")));
}

// Corrections of one sign move T_c with the smallest size by several of its errors.
TEST(CriticalClaim, IsRefusedWhereTheSmallestSizeMovesIt) {
  const CriticalClaim claim = claims(claimed({4, 6, 8, 12, 16}, 0.04)).observables.at(0).claim;
  EXPECT_FALSE(claim.holds());
  EXPECT_THAT(claim.obstacles, Contains(::testing::AnyOf(HasSubstr("when the smallest size is"), HasSubstr("only"))));
}

/// Cases of one size that move its curve by a constant.
ConvergenceEffects constant_effects(int L, double low, double high, double without) {
  ConvergenceEffects size{.L = L, .used = 100, .unconverged = {}, .effects = {}};
  ConvergenceEffect& effect = size.effects.emplace_back();
  effect.observable = "xi_over_L";
  effect.L = L;
  effect.temperatures = {0.1, 0.4, 0.7};
  for (int t = 0; t < 3; ++t) {
    effect.all.push_back({1.0, 0.1, 100});
    effect.lowest.push_back(1.0 + low);
    effect.highest.push_back(1.0 + high);
    effect.converged.push_back({1.0 + without, 0.1, 90});
  }
  return size;
}

// Oracle: the curves themselves are moved and crossed, fitted anew. A crossing moves by -(shift)/slope to first order.
TEST(WorstCase, MovesCrossingsAndTheFitAsMovedCurvesDo) {
  const SyntheticCampaign campaign = claimed({4, 6, 8, 12});
  ScalingResult result = claims(campaign);
  const std::vector<ConvergenceEffects> effects = {constant_effects(12, -0.004, 0.008, 0.002)};
  add_worst_cases(result, effects);
  const ObservableScaling& scaling = result.observables.at(0);
  const auto crossing_with = [&](double by) {
    SyntheticCampaign moved = campaign;
    const auto mean = moved.mean;
    moved.mean = [mean, by](double T, int L) { return mean(T, L) + (L == 12 ? by : 0.0); };
    moved.noise = 1e-6;
    return find_crossings(moved.scaling(1)).at(2).best()->T.value;  // L = 4 and 12
  };
  const PairCrossings& pair = scaling.pairs.at(2);
  ASSERT_EQ(pair.L_large, 12);
  const Crossing& crossing = *pair.best();
  const double true_shift_low = crossing_with(-0.004) - crossing_with(0.0);
  const double true_shift_high = crossing_with(0.008) - crossing_with(0.0);
  EXPECT_NEAR(crossing.worst.low - crossing.T.value, true_shift_low, 0.15 * std::abs(true_shift_low));
  EXPECT_NEAR(crossing.worst.high - crossing.T.value, true_shift_high, 0.15 * std::abs(true_shift_high));
  EXPECT_NEAR(crossing.without - crossing.T.value, 0.25 * true_shift_high, 0.05 * std::abs(true_shift_high));
  EXPECT_FALSE(scaling.pairs.at(0).best()->worst.known()) << "L = 4 and 6 have no unconverged realizations";

  const Scan& scan = scaling.correlated.chosen ? scaling.correlated : scaling.uncorrelated;
  const auto fit_with = [&](double by) {
    std::vector<ScalingCurve> points = scan.points;
    for (ScalingCurve& curve : points) {
      if (curve.L == 12) curve.y.array() += by;
    }
    ScalingFitOptions options = scan.best.options;
    options.resample = false;
    return fit_scaling(points, options);
  };
  EXPECT_NEAR(scaling.claim.T_c.worst.high, fit_with(0.008).T_c(), 1e-5);
  EXPECT_NEAR(scaling.claim.T_c.worst.low, fit_with(-0.004).T_c(), 1e-5);
  EXPECT_NEAR(scaling.claim.T_c.without, fit_with(0.002).T_c(), 1e-5);
  const double nu_a = 1.0 / fit_with(0.008).inverse_nu(), nu_b = 1.0 / fit_with(-0.004).inverse_nu();
  const double nu = scaling.claim.nu.number.value;
  EXPECT_NEAR(scaling.claim.nu.worst.low, std::min({nu, nu_a, nu_b}), 1e-4);
  EXPECT_NEAR(scaling.claim.nu.worst.high, std::max({nu, nu_a, nu_b}), 1e-4);
}

TEST(WorstCase, IsNotBoundedWhereTheCrossingLeavesTheTemperatures) {
  ScalingResult result = claims(claimed({4, 6, 8, 12}));
  const std::vector<ConvergenceEffects> effects = {constant_effects(12, -0.4, 0.4, 0.0)};
  add_worst_cases(result, effects);
  const ObservableScaling& scaling = result.observables.at(0);
  EXPECT_TRUE(scaling.claim.T_c.worst.known());
  EXPECT_FALSE(scaling.claim.T_c.worst.bounded());
  EXPECT_EQ(scaling.claim.T_c.worst.text(0.01), "not bounded");
  EXPECT_FALSE(scaling.pairs.at(2).best()->worst.bounded());
}

// A correction that is there, with omega = 1, and data that show nothing of it.
TEST(Corrections, AreAResultOnlyWhereTheDataDetermineOmega) {
  SyntheticCampaign with = claimed({4, 6, 8, 12, 16}, 0.4);
  with.noise = 1e-4;
  with.independent = 0.3;
  const ScalingResult strong = claims(with);
  const ObservableScaling& scaling = strong.observables.at(0);
  ScalingFitOptions options;
  options.order = 4;
  options.corrections = true;
  std::vector<ScalingCurve> points;
  for (const ScalingCurve& curve : scaling.curves) points.push_back(thinned(curve, 0.2, 0.4, 8));
  const ScalingFit good = fit_scaling(points, options);
  ASSERT_TRUE(good.ok()) << good.problem;
  EXPECT_NEAR(good.find("omega")->value, 1.0, 0.3);
  const SyntheticCampaign without = claimed({4, 6, 8, 12});
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const ScalingResult weak = claims(without, seed);
    const ObservableScaling& one = weak.observables.at(0);
    EXPECT_FALSE(determines_omega(one.corrected, one.curves)) << seed;
    const Section section = scaling_section(weak);
    std::string text;
    for (const std::string& sentence : section.paragraphs) text += sentence;
    EXPECT_THAT(text, HasSubstr("the data do not determine ω"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("with corrections to scaling, T_{c}")));
    for (const Item& item : section.items) {
      const auto* table = std::get_if<Table>(&item);
      if (table == nullptr || !table->id.ends_with("_fits")) continue;
      for (const auto& row : table->rows) EXPECT_NE(row.front(), "with corrections");
    }
  }
}

TEST(Corrections, WithATinyExponentAreNone) {
  const ObservableScaling scaling = claims(claimed({4, 6, 8, 12})).observables.at(0);
  ScalingFit fit = *scaling.fit();
  fit.p_value = 0.5;
  const auto with = [&](double omega, double error, double b) {
    ScalingFit f = fit;
    SampledNumber number{omega, {{.L = 4, .spread = 2.0, .samples = {omega - error, omega + error}}}};
    f.parameters.push_back({"omega", number});
    f.parameters.push_back({"b_0", {b, {}}});
    return determines_omega(f, scaling.curves);
  };
  EXPECT_TRUE(with(1.0, 0.1, 0.1));
  EXPECT_FALSE(with(0.018, 0.001, 0.1)) << "seen with T_c = 1.577 where it is 1.10";
  EXPECT_FALSE(with(1.0, 0.6, 0.1)) << "less than two errors above 0";
  EXPECT_FALSE(with(1.0, 0.1, 3.0)) << "larger than the ratio itself";
  fit.p_value = 0.01;
  EXPECT_FALSE(with(1.0, 0.1, 0.1));
}

}}  // namespace glassworks
