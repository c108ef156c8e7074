#include "analysis/scaling/collapse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "analysis/scaling/gaussian_process.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

SyntheticCampaign campaign() {
  SyntheticCampaign result;
  result.sizes = {4, 6, 10};
  result.temperatures = equidistant(0.7, 1.3, 8);
  result.mean = [](double T, int L) { return 0.5 - 0.3 * std::tanh((T - 1.0) * std::pow(L, 0.7)); };
  result.realizations = 60;
  result.noise = 0.05;
  return result;
}

TEST(GaussianProcess, HasTheDerivativesOfItsLikelihood) {
  for (const TemperatureVariable variable : {TemperatureVariable::temperature, TemperatureVariable::inverse}) {
    CollapseOptions options;
    options.form = ScalingForm::susceptibility;
    options.variable = variable;
    options.noise = true;
    options.corrections = true;
    std::vector<ScalingCurve> curves;
    for (const ScalingCurve& curve : campaign().scaling(1)) curves.push_back(logarithm(curve));
    const GaussianProcess process(curves, options);
    const Eigen::VectorXd p = (Eigen::VectorXd(8) << 0.1, 0.8, 0.3, 1.2, 0.2, -0.4, -3.0, -1.0).finished();
    ASSERT_EQ(process.names().size(), 8u);
    Eigen::VectorXd gradient, ignored;
    process(p, gradient);
    for (Eigen::Index k = 0; k < p.size(); ++k) {
      Eigen::VectorXd above = p, below = p;
      above[k] += 1e-5;
      below[k] -= 1e-5;
      const double numeric = (process(above, ignored) - process(below, ignored)) / 2e-5;
      EXPECT_NEAR(gradient[k] / numeric, 1.0, 2e-4) << process.names()[static_cast<std::size_t>(k)];
    }
    const Eigen::VectorXd other =
        process.gradients(p, std::vector{process.scaled(std::vector{curves[0].y, curves[1].y, curves[2].y})})[0];
    EXPECT_LT((other - gradient).norm(), 1e-9 * gradient.norm());
  }
}

// ln of the density of two correlated numbers, by hand: y = (y_1, y_2) with covariance matrix C.
TEST(GaussianProcess, HasTheLikelihoodOfANormalDistribution) {
  const std::vector<ScalingCurve> curves = {independent_points(4, {0.9}, {1.0}, {0.1}),
                                            independent_points(8, {1.1}, {0.6}, {0.2})};
  CollapseOptions options;
  options.weighting = Weighting::uncorrelated;
  const GaussianProcess process(curves, options);
  // x = (T - 1) (L/8)^{1/nu} / 0.1 at T_c = 1 and 1/nu = 1; y in units of 0.2 (the spread) around 0.8
  const double distance = 1.0 + 0.5, theta_0 = 1.5, theta_1 = 0.8;
  const double k = theta_0 * theta_0 * std::exp(-0.5 * distance * distance / (theta_1 * theta_1)) + 100.0;
  const double c_11 = theta_0 * theta_0 + 100.0 + 0.25 + 1e-10, c_22 = theta_0 * theta_0 + 100.0 + 1.0 + 1e-10;
  const double determinant = c_11 * c_22 - k * k;
  const double form = (c_22 + 2.0 * k + c_11) / determinant;  // y = (1, -1)
  const double expected =
      0.5 * form + 0.5 * std::log(determinant) + std::log(2.0 * std::numbers::pi) + 2.0 * std::log(0.2);
  Eigen::VectorXd gradient;
  const Eigen::VectorXd p = (Eigen::VectorXd(4) << 0.0, 1.0, std::log(theta_0), std::log(theta_1)).finished();
  EXPECT_NEAR(process(p, gradient), expected, 1e-9);
}

// Published for these data: 1/T_c = 0.440683, 1/nu = 0.9961(21); see tests/analysis/data/README.md.
TEST(Collapse, RepeatsThePublishedAnalysisOfTheIsingModel) {
  std::ifstream file(GLASSWORKS_SOURCE_DIR "/tests/analysis/data/ising-square-binder.dat");
  std::map<int, std::map<double, std::pair<double, double>>> points;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    int L = 0;
    double beta = 0.0, y = 0.0, error = 0.0;
    if (words >> L >> beta >> y >> error) points[L][beta] = {y, error};
  }
  std::vector<ScalingCurve> curves;
  for (const auto& [L, of_size] : points) {
    std::vector<double> beta, y, error;
    for (const auto& [b, value] : of_size) {
      beta.push_back(b);
      y.push_back(value.first);
      error.push_back(value.second);
    }
    curves.push_back(independent_points(L, beta, y, error));
  }
  ASSERT_EQ(curves.size(), 3u);
  CollapseOptions options;
  options.weighting = Weighting::uncorrelated;
  const Collapse result = collapse(curves, options);
  ASSERT_EQ(result.problem, "");
  EXPECT_EQ(result.points, 86);
  EXPECT_NEAR(result.find("T_c")->value, 0.440683, 1e-6);
  EXPECT_NEAR(result.find("1/nu")->value, 0.9961, 0.0021);
  EXPECT_NEAR(result.find("T_c")->value, 0.5 * std::log1p(std::sqrt(2.0)), 2.0 * result.find("T_c")->error());
  EXPECT_NEAR(result.find("1/nu")->value, 1.0, 4.0 * result.find("1/nu")->error());
  EXPECT_LT(result.find("T_c")->error(), 1e-5);
  EXPECT_NEAR(result.posterior_error("T_c") / result.find("T_c")->error(), 1.0, 0.1);
  EXPECT_NEAR(result.posterior_error("1/nu") / result.find("1/nu")->error(), 1.0, 0.1);
  EXPECT_GT(result.p_value, 0.01);
}

// 300 repetitions: the standard deviation of the covered fraction is 0.027, of the mean deviation 1 standard error;
// each bound of 3 of them fails by chance with probability 0.003.
TEST(StatisticsCollapse, CoversTheTruth) {
  Coverage T_c, inverse_nu, posterior;
  double small_p = 0.0;
  const std::uint64_t count = repetitions(300);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Collapse result = collapse(campaign().scaling(seed), {});
    ASSERT_EQ(result.problem, "");
    T_c.add(result.find("T_c")->value, result.find("T_c")->error(), 1.0);
    posterior.add(result.find("T_c")->value, result.posterior_error("T_c"), 1.0);
    inverse_nu.add(result.find("1/nu")->value, result.find("1/nu")->error(), 0.7);
    small_p += result.p_value < 0.05 ? 1.0 / static_cast<double>(count) : 0.0;
  }
  EXPECT_NEAR(T_c.fraction(), 0.683, T_c.tolerance());
  EXPECT_NEAR(posterior.fraction(), 0.683, posterior.tolerance());
  EXPECT_NEAR(inverse_nu.fraction(), 0.683, inverse_nu.tolerance());
  EXPECT_LT(std::abs(T_c.bias()), T_c.largest_bias());
  EXPECT_LT(std::abs(inverse_nu.bias()), inverse_nu.largest_bias());
  EXPECT_LT(small_p, 0.2);  // 0.05 if the covariance were known exactly
}

TEST(Collapse, FindsTheExponentOfASusceptibility) {
  SyntheticCampaign chi = campaign();
  chi.mean = [](double T, int L) {
    return std::pow(L, 2.3) * std::exp(-0.5 * std::tanh((T - 1.0) * std::pow(L, 0.7)));
  };
  chi.noise = 0.02;
  std::vector<ScalingCurve> curves;
  for (const ScalingCurve& curve : chi.scaling(5)) curves.push_back(logarithm(curve));
  CollapseOptions options;
  options.form = ScalingForm::susceptibility;
  const Collapse result = collapse(curves, options);
  ASSERT_EQ(result.problem, "");
  EXPECT_NEAR(result.find("2 - eta")->value, 2.3, 3.5 * result.find("2 - eta")->error());
  EXPECT_LT(result.find("2 - eta")->error(), 0.2);
  EXPECT_NEAR(result.f[result.f.size() / 2], 0.0, 0.5);
}

TEST(Collapse, SeesCorrectionsAndTakesThemIntoAccount) {
  SyntheticCampaign corrected = campaign();
  corrected.mean = [](double T, int L) {
    return 0.5 - 0.3 * std::tanh((T - 1.0) * std::pow(L, 0.7)) + 0.4 * std::pow(L, -1.0);
  };
  corrected.noise = 0.02;
  const std::vector<ScalingCurve> curves = corrected.scaling(1);
  EXPECT_LT(collapse(curves, {}).p_value, 0.01);
  CollapseOptions options;
  options.corrections = true;
  options.omega = 1.0;
  const Collapse result = collapse(curves, options);
  ASSERT_EQ(result.problem, "");
  EXPECT_GT(result.p_value, 0.01);
  EXPECT_NEAR(result.find("T_c")->value, 1.0, 3.5 * result.find("T_c")->error());
}

TEST(Collapse, SaysWhyThereIsNone) {
  const std::vector<ScalingCurve> curves = campaign().scaling(1);
  EXPECT_THAT(collapse(std::span(curves).first(1), {}).problem, HasSubstr("at least two sizes"));
  std::vector<ScalingCurve> few;
  for (const ScalingCurve& curve : curves) few.push_back(thinned(curve, 0.7, 1.3, 2));
  EXPECT_THAT(collapse(few, {}).problem, HasSubstr("6 points do not determine"));
  SyntheticCampaign one = campaign();
  one.realizations = 1;
  EXPECT_THAT(collapse(one.scaling(1), {}).problem, HasSubstr("no error bar"));
}

}}  // namespace glassworks
