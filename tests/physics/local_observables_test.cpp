#include <array>
#include <numbers>

#include "tests/physics/corner_fixture.hpp"

/// Observables beside those of the model (round.observables) against exact values; bond_nematic is in
/// open_boundary_test.cpp and lattices_test.cpp.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 10 in 0.06 %, with fixed seeds once and for all.
namespace glassworks::testing {
namespace {

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

}  // namespace
}  // namespace glassworks::testing
