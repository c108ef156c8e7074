#include "analysis/scaling/scaling_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scaling/scaling_model.hpp"
#include "base/distributions.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

constexpr double T_c = 1.0, inverse_nu = 0.7;

/// A cubic scaling function, so that the order of the fit is exactly right.
double cubic(double T, int L) {
  const double x = (T - T_c) * std::pow(L, inverse_nu);
  return 0.5 - 0.2 * x + 0.02 * x * x + 0.004 * x * x * x;
}

SyntheticCampaign three_sizes(std::function<double(double T, int L)> mean = cubic) {
  SyntheticCampaign result;
  result.sizes = {4, 6, 10};
  result.temperatures = equidistant(0.8, 1.2, 7);
  result.mean = std::move(mean);
  result.realizations = 60;
  result.resampling.samples = 30;
  return result;
}

ScalingFitOptions options_of(Weighting weighting, int order = 3) {
  ScalingFitOptions options;
  options.weighting = weighting;
  options.order = order;
  return options;
}

TEST(GoodnessOfFit, IsTheChiSquaredDistributionForEqualWeights) {
  for (const int dof : {1, 3, 20}) {
    for (const double chi2 : {0.5, 3.0, 25.0}) {
      const double exact = chi_squared_tail(dof, chi2);
      EXPECT_NEAR(goodness_of_fit(chi2, Eigen::VectorXd::Ones(dof), 0.0), exact, 1e-12);
      EXPECT_NEAR(goodness_of_fit(0.3 * chi2, Eigen::VectorXd::Constant(dof, 0.3), 0.0), exact, 1e-12);
    }
  }
}

// 100000 draws: the standard deviation of a frequency of 0.05 is 0.0007.
TEST(GoodnessOfFit, IsTheDistributionOfAQuadraticForm) {
  const Eigen::VectorXd lambda = (Eigen::VectorXd(5) << 3.0, 1.0, 0.5, 0.2, 0.01).finished();
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const std::vector<double> limits = {2.0, 5.0, 12.0, 18.0};
  std::vector<double> above(limits.size(), 0.0);
  for (int draw = 0; draw < 100000; ++draw) {
    double form = 0.0;
    for (const double l : lambda) form += l * std::pow(normal(engine), 2);
    for (std::size_t i = 0; i < limits.size(); ++i) above[i] += form > limits[i] ? 1e-5 : 0.0;
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    // Three moments are matched: good in the tail, where it matters, and rough in the middle.
    EXPECT_NEAR(goodness_of_fit(limits[i], lambda, 0.0), above[i], above[i] < 0.5 ? 0.01 : 0.03) << limits[i];
  }
}

TEST(ScalingModel, HasTheDerivativesOfItsValues) {
  SyntheticCampaign campaign = three_sizes();
  const std::vector<ScalingCurve> curves = campaign.scaling(1);
  for (const TemperatureVariable variable : {TemperatureVariable::temperature, TemperatureVariable::inverse}) {
    ScalingFitOptions options;
    options.form = ScalingForm::susceptibility;
    options.variable = variable;
    options.corrections = true;
    options.correction_order = 1;
    const ScalingModel model(curves, options);
    ASSERT_EQ(model.size(), 10);
    EXPECT_EQ(model.names()[2], "omega");
    const Eigen::VectorXd p = (Eigen::VectorXd(10) << 0.97, 0.8, 1.3, 2.1, 0.4, -0.3, 0.2, 0.1, 0.7, -0.6).finished();
    const Eigen::MatrixXd jacobian = model.jacobian(p);
    for (Eigen::Index k = 0; k < p.size(); ++k) {
      Eigen::VectorXd above = p, below = p;
      above[k] += 1e-6;
      below[k] -= 1e-6;
      const Eigen::VectorXd numeric = (model.values(above) - model.values(below)) / 2e-6;
      EXPECT_LT((numeric - jacobian.col(k)).cwiseAbs().maxCoeff(), 1e-8) << model.names()[static_cast<std::size_t>(k)];
    }
  }
}

TEST(ScalingFit, FindsTheParametersOfExactData) {
  SyntheticCampaign campaign = three_sizes();
  campaign.noise = 1e-7;
  for (const Weighting weighting : {Weighting::uncorrelated, Weighting::correlated}) {
    const ScalingFit fit = fit_scaling(campaign.scaling(1), options_of(weighting));
    ASSERT_EQ(fit.problem, "");
    EXPECT_NEAR(fit.T_c(), T_c, 1e-6);
    EXPECT_NEAR(fit.inverse_nu(), inverse_nu, 1e-6);
    EXPECT_NEAR(fit.find("a_3")->value, 0.004, 1e-5);
    EXPECT_NEAR(fit.scaling_function(0.5).mean, 0.5 - 0.1 + 0.005 + 0.0005, 1e-6);
  }
  campaign.mean = [](double T, int L) {
    const double x = T_c * (1.0 - T_c / T) * std::pow(L, inverse_nu);
    return std::pow(L, 2.2) * std::exp(0.3 - 0.8 * x);
  };
  std::vector<ScalingCurve> logarithms;
  for (const ScalingCurve& curve : campaign.scaling(2)) logarithms.push_back(logarithm(curve));
  ScalingFitOptions options = options_of(Weighting::uncorrelated, 1);
  options.form = ScalingForm::susceptibility;
  options.variable = TemperatureVariable::inverse;
  options.T_c = SampledNumber{T_c, {}};
  options.inverse_nu = SampledNumber{inverse_nu, {}};
  const ScalingFit fit = fit_scaling(logarithms, options);
  ASSERT_EQ(fit.problem, "");
  EXPECT_NEAR(fit.find("2 - eta")->value, 2.2, 1e-6);
  EXPECT_NEAR(fit.offset(1.1, 8), 2.2 * std::log(8.0), 1e-5);
}

TEST(ScalingFit, FindsCorrectionsToScaling) {
  SyntheticCampaign campaign = three_sizes([](double T, int L) { return cubic(T, L) + 0.6 * std::pow(L, -1.2); });
  campaign.sizes = {4, 6, 8, 12, 16};
  campaign.noise = 1e-6;
  ScalingFitOptions options = options_of(Weighting::uncorrelated);
  options.corrections = true;
  const ScalingFit fit = fit_scaling(campaign.scaling(1), options);
  ASSERT_EQ(fit.problem, "");
  EXPECT_NEAR(fit.T_c(), T_c, 5.0 * fit.find("T_c")->error());
  EXPECT_NEAR(fit.find("omega")->value, 1.2, 5.0 * fit.find("omega")->error());
  EXPECT_LT(fit.find("omega")->error(), 0.01);
  const ScalingFit without = fit_scaling(campaign.scaling(1), options_of(Weighting::uncorrelated));
  EXPECT_LT(without.p_value, 1e-6);
}

/// Repeated fits: coverage of T_c and 1/nu.
struct Repeated {
  Coverage T_c, inverse_nu;
  double small_p = 0.0;      ///< fraction with p < 0.1
  double error_ratio = 0.0;  ///< of the curvature to refits, mean
};

Repeated repeat(const SyntheticCampaign& campaign, const ScalingFitOptions& options) {
  Repeated result;
  const std::uint64_t count = repetitions(300);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const ScalingFit fit = fit_scaling(campaign.scaling(seed), options);
    EXPECT_EQ(fit.problem, "");
    result.T_c.add(fit.T_c(), fit.find("T_c")->error(), T_c);
    result.inverse_nu.add(fit.inverse_nu(), fit.find("1/nu")->error(), inverse_nu);
    result.small_p += fit.p_value < 0.1 ? 1.0 / static_cast<double>(count) : 0.0;
    result.error_ratio += std::sqrt(fit.covariance(0, 0)) / fit.find("T_c")->error() / static_cast<double>(count);
  }
  return result;
}

// 300 repetitions: 3 standard deviations of a fraction 0.683 are 0.081, of a fraction 0.1 are 0.052; a mean deviation
// of 3 standard errors. Each is exceeded by chance with probability 0.003.
TEST(StatisticsScalingFit, UncorrelatedCoversTheTruth) {
  const Repeated result = repeat(three_sizes(), options_of(Weighting::uncorrelated));
  EXPECT_NEAR(result.T_c.fraction(), 0.683, result.T_c.tolerance());
  EXPECT_NEAR(result.inverse_nu.fraction(), 0.683, result.inverse_nu.tolerance());
  EXPECT_LT(std::abs(result.T_c.bias()), result.T_c.largest_bias());
  EXPECT_LT(std::abs(result.inverse_nu.bias()), result.inverse_nu.largest_bias());
  EXPECT_NEAR(result.small_p, 0.1, 0.052);
  EXPECT_NEAR(result.error_ratio, 1.0, 0.05);
}

TEST(StatisticsScalingFit, CorrelatedCoversTheTruth) {
  const Repeated result = repeat(three_sizes(), options_of(Weighting::correlated));
  EXPECT_NEAR(result.T_c.fraction(), 0.683, result.T_c.tolerance());
  EXPECT_NEAR(result.inverse_nu.fraction(), 0.683, result.inverse_nu.tolerance());
  EXPECT_LT(std::abs(result.T_c.bias()), result.T_c.largest_bias());
  EXPECT_LT(std::abs(result.inverse_nu.bias()), result.inverse_nu.largest_bias());
  // 3000 repetitions show that p values of covariance matrices from 60 realizations are too large: 4.4 % below 0.1.
  EXPECT_NEAR(result.small_p, 0.1, many_repetitions() ? 0.06 : 0.052);
}

// The corrections known: T_c is recovered with its error from sizes that do not scale without.
TEST(StatisticsScalingFit, WithCorrectionsCoversTheTruth) {
  SyntheticCampaign campaign = three_sizes([](double T, int L) { return cubic(T, L) + 0.3 * std::pow(L, -1.0); });
  ScalingFitOptions options = options_of(Weighting::uncorrelated);
  options.corrections = true;
  options.omega = 1.0;
  const Repeated result = repeat(campaign, options);
  EXPECT_NEAR(result.T_c.fraction(), 0.683, result.T_c.tolerance());
  EXPECT_NEAR(result.inverse_nu.fraction(), 0.683, result.inverse_nu.tolerance());
  EXPECT_LT(std::abs(result.T_c.bias()), result.T_c.largest_bias());
}

// 24 realizations and 12 temperatures: the covariance matrix has rank 23, so it is shrunk.
TEST(ScalingFit, ShrinksTheCovarianceOfFewSamples) {
  SyntheticCampaign campaign = three_sizes();
  campaign.temperatures = equidistant(0.8, 1.2, 12);
  campaign.realizations = 24;
  const ScalingFit fit = fit_scaling(campaign.scaling(1), options_of(Weighting::correlated));
  ASSERT_EQ(fit.problem, "");
  EXPECT_GT(fit.shrinkage, 0.0);
  EXPECT_NEAR(fit.T_c(), T_c, 4.0 * fit.find("T_c")->error());
  campaign.realizations = campaign.resampling.samples = 60;
  EXPECT_EQ(fit_scaling(campaign.scaling(1), options_of(Weighting::correlated)).shrinkage, 0.0);
}

TEST(ScalingFit, SaysWhyThereIsNone) {
  SyntheticCampaign campaign = three_sizes();
  const std::vector<ScalingCurve> curves = campaign.scaling(1);
  EXPECT_THAT(fit_scaling(std::span(curves).first(1), {}).problem, HasSubstr("at least two sizes"));
  EXPECT_THAT(fit_scaling(curves, options_of(Weighting::uncorrelated, 30)).problem, HasSubstr("do not determine 33"));
  campaign.realizations = 1;
  EXPECT_THAT(fit_scaling(campaign.scaling(1), {}).problem, HasSubstr("no error bar at T = 0.8 (from 1 realizations)"));
  campaign = three_sizes([](double, int) { return 1.0; });
  campaign.noise = 0.0;
  EXPECT_THAT(fit_scaling(campaign.scaling(1), {}).problem, HasSubstr("no error bar"));
  campaign.noise = 0.1;
  const ScalingFit flat = fit_scaling(campaign.scaling(1), options_of(Weighting::uncorrelated, 1));
  EXPECT_TRUE(!flat.ok() || !(flat.find("T_c")->error() < 0.1)) << flat.T_c();
}

}}  // namespace glassworks
