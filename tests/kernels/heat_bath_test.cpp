#include <gtest/gtest.h>

#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

using test::Vector;
using test::Vector3d;

Vector to_float(const Vector3d& a) {
  return {{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}};
}
exact::HeatBathTemperature<float> at(double beta) {
  return {static_cast<float>(-2.0 * beta), static_cast<float>(-1.0 / beta)};
}

struct CosineRow {
  double x, cosine, square;
};
/// <cos> = coth x - 1/x, <cos^2> = 1 - 2 <cos>/x, from an independent evaluation.
constexpr CosineRow exact_cosines[] = {
    {0.01, 0.00333331111132, 0.33333777773612}, {0.1, 0.03331113225399, 0.33377735492019},
    {1, 0.31303528549933, 0.37392942900134},    {5, 0.80009080398202, 0.67996367840719},
    {30, 0.96666666666667, 0.93555555555556},   {100, 0.99, 0.9802},
};

/// Mean powers and distribution of the cosine to h for random directions of h: 4 sigma for two moments, and the
/// Kolmogorov-Smirnov test at the same level; false-alarm probability 6.3e-5 each. The moments take one random word
/// from each eighth of all words, so that eight spins say as much as 64 or more whose words are independent.
TEST(StatisticsHeatBath, CosineAgainstExactValues) {
  constexpr int directions = 125000;
  for (const CosineRow& row : exact_cosines) {
    test::Source source(static_cast<std::uint32_t>(100.0 * row.x));
    test::Mean cosine, square;
    std::vector<double> u;
    for (int d = 0; d < directions; ++d) {
      const double norm = 0.2 + 3.0 * source.uniform();
      const Vector h = to_float(norm * test::random_direction(source));
      const Vector3d unit = (1.0 / test::length(test::to_double(h))) * test::to_double(h);
      const exact::HeatBathTemperature<float> t = at(row.x / norm);
      const auto cosine_of = [&](std::uint32_t polar) {
        return test::dot(test::to_double(exact::heat_bath<float>(h, t, polar, source.word())), unit);
      };
      u.push_back(test::cosine_distribution(row.x, cosine_of(source.word())));
      double sum = 0.0, squares = 0.0;
      for (std::uint32_t eighth = 0; eighth < 8; ++eighth) {
        const double c = cosine_of(eighth << 29U | source.word() >> 3U);
        sum += c;
        squares += c * c;
      }
      cosine.add(sum / 8.0);
      square.add(squares / 8.0);
    }
    EXPECT_NEAR(cosine.mean(), row.cosine, 4.0 * cosine.error()) << row.x;
    EXPECT_NEAR(square.mean(), row.square, 4.0 * square.error()) << row.x;
    EXPECT_LT(test::ks_statistic(u), test::ks_limit) << row.x;
  }
}

/// The azimuth about h, in a fixed frame for each h: first two harmonics at 4 sigma, and no correlation with the
/// cosine; false-alarm probability 6.3e-5 for each of the 8 x 6 comparisons.
TEST(StatisticsHeatBath, AzimuthIsUniform) {
  constexpr int n = 400000;
  test::Source source(17);
  for (const Vector h :
       {Vector{{0, 0, 1}}, Vector{{0, 0, -1}}, Vector{{1, 0, 0}}, Vector{{0, -1, 0}}, Vector{{0.6F, 0.8F, 0}},
        Vector{{1, 2, -0.01F}}, Vector{{1e-4F, -1e-4F, 3}}, Vector{{-0.5F, 0.7F, -1.1F}}}) {
    const Vector3d axis = (1.0 / test::length(test::to_double(h))) * test::to_double(h);
    Vector3d e1 = test::cross(axis, std::abs(axis.x) < 0.6 ? Vector3d{1, 0, 0} : Vector3d{0, 1, 0});
    e1 = (1.0 / test::length(e1)) * e1;
    const Vector3d e2 = test::cross(axis, e1);
    double sums[6] = {};
    for (int i = 0; i < n; ++i) {
      const std::uint32_t polar = source.word();
      const Vector3d s = test::to_double(exact::heat_bath<float>(h, at(1.0), polar, source.word()));
      const double phi = std::atan2(test::dot(s, e2), test::dot(s, e1)), c = test::dot(s, axis);
      const double terms[6] = {std::cos(phi),
                               std::sin(phi),
                               std::cos(2.0 * phi),
                               std::sin(2.0 * phi),
                               (c - 0.4) * std::cos(phi),
                               (c - 0.4) * std::sin(phi)};
      for (int k = 0; k < 6; ++k) sums[k] += terms[k];
    }
    // <cos^2 phi> = 1/2; |c - 0.4| < 1.4, so the last two have a standard deviation below 1.
    for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(sums[k]), 4.0 * std::sqrt((k < 4 ? 0.5 : 1.0) * n)) << k;
  }
}

/// h = 0 must give a spin uniform on the sphere: moments of each component and of their products, 4 sigma,
/// false-alarm probability 6.3e-5 each.
TEST(StatisticsHeatBath, ZeroFieldGivesAUniformSpin) {
  constexpr int n = 1000000;
  for (const Vector h : {Vector{{0.0F, 0.0F, 0.0F}}, Vector{{0.0F, -0.0F, -0.0F}}}) {
    test::Source source(23);
    double first[3] = {}, second[3] = {}, mixed[3] = {};
    for (int i = 0; i < n; ++i) {
      const std::uint32_t polar = source.word();
      const Vector s = exact::heat_bath<float>(h, at(2.0), polar, source.word());
      const double v[3] = {s.c[0], s.c[1], s.c[2]};
      for (int c = 0; c < 3; ++c) {
        first[c] += v[c];
        second[c] += v[c] * v[c];
        mixed[c] += v[c] * v[(c + 1) % 3];
      }
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(first[c] / n, 0.0, 4.0 * std::sqrt(1.0 / 3.0 / n));
      EXPECT_NEAR(second[c] / n, 1.0 / 3.0, 4.0 * std::sqrt((1.0 / 5.0 - 1.0 / 9.0) / n));
      EXPECT_NEAR(mixed[c] / n, 0.0, 4.0 * std::sqrt(1.0 / 15.0 / n));
    }
  }
}

/// |s'| = 1 for fields from 0 over the denormal range of h^2 to 1e8, and temperatures from 1e-3 to 1e3.
TEST(HeatBath, UnitVectorForEveryField) {
  test::Source source(29);
  double worst = 0.0;
  const auto check = [&](const Vector& h, double beta) {
    const std::uint32_t polar = source.word();
    const double norm = test::length(test::to_double(exact::heat_bath<float>(h, at(beta), polar, source.word())));
    worst = std::isfinite(norm) ? std::max(worst, std::abs(norm - 1.0)) : INFINITY;
  };
  for (int exponent = -40; exponent <= 8; ++exponent) {
    for (const double beta : {1e-3, 1e-2, 1.0, 30.0, 1e3}) {
      for (int i = 0; i < 4000; ++i) {
        Vector3d h = std::pow(10.0, exponent) * test::random_direction(source);
        if (i % 8 == 1) h.z = 0.0;
        if (i % 8 == 2) h.z *= 1e-4;
        if (i % 8 == 3) h.x = h.y = 0.0;
        if (i % 8 == 4) h.x = h.y = h.z = 0.0;
        check(to_float(h), beta);
      }
    }
  }
  EXPECT_LT(worst, 10.0 * 0x1p-24);  // found: 9.3
}

/// beta |h| from 1e-8 to 1e8: 1 - c is exponential with mean 1 / (beta |h|) at large, c uniform at small arguments. The
/// deterministic map u -> c is compared with its formula in double, so nothing is statistical.
TEST(HeatBath, PolarMapAtTinyAndHugeArguments) {
  test::Source source(31);
  for (int exponent = -8; exponent <= 8; ++exponent) {
    const double x = std::pow(10.0, exponent), beta = exponent < 0 ? 1e-3 : 1e3;
    for (int i = 0; i < 20000; ++i) {
      const auto h = static_cast<float>(x / beta);
      const std::uint32_t polar = source.word();
      const Vector s = exact::heat_bath<float>({{0.0F, 0.0F, h}}, at(beta), polar, source.word());
      const double w = exact::uniform<float>(polar), arg = static_cast<double>(h) * beta;
      const double one_minus_c = std::min(-std::log1p(w * std::expm1(-2.0 * arg)) / arg, 2.0);
      const double square = static_cast<double>(s.c[0]) * s.c[0] + static_cast<double>(s.c[1]) * s.c[1];
      // exp(-2x) - 1 is rounded to 2^-25 near -1: felt only in the tail, where few spins are.
      const double tail = 0x1p-25 / (arg * std::exp(-one_minus_c * arg));
      ASSERT_NEAR(s.c[2], 1.0 - one_minus_c, 6e-7 + tail) << x;
      // Relative where 1 - c is small: this is the accuracy that low temperatures live from.
      ASSERT_NEAR(square, one_minus_c * (2.0 - one_minus_c), 1.5e-6 * std::min(one_minus_c, 1.0) + 2.0 * tail) << x;
    }
  }
}

TEST(RandomSpin, UnitVectorWithUniformHeight) {
  test::Source source(37);
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t polar = source.word();
    const Vector s = exact::random_spin<float>(polar, source.word());
    ASSERT_EQ(s.c[2], static_cast<float>(2.0 * exact::uniform<float>(polar) - 1.0));
    worst = std::max(worst, std::abs(test::length(test::to_double(s)) - 1.0));
  }
  EXPECT_LT(worst, 2.5 * 0x1p-24);  // found: 2.2
}

}}  // namespace glassworks
