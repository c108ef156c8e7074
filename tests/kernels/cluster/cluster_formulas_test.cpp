#include <gtest/gtest.h>

#include <set>

#include "kernels/core/addresses.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/for_model.hpp"
#include "tests/enough.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks { namespace {

TEST(ClusterActivation, ExponentialInExactOperations) {
  for (int i = 0; i <= 7000; ++i) {
    const double x = 0.1 * i;
    EXPECT_NEAR(exact_exp_negative(x) / std::exp(-x), 1.0, 1e-15) << x;
  }
  EXPECT_EQ(exact_exp_negative(0.0), 1.0);
  EXPECT_EQ(exact_exp_negative(1e9), exact_exp_negative(700.0));
}

TEST(ClusterActivation, Thresholds) {
  EXPECT_EQ(probability_threshold(0.0), 0U);
  EXPECT_EQ(probability_threshold(0.5), 0x80000000U);
  EXPECT_EQ(probability_threshold(1.0), 0xFFFFFFFFU);
  EXPECT_EQ(bond_threshold(2.0, 0.44F, 0.0F), 0U);
  for (const double factor : {1.0, 2.0}) {
    for (const float J : {-1.0F, 0.3F, 1.0F}) {
      const double p = 1.0 - std::exp(-factor * static_cast<double>(0.44F) * std::abs(static_cast<double>(J)));
      EXPECT_NEAR(bond_threshold(factor, 0.44F, J), std::floor(p * 0x1p32), 1.0);
    }
  }
}

/// The float decision and the threshold agree but for words within rounding of it.
TEST(ClusterActivation, FloatDecisionAgreesWithTheThreshold) {
  const float exponent = exact::satisfied_exponent(-2.0F * 0.44F, -0.7F);
  const std::uint32_t threshold = bond_threshold(2.0, 0.44F, 0.7F);
  EXPECT_TRUE(exact::is_active(exponent, threshold - 2048));
  EXPECT_FALSE(exact::is_active(exponent, threshold + 2048));
  EXPECT_FALSE(exact::is_active(0.0F, 0U));
  EXPECT_FALSE(exact::is_active(1.0F, 0U));
  EXPECT_EQ(exact::reflected_exponent(-2.0F, 0.5F, 0.25F, -4.0F), 1.0F);
  EXPECT_TRUE(exact::is_satisfied(1.0F, 1, 1) && exact::is_satisfied(-1.0F, 0, 1));
  EXPECT_FALSE(exact::is_satisfied(1.0F, 0, 1) || exact::is_satisfied(-1.0F, 1, 1));
}

TEST(ClusterAddresses, BondsShareNoWord) {
  for (const Lattice lattice : {Lattice{1, 10}, Lattice{2, 6}, Lattice{3, 4}, Lattice{4, 2}}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> words;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const WordAddress a = bond_address(lattice, i, axis);
        EXPECT_LT(a.word, 4U);
        EXPECT_TRUE(words.insert({a.block, a.word}).second);
      }
    }
  }
  EXPECT_EQ(bond_address({2, 6}, 2 + 6 * 3, 1), (WordAddress{2 + 6 * 1, 3}));
}

TEST(ClusterAddresses, SeedsPairsAndIntegers) {
  EXPECT_EQ(uniform_below(0U, 7), 0U);
  EXPECT_EQ(uniform_below(0xFFFFFFFFU, 7), 6U);
  const RandomBlock words{{0U, 0xFFFFFFFFU, 0x80000000U, 0U}};
  EXPECT_EQ(seed_site({3, 8}, {3, 2}, 5, words), 4 + 8 * (3 + 8 * 6));
  std::set<std::pair<int, int>> pairs;
  for (std::uint64_t move = 0; move < 3; ++move) {
    const CopyPair a = isoenergetic_pair(4, move, 0), b = isoenergetic_pair(4, move, 1);
    EXPECT_EQ(a.first + a.second + b.first + b.second, 6);
    EXPECT_TRUE(a.first < a.second && b.first < b.second);
    pairs.insert({{a.first, a.second}, {b.first, b.second}});
  }
  EXPECT_EQ(pairs.size(), 6U);
  EXPECT_EQ(isoenergetic_pair(2, 1, 0).second, 1);
}

RandomBlock block_of(test::Source& source) { return {{source.word(), source.word(), source.word(), source.word()}}; }

/// Every projection of a uniform direction has a known distribution: n = 2 arcsine, 3 uniform, 4 a
/// semicircle, in general the density (1 - x^2)^((n-3)/2).
/// Kolmogorov-Smirnov, false-alarm probability 6.3e-5 per check.
template <int n>
void expect_uniform(std::uint32_t seed) {
  test::Source source(seed);
  std::vector<double> u[n];
  for (int i = 0; i < 20000; ++i) {
    const exact::Vector<n> r = exact::random_direction<n>(block_of(source));
    EXPECT_NEAR(exact::dot(r, r), 1.0F, 1e-6F);
    for (int k = 0; k < n; ++k) {
      const double x = std::clamp(static_cast<double>(r.c[k]), -1.0, 1.0);
      const double pi = std::numbers::pi;
      u[k].push_back(n == 2   ? 0.5 + std::asin(x) / pi
                     : n == 3 ? 0.5 * (1.0 + x)
                     : n == 5 ? 0.5 + 0.25 * x * (3.0 - x * x)
                     : n == 8 ? 0.5 + (x * std::sqrt(1.0 - x * x) * (8.0 * x * x * x * x - 26.0 * x * x + 33.0) +
                                       15.0 * std::asin(x)) /
                                          (15.0 * pi)
                              : 0.5 + (x * std::sqrt(1.0 - x * x) + std::asin(x)) / pi);
    }
  }
  for (int k = 0; k < n; ++k) EXPECT_LT(test::ks_statistic(u[k]), test::ks_limit) << n << " " << k;
}
TEST(StatisticsOfClusterFormulas, DirectionsAreUniform) {
  expect_uniform<2>(1);
  expect_uniform<3>(2);
  expect_uniform<4>(3);
  expect_uniform<5>(4);
  expect_uniform<8>(5);
}

/// Many independent spins under repeated updates in one field come to the density exp(beta h.s): moments of the cosine
/// c against numerical integration, 4 sigma of independent spins.
template <int n>
void expect_conditional(double beta, double field) {
  exact::Vector<n> h{};
  h.c[0] = static_cast<float>(0.6 * field);
  h.c[n - 1] = static_cast<float>(-0.8 * field);
  test::Source source(static_cast<std::uint32_t>(100 * n));
  test::Mean cosine, square;
  for (int spin = 0; spin < test::enough(5000, 20000); ++spin) {
    exact::Vector<n> s = exact::random_direction<n>(block_of(source));
    for (std::uint64_t sweep = 0; sweep < (n > 4 ? 96 : 24); ++sweep) {
      const RandomBlock w = block_of(source);
      s = exact::local_update(s, h, exact::LocalTemperature(static_cast<float>(beta)), sweep, w.word[0], w.word[1]);
    }
    EXPECT_NEAR(exact::dot(s, s), 1.0F, 1e-5F);
    const double c = exact::dot(s, h) / field;
    cosine.add(c);
    square.add(c * c);
  }
  double Z = 0.0, m1 = 0.0, m2 = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / 20000, c = std::cos(angle);
    const double w = std::exp(beta * field * (c - 1.0)) * std::pow(std::sin(angle), n - 2);
    Z += w;
    m1 += w * c;
    m2 += w * c * c;
  }
  EXPECT_LT(std::abs(cosine.mean() - m1 / Z), 4.0 * cosine.error()) << n << " " << beta * field;
  EXPECT_LT(std::abs(square.mean() - m2 / Z), 4.0 * square.error()) << n << " " << beta * field;
}
TEST(StatisticsOfClusterFormulas, LocalUpdatesSampleTheirFields) {
  for (const double x : {0.01, 1.0, 5.0}) {
    expect_conditional<2>(2.0, 0.5 * x);
    expect_conditional<3>(2.0, 0.5 * x);
    expect_conditional<4>(2.0, 0.5 * x);
    expect_conditional<5>(2.0, 0.5 * x);
    expect_conditional<8>(2.0, 0.5 * x);
  }
}

TEST(ClusterFormulas, WithoutAFieldLocalUpdatesGiveUnitVectors) {
  test::Source source(9);
  for (int i = 0; i < 1000; ++i) {
    const RandomBlock w = block_of(source);
    const auto a =
        exact::local_update(exact::Vector<2>{{1.0F, 0.0F}}, {}, exact::LocalTemperature(1.0F), 0, w.word[0], w.word[1]);
    const auto b = exact::local_update(exact::Vector<4>{{1.0F, 0.0F, 0.0F, 0.0F}}, {}, exact::LocalTemperature(1.0F), 1,
                                       w.word[0], w.word[1]);
    EXPECT_NEAR(exact::dot(a, a), 1.0F, 1e-6F);
    EXPECT_NEAR(exact::dot(b, b), 1.0F, 1e-6F);
  }
}

/// Shares of words that give each state, on a grid of words.
TEST(ClusterFormulas, HeatBathProbabilitiesOfDiscreteSpins) {
  constexpr int n = 1 << 14;
  for (const float h : {-1.5F, 0.0F, 0.4F}) {
    int up = 0;
    const SweepConstants constants{exact::LocalTemperature(0.7F), 0, test::ising(), {}};
    for (int i = 0; i < n; ++i) {
      up += Ising::local_update(0, exact::Vector<1>{{h}}, constants, static_cast<std::uint32_t>(i) << 18, 0);
    }
    EXPECT_NEAR(up / static_cast<double>(n), 1.0 / (1.0 + std::exp(-2.0 * 0.7 * static_cast<double>(h))), 2.0 / n) << h;
  }
  const exact::PottsNeighbours neighbours{{-0.5F, 1.0F, 1.25F, 0.0F}};
  int count[4] = {};
  for (int i = 0; i < n; ++i) ++count[exact::potts_heat_bath(neighbours, 4, 1.2F, static_cast<std::uint32_t>(i) << 18)];
  const double w[4] = {std::exp(-0.6), std::exp(1.2), std::exp(1.5), 1.0};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(count[k] / static_cast<double>(n), w[k] / (w[0] + w[1] + w[2] + w[3]), 3.0 / n) << k;
  }
}

/// Rounding of sums: the bound keeps N^2 2^m inside 62 bits, and terms are cut off instead of overflowing.
TEST(ClusterSums, Scales) {
  EXPECT_EQ(sum_scales(test::ising(), {2, 64}, 0).square.exponent, 20);
  EXPECT_EQ(sum_scales(test::ising(), {2, 8192}, 0).square.exponent, 10);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {4, 28}, 0).square.exponent, 16);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {4, 28}, 3).square.exponent, 10);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {2, 8}, 3).square.exponent, 14);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {2, 8}, 3).component.exponent, 17);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {2, 8}, 3).product.exponent, 14);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {2, 8}, 3).quartic.exponent, 20);
  EXPECT_EQ(sum_scales(test::phi4(1.0), {2, 8}, 8).quartic.exponent, 11);
  EXPECT_EQ(sum_scales(test::phi4(INFINITY), {2, 8}, 0).quartic.exponent, 24);
  EXPECT_EQ(to_fixed_clamped(1e9F, 1024.0F), 2147483520);
  EXPECT_EQ(to_fixed_clamped(-1e9F, 1024.0F), -2147483520);
  EXPECT_EQ(rounded_square(3.0, 4.0, 2.0), 50);
}

}}  // namespace glassworks
