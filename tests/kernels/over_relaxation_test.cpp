#include <gtest/gtest.h>

#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

using test::Vector;
using test::Vector3d;

TEST(OverRelaxation, ReflectsAboutTheField) {
  test::Source source(41);
  double worst = 0.0, worst_projection = 0.0;
  for (int i = 0; i < 500000; ++i) {
    const Vector3d s = test::random_direction(source);
    const Vector3d h = std::pow(10.0, 10.0 * source.uniform() - 6.0) * test::random_direction(source);
    const Vector spin{{static_cast<float>(s.x), static_cast<float>(s.y), static_cast<float>(s.z)}};
    const Vector field{{static_cast<float>(h.x), static_cast<float>(h.y), static_cast<float>(h.z)}};
    const Vector3d a = test::to_double(spin), b = test::to_double(field);
    const Vector3d found = test::to_double(exact::over_relax(spin, field));
    const Vector3d expected = (2.0 * test::dot(a, b) / test::dot(b, b)) * b + (-1.0) * a;
    worst = std::max(worst, test::length(found + (-1.0) * expected));
    worst_projection = std::max(worst_projection, std::abs(test::dot(found, b) - test::dot(a, b)) / test::length(b));
  }
  EXPECT_LT(worst, 8.0 * 0x1p-24);             // found: 7.68
  EXPECT_LT(worst_projection, 8.0 * 0x1p-24);  // found: 7.67
}

TEST(OverRelaxation, WithoutAFieldTheSpinIsTurnedRound) {
  const Vector s = exact::over_relax(Vector{{0.6F, 0.0F, -0.8F}}, Vector{{0.0F, 0.0F, 0.0F}});
  EXPECT_EQ(s.c[0], -0.6F);
  EXPECT_EQ(s.c[1], 0.0F);
  EXPECT_EQ(s.c[2], 0.8F);
}

TEST(Renormalization, BringsSpinsBackToUnitLength) {
  test::Source source(43);
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const Vector3d v = (1.0 + 2e-4 * (source.uniform() - 0.5)) * test::random_direction(source);
    const Vector s =
        exact::renormalize(Vector{{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}});
    worst = std::max(worst, std::abs(test::length(test::to_double(s)) - 1.0));
  }
  EXPECT_LT(worst, 2.0 * 0x1p-24);  // found: 1.74, of which 1.5 (1e-4)^2 = 0.25 from the first-order formula
}

/// 10^6 over-relaxation sweeps of 16 replicas at L = 8, from heat-bath states at T = 0.1 to 0.2, renormalized every
/// 1000 sweeps as in a campaign. Every replica must keep its energy to 1e-5, and the mean slope must be within four of
/// its standard errors of zero (Student's t, 15 degrees of freedom: false-alarm probability 1.2e-3; the run is
/// deterministic, so it cannot change from run to run).
TEST(SlowOverRelaxation, EnergyOfAMillionSweeps) {
  const Lattice lattice{3, 8};
  const Disorder disorder = test::gaussian_disorder(lattice, 47);
  const auto backend = test::fast_backend();
  const std::vector<float> beta = test::geometric_betas(8, 0.1, 0.2);
  const Chain thermal = test::make_chain(lattice, 2, beta, {10, 1, 1, 10, ExchangeSchedule::even_odd, 0}, 30);
  const Chain microcanonical = test::make_chain(lattice, 2, beta, {50, 0, 1, 20, ExchangeSchedule::even_odd, 0}, 10);
  ChainState state = initial_state(thermal, 0);
  test::run_one_round(*backend, thermal, disorder, 0, state);

  constexpr int rounds = 100, replicas = 16;
  std::vector<std::vector<double>> energy(replicas);
  for (int round = 0; round <= rounds; ++round) {
    if (round > 0) test::run_one_round(*backend, microcanonical, disorder, 0, state);
    for (int r = 0; r < replicas; ++r) {
      energy[static_cast<std::size_t>(r)].push_back(test::direct_energy(microcanonical, disorder, state, r));
    }
  }
  test::Mean slope;
  double largest = 0.0;
  for (const std::vector<double>& e : energy) {
    EXPECT_LT(e.front() / static_cast<double>(lattice.sites()), -1.2);  // a low-temperature state
    double covariance = 0.0, variance = 0.0;
    for (int i = 0; i <= rounds; ++i) {
      const double t = static_cast<double>(i) / rounds - 0.5;
      const double drift = (e[static_cast<std::size_t>(i)] - e.front()) / std::abs(e.front());
      largest = std::max(largest, std::abs(drift));
      covariance += t * drift;
      variance += t * t;
    }
    slope.add(covariance / variance);
  }
  EXPECT_LT(largest, 1e-5);
  EXPECT_LT(std::abs(slope.mean()), 4.0 * slope.error()) << slope.mean() << " +- " << slope.error();
}

}}  // namespace glassworks
