#include <gtest/gtest.h>

#include "tests/kernels/cluster/cluster_support.hpp"

/// Known values of Ising models under every update. Each comparison is a t-test with a false-alarm probability of 6e-5;
/// seeds are fixed.
namespace glassworks {
namespace {

using test::deviation;
using test::limit;
using test::O;

struct Exact {
  int L;
  double beta, e, c;
};
/// H = - sum s s' on an L x L torus: e and c = beta^2 var(E)/N by Kaufman's formula.
constexpr Exact torus[] = {{4, 0.440686793509772, -1.565623787638319, 0.783266825929},
                           {8, 0.440686793509772, -1.491589107439707, 1.145559239894},
                           {16, 0.440686793509772, -1.453064852813477, 1.498704959400},
                           {32, 0.4, -1.107291660977511, 0.885812501066},
                           {32, 0.5, -1.745564527034574, 0.724873978199}};

/// <e> and <e^2> = e^2 + c/(beta^2 N).
void expect_energies(const Chain& chain, const Disorder& disorder, const Exact& exact, int warm_up) {
  const test::RoundMeans means = test::simulate(chain, disorder, warm_up, test::rounds_per_check);
  const double N = static_cast<double>(chain.lattice.sites());
  EXPECT_LT(deviation(means.at(0, O::energy), exact.e), limit)
      << means.at(0, O::energy).mean() << " (" << means.at(0, O::energy).error() << ") " << exact.e;
  EXPECT_LT(deviation(means.at(0, O::energy_squared), exact.e * exact.e + exact.c / (exact.beta * exact.beta * N)),
            limit)
      << means.at(0, O::energy_squared).mean() << " (" << means.at(0, O::energy_squared).error() << ")";
}

struct Method {
  const char* name;
  ProtocolKind kind;
  int sweeps, heatbath;
};
constexpr Method methods[] = {{"SwendsenWang", ProtocolKind::swendsen_wang, 1, 0},
                              {"Wolff", ProtocolKind::wolff, 4, 0},
                              {"FewCluster", ProtocolKind::few_cluster, 1, 0},
                              {"HeatBath", ProtocolKind::local, 0, 2},
                              {"Mixed", ProtocolKind::swendsen_wang, 1, 1}};

class StatisticsOfTheTorus : public ::testing::TestWithParam<std::tuple<Method, Exact>> {};

TEST_P(StatisticsOfTheTorus, EnergyAndItsSquare) {
  const auto& [method, exact] = GetParam();
  if (method.kind == ProtocolKind::local && exact.L == 16) GTEST_SKIP() << "slow at criticality";
  Protocol protocol = test::protocol_of(method.kind, method.sweeps, method.heatbath);
  protocol.seed_tile = exact.L / 2;
  protocol.p_flip = 0.7;
  const Lattice lattice{2, exact.L};
  const Chain chain = test::cluster_chain(test::ising(), lattice, 1, {static_cast<float>(exact.beta)}, protocol,
                                          exact.L <= 8 ? 400 : (exact.L == 16 ? 200 : 100));
  expect_energies(chain, test::pure(lattice), exact, 3);
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Method, Exact>>& test) {
  const auto& [method, exact] = test.param;
  return std::string(method.name) + "L" + std::to_string(exact.L) + "Beta0p" +
         std::to_string(static_cast<int>(exact.beta * 100));
}

INSTANTIATE_TEST_SUITE_P(Updates, StatisticsOfTheTorus,
                         ::testing::Combine(::testing::ValuesIn(methods), ::testing::ValuesIn(torus)), name_of);

}  // namespace
}  // namespace glassworks
