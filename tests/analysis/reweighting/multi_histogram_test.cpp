#include "analysis/reweighting/multi_histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/analysis/reweighting/exact_ising.hpp"
#include "tests/analysis/reweighting/gaussian_samples.hpp"

namespace glassworks { namespace {

struct Prepared {
  std::vector<double> energy, beta;
  std::vector<EnergyMoments> moments;
};

Prepared prepare(const JointSamples& samples, const SampledQuantities& quantities) {
  Prepared prepared;
  for (std::size_t i = 0; i < samples.values.size(); i += quantities.sampled()) {
    prepared.energy.push_back(quantities.total_energy(std::span(samples.values).subspan(i, quantities.sampled())));
  }
  for (const double T : samples.temperatures) prepared.beta.push_back(1.0 / T);
  prepared.moments = energy_moments(prepared.energy, samples.count);
  return prepared;
}

MultiHistogram solve(const JointSamples& samples, const SampledQuantities& quantities, Binning binning) {
  const Prepared p = prepare(samples, quantities);
  return {pool(p.energy, samples.values, quantities, p.moments, binning), p.beta, samples.count, p.moments};
}

/// The equations as they stand, iterated sample by sample until nothing changes by 1e-11.
std::vector<double> iterate_plainly(const JointSamples& samples, const Prepared& p) {
  std::vector<double> f(p.beta.size(), 0.0);
  for (double change = 1.0; change > 1e-11;) {
    std::vector<double> sum(f.size(), 0.0);
    for (const double E : p.energy) {
      double density = 0.0;
      for (std::size_t j = 0; j < f.size(); ++j) {
        density += static_cast<double>(samples.count[j]) * std::exp(f[j] - p.beta[j] * E);
      }
      for (std::size_t k = 0; k < f.size(); ++k) sum[k] += std::exp(-p.beta[k] * E) / density;
    }
    change = 0.0;
    for (std::size_t k = 0; k < f.size(); ++k) {
      const double next = -std::log(sum[k]) + std::log(sum[0]);
      change = std::max(change, std::abs(next - f[k]));
      f[k] = next;
    }
  }
  return f;
}

TEST(MultiHistogram, SolvesTheEquationsAsTheyStand) {
  const SampledQuantities quantities(testing::ExactIsing::names(), testing::ExactIsing::sites);
  JointSamples samples = testing::exact_ising().sample({0.5, 0.7, 1.0, 1.4, 2.0}, 150, 1);
  samples.count = {40, 260, 10, 290, 150};  // as if drawn so: any numbers must do
  const std::vector<double> plain = iterate_plainly(samples, prepare(samples, quantities));
  const std::vector<double> f = solve(samples, quantities, Binning::none).free_energy();
  ASSERT_EQ(f.size(), plain.size());
  EXPECT_EQ(f[0], 0.0);
  for (std::size_t k = 0; k < f.size(); ++k) EXPECT_NEAR(f[k], plain[k], 1e-8) << k;
}

// 40 repetitions, 5 differences; |t_39| > 6 has probability 5e-7, so a false alarm 3e-6.
TEST(MultiHistogram, FreeEnergiesAgreeWithEnumeration) {
  const SampledQuantities quantities(testing::ExactIsing::names(), testing::ExactIsing::sites);
  const std::vector<double> temperatures = {0.4, 0.6, 0.8, 1.1, 1.5, 2.1};
  std::vector<testing::Repeated> f(temperatures.size());
  for (unsigned seed = 0; seed < 40; ++seed) {
    const JointSamples samples = testing::exact_ising().sample(temperatures, 800, seed);
    const std::vector<double> solution = solve(samples, quantities, Binning::fine).free_energy();
    for (std::size_t k = 0; k < f.size(); ++k) f[k].add(solution[k]);
  }
  for (std::size_t k = 1; k < f.size(); ++k) {
    const double truth =
        testing::exact_ising().free_energy(temperatures[k]) - testing::exact_ising().free_energy(temperatures[0]);
    EXPECT_LT(std::abs(f[k].sigmas(truth)), 6.0) << temperatures[k];
    EXPECT_LT(std::sqrt(f[k].variance()), 0.3) << temperatures[k];
  }
}

TEST(MultiHistogram, FineBinsChangeFreeEnergiesByFarLessThanTheirErrors) {
  const testing::GaussianModel model{10.0};
  const std::vector<double> temperatures = testing::equal_steps(3.0, 0.14, 16);
  const SampledQuantities quantities = testing::GaussianModel::quantities();
  std::vector<testing::Repeated> f(temperatures.size());
  std::vector<double> largest(temperatures.size(), 0.0);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const JointSamples samples = model.sample(temperatures, 500, seed);
    const std::vector<double> fine = solve(samples, quantities, Binning::fine).free_energy();
    const std::vector<double> none = solve(samples, quantities, Binning::none).free_energy();
    for (std::size_t k = 1; k < f.size(); ++k) {
      f[k].add(none[k]);
      largest[k] = std::max(largest[k], std::abs(fine[k] - none[k]));
    }
  }
  for (std::size_t k = 1; k < f.size(); ++k) {
    EXPECT_LT(largest[k], 0.02 * std::sqrt(f[k].variance())) << k;
    EXPECT_GT(largest[k], 0.0) << "nothing was binned";
  }
}

// Neighbours of equal width s' whose means are D apart overlap by erfc(D/(2 sqrt 2 s')).
TEST(MultiHistogram, OverlapOfGaussiansIsTheAnalyticOne) {
  const testing::GaussianModel model{3.0};
  for (const double step : {0.1, 0.3, 0.6}) {
    const std::vector<double> temperatures = testing::equal_steps(4.0, step, 5);
    const std::vector<double> overlap =
        solve(model.sample(temperatures, 20000, 3), testing::GaussianModel::quantities(), Binning::fine).overlap();
    ASSERT_EQ(overlap.size(), 4U);
    // Two copies: s' = sqrt 2 s, D = step s'^2.
    const double exact = std::erfc(step * std::sqrt(2.0) * model.s / (2.0 * std::sqrt(2.0)));
    for (const double o : overlap) EXPECT_NEAR(o, exact, 0.02) << step;  // its error is about 0.003
  }
}

TEST(MultiHistogram, AThousandSlotsAreSolved) {
  const testing::GaussianModel model{40.0};
  const std::vector<double> temperatures = testing::equal_steps(5.0, 0.004, 1024);
  const SampledQuantities quantities = testing::GaussianModel::quantities();
  const MultiHistogram solution = solve(model.sample(temperatures, 10, 4), quantities, Binning::fine);
  const std::vector<double> f = solution.free_energy();
  // The error of a difference over the whole ladder is about 0.6, f itself goes up to 4e4.
  for (const std::size_t k : {1U, 512U, 1023U}) {
    EXPECT_NEAR(f[k], model.free_energy(temperatures[k]) - model.free_energy(temperatures[0]), 4.0) << k;
  }
}

TEST(MultiHistogram, EqualEnergiesEverywhereGiveEqualWeights) {
  const SampledQuantities quantities({"energy_of_copy_1", "energy_of_copy_2", "x"}, 64.0);
  JointSamples samples{{0.5, 0.6, 0.7}, {3, 2, 1}, {}};
  for (int i = 0; i < 6; ++i) samples.values.insert(samples.values.end(), {-1.5F, -1.5F, static_cast<float>(i)});
  for (const Binning binning : {Binning::fine, Binning::none}) {
    const MultiHistogram solution = solve(samples, quantities, binning);
    std::vector<double> average(quantities.size());
    EXPECT_NEAR(solution.average(1.0 / 0.55, average), 6.0, 1e-12);
    EXPECT_NEAR(average[2], 2.5, 1e-12);
    for (const double overlap : solution.overlap()) EXPECT_NEAR(overlap, 1.0, 1e-7);
    // f_k = -ln exp(-beta_k E) with E = -192
    EXPECT_NEAR(solution.free_energy()[2], -192.0 * (1.0 / 0.7 - 1.0 / 0.5), 1e-7);
  }
}

// One sample of the cold slot lies with the hot ones, 60 above the others: thermodynamic integration begins at f
// = 14.7, the equation 49 p(-60) + 51 p(0) = 50 of the cold slot's shares has p(-60) = 1, p(0) = 1/51 and f = ln 50.
TEST(MultiHistogram, ConvergesFromAPoorStart) {
  const SampledQuantities quantities({"energy_of_copy_1", "energy_of_copy_2"}, 1.0);
  JointSamples samples{{1.0, 2.0}, {50, 50}, {}};
  for (int i = 0; i < 100; ++i) {
    const float e = i == 0 || i >= 50 ? 0.0F : -30.0F;
    samples.values.insert(samples.values.end(), {e, e});
  }
  EXPECT_NEAR(solve(samples, quantities, Binning::none).free_energy()[1], std::log(50.0), 1e-8);
}

}}  // namespace glassworks
