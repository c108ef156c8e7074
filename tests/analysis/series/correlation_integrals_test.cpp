#include "analysis/series/correlation_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(CorrelationIntegrals, OfAnExponentialAreItsSumsWhereverItIsCut) {
  const double l = 2.5, q = std::exp(-1.0 / l);
  for (const double error : {1e-12, 1e-4, 3e-2}) {
    const std::vector<Estimate> C = exponential(l, error, 100);
    const CorrelationIntegrals I = integrate(means(C), noise_cut(C));
    EXPECT_NEAR(I.I_1, q / std::pow(1.0 - q, 2), 1e-9) << error;
    EXPECT_NEAR(I.xi_12(), (1.0 + q) / (1.0 - q), 1e-9) << error;
    EXPECT_NEAR(I.xi_23(), (1.0 + 4.0 * q + q * q) / (1.0 - q * q), 1e-9) << error;
  }
}

TEST(CorrelationIntegrals, EndAtTheFirstNoisyPointAndSayWhatLiesBeyond) {
  const double l = 2.5;
  std::vector<Estimate> C = exponential(l, 0.03, 20);  // exp(-r/l) < 0.09 from r = 6.02 on
  C[9].mean = 0.5;                                     // noise beyond the cut is not looked at
  const NoiseCut cut = noise_cut(C);
  EXPECT_TRUE(cut.found);
  EXPECT_EQ(cut.at, 7U);
  double I_1 = 0.0, I_2 = 0.0;
  for (int r = 1; r < 7; ++r) {
    I_1 += r * std::exp(-r / l);
    I_2 += r * r * std::exp(-r / l);
  }
  const CorrelationIntegrals I = integrate(means(C), cut);
  EXPECT_NEAR(I.tail, 1.0 - I_2 / I_1 / I.xi_12(), 1e-12);
  EXPECT_GT(I.tail, 0.3);
}

TEST(CorrelationIntegrals, EndAtAStatedValueWithoutATail) {
  const double l = 2.5;
  const std::vector<Estimate> C = exponential(l, 0.03, 40);  // exp(-r/l) < 1e-3 from r = 17.3 on
  const NoiseCut cut = value_cut(C, published_cut);
  EXPECT_TRUE(cut.found);
  EXPECT_EQ(cut.at, 18U);
  double I_1 = 0.0, I_2 = 0.0;
  for (int r = 1; r < 18; ++r) {
    I_1 += r * std::exp(-r / l);
    I_2 += r * r * std::exp(-r / l);
  }
  EXPECT_NEAR(integrate(means(C), cut).xi_12(), I_2 / I_1, 1e-12);
  EXPECT_EQ(value_cut(exponential(50.0, 0.03, 9), published_cut).at, 9U);
  EXPECT_TRUE(std::isnan(integrate(means(C), value_cut(C, 0.6)).xi_12()));  // two points are no length
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
  double I_1 = 0.0, I_2 = 0.0;
  for (int r = 1; r <= 8; ++r) {
    I_1 += r * std::exp(-r / 4.0);
    I_2 += r * r * std::exp(-r / 4.0);
  }
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
  EXPECT_TRUE(std::isnan(I.tail));  // a plateau before the noise: no exponential can be continued
  EXPECT_TRUE(std::isfinite(I.xi_12()));
  const std::vector<Estimate> one_point = exponential(0.5, 0.02, 20);  // C(1) = 0.14, C(2) = 0.018
  EXPECT_EQ(noise_cut(one_point).at, 2U);
  EXPECT_TRUE(std::isnan(integrate(means(one_point), noise_cut(one_point)).xi_12()));
  const std::vector<Estimate> nothing = exponential(0.1, 0.1, 20);
  EXPECT_TRUE(std::isnan(integrate(means(nothing), noise_cut(nothing)).xi_12()));
}

}}  // namespace glassworks
