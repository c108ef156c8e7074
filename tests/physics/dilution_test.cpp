#include "tests/physics/corner_fixture.hpp"

/// Site-diluted samples against exact values.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 74 in 0.5 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

class StatisticsOfDilution : public StatisticsOfCorners {
 protected:
  void expect(const Simulated& s, int slot, const char* observable, const std::vector<double>& exact,
              const std::string& what) {
    expect_of_realizations(s, slot, observable, exact, 1e-6, what);
  }
};

/// <s_i s_j> of the spins that are there, 0 of the others, from all of their states.
std::vector<double> diluted_correlations(const Lattice& lattice, const Disorder& disorder, double beta) {
  const std::int64_t N = lattice.sites();
  std::vector<std::int64_t> there;
  for (std::int64_t i = 0; i < N; ++i) {
    if (!disorder.is_absent(i)) there.push_back(i);
  }
  std::vector<double> c(static_cast<std::size_t>(N * N), 0.0), s(static_cast<std::size_t>(N), 0.0);
  double Z = 0.0;
  for (std::uint32_t state = 0; state < 1U << there.size(); ++state) {
    for (std::size_t k = 0; k < there.size(); ++k) {
      s[static_cast<std::size_t>(there[k])] = (state >> k & 1U) != 0U ? 1.0 : -1.0;
    }
    double E = 0.0;
    for (std::int64_t i = 0; i < N; ++i) {
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        E -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(i * lattice.owned() + bond)]) *
             s[static_cast<std::size_t>(i)] * s[static_cast<std::size_t>(lattice.neighbour(i, bond, +1))];
      }
    }
    const double w = std::exp(-beta * E);
    Z += w;
    for (const std::int64_t i : there) {
      for (const std::int64_t j : there) {
        c[static_cast<std::size_t>(i * N + j)] += w * s[static_cast<std::size_t>(i)] * s[static_cast<std::size_t>(j)];
      }
    }
  }
  for (double& x : c) x /= Z;
  return c;
}

/// A square lattice that lacks a third of its 16 sites; sums are divided by the 16 sites and 32 bonds.
TEST_F(StatisticsOfDilution, IsingSpinsByEnumeration) {
  for (const char* couplings : {"gaussian", "bimodal", "ferromagnet"}) {
    const Simulated s = simulate(load({"model.type=ising", fmt::format("model.couplings={}", couplings), "model.dim=2",
                                       "model.L=4", "model.site_dilution=0.33", "disorder.realizations=40",
                                       "replicas.copies=2", "ladder.temperatures=0.8, 1.5", "protocol.heatbath=2"}));
    const Lattice& lattice = s.chain.lattice;
    for (int slot = 0; slot < 2; ++slot) {
      const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
      std::vector<double> energy, m_2, m_kmin, q_2, q_kmin, link;
      for (const Disorder& disorder : s.disorder) {
        const std::vector<double> c = diluted_correlations(lattice, disorder, beta);
        for (auto* x : {&energy, &m_2, &m_kmin, &q_2, &q_kmin, &link}) x->push_back(0.0);
        for (std::int64_t i = 0; i < 16; ++i) {
          for (std::int64_t j = 0; j < 16; ++j) {
            const double of_pair = c[static_cast<std::size_t>(16 * i + j)] / 256.0;
            double wave = 0.0;
            for (std::size_t a = 0; a < 2; ++a) {
              const int distance = lattice.coordinates(i)[a] - lattice.coordinates(j)[a];
              wave += 0.5 * std::cos(2.0 * std::numbers::pi * distance / 4.0);
            }
            m_2.back() += of_pair;
            m_kmin.back() += of_pair * wave;
            q_2.back() += 256.0 * of_pair * of_pair;
            q_kmin.back() += 256.0 * of_pair * of_pair * wave;
          }
          for (int bond = 0; bond < 2; ++bond) {
            const double of_bond = c[static_cast<std::size_t>(16 * i + lattice.neighbour(i, bond, +1))];
            energy.back() -=
                static_cast<double>(disorder.couplings[static_cast<std::size_t>(2 * i + bond)]) * of_bond / 16.0;
            link.back() += of_bond * of_bond / 32.0;
          }
        }
      }
      expect(s, slot, "energy", energy, couplings);
      expect(s, slot, "magnetization_2", m_2, couplings);
      expect(s, slot, "magnetization_kmin", m_kmin, couplings);
      expect(s, slot, "overlap_2", q_2, couplings);
      expect(s, slot, "overlap_kmin", q_kmin, couplings);
      expect(s, slot, "link_overlap", link, couplings);
    }
  }
  EXPECT_EQ(converged_, 3);
}

/// What is left of a ring is chains and single spins: <s_i.s_j> is the product of A(beta J) over the bonds between
/// them, 1 for i = j. The sums over all components of m and of q^{mu nu} follow.
TEST_F(StatisticsOfDilution, PiecesOfARing) {
  constexpr std::size_t N = 12;
  struct {
    std::vector<std::string> keys;
    int n;
    const char* nematic;
  } const models[] = {{{}, 3, "q_s"},
                      {{"model.type=ising"}, 1, nullptr},
                      {{"model.type=xy", "round.observables=bond_nematic"}, 2, "bond_nematic"},
                      {{"model.type=on", "model.n=5", "round.observables=bond_nematic"}, 5, "bond_nematic"}};
  for (const auto& model : models) {
    std::vector<std::string> keys = {"model.dim=1", "model.L=12", "model.site_dilution=0.35",
                                     "ladder.temperatures=0.4, 1.2", "protocol.heatbath=3"};
    keys.insert(keys.end(), model.keys.begin(), model.keys.end());
    const Simulated s = simulate(load(keys));
    const std::string what = fmt::format("{}", fmt::join(keys, " "));
    for (int slot = 0; slot < 2; ++slot) {
      const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
      std::vector<double> energy, m_2, q_2, link, nematic;
      for (const Disorder& disorder : s.disorder) {
        ASSERT_NE(std::ranges::find(disorder.absent, 1), disorder.absent.end()) << "a whole ring";
        for (auto* x : {&energy, &m_2, &q_2, &link, &nematic}) x->push_back(0.0);
        for (std::size_t i = 0; i < N; ++i) {
          if (disorder.absent[i] != 0) continue;
          m_2.back() += 1.0 / static_cast<double>(N * N);
          q_2.back() += 1.0 / static_cast<double>(N * N);
          double c = 1.0;  // from i onwards
          for (std::size_t j = i; c != 0.0; ++j) {
            const double x = beta * static_cast<double>(disorder.couplings[j % N]);
            const double order = dimer_order(model.n, x);
            c *= order;
            m_2.back() += 2.0 * c / static_cast<double>(N * N);
            q_2.back() += 2.0 * c * c / static_cast<double>(N * N);
            if (j > i || x == 0.0) continue;
            energy.back() -= x / beta * order / N;
            link.back() += order * order / N;
            nematic.back() += (1.0 - (model.n - 1) * order / x) / N;
          }
        }
      }
      expect(s, slot, "energy", energy, what);
      expect(s, slot, "magnetization_2", m_2, what);
      expect(s, slot, "overlap_2", q_2, what);
      expect(s, slot, "link_overlap", link, what);
      if (model.nematic != nullptr) expect(s, slot, model.nematic, nematic, what);
    }
  }
  EXPECT_EQ(converged_, 4);
  EXPECT_EQ(comparisons_, 38);
}

}}  // namespace glassworks::testing
