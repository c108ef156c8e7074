#include "analysis/diagnostics/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace glassworks { namespace {

TEST(Distribution, QuantilesInterpolateBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0}, 1.0), 4.0);
  EXPECT_DOUBLE_EQ(quantile({7.0}, 0.3), 7.0);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(quantile({1.0, inf}, 0.0), 1.0) << "no infinity times zero";
  EXPECT_EQ(quantile({1.0, inf}, 0.5), inf);
}

TEST(Distribution, HistogramHoldsEveryValueOnceWithBinomialErrors) {
  const std::vector<double> values = {0.0, 0.1, 0.5, 0.6, 1.0};
  const Series s = histogram("x", values, 0.0, 1.0, 2, false);
  EXPECT_EQ(s.x, (std::vector<double>{0.25, 0.75}));
  EXPECT_DOUBLE_EQ(s.y[0], 0.4);
  EXPECT_DOUBLE_EQ(s.y[1], 0.6) << "limits belong to the histogram";
  EXPECT_DOUBLE_EQ(s.y_error[0], std::sqrt(0.4 * 0.6 / 5.0));
}

TEST(Distribution, LogarithmicBinsHaveEqualRatios) {
  const Series s = histogram("x", std::vector<double>{1.0, 9.0, 11.0, 100.0, 1000.0, -1.0}, 1.0, 1000.0, 3, true);
  for (std::size_t bin = 0; bin < 3; ++bin) EXPECT_NEAR(s.x[bin], std::pow(10.0, bin + 0.5), 1e-9);
  EXPECT_NEAR(s.y[0], 2.0 / 6.0, 1e-12);
  EXPECT_NEAR(s.y[1], 1.0 / 6.0, 1e-12);
  EXPECT_NEAR(s.y[2], 2.0 / 6.0, 1e-12) << "the value outside counts in n only";
}

TEST(Distribution, SurvivalIsTheFractionOfAtLeastSoMuch) {
  const Series s = survival("x", {3.0, 1.0, 2.0, 2.0});
  EXPECT_EQ(s.x, (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(s.y, (std::vector<double>{1.0, 0.75, 0.25}));
}

TEST(Distribution, LogarithmicFiguresShowEveryPositiveValueOfAllSizes) {
  const Distribution sizes[] = {{4, {1.0, 5.0, 30.0}},
                                {8, {20.0, 4000.0, 0.0, std::numeric_limits<double>::infinity()}}};
  const std::vector<Item> items = logarithmic_distribution({"x", "x", "x"}, sizes, "");
  const auto& bars = std::get<Figure>(items[0]);
  ASSERT_EQ(bars.series.size(), 2U);
  EXPECT_EQ(bars.series[0].x, bars.series[1].x);
  for (const Series& s : bars.series) EXPECT_NEAR(std::accumulate(s.y.begin(), s.y.end(), 0.0), 1.0, 1e-12);
  EXPECT_EQ(std::get<Figure>(items[1]).series[1].x, (std::vector<double>{20.0, 4000.0}));
  const Distribution nothing[] = {{4, {0.0, 0.0}}};
  const std::vector<Item> empty = logarithmic_distribution({"x", "x", "x"}, nothing, "");
  EXPECT_TRUE(std::get<Figure>(empty[0]).series.empty());
}

TEST(Distribution, OneValueIsEnough) {
  const Distribution sizes[] = {{4, {10.0}}};
  const std::vector<Item> items = logarithmic_distribution({"x", "x", "x"}, sizes, "");
  const auto& bars = std::get<Figure>(items[0]);
  ASSERT_EQ(bars.series.size(), 1U);
  EXPECT_NEAR(std::accumulate(bars.series[0].y.begin(), bars.series[0].y.end(), 0.0), 1.0, 1e-12);
}

}}  // namespace glassworks
