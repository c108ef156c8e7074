#include "analysis/diagnostics/sample_fluctuations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/observables/estimators.hpp"
#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"

namespace glassworks { namespace {

/// Rounds with the given |q|^2 at k = 0; at k_min half of `level`.
std::vector<RoundRow> fluctuation_history(const std::vector<double>& values, double level) {
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < values.size(); ++n) {
    rounds.push_back(testing::fake_round(n, 1, [&](int, const std::string& name) {
      if (name == "overlap_k(0,0,0)") return values[n];
      return name.starts_with("overlap_k(") ? 0.5 * level : 0.0;
    }));
  }
  return rounds;
}

TEST(SampleFluctuations, RelativeVarianceOfKnownValues) {
  SampleFluctuations f(testing::diagnosed_size({1.0}));
  const double chi[] = {0.1, 0.2, 0.3, 0.6};
  for (std::uint32_t r = 0; r < 4; ++r) {
    f.add(testing::realization_row(r, 4), fluctuation_history({9.0, 9.0, chi[r], chi[r]}, chi[r]));
  }
  const double expected = (0.2 * 0.2 + 0.1 * 0.1 + 0.0 + 0.3 * 0.3) / 3.0 / (0.3 * 0.3);
  EXPECT_NEAR(f.relative_variance(0).mean, expected, 1e-12);
  EXPECT_NEAR(f.raw_relative_variance(0).mean, expected, 1e-12);
  EXPECT_NEAR(f.relative_susceptibility(0).values[3], 2.0, 1e-12);
  const Distribution xi = f.correlation_ratio(0);
  ASSERT_EQ(xi.values.size(), 4U);
  EXPECT_NEAR(xi.values[0], correlation_length(2.0, 1.0, 4) / 4.0, 1e-12);
}

// chi = mean 1 with disorder variance 0.04 and independent noise of variance 0.16 in each of 4 rounds used: free of
// noise R = 0.04 (corrections of the mean's square are below 1e-3 of it), with noise 0.04 + 0.16/4 = 0.08. Over 300
// repetitions with 100 realizations the mean of R is known to sd/sqrt(300); 4.5 of these fail with probability 7e-6.
// The part of intervals R +- error that hold the truth is 68 % with jackknife errors; binomial sd 2.7 %, and skewness
// of a variance estimate costs a few per cent: 58 - 76 % accepted.
TEST(SampleFluctuations, NoiseOfHistoriesDoesNotCountAsDisorder) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  constexpr int repetitions = 300;
  double sum = 0.0, squares = 0.0, raw_sum = 0.0;
  int held = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    SampleFluctuations f(testing::diagnosed_size({1.0}));
    for (std::uint32_t r = 0; r < 100; ++r) {
      const double chi = 1.0 + 0.2 * normal(generator);
      std::vector<double> values;
      for (int n = 0; n < 8; ++n) values.push_back(chi + 0.4 * normal(generator));
      f.add(testing::realization_row(r, 8), fluctuation_history(values, 1.0));
    }
    const Estimate R = f.relative_variance(0);
    sum += R.mean;
    squares += R.mean * R.mean;
    raw_sum += f.raw_relative_variance(0).mean;
    if (std::abs(R.mean - 0.04) < R.error) ++held;
  }
  const double mean = sum / repetitions, deviation = std::sqrt(squares / repetitions - mean * mean);
  EXPECT_NEAR(mean, 0.04, 4.5 * deviation / std::sqrt(repetitions));
  EXPECT_NEAR(raw_sum / repetitions, 0.08, 0.08 * 0.05);
  EXPECT_GT(held, 0.58 * repetitions);
  EXPECT_LT(held, 0.76 * repetitions);
}

TEST(SampleFluctuations, OneRoundHasNoHalvesAndOneRealizationNoFluctuations) {
  SampleFluctuations f(testing::diagnosed_size({1.0}));
  f.add(testing::realization_row(0, 1), fluctuation_history({0.5}, 0.5));
  const SampleFluctuations* const sizes[] = {&f};
  EXPECT_TRUE(fluctuation_items(sizes).empty());
  f.add(testing::realization_row(1, 1), fluctuation_history({0.7}, 0.7));
  EXPECT_TRUE(std::isnan(f.relative_variance(0).mean));
  EXPECT_FALSE(std::isnan(f.raw_relative_variance(0).mean));
  const std::vector<Item> items = fluctuation_items(sizes);
  ASSERT_EQ(items.size(), 5U);
  EXPECT_TRUE(std::get<Figure>(items[2]).series[0].x.empty()) << "no point where there is no number";
  EXPECT_EQ(std::get<Figure>(items[2]).series[1].x.size(), 1U);
}

}}  // namespace glassworks
