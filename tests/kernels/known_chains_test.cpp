#include <gtest/gtest.h>

#include "kernels/rounds/bin_layout.hpp"
#include "tests/bin_places.hpp"
#include "tests/enough.hpp"
#include "tests/kernels/exact_states.hpp"

/// Systems with known answers, run through the fastest backend. Errors are those of the mean over rounds, each longer
/// than the autocorrelation time; with at least 100 rounds 4 standard errors are a false-alarm probability below
/// 1.3e-4 for each comparison (Student's t), 6.3e-5 where the error is exact.
namespace glassworks { namespace {

using Layout = test::Tensors;

/// Mean and error of each slot and observable over rounds.
class Rounds {
 public:
  Rounds(const Chain& chain, const Disorder& disorder, int warm_up, int rounds, std::uint32_t realization = 0)
      : layout_(chain), beta_(chain.beta) {
    const auto backend = test::fast_backend();
    ChainState state = initial_state(chain, realization);
    for (int round = -warm_up; round < rounds; ++round) {
      RoundRecord record = test::run_one_round(*backend, chain, disorder, realization, state);
      if (round >= 0) means_.push_back(std::move(record.mean));
    }
  }

  [[nodiscard]] double value(std::size_t round, int slot, int observable) const {
    return means_[round][static_cast<std::size_t>(slot * layout_.size() + observable)];
  }
  [[nodiscard]] test::Mean mean(int slot, int observable) const {
    test::Mean m;
    for (std::size_t round = 0; round < means_.size(); ++round) m.add(value(round, slot, observable));
    return m;
  }
  void expect(int slot, int observable, double expected) const {
    const test::Mean m = mean(slot, observable);
    EXPECT_NEAR(m.mean(), expected, 4.0 * m.error()) << layout_.name(observable) << ", slot " << slot;
  }
  /// c = beta^2 N (<e^2> - <e>^2) with its jackknife error over rounds.
  void expect_specific_heat(int slot, double sites, double expected) const {
    const auto n = static_cast<double>(means_.size());
    double e = 0.0, square = 0.0;
    for (std::size_t round = 0; round < means_.size(); ++round) {
      e += value(round, slot, Layout::energy);
      square += value(round, slot, Layout::energy_squared);
    }
    const double beta = static_cast<double>(beta_[static_cast<std::size_t>(slot)]), factor = beta * beta * sites;
    const double all = factor * (square / n - e * e / (n * n));
    double spread = 0.0;
    for (std::size_t round = 0; round < means_.size(); ++round) {
      const double e_1 = (e - value(round, slot, Layout::energy)) / (n - 1.0);
      const double difference =
          factor * ((square - value(round, slot, Layout::energy_squared)) / (n - 1.0) - e_1 * e_1) - all;
      spread += difference * difference;
    }
    const double error = std::sqrt(spread * (n - 1.0) / n);
    EXPECT_NEAR(all, expected, 4.0 * error) << "specific heat, slot " << slot;
  }

 private:
  BinLayout layout_;
  std::vector<float> beta_;
  std::vector<std::vector<double>> means_;
};

std::vector<float> betas(std::initializer_list<double> list) {
  std::vector<float> beta;
  for (const double b : list) beta.push_back(static_cast<float>(b));
  return beta;
}

/// <s.h>/|h| = coth(beta h) - 1/(beta h). Heat-bath spins of free sites are independent, so the error is exact.
TEST(StatisticsKnownChains, OneSpinInAField) {
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
    const Lattice lattice{dim, dim == 1 ? 512 : 6};
    constexpr double strength = 0.8;
    test::Source source(83);
    Disorder disorder;
    disorder.couplings.assign(static_cast<std::size_t>(lattice.bonds()), 0.0F);
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      const test::Vector3d h = strength * test::random_direction(source);
      for (const double component : {h.x, h.y, h.z}) disorder.fields.push_back(static_cast<float>(component));
    }
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
    const Chain chain =
        test::make_chain(lattice, 2, test::geometric_betas(8, 0.02, 20.0), {1, 1, 1, 1, ExchangeSchedule::even_odd, 0},
                         1 + test::enough(50000, 200000) / lattice.sites());
    const Rounds rounds(chain, disorder, 0, 4);
    const double n = 4.0 * chain.measurements * chain.copies * static_cast<double>(lattice.sites());
    for (int slot = 0; slot < chain.slots(); ++slot) {
      const double x = strength * static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]);
      const double c = test::langevin(x), variance = 1.0 - 2.0 * c / x - c * c;
      const double found = -rounds.mean(slot, Layout::field_energy).mean() / strength;
      EXPECT_NEAR(found, c, 4.0 * std::sqrt(variance / n)) << "d = " << dim << ", beta h = " << x;
      EXPECT_NEAR(rounds.mean(slot, Layout::energy).mean(), -strength * found, 1e-6);
      EXPECT_EQ(rounds.mean(slot, Layout::bond_energy).mean(), 0.0);
    }
  }
}

/// Open chain in d = 1 and other trees with random couplings: E = -sum J (coth(beta J) - 1/(beta J)).
TEST(StatisticsKnownChains, OpenChainAndTrees) {
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
    const Lattice lattice{dim, dim == 1 ? 16 : 4};
    const test::Tree tree = test::random_tree(lattice, static_cast<std::uint32_t>(89 + dim));
    const Chain chain =
        test::make_chain(lattice, 2, test::geometric_betas(8, 0.2, 2.0), {2, 1, 1, 3, ExchangeSchedule::even_odd, 0},
                         test::enough(60, 200) / (dim == 4 ? 3 : 1));
    const Rounds rounds(chain, tree.disorder, 5, 120);
    for (int slot = 0; slot < chain.slots(); ++slot) {
      const double beta = static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]);
      rounds.expect(slot, Layout::energy, test::exact_energy(tree, beta));
    }
  }
}

struct RingRow {
  int L;
  double beta, e, c;
};
/// Closed chain with J = 1, by transfer matrix.
constexpr RingRow exact_rings[] = {{4, 2, -0.6058915699, 0.770867},
                                   {4, 1, -0.3378378042, 0.330679},
                                   {4, 0.5, -0.1681409818, 0.085186},
                                   {8, 5, -0.8189340051, 0.950567},
                                   {8, 1, -0.3132790494, 0.277355}};

TEST(StatisticsKnownChains, ClosedChainEnergyAndSpecificHeat) {
  for (const int L : {4, 8}) {
    const Lattice lattice{1, L};
    Disorder disorder;
    disorder.couplings.assign(static_cast<std::size_t>(L), 1.0F);
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, {});
    const Chain chain = test::make_chain(lattice, 2, L == 4 ? betas({2, 1, 0.5}) : betas({5, 2.2, 1}),
                                         {2, 1, 1, 3, ExchangeSchedule::sequential, 0}, test::enough(500, 2000));
    const Rounds rounds(chain, disorder, 1, 150);
    for (const RingRow& row : exact_rings) {
      for (int slot = 0; slot < chain.slots(); ++slot) {
        if (row.L != L || chain.beta[static_cast<std::size_t>(slot)] != static_cast<float>(row.beta)) continue;
        rounds.expect(slot, Layout::energy, row.e);
        rounds.expect_specific_heat(slot, L, row.c);
      }
    }
  }
}

/// ln Z of a closed ring: Z/(4 pi)^N = sum_l (2l+1) prod_b i_l(beta J_b), i_l(-x) = (-1)^l i_l(x).
double ring_log_z(const std::vector<float>& J, double beta) {
  double z = 0.0;
  for (unsigned l = 0; l <= 60; ++l) {
    double product = 2.0 * l + 1.0;
    for (const float j : J) {
      const double x = std::abs(beta * static_cast<double>(j));
      product *= std::sqrt(std::numbers::pi / (2.0 * x)) * std::cyl_bessel_i(l + 0.5, x) *
                 (j < 0.0F && l % 2 == 1 ? -1.0 : 1.0);
    }
    z += product;
  }
  return std::log(z);
}

TEST(StatisticsKnownChains, FrustratedRing) {
  // The transfer-matrix values above come out of the same formula.
  EXPECT_NEAR(-(ring_log_z({1, 1, 1, 1}, 2.001) - ring_log_z({1, 1, 1, 1}, 1.999)) / 0.002 / 4, -0.6058915699, 1e-6);
  const Lattice lattice{1, 8};
  Disorder disorder = test::gaussian_disorder(lattice, 97);
  float sign = 1.0F;
  for (const float J : disorder.couplings) sign *= J < 0.0F ? -1.0F : 1.0F;
  disorder.couplings[0] *= -sign;  // an odd number of negative bonds: frustrated
  const Chain chain = test::make_chain(lattice, 2, test::geometric_betas(8, 0.15, 2.0),
                                       {2, 1, 1, 3, ExchangeSchedule::even_odd, 0}, test::enough(200, 500));
  const Rounds rounds(chain, disorder, 5, 150);
  for (int slot = 0; slot < chain.slots(); ++slot) {
    const double beta = static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]), step = 1e-4 * beta;
    const double above = ring_log_z(disorder.couplings, beta + step),
                 below = ring_log_z(disorder.couplings, beta - step);
    const double at = ring_log_z(disorder.couplings, beta);
    rounds.expect(slot, Layout::energy, -(above - below) / (2.0 * step) / 8.0);
    if (beta < 3.0) {
      rounds.expect_specific_heat(slot, 8.0, beta * beta * (above - 2.0 * at + below) / (step * step) / 8.0);
    }
  }
}

/// ln Z of one realization at high temperature: bonds, and the smallest loops, the plaquettes, with their l = 1 term
/// 3 prod (coth x - 1/x); what is left is of sixth order in beta J.
double high_temperature_energy(const Lattice& lattice, const Disorder& disorder, double beta, bool with_loops) {
  const auto slope = [](double x) { return 1.0 / (x * x) - 1.0 / (std::sinh(x) * std::sinh(x)); };
  const auto J = [&](std::int64_t site, int axis) {
    return static_cast<double>(disorder.couplings[static_cast<std::size_t>(site * lattice.dim + axis)]);
  };
  double energy = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    for (int a = 0; a < lattice.dim; ++a) {
      energy -= J(i, a) * test::langevin(beta * J(i, a));
      for (int b = 0; with_loops && b < a; ++b) {
        const double bonds[4] = {J(i, a), J(i, b), J(lattice.neighbour(i, a, 1), b), J(lattice.neighbour(i, b, 1), a)};
        for (int k = 0; k < 4; ++k) {
          double product = 3.0 * bonds[k] * slope(beta * bonds[k]);
          for (int m = 1; m < 4; ++m) product *= test::langevin(beta * bonds[(k + m) % 4]);
          energy -= product;
        }
      }
    }
  }
  return energy / static_cast<double>(lattice.sites());
}

/// The expansion of each realization is exact to far below the statistical error, so no disorder noise enters.
TEST(SlowKnownChains, HighTemperatureEnergy) {
  const Lattice lattice{3, 8};
  const std::vector<float> beta = betas({0.5, 0.46, 0.42, 0.38, 0.35, 0.31, 0.28, 0.25});
  const Chain chain = test::make_chain(lattice, 2, beta, {1, 1, 1, 2, ExchangeSchedule::even_odd, 0}, 60);
  std::vector<test::Mean> difference(beta.size()), bonds(beta.size());
  test::Mean all;
  for (std::uint32_t realization = 0; realization < 128; ++realization) {
    const Disorder disorder = test::gaussian_disorder(lattice, 1000 + realization);
    const Rounds rounds(chain, disorder, 1, 2, realization);
    double sum = 0.0;
    for (std::size_t slot = 0; slot < beta.size(); ++slot) {
      const auto b = static_cast<double>(beta[slot]);
      const double found = rounds.mean(static_cast<int>(slot), Layout::energy).mean();
      const double deviation = found - high_temperature_energy(lattice, disorder, b, true);
      difference[slot].add(deviation);
      bonds[slot].add(high_temperature_energy(lattice, disorder, b, false));
      sum += deviation;
    }
    all.add(sum / 8.0);
  }
  for (const test::Mean& d : difference) {
    EXPECT_NEAR(d.mean(), 0.0, 4.0 * d.error());
    EXPECT_LT(d.error(), 4e-4);
  }
  EXPECT_NEAR(all.mean(), 0.0, 4.0 * all.error());
  // The disorder average of the bond term at T = 2 and 4.
  EXPECT_NEAR(bonds.front().mean(), -0.4775487, 4.0 * bonds.front().error());
  EXPECT_NEAR(bonds.back().mean(), -0.2469642, 4.0 * bonds.back().error());
}

}}  // namespace glassworks
