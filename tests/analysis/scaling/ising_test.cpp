#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "analysis/observables/estimators.hpp"
#include "analysis/scaling/analyze_scaling.hpp"
#include "tests/analysis/scaling/synthetic_campaign.hpp"

// The Ising model on the square lattice, J = 1, periodic: 1/T_c = ln(1 + sqrt 2)/2, nu = 1, eta = 1/4, and the Binder
// ratio at T_c in the limit of large sizes is g = (3 - r)/2 = 0.91588 (<m^4>/<m^2>^2 = 1.16793; Salas & Sokal, J. Stat.
// Phys. 98, 551 (2000)).
namespace glassworks { namespace {

const double exact_T_c = 2.0 / std::log1p(std::sqrt(2.0));

/// Number of configurations of a 4 x 4 torus with so many broken bonds and up spins: counts[broken][up].
using Density = std::array<std::array<double, 17>, 33>;

const Density& density_4x4() {
  static const Density density = [] {
    Density result{};
    for (std::uint32_t s = 0; s < 65536; ++s) {
      const std::uint32_t right = ((s >> 1) & 0x7777u) | ((s & 0x1111u) << 3);
      const std::uint32_t down = (s >> 4) | ((s & 0xfu) << 12);
      const auto broken = static_cast<std::size_t>(std::popcount(s ^ right) + std::popcount(s ^ down));
      result[broken][static_cast<std::size_t>(std::popcount(s))] += 1.0;
    }
    return result;
  }();
  return density;
}

/// <|m|^power> of the 4 x 4 torus.
double exact_moment(double T, int power) {
  double z = 0.0, sum = 0.0;
  for (std::size_t broken = 0; broken < 33; ++broken) {
    for (std::size_t up = 0; up < 17; ++up) {
      const double weight = density_4x4()[broken][up] * std::exp(-2.0 * static_cast<double>(broken) / T);
      z += weight;
      sum += weight * std::pow(std::abs(2.0 * static_cast<double>(up) - 16.0) / 16.0, power);
    }
  }
  return sum / z;
}

/// Thermal averages of m^2 and m^4 by the Wolff algorithm, independent runs as realizations.
class WolffRun {
 public:
  WolffRun(int L, std::uint64_t seed) : L_(L), spins_(static_cast<std::size_t>(L * L), 1), engine_(seed) {}

  std::array<double, 2> moments(double T, int equilibration, int measurements) {
    for (int i = 0; i < equilibration; ++i) flip_cluster(T);
    std::array<double, 2> sum{};
    for (int i = 0; i < measurements; ++i) {
      flip_cluster(T);
      double m = 0.0;
      for (const int s : spins_) m += s;
      m /= static_cast<double>(spins_.size());
      sum[0] += m * m / measurements;
      sum[1] += m * m * m * m / measurements;
    }
    return sum;
  }

 private:
  void flip_cluster(double T) {
    const double p = -std::expm1(-2.0 / T);
    const auto uniform = [&] { return static_cast<double>(engine_() >> 11) * 0x1p-53; };
    const auto seed = static_cast<std::size_t>(uniform() * static_cast<double>(spins_.size()));
    const int old = spins_[seed];
    spins_[seed] = -old;
    stack_ = {seed};
    while (!stack_.empty()) {
      const int site = static_cast<int>(stack_.back()), x = site % L_, y = site / L_;
      stack_.pop_back();
      for (const int next :
           {(x + 1) % L_ + y * L_, (x + L_ - 1) % L_ + y * L_, x + (y + 1) % L_ * L_, x + (y + L_ - 1) % L_ * L_}) {
        const auto n = static_cast<std::size_t>(next);
        if (spins_[n] != old || uniform() >= p) continue;
        spins_[n] = -old;
        stack_.push_back(n);
      }
    }
  }

  int L_;
  std::vector<int> spins_;
  std::vector<std::size_t> stack_;
  std::mt19937_64 engine_;
};

/// Curves of the Binder ratio and of chi = L^2 <m^2> from `runs` independent runs for each size.
std::vector<Curve> ising_curves(const std::vector<int>& sizes, const std::vector<double>& T, int runs) {
  std::vector<Curve> result;
  for (const int L : sizes) {
    Ensemble ensemble{.L = L, .temperatures = T, .columns = {"m2", "m4"}, .realizations = {}, .values = {}};
    for (int run = 0; run < runs; ++run) {
      ensemble.realizations.push_back(static_cast<std::uint32_t>(run));
      WolffRun simulation(L, static_cast<std::uint64_t>(1000 * L + run));
      for (const double t : T) {
        for (const double moment : simulation.moments(t, 50, 200)) ensemble.values.push_back(moment);
      }
    }
    const ResampledAverages averages(ensemble, Resampling{.samples = 40});
    result.push_back(make_curve("magnetization_binder", ensemble, averages,
                                [](std::span<const double> m, double) { return binder_cumulant(m[0], m[1], 1); }));
    result.push_back(
        make_curve("chi_m", ensemble, averages, [L](std::span<const double> m, double) { return L * L * m[0]; }));
  }
  return result;
}

// The simulation itself against enumeration: 3 temperatures, 4 standard errors, false alarm 2e-4.
TEST(StatisticsIsingSquare, SimulationAgreesWithEnumeration) {
  const std::vector<double> T = {2.0, 2.3, 3.0};
  const std::vector<Curve> curves = ising_curves({4}, T, 80);
  for (std::size_t t = 0; t < T.size(); ++t) {
    const double g = binder_cumulant(exact_moment(T[t], 2), exact_moment(T[t], 4), 1);
    EXPECT_NEAR(curves[0].value[t], g, 4.0 * curves[0].error(t));
    EXPECT_LT(curves[0].error(t), 0.01);
  }
}

// T_c, nu, eta and g at the crossing from sizes 6 to 18; corrections are L^-2 here. Four
// bounds of 4 standard errors and what corrections leave at these sizes: 0.002 in T_c, 0.03 in nu. They are too small
// for a T_c in a headline.
TEST(StatisticsIsingSquare, CriticalPointIsFoundBySimulation) {
  constexpr int runs = 40;
  const std::vector<double> T = equidistant(2.17, 2.37, 9);
  const ScalingResult result = analyze_scaling(ising_curves({6, 9, 12, 18}, T, runs));
  ASSERT_EQ(result.observables.size(), 1u);
  const ObservableScaling& scaling = result.observables[0];
  ASSERT_NE(scaling.fit(), nullptr) << scaling.correlated.sentence;
  const SampledNumber &T_c = *scaling.fit()->find("T_c"), &inverse_nu = *scaling.fit()->find("1/nu");
  EXPECT_NEAR(T_c.value, exact_T_c, 4.0 * T_c.error() + 0.002);
  EXPECT_LT(T_c.error(), 0.02);
  EXPECT_FALSE(scaling.claim.holds());
  EXPECT_NEAR(inverse_nu.value, 1.0, 4.0 * inverse_nu.error() + 0.03);
  EXPECT_LT(inverse_nu.error(), 0.2);
  const auto largest =
      std::ranges::find_if(scaling.quotients, [](const Quotient& q) { return q.L_small == 9 && q.L_large == 18; });
  ASSERT_NE(largest, scaling.quotients.end());
  EXPECT_NEAR(largest->eta.value, 0.25, 4.0 * largest->eta.error() + 0.01);
  for (const PairCrossings& pair : scaling.pairs) {
    if (pair.L_small != 9 || pair.L_large != 18) continue;
    ASSERT_NE(pair.best(), nullptr);
    EXPECT_NEAR(pair.best()->R.value, 0.91588, 4.0 * pair.best()->R.error() + 0.003);
  }
  ASSERT_EQ(scaling.gaussian.problem, "");
  EXPECT_NEAR(scaling.gaussian.find("T_c")->value, exact_T_c, 4.0 * scaling.gaussian.find("T_c")->error() + 0.002);
}

}}  // namespace glassworks
