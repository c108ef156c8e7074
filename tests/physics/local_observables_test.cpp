#include <array>
#include <numbers>

#include "tests/physics/corner_fixture.hpp"

/// Observables beside those of the model (round.observables) against exact values; bond_nematic is in
/// open_boundary_test.cpp and lattices_test.cpp.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 34 in 0.21 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

class StatisticsOfLocalObservables : public StatisticsOfCorners {};

/// Averages of a ring of four XY spins with the bonds 01, 12, 23, 30, by the trapezoidal rule, which is exact to
/// rounding for these periodic integrands: <kappa^2> of the ring and <sin^2> of each bond.
struct Ring {
  double chirality_2 = 0.0;
  std::array<double, 4> sine_2 = {};
};
Ring plaquette_ring(const std::array<double, 4>& J, double beta) {
  constexpr int steps = 48;
  Ring ring;
  double Z = 0.0;
  std::array<double, 4> theta = {};
  const auto angle = [](int i) { return 2.0 * std::numbers::pi * i / steps; };
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      for (int k = 0; k < steps; ++k) {
        theta = {0.0, angle(i), angle(j), angle(k)};
        double E = 0.0, kappa = 0.0;
        std::array<double, 4> sine = {};
        for (std::size_t b = 0; b < 4; ++b) {
          const double difference = theta[b] - theta[(b + 1) % 4];
          E -= J[b] * std::cos(difference);
          sine[b] = std::sin(difference);
          kappa += (J[b] > 0.0 ? 1.0 : -1.0) * sine[b];
        }
        const double w = std::exp(-beta * E);
        Z += w;
        ring.chirality_2 += w * kappa * kappa / 8.0;
        for (std::size_t b = 0; b < 4; ++b) ring.sine_2[b] += w * sine[b] * sine[b];
      }
    }
  }
  ring.chirality_2 /= Z;
  for (double& s : ring.sine_2) s /= Z;
  return ring;
}

/// One frustrated plaquette in the middle of an open square of edge 4: its chirality, and that of the four plaquettes
/// beside it, which have one of its bonds each. The others are 0.
TEST_F(StatisticsOfLocalObservables, ChiralityOfAPlaquette) {
  const std::array<double, 4> J = {1.0, 1.5, 0.75, -0.5};  // bonds of the sites 5, 6, 10, 9
  const std::string file = "5 0 1\n6 1 1.5\n9 0 0.75\n5 1 -0.5\n";
  for (const std::vector<std::string>& update : {std::vector<std::string>{"protocol.heatbath=4"},
                                                 {"protocol.overrelaxation=2"},
                                                 {"protocol.kind=wolff"},
                                                 {"protocol.kind=swendsen-wang"}}) {
    std::vector<std::string> keys = {"model.type=on",
                                     "model.n=2",
                                     "model.dim=2",
                                     "model.L=4",
                                     "model.boundary=open",
                                     "replicas.copies=2",
                                     "ladder.temperatures=0.5, 1.5",
                                     "round.observables=plaquette_chirality_2",
                                     "round.measurements=100"};
    keys.insert(keys.end(), update.begin(), update.end());
    const Simulated s = simulate(load(keys, file));
    const std::size_t at = place_of(s.chain, "plaquette_chirality_2");
    for (int slot = 0; slot < 2; ++slot) {
      const Ring ring = plaquette_ring(J, static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]));
      double exact = ring.chirality_2;
      for (const double sine_2 : ring.sine_2) exact += sine_2 / 8.0;
      expect_zero(
          s, slot, [&](const std::vector<double>& x, std::uint32_t) { return x[at] - exact / 9.0; }, 1e-6,
          fmt::format("{}, slot {}", fmt::join(update, " "), slot));
    }
  }
  EXPECT_EQ(comparisons_, 8);
  EXPECT_EQ(converged_, 4);
}

/// 1/4 for random angles, whatever the lattice and the couplings.
TEST_F(StatisticsOfLocalObservables, ChiralityAtHighTemperature) {
  for (const char* lattice : {"hypercubic", "fcc"}) {
    const Simulated s =
        simulate(load({"model.type=on", "model.n=2", "model.L=4", fmt::format("model.lattice={}", lattice),
                       "ladder.temperatures=1000", "protocol.heatbath=1", "round.observables=plaquette_chirality_2"}));
    const std::size_t at = place_of(s.chain, "plaquette_chirality_2");
    expect_zero(
        s, 0, [&](const std::vector<double>& x, std::uint32_t) { return x[at] - 0.25; }, 1e-5, lattice);
  }
}

/// The chiral overlap of the same square: q_c = (1/16) (kappa_0^a kappa_0^b + sum over the neighbours). With t_b =
/// sgn(J) sin(theta_i - theta_j) of bond b, kappa_0 is their sum and kappa_b = - t_b, all over 2 sqrt 2, so that
/// averages of q_c over independent copies are sums of squared averages of products of t_b.
struct ChiralSquare {
  double zero = 0.0, kmin = 0.0, fourth = 0.0;
};
ChiralSquare chiral_square(const std::array<double, 4>& J, double beta) {
  constexpr int steps = 40, plaquettes = 5;
  std::array<double, plaquettes * plaquettes> two{};
  std::vector<double> four(plaquettes * plaquettes * plaquettes * plaquettes, 0.0);
  double Z = 0.0;
  const auto angle = [](int i) { return 2.0 * std::numbers::pi * i / steps; };
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      for (int k = 0; k < steps; ++k) {
        const std::array<double, 4> theta = {0.0, angle(i), angle(j), angle(k)};
        std::array<double, plaquettes> kappa{};
        double E = 0.0;
        for (std::size_t b = 0; b < 4; ++b) {
          const double difference = theta[b] - theta[(b + 1) % 4];
          E -= J[b] * std::cos(difference);
          kappa[b + 1] = (J[b] > 0.0 ? -1.0 : 1.0) * std::sin(difference) / (2.0 * std::numbers::sqrt2);
          kappa[0] -= kappa[b + 1];
        }
        const double w = std::exp(-beta * E);
        Z += w;
        std::array<double, plaquettes * plaquettes> product{};
        for (std::size_t n = 0; n < product.size(); ++n) {
          product[n] = kappa[n / plaquettes] * kappa[n % plaquettes];
          two[n] += w * product[n];
        }
        for (std::size_t n = 0; n < four.size(); ++n) {
          four[n] += w * product[n / product.size()] * product[n % product.size()];
        }
      }
    }
  }
  // Middle, then across the bonds 5-6, 6-10, 10-9, 9-5: below, right, above, left.
  constexpr std::array<std::array<int, 2>, plaquettes> place = {{{1, 1}, {1, 0}, {2, 1}, {1, 2}, {0, 1}}};
  ChiralSquare square;
  for (std::size_t n = 0; n < two.size(); ++n) {
    const double correlation = two[n] / Z * two[n] / Z / 256.0;
    const auto &p = place[n / plaquettes], &r = place[n % plaquettes];
    square.zero += correlation;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      square.kmin += 0.5 * correlation * std::cos(2.0 * std::numbers::pi * (p[axis] - r[axis]) / 4.0);
    }
  }
  for (const double x : four) square.fourth += x / Z * x / Z / (256.0 * 256.0);
  return square;
}

TEST_F(StatisticsOfLocalObservables, ChiralOverlapOfAPlaquette) {
  const std::array<double, 4> J = {1.0, 1.5, 0.75, -0.5};
  const Simulated s = simulate(load({"model.type=xy", "model.dim=2", "model.L=4", "model.boundary=open",
                                     "replicas.copies=2", "ladder.temperatures=0.3, 0.6, 1.2", "protocol.heatbath=4",
                                     "round.observables=chiral_overlap", "round.measurements=400"},
                                    "5 0 1\n6 1 1.5\n9 0 0.75\n5 1 -0.5\n"));
  for (int slot = 0; slot < 3; ++slot) {
    const ChiralSquare exact = chiral_square(J, static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]));
    const auto expect = [&](const char* name, double value) {
      const std::size_t at = place_of(s.chain, name);
      expect_zero(
          s, slot, [&](const std::vector<double>& x, std::uint32_t) { return x[at] / value - 1.0; }, 1e-5, name);
    };
    expect("chiral_zero", exact.zero);
    expect("chiral_kmin_perpendicular", exact.kmin);
    expect("chiral_4", exact.fourth);
  }
  EXPECT_EQ(comparisons_, 9);
}

/// Independent angles: [kappa_p kappa_p'] is 1/4 for p = p', -+1/16 for plaquettes of one orientation that share a
/// bond, else 0, and N [|q_c(k)|^2] = (1/N) sum_{p p'} [kappa_p kappa_p']^2 cos(k.(R_p - R_p')). With periodic ends
/// this is 1/16 + (cos k_a + cos k_b)/128 for the axes a and b of a plaquette: 5/64 at k = 0 and along its normal. L =
/// 6: cos k = 1/2. An open axis leaves (L - 1)/L of the plaquettes and, across it, (L - 2)/L of their neighbours.
TEST_F(StatisticsOfLocalObservables, ChiralOverlapAtHighTemperature) {
  struct Case {
    const char *dim, *boundary;
    double zero, perpendicular, parallel;
  };
  const double n = 5.0 / 6.0, s = 4.0 / 6.0;
  const Case cases[] = {{"2", "periodic", 5.0 / 64.0, 1.0 / 16.0 + 1.5 / 128.0, 0.0},
                        {"3", "periodic", 5.0 / 64.0, 1.0 / 16.0 + 1.5 / 128.0, 5.0 / 64.0},
                        {"2", "open", n * n / 16.0 + 2.0 * n * s / 128.0, n * n / 16.0 + 1.5 * n * s / 128.0, 0.0}};
  for (const Case& one : cases) {
    const Simulated simulated =
        simulate(load({"model.type=xy", fmt::format("model.dim={}", one.dim), "model.L=6",
                       fmt::format("model.boundary={}", one.boundary), "ladder.temperatures=1000",
                       "protocol.heatbath=1", "round.observables=chiral_overlap", "round.measurements=200"}));
    const double N = static_cast<double>(simulated.chain.lattice.sites());
    const auto expect = [&](const char* name, double exact) {
      const std::size_t at = place_of(simulated.chain, name);
      expect_zero(
          simulated, 0, [&](const std::vector<double>& x, std::uint32_t) { return N * x[at] - exact; }, 1e-6,
          fmt::format("{}, {} in {} dimensions", name, one.boundary, one.dim));
    };
    expect("chiral_zero", one.zero);
    expect("chiral_kmin_perpendicular", one.perpendicular);
    if (one.parallel > 0.0) expect("chiral_kmin_parallel", one.parallel);
  }
  EXPECT_EQ(comparisons_, 7);
}

/// Free spins in a constant field h, which points along the last component: m = tanh x, 2 sinh x/(2 cosh x + exp(beta
/// Delta)), I_1(x)/I_0(x) and coth x - 1/x of n = 3, x = beta h.
TEST_F(StatisticsOfLocalObservables, SignedMagnetizationOfFreeSpins) {
  constexpr double h = 0.8, crystal_field = 0.5;
  struct Case {
    std::vector<std::string> model;
    double (*m)(double beta);
  };
  const Case cases[] = {
      {{"model.type=ising"}, [](double beta) { return std::tanh(beta * h); }},
      {{"model.type=blume-capel", "model.crystal_field=0.5"},
       [](double beta) {
         return 2.0 * std::sinh(beta * h) / (2.0 * std::cosh(beta * h) + std::exp(beta * crystal_field));
       }},
      {{"model.type=on", "model.n=2"},
       [](double beta) { return std::cyl_bessel_i(1.0, beta * h) / std::cyl_bessel_i(0.0, beta * h); }},
      {{"model.type=on", "model.n=3"}, [](double beta) { return 1.0 / std::tanh(beta * h) - 1.0 / (beta * h); }}};
  for (const Case& one : cases) {
    std::vector<std::string> keys = {"model.dim=2",
                                     "model.L=4",
                                     "model.field=constant",
                                     "model.field_strength=0.8",
                                     "replicas.copies=2",
                                     "ladder.temperatures=0.5, 1.5",
                                     "protocol.kind=local",
                                     "protocol.heatbath=1",
                                     "round.observables=signed_magnetization",
                                     "round.measurements=50"};
    keys.insert(keys.end(), one.model.begin(), one.model.end());
    const Simulated s = simulate(load(keys, "0 0 0\n"));
    const std::size_t at = place_of(s.chain, "signed_magnetization");
    for (int slot = 0; slot < 2; ++slot) {
      const double exact = one.m(static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]));
      expect_zero(
          s, slot, [&](const std::vector<double>& x, std::uint32_t) { return x[at] - exact; }, 1e-6,
          fmt::format("{}, slot {}", fmt::join(one.model, " "), slot));
    }
  }
  EXPECT_EQ(comparisons_, 8);
}

}}  // namespace glassworks::testing
