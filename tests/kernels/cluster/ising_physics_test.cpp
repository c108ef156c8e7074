#include <gtest/gtest.h>

#include "tests/enough.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Known values of Ising and Potts models under every update. Each comparison has a false-alarm probability of 6e-5;
/// seeds are fixed.
namespace glassworks { namespace {

using test::agrees;
using test::Means;
using test::Method;
using test::O;
using test::protocol_of;

constexpr Method methods[] = {{"SwendsenWang", ProtocolKind::swendsen_wang, 1, 0},
                              {"Wolff", ProtocolKind::wolff, 4, 0},
                              {"FewCluster", ProtocolKind::few_cluster, 1, 0},
                              {"HeatBath", ProtocolKind::local, 0, 2},
                              {"Mixed", ProtocolKind::swendsen_wang, 1, 1}};

class StatisticsOfDiscreteSpins : public ::testing::TestWithParam<Method> {};

/// H = - sum s s' on an L x L torus: e and c = beta^2 var(E)/N by Kaufman's formula.
TEST_P(StatisticsOfDiscreteSpins, EnergyAndSpecificHeatOfTheTorus) {
  struct {
    int L;
    double beta, e, c;
    int measurements;
  } const exact[] = {{4, 0.440686793509772, -1.565623787638319, 0.783266825929, 500},
                     {8, 0.440686793509772, -1.491589107439707, 1.145559239894, 500},
                     {16, 0.440686793509772, -1.453064852813477, 1.498704959400, 500},
                     {32, 0.4, -1.107291660977511, 0.885812501066, 200},
                     {32, 0.5, -1.745564527034574, 0.724873978199, 200}};
  for (const auto& x : exact) {
    if (GetParam().kind == ProtocolKind::local && x.L == 16) continue;  // slow at criticality
    const Lattice lattice{2, x.L};
    const Chain chain = test::cluster_chain(test::ising(), lattice, 1, {static_cast<float>(x.beta)},
                                            protocol_of(GetParam(), x.L), x.measurements);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 3);
    const auto sites = static_cast<double>(lattice.sites());
    EXPECT_TRUE(agrees(rounds, 0, O::energy, x.e)) << "L " << x.L << " beta " << x.beta;
    EXPECT_TRUE(agrees(
        rounds, 0, [&](const Means& m) { return test::specific_heat(m, x.beta, sites); }, x.c))
        << "L " << x.L << " beta " << x.beta;
  }
}

/// H = - sum delta on 4 x 4 by enumeration.
TEST_P(StatisticsOfDiscreteSpins, PottsModelByEnumeration) {
  struct {
    int q;
    double beta, e, c, m2;
  } const exact[] = {{2, 0.881373587019543, -1.78281189381916, 0.783266825929, 0.76135890856867},
                     {3, 1.005052538742381, -1.71006227550480, 1.511881241902, 0.76279443146748},
                     {4, 1.098612288668110, -1.68086888838771, 2.177977739168, 0.76925379975377}};
  const Lattice lattice{2, 4};
  for (const auto& x : exact) {
    const Chain chain = test::cluster_chain(test::potts(x.q), lattice, 1, {static_cast<float>(x.beta)},
                                            protocol_of(GetParam(), 4), 500);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 1);
    EXPECT_TRUE(agrees(rounds, 0, O::energy, x.e)) << "q " << x.q;
    EXPECT_TRUE(agrees(
        rounds, 0, [&](const Means& m) { return test::specific_heat(m, x.beta, 16.0); }, x.c))
        << "q " << x.q;
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_2, x.m2)) << "q " << x.q;
    EXPECT_EQ(rounds.mean[0][O::modulus_2], 1.0);
  }
}

/// 4^3 by enumeration.
TEST_P(StatisticsOfDiscreteSpins, ThreeDimensionalIsingByEnumeration) {
  struct {
    double beta, e, c, m2, ratio;
  } const exact[] = {{0.1, -0.316618840679, 0.0356373322, 0.034036723944, 2.8753197876},
                     {0.221654626, -1.293227940896, 0.9775346551, 0.331217164183, 1.5156296498},
                     {0.3, -2.515073462812, 0.6760324578, 0.826607796000, 1.0253190795}};
  const Lattice lattice{3, 4};
  for (const auto& x : exact) {
    if (GetParam().kind == ProtocolKind::local && x.beta > 0.25) continue;  // the sign of m hardly changes
    const Chain chain =
        test::cluster_chain(test::ising(), lattice, 1, {static_cast<float>(x.beta)}, protocol_of(GetParam(), 4), 300);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 2);
    EXPECT_TRUE(agrees(rounds, 0, O::energy, x.e)) << x.beta;
    EXPECT_TRUE(agrees(
        rounds, 0, [&](const Means& m) { return test::specific_heat(m, x.beta, 64.0); }, x.c))
        << x.beta;
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_2, x.m2)) << x.beta;
    EXPECT_TRUE(agrees(rounds, 0, test::fourth_moment_ratio, x.ratio)) << x.beta;
  }
}

INSTANTIATE_TEST_SUITE_P(Updates, StatisticsOfDiscreteSpins, ::testing::ValuesIn(methods),
                         [](const auto& test) { return test.param.name; });

/// J = +-1 on 4 x 4, three temperatures: e, <m^2>, and for two copies <q^2> = (1/N^2) sum <s_i s_j>^2 and the link
/// overlap, which two copies give without a bias because they are independent.
struct Enumeration {
  double e = 0.0, c = 0.0, m2 = 0.0, q2 = 0.0, link = 0.0;
};
Enumeration enumerate(const Lattice& lattice, const Disorder& disorder, double beta) {
  const auto N = static_cast<std::size_t>(lattice.sites());
  double Z = 0.0, e = 0.0, e2 = 0.0, m2 = 0.0;
  std::vector<double> pair(N * N, 0.0);
  const double shift = -static_cast<double>(lattice.bonds());
  for (std::uint32_t s = 0; s < (1U << N); ++s) {
    const auto spin = [s](std::size_t i) { return ((s >> i) & 1U) != 0U ? 1.0 : -1.0; };
    double E = 0.0, M = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
      M += spin(i);
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const auto j = static_cast<std::size_t>(lattice.neighbour(static_cast<std::int64_t>(i), axis, +1));
        E -= disorder.couplings[i * static_cast<std::size_t>(lattice.dim) + static_cast<std::size_t>(axis)] * spin(i) *
             spin(j);
      }
    }
    const double w = std::exp(-beta * (E - shift));
    Z += w;
    e += w * E;
    e2 += w * E * E;
    m2 += w * M * M;
    if (s >= (1U << (N - 1))) continue;  // the pairs are even under reversal
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < i; ++j) pair[i * N + j] += 2.0 * w * spin(i) * spin(j);
    }
  }
  const auto n = static_cast<double>(N);
  Enumeration x{e / Z / n, beta * beta * (e2 / Z - e / Z * (e / Z)) / n, m2 / Z / (n * n), 1.0 / n, 0.0};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < i; ++j) x.q2 += 2.0 * (pair[i * N + j] / Z) * (pair[i * N + j] / Z) / (n * n);
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const auto j = static_cast<std::size_t>(lattice.neighbour(static_cast<std::int64_t>(i), axis, +1));
      const double c = pair[std::max(i, j) * N + std::min(i, j)] / Z;
      x.link += c * c / static_cast<double>(lattice.bonds());
    }
  }
  return x;
}

struct DisorderedCase {
  const char* name;
  ProtocolKind kind;
  int sweeps, heatbath, isoenergetic;
  bool gaussian;
};

class StatisticsOfSpinGlasses : public ::testing::TestWithParam<DisorderedCase> {};

TEST_P(StatisticsOfSpinGlasses, AgreeWithEnumeration) {
  const Lattice lattice{2, 4};
  const DisorderedCase& x = GetParam();
  const Disorder disorder = x.gaussian ? test::gaussian_disorder(lattice, 5) : test::bimodal(lattice, 11);
  Protocol protocol = protocol_of(x.kind, x.sweeps, x.heatbath);
  protocol.isoenergetic = x.isoenergetic;
  protocol.seed_tile = 2;
  const Chain chain = test::cluster_chain(test::ising(), lattice, 2, test::geometric_betas(3, 0.7, 1.8), protocol, 400);
  const test::Rounds rounds = test::simulate(chain, disorder, 2);
  for (int slot = 0; slot < chain.slots(); ++slot) {
    const Enumeration exact = enumerate(lattice, disorder, chain.beta[static_cast<std::size_t>(slot)]);
    const BinLayout layout(chain);
    EXPECT_TRUE(agrees(rounds, slot, O::energy, exact.e)) << slot;
    EXPECT_TRUE(agrees(rounds, slot, layout.at(BinQuantity::energy_of_copy, 1), exact.e)) << slot;
    EXPECT_TRUE(agrees(rounds, slot, O::magnetization_2, exact.m2)) << slot;
    EXPECT_TRUE(agrees(rounds, slot, layout[BinQuantity::overlap_2], exact.q2)) << slot;
    EXPECT_TRUE(agrees(rounds, slot, layout[BinQuantity::link_overlap], exact.link)) << slot;
  }
}

INSTANTIATE_TEST_SUITE_P(Updates, StatisticsOfSpinGlasses,
                         ::testing::Values(DisorderedCase{"SwendsenWang", ProtocolKind::swendsen_wang, 1, 0, 0, false},
                                           DisorderedCase{"HeatBath", ProtocolKind::local, 0, 1, 0, false},
                                           DisorderedCase{"Isoenergetic", ProtocolKind::local, 0, 1, 1, false},
                                           DisorderedCase{"GaussianWolff", ProtocolKind::wolff, 2, 0, 0, true},
                                           DisorderedCase{"GaussianFewCluster", ProtocolKind::few_cluster, 1, 0, 0,
                                                          true},
                                           DisorderedCase{"GaussianMixed", ProtocolKind::swendsen_wang, 1, 1, 1, true}),
                         [](const auto& test) { return test.param.name; });

/// Heat baths on both sides of clusters and of moves between copies: what the short form cannot write.
TEST(StatisticsOfMoves, AgreeWithEnumeration) {
  const Lattice lattice{2, 4};
  Protocol protocol{.exchanges_per_measurement = 1};
  set_moves(protocol, {{MoveRule::heat_bath, 1},
                       {MoveRule::swendsen_wang, 1},
                       {MoveRule::isoenergetic, 1},
                       {MoveRule::heat_bath, 1},
                       {MoveRule::isoenergetic, 1}});
  const Chain chain = test::cluster_chain(test::ising(), lattice, 2, test::geometric_betas(3, 1.2, 3.0), protocol,
                                          test::enough(150, 400));
  const BinLayout layout(chain);
  for (const bool pure : {true, false}) {
    const Disorder disorder = pure ? test::pure(lattice) : test::bimodal(lattice, 11);
    const test::Rounds rounds = test::simulate(chain, disorder, 2);
    for (int slot = 0; slot < chain.slots(); ++slot) {
      const Enumeration exact = enumerate(lattice, disorder, chain.beta[static_cast<std::size_t>(slot)]);
      EXPECT_TRUE(agrees(rounds, slot, O::energy, exact.e)) << slot;
      EXPECT_TRUE(agrees(rounds, slot, O::magnetization_2, exact.m2)) << slot;
      if (pure) {
        EXPECT_TRUE(agrees(rounds, slot, O::improved_m2, exact.m2)) << slot;
      }
      EXPECT_TRUE(agrees(rounds, slot, layout[BinQuantity::overlap_2], exact.q2)) << slot;
      EXPECT_TRUE(agrees(rounds, slot, layout[BinQuantity::link_overlap], exact.link)) << slot;
    }
  }
}

/// A decomposition belongs to the slot in which its update was done, not to the one where the exchange took the
/// replica.
TEST(StatisticsOfLadders, ImprovedEstimatorsBelongToTheSlotOfTheirUpdate) {
  const Lattice lattice{2, 4};
  const Disorder disorder = test::pure(lattice);
  const Chain chain = test::cluster_chain(test::ising(), lattice, 1, test::geometric_betas(3, 1.8, 4.0),
                                          protocol_of(ProtocolKind::swendsen_wang, 1), 600);
  const test::Rounds rounds = test::simulate(chain, disorder, 1);
  for (int slot = 0; slot < chain.slots(); ++slot) {
    const Enumeration exact = enumerate(lattice, disorder, chain.beta[static_cast<std::size_t>(slot)]);
    EXPECT_TRUE(agrees(rounds, slot, O::magnetization_2, exact.m2)) << slot;
    EXPECT_TRUE(agrees(rounds, slot, O::improved_m2, exact.m2)) << slot;
  }
}

/// tau_int of the energy, 1/2 + sum rho(t), at beta_c: 3.249(21) and 4.899(54) sweeps by independent code. The exact
/// mean and variance leave no bias; beyond t = 40, rho adds less than 0.003.
TEST(StatisticsOfSwendsenWang, AutocorrelationTimeOfTheEnergy) {
  constexpr double beta = 0.440686793509772;
  struct {
    int L;
    double e, c, tau, tau_error;
    std::size_t measurements;
    double largest_error;
  } const known[] = {{16, -1.453064852813477, 1.498704959400, 3.249, 0.021, 4000, 0.1},
                     {64, -1.423938389833011, 2.192211393141, 4.899, 0.054, 800, 0.4}};
  for (const auto& x : known) {
    if (x.L > test::enough(16, 64)) continue;
    const Lattice lattice{2, x.L};
    const double variance = x.c / (beta * beta * static_cast<double>(lattice.sites()));
    Chain chain =
        test::cluster_chain(test::ising(), lattice, 1, {static_cast<float>(beta)},
                            test::protocol_of(ProtocolKind::swendsen_wang, 1), static_cast<int>(x.measurements));
    chain.samples = chain.measurements;
    const auto backend = test::fast_backend();
    const Disorder disorder = test::pure(lattice);
    ChainState state = initial_state(chain, 0);
    const auto quantities = static_cast<std::size_t>(BinLayout(chain).size());
    test::Mean tau;
    for (int round = 0; round < 1 + test::rounds_per_check; ++round) {
      const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
      if (round == 0) continue;
      double sum = 0.5;
      const auto deviation = [&](std::size_t i) { return record.samples[i * quantities + O::energy] - x.e; };
      for (std::size_t t = 1; t <= 40; ++t) {
        double product = 0.0;
        for (std::size_t i = 0; i + t < x.measurements; ++i) product += deviation(i) * deviation(i + t);
        sum += product / static_cast<double>(x.measurements - t) / variance;
      }
      tau.add(sum);
    }
    EXPECT_LT(std::abs(tau.mean() - x.tau), test::limit * std::hypot(tau.error(), x.tau_error))
        << "L " << x.L << ": " << tau.mean() << " (" << tau.error() << ")";
    EXPECT_LT(tau.error(), x.largest_error) << "L " << x.L;
  }
}

}}  // namespace glassworks
