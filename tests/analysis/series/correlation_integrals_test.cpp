#include "analysis/series/correlation_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace glassworks { namespace {

/// exp(-r/l) with errors of one size.
std::vector<Estimate> exponential(double l, double error, int points) {
  std::vector<Estimate> C;
  for (int r = 0; r < points; ++r) C.push_back({.mean = std::exp(-r / l), .error = error, .realizations = 8});
  return C;
}

std::vector<double> means(const std::vector<Estimate>& C) {
  std::vector<double> values;
  for (const Estimate& one : C) values.push_back(one.mean);
  return values;
}

/// I_1 and I_2 of sums over r = 1 ... last, with the correction at r = 0.
std::pair<double, double> corrected(const std::vector<double>& C, int last) {
  double I_1 = C[1] / 6.0 - 2.0 * C[2] / 24.0, I_2 = C[1] / 6.0 - 4.0 * C[2] / 24.0;
  for (int r = 1; r <= last; ++r) {
    I_1 += r * C[static_cast<std::size_t>(r)];
    I_2 += r * r * C[static_cast<std::size_t>(r)];
  }
  return {I_1, I_2};
}

/// int r^2 C(r) dr/int r C(r) dr, by a sum in steps that are short beside a lattice spacing.
double length_of(const std::function<double(double)>& C) {
  constexpr double step = 1e-2;
  double I_1 = 0.0, I_2 = 0.0;
  for (double r = step; r < 400.0; r += step) {
    I_1 += r * C(r);
    I_2 += r * r * C(r);
  }
  return I_2 / I_1;
}

struct Bias {
  double stretched = 0.0, exponential = 0.0, plain = 0.0;  ///< of xi_12, as a part of it
};

/// Of C with Gaussian noise of one size, over 200 functions. Errors are known to what 8 realizations leave of them.
Bias bias_of(const std::function<double(double)>& C, double error, std::uint64_t seed) {
  constexpr int functions = 200, points = 65;
  const double truth = length_of(C);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::chi_squared_distribution<double> chi_squared(7.0);
  Bias bias;
  for (int k = 0; k < functions; ++k) {
    std::vector<Estimate> noisy;
    for (int r = 0; r < points; ++r) {
      noisy.push_back({.mean = C(r) + error * normal(random),
                       .error = error * std::sqrt(chi_squared(random) / 7.0),
                       .realizations = 8});
    }
    NoiseCut cut = noise_cut(noisy);
    const std::vector<double> values = means(noisy);
    bias.stretched += (integrate(values, cut).xi_12() / truth - 1.0) / functions;
    bias.plain += (plain_sums(values, cut).xi_12() / truth - 1.0) / functions;
    cut.shape = TailShape::exponential;
    const std::size_t half = cut.at / 2 - cut.fit_from;
    cut.weights.erase(cut.weights.begin(), cut.weights.begin() + static_cast<std::ptrdiff_t>(half));
    cut.fit_from += half;
    bias.exponential += (integrate(values, cut).xi_12() / truth - 1.0) / functions;
  }
  return bias;
}

/// Scatter of one function: 0.1 to 1.2 % of xi_12. Bounds are more than 5 standard errors of the mean over 400
/// functions from what is found (false alarms with other seeds: 1e-6).
TEST(StatisticsOfCorrelationIntegrals, LengthsOfKnownFunctionsComeOutWithinHalfAPercent) {
  const auto critical = [](double r) { return std::pow(1.0 + r * r, -0.3) * std::exp(-std::pow(r / 8.0, 1.5)); };
  const Bias slight = bias_of(critical, 1e-4, 1), noisy = bias_of(critical, 1e-3, 1);
  EXPECT_LT(std::fabs(slight.stretched), 0.003);
  EXPECT_GT(slight.exponential, 0.005);
  EXPECT_LT(std::fabs(noisy.stretched), 0.014);
  EXPECT_GT(noisy.exponential, 0.02);
  EXPECT_LT(noisy.plain, -0.03);
  const Bias of_exponential = bias_of([](double r) { return std::exp(-r / 4.0); }, 1e-3, 2);
  EXPECT_LT(std::fabs(of_exponential.stretched), 0.005);
  EXPECT_LT(std::fabs(of_exponential.exponential), 0.005);
  // (2/pi arcsin)^2 of a Gaussian: the domains of a ferromagnet, no member of the family of tails.
  const auto domains = [](double r) {
    return std::pow(2.0 / std::numbers::pi * std::asin(std::exp(-r * r / 128.0)), 2);
  };
  const Bias of_domains = bias_of(domains, 3e-4, 3);
  EXPECT_LT(std::fabs(of_domains.stretched), 0.005);
  EXPECT_GT(of_domains.exponential, 0.012);
}

TEST(CorrelationIntegrals, AreIntegralsAndNotSums) {
  // int r^k exp(-r/l) dr = k! l^(k + 1)
  for (const double l : {1.5, 2.5, 5.0}) {
    const std::vector<Estimate> C = exponential(l, 1e-12, 200);
    const NoiseCut cut = noise_cut(C);
    EXPECT_NEAR(integrate(means(C), cut).xi_12(), 2.0 * l, 0.065 / l) << l;
    EXPECT_GT(plain_sums(means(C), cut).xi_12(), 2.0 * l * (1.0 + 0.08 / (l * l))) << l;
  }
}

TEST(CorrelationIntegrals, OfAnExponentialAreTheSameWhereverItIsCut) {
  const double l = 2.5, q = std::exp(-1.0 / l);
  for (const double error : {1e-12, 1e-4, 3e-2}) {
    const std::vector<Estimate> C = exponential(l, error, 100);
    const CorrelationIntegrals I = integrate(means(C), noise_cut(C));
    const double I_1 = q / std::pow(1.0 - q, 2) + q / 6.0 - 2.0 * q * q / 24.0;
    const double I_2 = q * (1.0 + q) / std::pow(1.0 - q, 3) + q / 6.0 - 4.0 * q * q / 24.0;
    const double I_3 = q * (1.0 + 4.0 * q + q * q) / std::pow(1.0 - q, 4) + q / 6.0 - 8.0 * q * q / 24.0;
    EXPECT_NEAR(I.I_1, I_1, 1e-9) << error;
    EXPECT_NEAR(I.xi_12(), I_2 / I_1, 1e-9) << error;
    EXPECT_NEAR(I.xi_23(), I_3 / I_2, 1e-9) << error;
  }
}

TEST(CorrelationIntegrals, ContinueAStretchedExponentialWhereverItIsCut) {
  const auto C_of = [](double r) { return 0.8 * std::pow(r, -0.6) * std::exp(-std::pow(r / 5.0, 1.4)); };
  const auto length = [&](double error) {
    std::vector<Estimate> C{{.mean = 1.0, .error = error, .realizations = 8}};
    for (int r = 1; r < 100; ++r) C.push_back({.mean = C_of(r), .error = error, .realizations = 8});
    EXPECT_EQ(noise_cut(C).shape, TailShape::stretched);
    return integrate(means(C), noise_cut(C)).xi_12();
  };
  EXPECT_NEAR(length(1e-3), length(1e-12), 1e-6);
  EXPECT_NEAR(length(1e-2), length(1e-12), 1e-5);
}

TEST(CorrelationIntegrals, EndAtTheFirstNoisyPointAndSayWhatLiesBeyond) {
  const double l = 2.5;
  std::vector<Estimate> C = exponential(l, 0.03, 20);  // exp(-r/l) < 0.09 from r = 6.02 on
  C[9].mean = 0.5;                                     // noise beyond the cut is not looked at
  const NoiseCut cut = noise_cut(C);
  EXPECT_TRUE(cut.found);
  EXPECT_EQ(cut.at, 7U);
  const auto [I_1, I_2] = corrected(means(C), 6);
  const CorrelationIntegrals I = integrate(means(C), cut);
  EXPECT_NEAR(I.tail, 1.0 - I_2 / I_1 / I.xi_12(), 1e-12);
  EXPECT_GT(I.tail, 0.3);
}

TEST(CorrelationIntegrals, EndAtAStatedValueWithoutATail) {
  const double l = 2.5;
  const std::vector<Estimate> C = exponential(l, 0.03, 40);  // exp(-r/l) < 1e-3 from r = 17.3 on
  const NoiseCut cut = value_cut(C, plain_cut);
  EXPECT_TRUE(cut.found);
  EXPECT_EQ(cut.at, 18U);
  double I_1 = 0.0, I_2 = 0.0;
  for (int r = 1; r < 18; ++r) {
    I_1 += r * std::exp(-r / l);
    I_2 += r * r * std::exp(-r / l);
  }
  EXPECT_NEAR(plain_sums(means(C), cut).xi_12(), I_2 / I_1, 1e-12);
  EXPECT_EQ(value_cut(exponential(50.0, 0.03, 9), plain_cut).at, 9U);
  EXPECT_TRUE(std::isnan(plain_sums(means(C), value_cut(C, 0.6)).xi_12()));  // two points are no length
}

TEST(CorrelationIntegrals, EndWhereNoiseMakesABump) {
  std::vector<Estimate> C = exponential(2.5, 0.01, 30);
  EXPECT_EQ(noise_cut(C).at, 9U);
  for (std::size_t r = 7; r < 14; ++r) C[r].mean = 0.045 + 1e-4 * static_cast<double>(r);
  EXPECT_EQ(noise_cut(C).at, 8U) << "4.6 errors, but C(8) > C(7)";
  C[4].mean = C[3].mean;
  EXPECT_EQ(noise_cut(C).at, 8U) << "20 errors are no noise";
}

TEST(CorrelationIntegrals, EndAtTheLatticeWithoutATailWhereNoiseIsSmall) {
  const std::vector<Estimate> C = exponential(4.0, 1e-9, 9);
  const NoiseCut cut = noise_cut(C);
  EXPECT_FALSE(cut.found);
  EXPECT_EQ(cut.at, 9U);
  const auto [I_1, I_2] = corrected(means(C), 8);
  const CorrelationIntegrals I = integrate(means(C), cut);
  EXPECT_DOUBLE_EQ(I.xi_12(), I_2 / I_1);
  EXPECT_EQ(I.tail, 0.0);
}

TEST(CorrelationIntegrals, WithoutErrorsEndWhereTheFunctionIsNoLongerPositive) {
  std::vector<Estimate> C = exponential(2.0, std::nan(""), 20);
  C[6].mean = -1e-3;
  EXPECT_EQ(noise_cut(C).at, 6U);
}

TEST(CorrelationIntegrals, SayWhereNoiseHidesEverything) {
  std::vector<Estimate> flat = exponential(1e9, 0.1, 20);
  for (std::size_t r = 8; r < flat.size(); ++r) flat[r].mean = 0.0;
  const CorrelationIntegrals I = integrate(means(flat), noise_cut(flat));
  EXPECT_TRUE(std::isnan(I.tail));  // a plateau before the noise: no tail can be continued
  EXPECT_TRUE(std::isfinite(I.xi_12()));
  std::vector<Estimate> rising = exponential(-50.0, 0.1, 20);
  for (std::size_t r = 12; r < rising.size(); ++r) rising[r].mean = 0.0;
  EXPECT_TRUE(std::isnan(integrate(means(rising), noise_cut(rising)).tail));
  const std::vector<Estimate> one_point = exponential(0.5, 0.02, 20);  // C(1) = 0.14, C(2) = 0.018
  EXPECT_EQ(noise_cut(one_point).at, 2U);
  EXPECT_TRUE(std::isnan(integrate(means(one_point), noise_cut(one_point)).xi_12()));
  const std::vector<Estimate> nothing = exponential(0.1, 0.1, 20);
  EXPECT_TRUE(std::isnan(integrate(means(nothing), noise_cut(nothing)).xi_12()));
}

}}  // namespace glassworks
