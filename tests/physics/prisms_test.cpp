#include <algorithm>
#include <bit>

#include "tests/physics/corner_fixture.hpp"

/// Lattices with a length of their own along each axis, against all states of small samples.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 138 in 0.9 %, with fixed seeds once and for all.
namespace glassworks::testing {
namespace {

class StatisticsOfPrisms : public StatisticsOfCorners {};

/// <s_i s_j> of all pairs of Ising spins at one temperature: the weights of all states, transformed by Walsh and
/// Hadamard, have at the set {i, j} the sum of w s_i s_j.
class Correlations {
  struct Bond {
    std::size_t i, j, place;
  };

 public:
  Correlations(const Lattice& lattice, const std::vector<float>& couplings, double beta) : lattice_(lattice) {
    const auto N = static_cast<std::size_t>(lattice.sites());
    std::vector<double> w(std::size_t{1} << N);
    std::vector<std::vector<Bond>> of_site(N);
    for (const Bond& b : bonds()) {
      of_site[b.i].push_back(b);
      of_site[b.j].push_back({b.j, b.i, b.place});
      w[0] -= static_cast<double>(couplings[b.place]);
    }
    for (std::size_t s = 1; s < w.size(); ++s) {  // energies first: of the state without its lowest bit, and its turn
      const auto site = static_cast<std::size_t>(std::countr_zero(s));
      w[s] = w[s & (s - 1)];
      for (const Bond& b : of_site[site]) {
        w[s] += ((s >> b.j & 1U) == 0U ? 2.0 : -2.0) * static_cast<double>(couplings[b.place]);
      }
    }
    const double ground = *std::min_element(w.begin(), w.end());
    for (double& x : w) x = std::exp(-beta * (x - ground));
    for (std::size_t half = 1; half < w.size(); half *= 2) {
      for (std::size_t s = 0; s < w.size(); ++s) {
        if ((s & half) != 0U) continue;
        const double a = w[s], b = w[s | half];
        w[s] = a + b;
        w[s | half] = a - b;
      }
    }
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) of_pair_.push_back(i == j ? 1.0 : w[1U << i | 1U << j] / w[0]);
    }
    for (const auto& [i, j, bond] : bonds()) {
      energy_ -= static_cast<double>(couplings[bond]) * of_pair_[i * N + j] / static_cast<double>(N);
    }
  }

  [[nodiscard]] double energy() const { return energy_; }
  /// (1/N^2) sum_ij <s_i s_j>^power cos(k (x_i - x_j)), k = 2 pi/L_a along an axis; -1: k = 0. Powers 1: of m, 2: of q.
  [[nodiscard]] double mode(int power, int axis) const {
    const auto N = static_cast<std::size_t>(lattice_.sites());
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        double angle = 0.0;
        if (axis >= 0) {
          const auto a = static_cast<std::size_t>(axis);
          const int x = lattice_.coordinates(static_cast<std::int64_t>(i))[a],
                    y = lattice_.coordinates(static_cast<std::int64_t>(j))[a];
          angle = 2.0 * std::numbers::pi * (x - y) / lattice_.length(axis);
        }
        sum += std::pow(of_pair_[i * N + j], power) * std::cos(angle);
      }
    }
    return sum / static_cast<double>(N * N);
  }

 private:
  [[nodiscard]] std::vector<Bond> bonds() const {
    std::vector<Bond> list;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        if (!lattice_.has_bond(lattice_.coordinates(i), axis, +1)) continue;
        list.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(lattice_.neighbour(i, axis, +1)),
                        static_cast<std::size_t>(i * lattice_.dim + axis)});
      }
    }
    return list;
  }

  Lattice lattice_;
  std::vector<double> of_pair_;  ///< [i][j]
  double energy_ = 0.0;
};

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
    std::vector<Correlations> of_slot[2];  // of the realizations
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
        std::vector<Correlations>& exact = of_slot[slot];
        for (const Disorder& disorder : s.disorder) {
          if (exact.size() == s.disorder.size()) break;
          const float beta = s.chain.beta[static_cast<std::size_t>(slot)];
          exact.emplace_back(lattice, disorder.couplings, static_cast<double>(beta));
        }
        const auto expect = [&](const std::string& name, const auto& value) {
          std::vector<double> values;
          for (const Correlations& c : exact) values.push_back(value(c));
          expect_of_realizations(s, slot, name, values, 1e-7, what);
        };
        const auto longest = [&](int power) {
          return [&lattice, power](const Correlations& c) {
            double sum = 0.0, axes = 0.0;
            for (int axis = 0; axis < lattice.dim; ++axis) {
              if (lattice.length(axis) != lattice.L) continue;
              sum += c.mode(power, axis);
              axes += 1.0;
            }
            return sum / axes;
          };
        };
        expect("energy", [](const Correlations& c) { return c.energy(); });
        expect("overlap_2", [](const Correlations& c) { return c.mode(2, -1); });
        expect("overlap_kmin", longest(2));
        expect("overlap_kmin_y", [](const Correlations& c) { return c.mode(2, 1); });
        if (slot == 0) continue;
        expect("overlap_kmin_x", [](const Correlations& c) { return c.mode(2, 0); });
        expect("magnetization_kmin", longest(1));
        expect("magnetization_kmin_x", [](const Correlations& c) { return c.mode(1, 0); });
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

}  // namespace
}  // namespace glassworks::testing
