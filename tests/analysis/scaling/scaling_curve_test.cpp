#include "analysis/scaling/scaling_curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scaling/local_polynomial.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SyntheticCampaign two_sizes() {
  SyntheticCampaign result;
  result.sizes = {8, 4};
  result.temperatures = equidistant(0.5, 1.5, 6);
  result.mean = [](double T, int L) { return 1.0 / T + 0.1 * L; };
  result.realizations = 50;
  return result;
}

TEST(ScalingCurve, HasTheCovarianceOfItsCurve) {
  const std::vector<Curve> curves = two_sizes().curves(1);
  const std::vector<ScalingCurve> scaling = scaling_curves(curves);
  ASSERT_EQ(scaling.size(), 2u);
  EXPECT_EQ(scaling[0].L, 4);
  for (std::size_t t = 0; t < 6; ++t) {
    for (std::size_t u = 0; u < 6; ++u) {
      EXPECT_NEAR(scaling[1].covariance()(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(u)),
                  curves[0].covariance(t, curves[0], u), 1e-14);
    }
  }
}

TEST(ScalingCurve, LeavesOutWhatIsNotFinite) {
  std::vector<Curve> curves = two_sizes().curves(1);
  curves[0].value[2] = nan;
  curves[0].sampled[7][4] = nan;
  for (double& y : curves[1].value) y = nan;
  const std::vector<ScalingCurve> scaling = scaling_curves(curves);
  ASSERT_EQ(scaling.size(), 1u);
  EXPECT_EQ(scaling[0].L, 8);
  EXPECT_EQ(scaling[0].points(), 4);
  EXPECT_EQ(scaling[0].left_out, 2u);
  EXPECT_THAT(std::vector<double>(scaling[0].T.begin(), scaling[0].T.end()),
              ::testing::Pointwise(::testing::DoubleEq(), {0.5, 0.7, 1.1, 1.5}));
  curves[1] = curves[0];
  EXPECT_THROW((void)scaling_curves(curves), std::invalid_argument);
}

TEST(ScalingCurve, IsThinnedToEvenDistances) {
  SyntheticCampaign fine = two_sizes();
  fine.temperatures = equidistant(0.5, 1.5, 101);
  const ScalingCurve curve = fine.scaling(2)[0];
  const ScalingCurve thin = thinned(curve, 0.6, 1.0, 5);
  EXPECT_THAT(std::vector<double>(thin.T.begin(), thin.T.end()),
              ::testing::Pointwise(::testing::DoubleNear(1e-12), {0.6, 0.7, 0.8, 0.9, 1.0}));
  EXPECT_EQ(thin.sampled(3, 1), curve.sampled(3, 20));
  EXPECT_EQ(thinned(curve, 0.6, 1.0, 100).points(), 41);
  EXPECT_EQ(thinned(curve, 2.0, 3.0, 5).points(), 0);
}

// z = a/b^2 with a, b of independent sizes: error^2 = (e_a/b^2)^2 + (2 a e_b/b^3)^2, a jackknife gives it up to terms
// of relative order e/b.
TEST(SampledNumber, HasTheErrorOfAFunctionOfIndependentSizes) {
  SyntheticCampaign wide = two_sizes();
  wide.realizations = 400;
  const std::vector<ScalingCurve> curves = wide.scaling(3);
  const auto numbers = propagate(curves, 2, [](std::span<const Eigen::VectorXd> y, Replaced) -> Eigen::VectorXd {
    return Eigen::Vector2d(y[0][1] / (y[1][4] * y[1][4]), y[0][1]);
  });
  const double a = curves[0].y[1], b = curves[1].y[4];
  const double e_a = std::sqrt(curves[0].covariance()(1, 1)), e_b = std::sqrt(curves[1].covariance()(4, 4));
  EXPECT_NEAR(numbers[0].value, a / (b * b), 1e-14);
  EXPECT_NEAR(numbers[0].error() / std::hypot(e_a / (b * b), 2.0 * a * e_b / (b * b * b)), 1.0, 1e-3);
  EXPECT_NEAR(numbers[0].covariance(numbers[1]) / (e_a * e_a / (b * b)), 1.0, 1e-9);
  EXPECT_NEAR(transformed(numbers[1], [](double x) { return -3.0 * x; }).error(), 3.0 * e_a, 1e-12);
}

TEST(SampledNumber, HasNoErrorWithoutSamples) {
  EXPECT_TRUE(std::isnan(SampledNumber{1.0, {}}.error()));
  SampledNumber x{1.0, {{4, 1.0, {1.0, nan, 1.1, 0.9, 1.0}}}};
  EXPECT_TRUE(std::isnan(x.error()));
}

TEST(LocalPolynomial, IsExactForCubics) {
  const auto f = [](double T) { return 1.0 - 2.0 * T + 0.5 * T * T + 3.0 * T * T * T; };
  const Eigen::VectorXd T = (Eigen::VectorXd(8) << 0.1, 0.2, 0.35, 0.5, 0.55, 0.8, 1.0, 1.3).finished();
  const Eigen::VectorXd y = T.unaryExpr(f);
  for (const double at : {0.1, 0.13, 0.4, 0.5, 0.9, 1.25, 1.3}) {
    EXPECT_NEAR(interpolation(T, at)(y), f(at), 1e-13);
    for (const double width : {0.0, 0.4, 3.0}) {
      const double slope = local_derivative(T, points_near(T, at, width), at)(y);
      EXPECT_NEAR(slope, -2.0 + at + 9.0 * at * at, 1e-11) << at << ' ' << width;
    }
  }
  const Eigen::VectorXd few = T.head(2);
  EXPECT_NEAR(interpolation(few, 0.15)(few), 0.15, 1e-15);
  EXPECT_NEAR(local_derivative(few, points_near(few, 0.15, 1.0), 0.15)(few), 1.0, 1e-13);
  EXPECT_EQ(local_derivative(T.head(1), points_near(T.head(1), 0.1, 1.0), 0.1)(T), 0.0);
}

}}  // namespace glassworks
