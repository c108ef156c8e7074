#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cpu/lanes/lanes_portable.hpp"

namespace glassworks { namespace {

/// The fused multiply-add of the portable lanes against that of the library, to the bit.
void expect_fma(float a, float b, float c) {
  const exact::F128 x = exact::F128::Native{a, 1.5F, a, b}, y = exact::F128::Native{b, b, 2.25F, a},
                    z = exact::F128::Native{c, c, -c, c};
  const exact::F128 r = exact::fma(x, y, z);
  for (int i = 0; i < 4; ++i) {
    const float expected = std::fma(x.v[i], y.v[i], z.v[i]), found = r.v[i];
    if (std::isnan(expected) && std::isnan(found)) continue;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected))
        << std::hexfloat << x.v[i] << " * " << y.v[i] << " + " << z.v[i] << " lane " << i;
  }
}

TEST(PortableLanes, FusedMultiplyAddOfAnyBits) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300000; ++i) {
    const auto float_of = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
    expect_fma(float_of(), float_of(), float_of());
    if (HasFatalFailure()) return;
  }
}

/// Numbers of the size that the chain has, where sums cancel.
TEST(PortableLanes, FusedMultiplyAddOfOrdinaryNumbers) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<float> uniform(-2.0F, 2.0F);
  for (int i = 0; i < 300000; ++i) {
    const float a = uniform(random), b = uniform(random);
    expect_fma(a, b, uniform(random));
    expect_fma(a, b, -a * b);
    if (HasFatalFailure()) return;
  }
}

/// A sum that lies between two floats, off the middle by less than a double shows: rounding it twice goes wrong in half
/// of the cases. c is a float whose last bit is 2^-23, the product the half of that and a little more or less.
TEST(PortableLanes, FusedMultiplyAddNearTheMiddleOfTwoFloats) {
  for (const float c : {1.0F, 1.0F + 0x1p-23F, 1.5F, 1.5F + 0x1p-23F}) {
    for (int k = 1; k <= 12; ++k) {
      for (const float sign : {1.0F, -1.0F}) {
        // (2^-12 + d)(2^-12 - d) = 2^-24 - d^2
        const float d = std::ldexp(1.0F, -12 - k - 11);
        expect_fma(0x1p-12F + d, 0x1p-12F - d, sign * c);
        expect_fma(sign * (0x1p-12F + d), 0x1p-12F + d, c);
        expect_fma(0x1p-24F, sign, c);
        if (HasFatalFailure()) return;
      }
    }
  }
  int wrong = 0;  // so that this test can fail: plain double arithmetic does go wrong here
  const float d = 0x1p-35F;
  const double sum = static_cast<double>(0x1p-12F + d) * (0x1p-12F - d) + (1.0F + 0x1p-23F);
  wrong += static_cast<float>(sum) != std::fma(0x1p-12F + d, 0x1p-12F - d, 1.0F + 0x1p-23F) ? 1 : 0;
  EXPECT_EQ(wrong, 1);
}

TEST(PortableLanes, FusedMultiplyAddAtTheEndsOfTheRange) {
  const std::vector<float> ends{0.0F,
                                -0.0F,
                                1.0F,
                                0x1p-126F,
                                0x1p-149F,
                                0x1.fffffep-127F,
                                0x1p-75F,
                                0x1p-63F,
                                0x1.8p-75F,
                                0x1.fffffep127F,
                                -0x1p-149F,
                                0x1.000002p-126F,
                                0x1p127F,
                                0x1p64F,
                                -0x1.8p-126F,
                                std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  for (const float a : ends) {
    for (const float b : ends) {
      for (const float c : ends) {
        expect_fma(a, b, c);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}}  // namespace glassworks
