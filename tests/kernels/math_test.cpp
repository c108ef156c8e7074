#include "kernels/core/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/kernels/support.hpp"

namespace glassworks::exact { namespace {

double relative(double value, double expected) { return std::abs(value / expected - 1.0); }

/// Visits floats from `low` to `high`, both positive, every `stride`-th of them.
template <class Visit>
void for_floats(float low, float high, std::uint32_t stride, Visit visit) {
  for (std::uint32_t u = as_uint(low); u < as_uint(high); u += stride) visit(as_float(u));
  visit(high);
}

/// The largest error found stands beside each bound.
TEST(Exponential, RelativeErrorFromTinyToExtremeArguments) {
  double worst = 0.0, worst_minus_one = 0.0;
  for_floats(1e-38F, 86.9F, 701, [&](float minus_x) {
    const double x = -static_cast<double>(minus_x);
    worst = std::max(worst, relative(exp_negative(-minus_x), std::exp(x)));
    worst_minus_one = std::max(worst_minus_one, relative(expm1_negative(-minus_x), std::expm1(x)));
  });
  EXPECT_LT(worst, 1.5 * 0x1p-24);            // found: 1.36
  EXPECT_LT(worst_minus_one, 1.5 * 0x1p-24);  // found: 1.39
}

TEST(Exponential, Ends) {
  EXPECT_EQ(exp_negative(0.0F), 1.0F);
  EXPECT_EQ(exp_negative(-0.0F), 1.0F);
  EXPECT_EQ(expm1_negative(0.0F), 0.0F);
  for (const float x : {-87.0F, -88.0F, -1e4F, -1e30F, -std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(exp_negative(x), exp_negative(-87.0F)) << x;
    EXPECT_EQ(expm1_negative(x), -1.0F) << x;
  }
  EXPECT_NEAR(exp_negative(-87.0F) / std::exp(-87.0), 1.0, 1e-6);
}

/// ln(1 + y) as the heat bath uses it: y = w e with w in (0, 1), e in [-1, 0), and t = 1 + y rounded once.
TEST(Logarithm, RelativeErrorOverTheHeatBathArguments) {
  test::Source source(5);
  double worst = 0.0;
  const auto check = [&](float w, float e) {
    const double y = static_cast<double>(w) * static_cast<double>(e);
    const double found = log1p_negative(fma(w, e, 1.0F), mul(w, e));
    worst = std::max(worst, relative(found, std::log1p(y)));
  };
  for (int i = 0; i < 2000000; ++i) check(uniform<float>(source.word()), -1.0F);
  for (int i = 0; i < 2000000; ++i) {
    const auto e = static_cast<float>(-std::pow(10.0, -30.0 * source.uniform()));
    check(uniform<float>(source.word()), e);
  }
  for (std::uint32_t k = 0; k < 100000; ++k) {
    check(uniform<float>(k << 9), -1.0F);
    check(uniform<float>(0xFFFFFFFFU - (k << 9)), -1.0F);
  }
  EXPECT_LT(worst, 3.0 * 0x1p-24);  // found: 2.86
}

TEST(Logarithm, Ends) {
  EXPECT_NEAR(log1p_negative(0x1p-24F, -0x1.fffffep-1F), -24.0 * std::numbers::ln2, 1e-6);
  EXPECT_EQ(log1p_negative(1.0F, 0.0F), 0.0F);
  EXPECT_EQ(log1p_negative(1.0F, -1e-30F), -1e-30F);
}

TEST(Uniform, MidpointsOfTheUnitInterval) {
  EXPECT_EQ(uniform<float>(0U), 0x1p-24F);
  EXPECT_EQ(uniform<float>(0xFFFFFFFFU), 1.0F - 0x1p-24F);
  EXPECT_LT(uniform<float>(0xFFFFFFFFU), 1.0F);
  for (std::uint32_t k = 0; k < (1U << 23); k += 37) {
    const double expected = (k + 0.5) * 0x1p-23;
    ASSERT_EQ(static_cast<double>(uniform<float>(k << 9)), expected);
    ASSERT_EQ(static_cast<double>(uniform<float>((k << 9) | 0x1FFU)), expected);
  }
}

TEST(UniformSinCos, AngleOfTheWordAndAbsoluteError) {
  double worst = 0.0, worst_norm = 0.0;
  const auto check = [&](std::uint32_t word) {
    const double quarter = static_cast<double>(word >> 30);
    const double inside = (static_cast<double>((word >> 7) & 0x7FFFFFU) + 0.5) * 0x1p-23 - 0.5;
    const double angle = (quarter + inside) * (std::numbers::pi / 2.0);
    const SinCos<float> p = uniform_sincos<float>(word);
    const double s = p.sin, c = p.cos;
    worst = std::max({worst, std::abs(s - std::sin(angle)), std::abs(c - std::cos(angle))});
    worst_norm = std::max(worst_norm, std::abs(s * s + c * c - 1.0));
  };
  for (std::uint32_t i = 0; i < (1U << 22); ++i) check(i * 1021U);
  for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
    for (const std::uint32_t end : {0U, 0x3FFFFFFFU, 0x1FFFFFFFU, 0x20000000U}) check((quarter << 30) | end);
  }
  EXPECT_LT(worst, 2.7 * 0x1p-24);       // found: 2.60
  EXPECT_LT(worst_norm, 3.3 * 0x1p-24);  // found: 3.16
}

TEST(Reductions, SelectionsAndSigns) {
  EXPECT_EQ(copy_sign(2.0F, -0.0F), -2.0F);
  EXPECT_EQ(copy_sign(-2.0F, 3.0F), 2.0F);
  EXPECT_EQ(flip_sign(2.0F, 0x80000000U), -2.0F);
  EXPECT_EQ(flip_sign(2.0F, 0x7FFFFFFFU), 2.0F);
  EXPECT_EQ(select_bit30(0x40000000U, 1.0F, 2.0F), 2.0F);
  EXPECT_EQ(select_bit30(0xBFFFFFFFU, 1.0F, 2.0F), 1.0F);
  EXPECT_EQ(shift_right_signed<23>(0xFF800000U), 0xFFFFFFFFU);
  EXPECT_EQ(round_to_int(2.5F), 2);
  EXPECT_EQ(round_to_int(-3.5F), -4);
}

}}  // namespace glassworks::exact
