#include "analysis/basics/jackknife.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace glassworks { namespace {

/// Pairs (a, b) with means 3 and 2, small correlated spread.
SampleTable correlated_pairs(int n) {
  std::mt19937_64 engine(20240117);
  SampleTable table(2);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5; };
  for (int i = 0; i < n; ++i) {
    const double common = uniform();
    const double row[] = {3.0 + 0.3 * common + 0.2 * uniform(), 2.0 + 0.4 * common + 0.1 * uniform()};
    table.add(row);
  }
  return table;
}

TEST(Jackknife, MeanHasTheStandardError) {
  const std::vector<double> x = {1.0, 2.0, 4.0, 8.0, 0.5, -3.0};
  double mean = 0.0, squares = 0.0;
  for (const double v : x) mean += v / 6.0;
  for (const double v : x) squares += (v - mean) * (v - mean);
  const Estimate e = mean_over_realizations(x);
  EXPECT_NEAR(e.mean, mean, 1e-15);
  EXPECT_NEAR(e.error, std::sqrt(squares / (6.0 * 5.0)), 1e-14);
  EXPECT_EQ(e.realizations, 6);
}

TEST(Jackknife, EqualsLeavingOutEachRowExplicitly) {
  const SampleTable table = correlated_pairs(17);
  const auto f = [](std::span<const double> m) { return m[0] * m[0] / std::exp(m[1]); };
  std::vector<double> left_out;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    double mean[2] = {};
    for (std::size_t j = 0; j < table.rows(); ++j) {
      for (std::size_t c = 0; c < 2; ++c) mean[c] += j == i ? 0.0 : table.row(j)[c] / 16.0;
    }
    left_out.push_back(f(mean));
  }
  double centre = 0.0, squares = 0.0;
  for (const double v : left_out) centre += v / 17.0;
  for (const double v : left_out) squares += (v - centre) * (v - centre);
  EXPECT_NEAR(jackknife(table, f).error, std::sqrt(16.0 / 17.0 * squares), 1e-12);
}

// Error of a ratio to first order: sigma^2 = sum_i (a_i - r b_i)^2 / (n (n - 1) <b>^2), r = <a>/<b>. Corrections are of
// relative order 1/n.
TEST(Jackknife, RatioHasTheAnalyticError) {
  const int n = 4000;
  const SampleTable table = correlated_pairs(n);
  double a = 0.0, b = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    a += table.row(i)[0] / n;
    b += table.row(i)[1] / n;
  }
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double d = table.row(i)[0] - a / b * table.row(i)[1];
    squares += d * d;
  }
  const double analytic = std::sqrt(squares / (static_cast<double>(n) * (n - 1))) / b;
  const Estimate e = jackknife(table, [](std::span<const double> m) { return m[0] / m[1]; });
  EXPECT_NEAR(e.mean, a / b, 1e-12);
  EXPECT_NEAR(e.error / analytic, 1.0, 1e-3);
}

TEST(Jackknife, GivesSeveralFunctionsAtOnce) {
  const SampleTable table = correlated_pairs(9);
  const std::vector<Estimate> both = jackknife(table, 2, [](std::span<const double> m, std::span<double> f) {
    f[0] = m[0] - m[1];
    f[1] = m[0] * m[1];
  });
  const Estimate difference = jackknife(table, [](std::span<const double> m) { return m[0] - m[1]; });
  const Estimate product = jackknife(table, [](std::span<const double> m) { return m[0] * m[1]; });
  EXPECT_EQ(both[0].mean, difference.mean);
  EXPECT_EQ(both[0].error, difference.error);
  EXPECT_EQ(both[1].mean, product.mean);
  EXPECT_EQ(both[1].error, product.error);
}

TEST(Jackknife, HasNoErrorFromOneRealizationAndNothingFromNone) {
  const Estimate one = mean_over_realizations(std::vector<double>{2.5});
  EXPECT_EQ(one.mean, 2.5);
  EXPECT_TRUE(std::isnan(one.error));
  EXPECT_EQ(one.realizations, 1);
  const Estimate none = mean_over_realizations({});
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_EQ(none.realizations, 0);
}

TEST(Jackknife, HasNoErrorWhereTheFunctionIsUndefinedWithoutSomeRealization) {
  SampleTable table(1);
  for (const double x : {-1.0, -1.0, 4.0}) table.add(std::span(&x, 1));
  const Estimate e = jackknife(table, [](std::span<const double> m) { return std::sqrt(m[0]); });
  EXPECT_NEAR(e.mean, std::sqrt(2.0 / 3.0), 1e-15);
  EXPECT_TRUE(std::isnan(e.error));
}

// Groups {1, 3}, {5, 5}, {7}, mean 21/5: deviations of their sums -4.4, 1.6, 2.8.
TEST(Jackknife, ErrorsOverGroupsAreThoseOfTheirSums) {
  const std::vector<double> x = {1.0, 3.0, 5.0, 5.0, 7.0};
  const Estimate e = mean_over_groups(x, std::vector<std::size_t>{0, 2, 4, 5});
  EXPECT_NEAR(e.mean, 4.2, 1e-14);
  EXPECT_NEAR(e.error, std::sqrt(1.5 * (4.4 * 4.4 + 1.6 * 1.6 + 2.8 * 2.8)) / 5.0, 1e-14);
  EXPECT_EQ(e.realizations, 5);
  EXPECT_EQ(e.independent(), 3);
  const Estimate each = mean_over_groups(x, std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  EXPECT_NEAR(each.error, mean_over_realizations(x).error, 1e-14) << "groups of one";
  EXPECT_TRUE(std::isnan(mean_over_groups(x, std::vector<std::size_t>{0, 5}).error)) << "one group";
}

TEST(SampleTable, RefusesRowsOfAnotherLength) {
  SampleTable table(2);
  const double row[] = {1.0, 2.0, 3.0};
  EXPECT_THROW(table.add(row), std::invalid_argument);
}

}}  // namespace glassworks
