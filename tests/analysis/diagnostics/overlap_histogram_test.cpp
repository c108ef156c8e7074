#include "analysis/diagnostics/overlap_histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace glassworks { namespace {

double total(const Density& d) {
  double sum = 0.0;
  for (const Estimate& e : d.value) sum += e.mean * d.width;
  return sum;
}

/// Probability of [a, b] for a Gaussian.
double gaussian_part(double a, double b, double mean, double sigma) {
  const auto phi = [&](double x) { return 0.5 * std::erfc((mean - x) / (sigma * std::numbers::sqrt2)); };
  return phi(b) - phi(a);
}

/// sum_bins t^2 / bins of the estimated against the exact bin averages, where the exact one is large enough for
/// Gaussian statistics.
template <typename Exact>
double mean_square_deviation(const Density& d, const Exact& exact) {
  double sum = 0.0, used = 0.0;
  for (std::size_t bin = 0; bin < d.value.size(); ++bin) {
    const double a = d.low + static_cast<double>(bin) * d.width, p = exact(a, a + d.width);
    if (p < 0.01) continue;
    const double t = (d.value[bin].mean - p / d.width) / d.value[bin].error;
    sum += t * t;
    used += 1.0;
  }
  return sum / used;
}

// Each realization is a Gaussian about its own centre, so P(q) is a wider Gaussian and errors come from the spread
// between realizations. The mean square of about 25 correlated deviations is 1 with a spread of 0.4 at most: 3 is five
// of these away, below 1e-5 for seeds.
TEST(OverlapHistogram, RecoversAGaussianWithErrorsFromTheSpreadOverRealizations) {
  OverlapHistogram histogram(SampleSign::either);
  std::mt19937_64 generator(11);
  std::normal_distribution<double> centre(0.0, 0.12), within(0.0, 0.09);
  for (std::uint32_t r = 0; r < 600; ++r) {
    std::vector<double> samples;
    const double c = centre(generator);
    for (int i = 0; i < 40; ++i) samples.push_back(c + within(generator));
    histogram.add(r, samples);
  }
  const Density d = histogram.density(48);
  EXPECT_LE(d.value.size(), 48U);
  EXPECT_GE(d.value.size(), 24U);
  EXPECT_NEAR(total(d), 1.0, 1e-12);
  EXPECT_NEAR(d.low, -(d.low + d.width * static_cast<double>(d.value.size())), 1e-12) << "symmetric about zero";
  const auto exact = [](double a, double b) { return gaussian_part(a, b, 0.0, 0.15); };
  EXPECT_LT(mean_square_deviation(d, exact), 3.0);
  EXPECT_GT(mean_square_deviation(d, exact), 0.2);
}

TEST(OverlapHistogram, RecoversTwoPeaks) {
  OverlapHistogram histogram(SampleSign::either);
  std::mt19937_64 generator(12);
  std::normal_distribution<double> within(0.0, 0.08);
  for (std::uint32_t r = 0; r < 600; ++r) {
    std::vector<double> samples;
    for (int i = 0; i < 40; ++i) samples.push_back((generator() % 2 == 0 ? 0.6 : -0.6) + within(generator));
    histogram.add(r, samples);
  }
  const Density d = histogram.density(48);
  const auto exact = [](double a, double b) {
    return 0.5 * gaussian_part(a, b, 0.6, 0.08) + 0.5 * gaussian_part(a, b, -0.6, 0.08);
  };
  EXPECT_LT(mean_square_deviation(d, exact), 3.0);
  EXPECT_NEAR(d.value[d.value.size() / 2].mean, 0.0, 1e-12) << "nothing between the peaks";
}

TEST(OverlapHistogram, WeighsRealizationsEqually) {
  OverlapHistogram histogram(SampleSign::positive);
  histogram.add(0, std::vector<double>(1000, 0.1));
  histogram.add(1, std::vector<double>(10, 0.9));
  const Density d = histogram.density(2);
  ASSERT_EQ(d.value.size(), 2U);
  EXPECT_DOUBLE_EQ(d.low, 0.0);
  EXPECT_NEAR(d.value[0].mean * d.width, 0.5, 1e-12);
  EXPECT_NEAR(d.value[1].mean * d.width, 0.5, 1e-12);
  EXPECT_NEAR(d.value[1].error * d.width, 0.5, 1e-12);
}

TEST(OverlapHistogram, EndsAndRoundingErrorsBelongToTheLastBins) {
  OverlapHistogram histogram(SampleSign::either);
  histogram.add(3, std::vector<double>{-1.0000001, -1.0, 1.0, 1.0000001});
  const Density d = histogram.density(4);
  EXPECT_NEAR(total(d), 1.0, 1e-12);
  EXPECT_NEAR(d.value.front().mean * d.width, 0.5, 1e-12);
  EXPECT_NEAR(d.value.back().mean * d.width, 0.5, 1e-12);
}

TEST(OverlapHistogram, ResolvesDistributionsCloseToZero) {
  OverlapHistogram histogram(SampleSign::either);
  std::mt19937_64 generator(13);
  std::normal_distribution<double> within(0.0, 0.001);
  for (std::uint32_t r = 0; r < 300; ++r) {
    std::vector<double> samples;
    for (int i = 0; i < 40; ++i) samples.push_back((r % 3 == 0 ? 1.0 : 0.05) * within(generator));  // other ranges
    histogram.add(r, samples);
  }
  const Density d = histogram.density(48);
  EXPECT_GE(d.value.size(), 24U);
  EXPECT_NEAR(total(d), 1.0, 1e-12);
  EXPECT_LT(-d.low, 0.0055);
  const auto exact = [](double a, double b) {
    return gaussian_part(a, b, 0.0, 0.001) / 3.0 + 2.0 / 3.0 * gaussian_part(a, b, 0.0, 0.00005);
  };
  // Realizations are of two kinds in fixed numbers, so errors are too large: no lower limit here.
  EXPECT_LT(mean_square_deviation(d, exact), 3.0);
}

TEST(OverlapHistogram, SamplesOnTheEdgesOfBinsCountAboveThem) {
  OverlapHistogram histogram(SampleSign::either);
  histogram.add(0, std::vector<double>{-0.5, 0.0, 0.5, 0.9});
  histogram.add(1, std::vector<double>{-0.01, 0.0, 0.0, 0.005});  // counted in a narrower range
  const Density d = histogram.density(4);
  ASSERT_EQ(d.value.size(), 4U);
  EXPECT_NEAR(d.low, -2.0 * d.width, 1e-12);
  const double expected[] = {0.25 / 2, 0.25 / 2, 0.25 / 2 + 0.75 / 2, 0.5 / 2};
  for (std::size_t bin = 0; bin < 4; ++bin) EXPECT_NEAR(d.value[bin].mean * d.width, expected[bin], 1e-12) << bin;
}

TEST(OverlapHistogram, RangeFollowsTheSamples) {
  OverlapHistogram histogram(SampleSign::positive);
  histogram.add(0, std::vector<double>{0.01, 0.02, 0.1});
  const Density d = histogram.density(40);
  EXPECT_LT(d.low + d.width * static_cast<double>(d.value.size()), 0.105);
  EXPECT_GT(d.value.back().mean, 0.0);
}

/// Two realizations, P_1 all at 0.6 and P_2 half at 0.6 and half at -0.6: the symmetric P has equal weights, and as
/// both realizations have the same one, no error.
TEST(OverlapHistogram, ImposedSymmetryIsThatOfEachRealization) {
  OverlapHistogram histogram(SampleSign::either);
  histogram.add(0, std::vector<double>{0.6, 0.6});
  histogram.add(1, std::vector<double>{0.6, -0.6});
  const Density sampled = histogram.density(10), symmetric = histogram.density(10, Symmetry::imposed);
  EXPECT_NE(sampled.value.front().mean, sampled.value.back().mean);
  ASSERT_EQ(symmetric.value.size(), sampled.value.size());
  for (std::size_t i = 0; i < symmetric.value.size(); ++i) {
    EXPECT_EQ(symmetric.value[i].mean, symmetric.value[symmetric.value.size() - 1 - i].mean);
    EXPECT_EQ(symmetric.value[i].error, 0.0);
  }
  EXPECT_NEAR(total(symmetric), 1.0, 1e-12);
}

}}  // namespace glassworks
