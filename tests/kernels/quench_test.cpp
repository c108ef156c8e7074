#include "kernels/ground/quench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/kernels/graph_cases.hpp"

namespace glassworks { namespace {

struct System {
  SpinModel model;
  Lattice lattice;
  Disorder disorder;
};

/// Normal couplings, and normal fields of this strength.
System glass(const SpinModel& model, const Lattice& lattice, double field, unsigned seed) {
  System system{model, lattice, {}};
  std::mt19937 source(seed);
  std::normal_distribution<float> normal;
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const bool there = lattice.has_bond(lattice.coordinates(site), bond, +1);
      const float J = model.kind == ModelKind::potts ? std::abs(normal(source)) : normal(source);
      system.disorder.couplings.push_back(there ? J : 0.0F);
    }
  }
  if (field > 0.0) {
    for (std::int64_t i = 0; i < lattice.sites() * components_of(model); ++i) {
      system.disorder.fields.push_back(static_cast<float>(field) * normal(source));
    }
  }
  return system;
}

/// A descent from random spins.
QuenchEnd descend(Quench& quench, const System& system, unsigned seed) {
  std::mt19937 source(seed);
  const auto sites = static_cast<std::size_t>(system.lattice.sites());
  if (system.model.is_discrete()) {
    std::vector<std::uint8_t> states(sites);
    for (std::uint8_t& s : states) s = static_cast<std::uint8_t>(source() % static_cast<unsigned>(system.model.states));
    return quench.run({}, states);
  }
  const auto n = static_cast<std::size_t>(components_of(system.model));
  std::normal_distribution<float> normal;
  std::vector<float> spins(sites * n);
  for (std::size_t i = 0; i < sites; ++i) {
    float square = 0.0F;
    for (std::size_t k = 0; k < n; ++k) {
      spins[k * sites + i] = normal(source);
      square += spins[k * sites + i] * spins[k * sites + i];
    }
    for (std::size_t k = 0; k < n; ++k) spins[k * sites + i] /= std::sqrt(square);
  }
  return quench.run(spins, {});
}

/// - sum_<ij> J x_ij - sum_i H_i.s_i of a pair term x, from the lattice's own bonds.
template <class Term>
double energy_of(const System& system, const std::vector<double>& spins, const Term& term) {
  double sum = 0.0;
  const Lattice& lattice = system.lattice;
  const int n = components_of(system.model);
  const auto at = [&](std::int64_t site) { return spins.data() + site * n; };
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const float J = system.disorder.couplings[static_cast<std::size_t>(site * lattice.owned() + bond)];
      sum -= static_cast<double>(J) * term(at(site), at(lattice.neighbour(site, bond, +1)));
    }
    for (int k = 0; k < n && system.disorder.has_fields(); ++k) {
      sum -= static_cast<double>(system.disorder.fields[static_cast<std::size_t>(site * n + k)]) * at(site)[k];
    }
  }
  return sum;
}

SpinModel vectors(int n) { return {ModelKind::on, 2, n}; }

/// In an open chain every bond can be satisfied, so the only minimum is - sum |J|.
TEST(Quench, OpenChainsOfVectorsReachTheirGroundState) {
  for (const int n : {2, 3, 4, 5, 8}) {
    const System system = glass(vectors(n), {1, 24, 1U}, 0.0, 7U + static_cast<unsigned>(n));
    double expected = 0.0;
    for (const float J : system.disorder.couplings) expected -= static_cast<double>(std::abs(J));
    Quench quench(system.model, system.lattice, system.disorder);
    const QuenchEnd end = descend(quench, system, 3);
    EXPECT_TRUE(end.settled) << n;
    EXPECT_NEAR(end.energy, expected, 1e-12 * std::abs(expected)) << n;
  }
}

TEST(Quench, VectorsEndAlongTheirFields) {
  for (const int n : {2, 3, 4, 7}) {
    for (const double field : {0.0, 0.3}) {
      const System system = glass(vectors(n), {3, 4}, field, 11);
      Quench quench(system.model, system.lattice, system.disorder);
      const QuenchEnd end = descend(quench, system, 5);
      ASSERT_TRUE(end.settled);
      const std::vector<double>& s = quench.spins();
      const auto scalar = [n](const double* a, const double* b) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) sum += a[k] * b[k];
        return sum;
      };
      EXPECT_NEAR(end.energy, energy_of(system, s, scalar), 1e-10);
      // Small rotations of one spin cost energy to second order alone.
      std::vector<double> turned = s;
      for (const int site : {0, 17, 42}) {
        for (const double angle : {1e-3, -1e-3}) {
          double* const t = &turned[static_cast<std::size_t>(site * n)];
          const double a = t[0], b = t[1];
          t[0] = std::cos(angle) * a - std::sin(angle) * b;
          t[1] = std::sin(angle) * a + std::cos(angle) * b;
          EXPECT_GT(energy_of(system, turned, scalar), end.energy - 1e-11) << n << ", site " << site;
          t[0] = a;
          t[1] = b;
        }
      }
    }
  }
}

/// All 2^16 states of a 4 x 4 Ising glass: descents end where no single spin lowers the energy, and the lowest of a few
/// hundred is the ground state.
TEST(Quench, IsingSpinsAgainstEnumeration) {
  const SpinModel ising{ModelKind::ising, 2, 1};
  for (const double field : {0.0, 0.5}) {
    const System system = glass(ising, {2, 4}, field, 21);
    const auto product = [](const double* a, const double* b) { return *a * *b; };
    double ground = 0.0;
    std::vector<double> s(16);
    for (unsigned state = 0; state < 1U << 16; ++state) {
      for (unsigned i = 0; i < 16; ++i) s[i] = (state >> i & 1U) != 0U ? 1.0 : -1.0;
      ground = std::min(ground, energy_of(system, s, product));
    }
    Quench quench(system.model, system.lattice, system.disorder);
    double lowest = 0.0;
    for (unsigned start = 0; start < 300; ++start) {
      const QuenchEnd end = descend(quench, system, start);
      lowest = std::min(lowest, end.energy);
      std::vector<double> flipped = quench.spins();
      EXPECT_NEAR(energy_of(system, flipped, product), end.energy, 1e-12);
      for (double& spin : flipped) {
        spin = -spin;
        EXPECT_GE(energy_of(system, flipped, product), end.energy - 1e-12);
        spin = -spin;
      }
    }
    EXPECT_NEAR(lowest, ground, 1e-12);
  }
}

TEST(Quench, PottsSpinsTakeTheirBestStates) {
  const SpinModel potts{ModelKind::potts, 3, 1};
  const System system = glass(potts, {2, 4}, 0.0, 31);
  Quench quench(system.model, system.lattice, system.disorder);
  const auto equal = [](const double* a, const double* b) { return *a == *b ? 1.0 : 0.0; };
  double satisfied = 0.0;
  for (const float J : system.disorder.couplings) satisfied -= static_cast<double>(J);
  double lowest = 0.0;
  for (unsigned start = 0; start < 50; ++start) {
    const QuenchEnd end = descend(quench, system, start);
    std::vector<double> changed = quench.spins();
    EXPECT_NEAR(energy_of(system, changed, equal), end.energy, 1e-12);
    for (double& spin : changed) {
      const double before = spin;
      for (const double other : {0.0, 1.0, 2.0}) {
        spin = other;
        EXPECT_GE(energy_of(system, changed, equal), end.energy - 1e-12);
      }
      spin = before;
    }
    lowest = std::min(lowest, end.energy);
  }
  EXPECT_NEAR(lowest, satisfied, 1e-12) << "no coupling is frustrated, and half of the starts find that";
}

/// Bonds, terms of three to five spins and fields: the lowest of a few hundred descents is the lowest of all states.
TEST(Quench, TermsOfSpinsAgainstEnumeration) {
  const test::GraphCase graph = test::graph_case("mixed", test::mixed_terms(12, 14, 5, 3));
  const SpinModel ising{ModelKind::ising, 2, 1};
  const Disorder disorder = test::graph_disorder(graph, ising, test::GraphCouplings::gaussian, 4, 0.3);
  const auto energy = [&](const std::vector<double>& s) {
    double sum = 0.0;
    std::size_t place = 0;
    for (const GraphBond& bond : graph.graph->bonds()) {
      sum -= static_cast<double>(disorder.couplings[place++]) * s[static_cast<std::size_t>(bond.a)] *
             s[static_cast<std::size_t>(bond.b)];
    }
    for (std::int64_t t = 0; t < graph.graph->terms().size(); ++t) {
      double product = 1.0;
      for (const std::int32_t i : graph.graph->terms()[t]) product *= s[static_cast<std::size_t>(i)];
      sum -= static_cast<double>(disorder.couplings[place++]) * product;
    }
    for (std::size_t i = 0; i < 12; ++i) sum -= static_cast<double>(disorder.fields[i]) * s[i];
    return sum;
  };
  double ground = 0.0, lowest = 0.0;
  for (unsigned state = 0; state < 1U << 12; ++state) {
    std::vector<double> s(12);
    for (unsigned i = 0; i < 12; ++i) s[i] = (state >> i & 1U) != 0U ? 1.0 : -1.0;
    ground = std::min(ground, energy(s));
  }
  Quench quench(ising, graph.lattice, disorder);
  std::mt19937 source(5);
  for (int start = 0; start < 300; ++start) {
    std::vector<std::uint8_t> states(12);
    for (std::uint8_t& s : states) s = static_cast<std::uint8_t>(source() % 2);
    const QuenchEnd end = quench.run({}, states);
    ASSERT_TRUE(end.settled);
    ASSERT_NEAR(end.energy, energy(quench.spins()), 1e-10);
    lowest = std::min(lowest, end.energy);
    std::vector<double> turned = quench.spins();
    for (double& s : turned) {
      s = -s;
      ASSERT_GE(energy(turned), end.energy - 1e-10);
      s = -s;
    }
  }
  EXPECT_NEAR(lowest, ground, 1e-10);
}

}}  // namespace glassworks
