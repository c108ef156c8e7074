#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <vector>

#include "kernels/models/for_model.hpp"
#include "kernels/rounds/modulus_scale.hpp"
#include "tests/bin_places.hpp"
#include "tests/enough.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// The local update of phi4 at finite lambda and the range of its sums.
namespace glassworks { namespace {

using O = test::Moments;

/// Averages over the weight r^3 (I_1(x r)/(x r)) exp(-r^2 - lambda (r^2 - 1)^2) of one site of four components in the
/// field x = beta |h|: <r^2>, <r^4> and <phi.h>/|h| = <r I_2(x r)/I_1(x r)>.
std::array<double, 3> single_site(double lambda, double x) {
  // Around the mode of the integrand, which is found on a coarse grid first.
  const auto log_weight = [&](double r) {
    const double y = x * r, w = r * r - 1.0;
    const double bessel = y > 300.0 ? y - 1.5 * std::log(y) - 0.91893853320467274 + std::log1p(-0.375 / y)
                                    : std::log(y > 1e-8 ? std::cyl_bessel_i(1.0, y) / y : 0.5);
    return 3.0 * std::log(r) + bessel - r * r - lambda * w * w;
  };
  double mode = 1.0, best = -1e300;
  for (double r = 1e-3; r < 1e6; r *= 1.001) {
    if (log_weight(r) > best) best = log_weight(mode = r);
  }
  const double step = 1e-4 * mode;
  const double curvature =
      std::max(1.0, -(log_weight(mode + step) - 2.0 * best + log_weight(mode - step)) / (step * step));
  const double width = 1.0 / std::sqrt(curvature), low = std::max(1e-9, mode - 14.0 * width);
  const int points = 40000;
  double sum = 0.0, squares = 0.0, fourths = 0.0, along = 0.0;
  for (int i = 0; i < points; ++i) {
    const double r = low + (i + 0.5) * (mode + 14.0 * width - low) / points, w = std::exp(log_weight(r) - best);
    const double y = x * r;
    const double ratio = y > 300.0 ? 1.0 - 1.5 / y + 0.375 / (y * y)
                                   : (y > 1e-8 ? std::cyl_bessel_i(2.0, y) / std::cyl_bessel_i(1.0, y) : y / 4.0);
    sum += w;
    squares += w * r * r;
    fourths += w * r * r * r * r;
    along += w * r * ratio;
  }
  return {squares / sum, fourths / sum, along / sum};
}

struct OneSite {
  std::array<double, 3> mean{}, error{};
  double acceptance = 0.0;
};

/// Long history of one site by phi4_update, in batches of 200 updates.
OneSite simulate(double lambda, double x, std::uint32_t seed) {
  const exact::Phi4Weight weight(lambda, 1e30);
  const float beta = 0.5F;
  exact::Vector<4> phi{{0.5F, -0.5F, 0.5F, 0.5F}};
  const auto h = static_cast<float>(x / 0.5);
  const exact::Vector<4> field{{0.48F * h, -0.6F * h, 0.64F * h, 0.0F}};
  const int batches = test::enough(200, 500), length = 200;
  std::array<double, 3> sum{}, squares{};
  std::int64_t accepted = 0;
  for (int b = -20; b < batches; ++b) {
    std::array<double, 3> of_batch{};
    for (int i = 0; i < length; ++i) {
      const auto sweep = static_cast<std::uint64_t>((b + 20) * length + i);
      const RandomBlock words = random_block(PhiloxKey{seed, 0}, Stream::local_update, 0, 0, sweep, 0);
      const exact::Phi4Move move = exact::phi4_update(phi, field, exact::LocalTemperature(beta), weight, sweep, words);
      phi = move.phi;
      if (b >= 0) accepted += move.accepted ? 1 : 0;
      const double r2 = static_cast<double>(exact::dot(phi, phi));
      const double along = h > 0.0F ? static_cast<double>(exact::dot(phi, field)) / static_cast<double>(h) : 0.0;
      of_batch[0] += r2 / length;
      of_batch[1] += r2 * r2 / length;
      of_batch[2] += along / length;
    }
    for (std::size_t k = 0; b >= 0 && k < 3; ++k) {
      sum[k] += of_batch[k];
      squares[k] += of_batch[k] * of_batch[k];
    }
  }
  OneSite site;
  for (std::size_t k = 0; k < 3; ++k) {
    site.mean[k] = sum[k] / batches;
    site.error[k] = std::sqrt(std::max(0.0, squares[k] / batches - site.mean[k] * site.mean[k]) / (batches - 1));
  }
  site.acceptance = static_cast<double>(accepted) / (batches * length);
  return site;
}

// 50 cases of 3 averages at 4.5 sigma: false alarm 1e-3, with fixed seeds.
TEST(StatisticsOfPhi4, OneSiteForEveryLambdaAndField) {
  std::uint32_t seed = 1;
  for (const double lambda : {0.0, 1e-6, 1e-3, 0.1, 0.5, 1.0, 10.0, 1e3, 1e5, 1e6}) {
    for (const double x : {0.0, 0.3, 3.0, 50.0, 3000.0}) {
      const std::array<double, 3> exact_values = single_site(lambda, x);
      const OneSite site = simulate(lambda, x, ++seed);
      for (std::size_t k = 0; k < (x > 0.0 ? 3U : 2U); ++k) {
        // The exact values are computed to 1e-7; single precision keeps r to 6e-8.
        const double error = std::hypot(site.error[k], 3e-7 * exact_values[k]);
        EXPECT_LT(std::abs(site.mean[k] - exact_values[k]), 4.5 * error)
            << "lambda " << lambda << ", beta h " << x << ", average " << k << ": " << site.mean[k] << " ("
            << site.error[k] << "), exact " << exact_values[k];
      }
      EXPECT_GT(site.acceptance, 0.7) << "lambda " << lambda << ", beta h " << x;
    }
  }
}

TEST(Phi4Range, TheEstimateIsAnUpperBoundOfKnownValues) {
  EXPECT_GE(expected_square(0.0, {2, 4}, 1.0 / 2.0001), 2502.0) << "exact, free field";
  EXPECT_LT(expected_square(0.0, {2, 4}, 1.0 / 2.0001), 4 * 2502.0);
  EXPECT_LT(expected_square(0.0, {2, 64}, 1.0 / 2.0001), 200.0) << "the uniform mode is one of 4096";
  EXPECT_GE(expected_square(0.01, {2, 8}, 1.0), 50.83);
  EXPECT_GE(expected_square(1.0, {2, 8}, 2.0), 2.439);
  EXPECT_TRUE(std::isinf(expected_square(0.0, {3, 8}, 1.0 / 3.0)));
  EXPECT_EQ(modulus_exponent(test::phi4(INFINITY), {3, 8}, 5.0F), 0);
  EXPECT_EQ(modulus_exponent(test::ising(), {3, 8}, 5.0F), 0);
}

Protocol local_sweeps() {
  Protocol p;
  p.overrelaxation = 0;
  p.heatbath = 1;
  p.exchanges_per_measurement = 1;
  return p;
}

TEST(Phi4Range, WhatLeavesItEndsTheRound) {
  const Lattice lattice{2, 4};
  const Chain chain = test::cluster_chain(test::phi4(0.5), lattice, 1, {1.0F}, local_sweeps(), 20);
  RoundRecord record;
  const BinLayout layout(chain);
  record.mean.assign(static_cast<std::size_t>(layout.size()), 1.0);
  EXPECT_NO_THROW(check_field_range(chain, false, record));
  EXPECT_THROW(check_field_range(chain, true, record), std::runtime_error);
  record.mean[O::modulus_4] = NAN;
  EXPECT_THROW(check_field_range(chain, false, record), std::runtime_error);
}

TEST(Phi4Range, TooLargeAFieldIsMarked) {
  const exact::Phi4Weight weight(0.0, 1.0);
  exact::Vector<4> phi{{10.0F, 0.0F, 0.0F, 0.0F}};
  int marked = 0;
  for (std::uint64_t sweep = 0; sweep < 100; ++sweep) {
    const RandomBlock words = random_block(PhiloxKey{1, 0}, Stream::local_update, 0, 0, sweep, 0);
    const exact::Phi4Move move = exact::phi4_update(phi, {}, exact::LocalTemperature(0.5F), weight, sweep, words);
    EXPECT_EQ(move.too_large, exact::dot(move.phi, move.phi) > 1.0F);
    marked += move.too_large ? 1 : 0;
    phi = move.phi;
  }
  EXPECT_GT(marked, 50);
}

}}  // namespace glassworks
