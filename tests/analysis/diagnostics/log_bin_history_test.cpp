#include "analysis/diagnostics/log_bin_history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/observables/estimators.hpp"
#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"

namespace glassworks { namespace {

TEST(LogBinHistory, ComparesEveryBinWithTheLastHalfWithinEachRealization) {
  const auto size = testing::diagnosed_size({0.5, 1.0});
  LogBinHistory history(size);
  for (const std::uint32_t r : {0U, 1U, 2U}) {
    std::vector<RoundRow> rounds;
    for (std::uint32_t n = 0; n < 8; ++n) {
      rounds.push_back(testing::fake_round(n, 2, [&](int slot, const std::string& name) {
        if (name == "energy") return 100.0 * r + n * (slot + 1.0);  // the disorder must cancel
        if (name == "chiral_zero") return 0.01 * n * r;
        return 0.0;
      }));
    }
    history.add(testing::realization_row(r, 8), rounds);
  }
  ASSERT_EQ(history.bins(), 4U);
  const double last = (4 + 5 + 6 + 7) / 4.0;
  const double means[] = {last, 2.5, 1.0, 0.0};
  for (std::size_t bin = 1; bin < 4; ++bin) {
    const Estimate e = history.difference(LogBinHistory::energy, bin, 1);
    EXPECT_NEAR(e.mean, 2.0 * (means[bin] - last), 1e-10);
    EXPECT_NEAR(e.error, 0.0, 1e-10);
    EXPECT_EQ(e.realizations, 3);
  }
  const Estimate chi = history.difference(LogBinHistory::chi_cg, 1, 0);  // 64 * 0.01 * (0, 1, 2) * -3
  EXPECT_NEAR(chi.mean, -64.0 * 0.01 * 3.0, 1e-10);
  EXPECT_NEAR(chi.error, 64.0 * 0.01 * 3.0 / std::sqrt(3.0), 1e-10);
}

TEST(LogBinHistory, CorrelationLengthIsThatOfTheAverages) {
  const auto size = testing::diagnosed_size({1.0});
  LogBinHistory history(size);
  const auto zero = [](std::uint32_t r, std::uint32_t n) { return 1.0 + 0.2 * r + (n < 2 ? 0.3 : 0.0); };
  for (const std::uint32_t r : {0U, 1U, 2U}) {
    std::vector<RoundRow> rounds;
    for (std::uint32_t n = 0; n < 4; ++n) {
      rounds.push_back(testing::fake_round(n, 1, [&](int, const std::string& name) {
        if (name == "overlap_k(0,0,0)") return zero(r, n);
        return name.ends_with("(1,0,0)") || name.ends_with("(0,1,0)") || name.ends_with("(0,0,1)") ? 0.5 : 0.0;
      }));
    }
    history.add(testing::realization_row(r, 4), rounds);
  }
  const Estimate xi = history.difference(LogBinHistory::xi_over_L, 1, 0);
  EXPECT_NEAR(xi.mean, (correlation_length(1.5, 0.5, 4) - correlation_length(1.2, 0.5, 4)) / 4.0, 1e-12);
  double squares = 0.0, mean = 0.0, left_out[3];
  for (int i = 0; i < 3; ++i) {
    const double average = (3.6 - (1.0 + 0.2 * i)) / 2.0;
    left_out[i] = (correlation_length(average + 0.3, 0.5, 4) - correlation_length(average, 0.5, 4)) / 4.0;
    mean += left_out[i] / 3.0;
  }
  for (const double x : left_out) squares += (x - mean) * (x - mean);
  EXPECT_NEAR(xi.error, std::sqrt(2.0 / 3.0 * squares), 1e-12);
}

// An AR(1) series x_t = a x_{t-1} + noise of unit variance has cov(x_s, x_t) = a^|s-t|, so the variance of a difference
// of bin means is known exactly. With 800 realizations the variance estimate is Gaussian with relative error
// sqrt(2/799) = 5 %: 4.5 of these fail with probability 7e-6 for each of the three bins. The mean (true value 0): 4.5
// standard errors, the same.
TEST(LogBinHistory, ErrorsOfCorrelatedHistoriesAreTheirExactOnes) {
  constexpr double a = 0.8;
  constexpr int n = 32, realizations = 800;
  const auto size = testing::diagnosed_size({1.0});
  LogBinHistory history(size);
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal;
  for (std::uint32_t r = 0; r < realizations; ++r) {
    std::vector<RoundRow> rounds;
    double x = normal(generator);
    const double disorder = 3.0 * normal(generator);
    for (std::uint32_t t = 0; t < n; ++t) {
      rounds.push_back(testing::fake_round(
          t, 1, [&](int, const std::string& name) { return name == "link_overlap" ? disorder + x : 0.0; }));
      x = a * x + std::sqrt(1.0 - a * a) * normal(generator);
    }
    history.add(testing::realization_row(r, n), rounds);
  }
  for (const int bin : {1, 2, 3}) {
    const int first = n >> (bin + 1), last = n >> bin;
    std::vector<double> weight(n, 0.0);  // of x_t in the difference
    for (int t = first; t < last; ++t) weight[static_cast<std::size_t>(t)] += 1.0 / (last - first);
    for (int t = n / 2; t < n; ++t) weight[static_cast<std::size_t>(t)] -= 2.0 / n;
    double variance = 0.0;
    for (int s = 0; s < n; ++s) {
      for (int t = 0; t < n; ++t) {
        variance +=
            weight[static_cast<std::size_t>(s)] * weight[static_cast<std::size_t>(t)] * std::pow(a, std::abs(s - t));
      }
    }
    const Estimate e = history.difference(LogBinHistory::link_overlap, static_cast<std::size_t>(bin), 0);
    EXPECT_NEAR(e.error * e.error * realizations / variance, 1.0, 4.5 * std::sqrt(2.0 / (realizations - 1)));
    EXPECT_LT(std::abs(e.mean), 4.5 * std::sqrt(variance / realizations));
  }
}

TEST(LogBinHistory, FindsTheTemperatureThatDrifts) {
  const auto size = testing::diagnosed_size({0.5, 1.0, 2.0});
  LogBinHistory history(size);
  for (std::uint32_t r = 0; r < 10; ++r) {
    std::vector<RoundRow> rounds;
    for (std::uint32_t n = 0; n < 16; ++n) {
      rounds.push_back(testing::fake_round(n, 3, [&](int slot, const std::string& name) {
        const double noise = 0.01 * ((r * 7 + n * 3 + static_cast<std::uint32_t>(slot)) % 5);
        return name == "energy" ? noise + (slot == 1 && n < 8 ? 0.5 : 0.0) : 0.0;
      }));
    }
    history.add(testing::realization_row(r, 16), rounds);
  }
  EXPECT_EQ(history.worst_slot(LogBinHistory::energy), 1U);
  const LogBinHistory* const sizes[] = {&history};
  const std::vector<Item> items = log_bin_items(sizes);
  ASSERT_EQ(items.size(), 6U);
  const auto& figure = std::get<Figure>(items[0]);
  ASSERT_EQ(figure.series.size(), 2U);
  EXPECT_EQ(figure.series[0].name, "L = 4, T = 0.5 (lowest)");
  EXPECT_EQ(figure.series[1].name, "L = 4, T = 1 (worst)");
  EXPECT_EQ(figure.series[1].x, (std::vector<double>{0.0625, 0.125, 0.25, 0.5}));
  EXPECT_NEAR(figure.series[1].y[3], 0.5, 0.03);
  const auto& table = std::get<Table>(items[5]);
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[1][2], "1");
}

TEST(LogBinHistory, KeepsALimitedNumberOfBins) {
  const auto size = testing::diagnosed_size({1.0});
  LogBinHistory history(size);
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < 1024; ++n) {
    rounds.push_back(testing::fake_round(n, 1, [](int, const std::string&) { return 0.0; }));
  }
  history.add(testing::realization_row(0, 1024), rounds);
  EXPECT_EQ(history.bins(), LogBinHistory::most_bins);
}

}}  // namespace glassworks
