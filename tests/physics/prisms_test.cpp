#include "tests/physics/corner_fixture.hpp"
#include "tests/physics/enumerated_ising.hpp"

/// Lattices with a length of their own along each axis, against all states of small samples.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 138 in 0.9 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

class StatisticsOfPrisms : public StatisticsOfCorners {};

TEST_F(StatisticsOfPrisms, AllStatesOfSmallSamples) {
  const std::vector<std::vector<std::string>> shapes = {
      {"model.shape=3x3x2", "model.boundary=open", "model.couplings=gaussian"},
      {"model.shape=2x5", "model.boundary=open, open", "model.couplings=bimodal"},
      {"model.shape=4x3", "model.boundary=periodic, open", "model.couplings=gaussian"},
      {"model.shape=2x4x2", "model.boundary=open, antiperiodic, open", "model.couplings=bimodal"}};
  const std::vector<std::vector<std::string>> updates = {
      {"protocol.kind=local", "protocol.heatbath=4"},
      {"protocol.kind=swendsen-wang", "protocol.heatbath=1"},
      {"protocol.kind=wolff", "protocol.cluster_sweeps=4", "protocol.heatbath=1"}};
  for (const auto& shape : shapes) {
    std::vector<EnumeratedIsing> of_slot[2];  // of the realizations
    for (const auto& update : updates) {
      std::vector<std::string> keys = {"model.type=ising", "replicas.copies=2", "ladder.temperatures=1, 2",
                                       "round.observables=axis_modes", "convergence.max_rounds=96"};
      keys.insert(keys.end(), shape.begin(), shape.end());
      keys.insert(keys.end(), update.begin(), update.end());
      const std::string what = fmt::format("{}", fmt::join(keys, " "));
      const Simulated s = simulate(load(keys));
      const Lattice& lattice = s.chain.lattice;
      ASSERT_FALSE(lattice.is_cube()) << what;
      for (int slot = 0; slot < 2; ++slot) {
        std::vector<EnumeratedIsing>& exact = of_slot[slot];
        for (const Disorder& disorder : s.disorder) {
          if (exact.size() == s.disorder.size()) break;
          const float beta = s.chain.beta[static_cast<std::size_t>(slot)];
          exact.emplace_back(lattice, disorder.couplings, static_cast<double>(beta));
        }
        const auto expect = [&](const std::string& name, const auto& value) {
          std::vector<double> values;
          for (const EnumeratedIsing& c : exact) values.push_back(value(c));
          expect_of_realizations(s, slot, name, values, 1e-7, what);
        };
        const auto longest = [&](int power) {
          return [&lattice, power](const EnumeratedIsing& c) {
            double sum = 0.0, axes = 0.0;
            for (int axis = 0; axis < lattice.dim; ++axis) {
              if (lattice.length(axis) != lattice.L) continue;
              sum += c.mode(power, axis);
              axes += 1.0;
            }
            return sum / axes;
          };
        };
        expect("energy", [](const EnumeratedIsing& c) { return c.energy(); });
        expect("overlap_2", [](const EnumeratedIsing& c) { return c.square(2); });
        expect("overlap_kmin", longest(2));
        expect("overlap_kmin_y", [](const EnumeratedIsing& c) { return c.mode(2, 1); });
        if (slot == 0) continue;
        expect("overlap_kmin_x", [](const EnumeratedIsing& c) { return c.mode(2, 0); });
        expect("magnetization_kmin", longest(1));
        expect("magnetization_kmin_x", [](const EnumeratedIsing& c) { return c.mode(1, 0); });
      }
    }
  }
  EXPECT_EQ(combinations_, 12);
  EXPECT_EQ(converged_, 12);
}

/// An odd open chain of any spins: bonds that do not know of one another.
TEST_F(StatisticsOfPrisms, OddOpenChains) {
  for (const auto& [type, n] : {std::pair{"model.n=2", 2}, {"model.n=3", 3}, {"model.n=5", 5}}) {
    const Simulated s =
        simulate(load({"model.type=on", type, "model.shape=7", "model.boundary=open", "model.couplings=ferromagnet",
                       "replicas.copies=2", "ladder.temperatures=0.4, 1", "protocol.overrelaxation=2"}));
    for (int slot = 0; slot < 2; ++slot) {
      const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
      const double energy = -6.0 / 7.0 * dimer_order(n, beta);
      expect_zero(
          s, slot, [energy](const std::vector<double>& x, std::uint32_t) { return x[O::energy] - energy; }, 1e-7, type);
    }
  }
  EXPECT_EQ(converged_, 3);
}

}}  // namespace glassworks::testing
