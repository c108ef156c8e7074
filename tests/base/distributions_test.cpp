#include "base/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace glassworks { namespace {

/// Distributions whose tails have a closed form.
TEST(Distributions, TailsAreExact) {
  for (const double x : {-3.0, 0.0, 0.5, 20.0}) {
    EXPECT_NEAR(student_tail(1, x), 0.5 - std::atan(x) / std::numbers::pi, 1e-14) << "Cauchy, x = " << x;
    EXPECT_NEAR(student_tail(2, x), 0.5 - 0.5 * x / std::sqrt(2.0 + x * x), 1e-14) << "t, nu = 2, x = " << x;
  }
  for (const double x : {0.1, 3.0, 30.0}) {
    EXPECT_NEAR(chi_squared_tail(1, x), std::erfc(std::sqrt(0.5 * x)), 1e-14) << "n = 1, x = " << x;
    EXPECT_NEAR(chi_squared_tail(4, x), std::exp(-0.5 * x) * (1.0 + 0.5 * x), 1e-14) << "n = 4, x = " << x;
    EXPECT_NEAR(fisher_tail(2, 6, x), std::pow(1.0 + x / 3.0, -3.0), 1e-14) << "n = 2, m = 6, x = " << x;
    EXPECT_NEAR(fisher_tail(6, 2, x), 1.0 - std::pow(1.0 + 1.0 / (3.0 * x), -3.0), 1e-14) << "n = 6, m = 2, x = " << x;
  }
  // 2 or 3 of 3 events of probability 1/5
  EXPECT_NEAR(binomial_tail(3, 0.2, 1.0), 0.104, 1e-14);
  EXPECT_NEAR(binomial_tail(3, 0.2, 0.0), 0.488, 1e-14);
}

TEST(Distributions, QuantilesAreExceededWithTheirProbability) {
  for (const double p : {1e-8, 0.01, 0.3, 0.9}) {
    EXPECT_NEAR(student_tail(7, student_quantile(7, p)), p, 1e-12 * p);
    EXPECT_NEAR(chi_squared_tail(7, chi_squared_quantile(7, p)), p, 1e-12 * p);
    EXPECT_NEAR(fisher_tail(3, 11, fisher_quantile(3, 11, p)), p, 1e-12 * p);
    EXPECT_NEAR(0.5 * std::erfc(normal_quantile(p) / std::numbers::sqrt2), p, 1e-12 * p);
  }
}

}}  // namespace glassworks
