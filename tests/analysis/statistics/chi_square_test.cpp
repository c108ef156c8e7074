#include "analysis/statistics/chi_square.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace glassworks { namespace {

constexpr double exact = std::numeric_limits<double>::infinity();

TEST(ChiSquare, OfTwoCorrelatedValuesIsThatOfTheInverse) {
  // C = {{4, 1.8}, {1.8, 9}}: C^{-1} = {{9, -1.8}, {-1.8, 4}}/32.76.
  const std::vector<double> d = {1.0, -2.0}, C = {4.0, 1.8, 1.8, 9.0};
  const ChiSquare test = chi_square(d, C, exact);
  EXPECT_NEAR(test.chi2, (9.0 + 2.0 * 1.8 * 2.0 + 4.0 * 4.0) / 32.76, 1e-12);
  EXPECT_EQ(test.rank, 2);
  EXPECT_FALSE(test.reduced());
  EXPECT_NEAR(test.p_value, std::exp(-0.5 * test.chi2), 1e-12) << "two degrees of freedom";
  EXPECT_NEAR(test.condition, 1.3 / 0.7, 1e-12) << "1 +- 1.8/6";
}

/// For one value Hotelling's T^2 is Student's t^2: P(|t| > 2) with 10 degrees of freedom is 0.07339.
TEST(ChiSquare, OfAnEstimatedErrorIsThatOfStudent) {
  const std::vector<double> d = {2.0}, C = {1.0};
  EXPECT_NEAR(chi_square(d, C, 10.0).p_value, 0.073388, 1e-6);
}

TEST(ChiSquare, OfASingularMatrixIsReduced) {
  const std::vector<double> d = {1.0, 1.0, 1.0}, C(9, 1.0);
  const ChiSquare test = chi_square(d, C, exact);
  EXPECT_EQ(test.rank, 1);
  EXPECT_EQ(test.values, 3);
  EXPECT_TRUE(std::isinf(test.condition));
  EXPECT_NEAR(test.chi2, 1.0, 1e-12) << "three times the same number";
}

TEST(ChiSquare, HasAsManyModesAsRealizationsAllow) {
  std::vector<double> C(100, 0.0), d(10, 0.0);
  for (std::size_t i = 0; i < 10; ++i) C[11 * i] = 1.0;
  EXPECT_EQ(chi_square(d, C, 15.0).rank, 3) << "four degrees of freedom for each";
  EXPECT_EQ(chi_square(d, C, 1.0).rank, 1);
}

TEST(ChiSquare, ValuesThatCannotVaryAgreeOrNot) {
  const std::vector<double> C = {0.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(chi_square(std::vector<double>{0.0, 0.0}, C, exact).values, 1);
  EXPECT_EQ(chi_square(std::vector<double>{1e-9, 0.0}, C, exact).p_value, 0.0);
  EXPECT_EQ(chi_square({}, {}, exact).p_value, 1.0);
}

/// p is uniform where C is estimated from 41 samples of 6 correlated values: 2000 tests, of which a tenth have p < 0.1,
/// within four standard errors. False alarm 6e-5.
TEST(StatisticsChiSquare, CountsTheErrorOfTheCovariance) {
  constexpr int n = 41, values = 6, tests = 2000;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  int small = 0;
  for (int test = 0; test < tests; ++test) {
    std::vector<double> mean(values), C(values * values), x(n * values);
    for (int r = 0; r < n; ++r) {
      const double common = normal(random);
      for (int i = 0; i < values; ++i) x[r * values + i] = common + normal(random);
    }
    for (int i = 0; i < n * values; ++i) mean[i % values] += x[i] / n;
    for (int r = 0; r < n; ++r) {
      for (int i = 0; i < values * values; ++i) {
        const int a = i / values, b = i % values;
        C[i] += (x[r * values + a] - mean[a]) * (x[r * values + b] - mean[b]) / (n * (n - 1.0));
      }
    }
    small += chi_square(mean, C, n - 1.0).p_value < 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(small, 0.1 * tests, 4.0 * std::sqrt(0.09 * tests));
}

}}  // namespace glassworks
