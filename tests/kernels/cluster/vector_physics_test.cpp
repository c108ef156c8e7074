#include <gtest/gtest.h>

#include "tests/kernels/cluster/cluster_support.hpp"

/// Known values of O(n) models and phi^4 under every update. Each comparison has a false-alarm probability of 6e-5;
/// seeds are fixed.
namespace glassworks { namespace {

using test::agrees;
using test::Means;
using test::Method;
using test::O;
using test::protocol_of;

constexpr Method vector_methods[] = {{"SwendsenWang", ProtocolKind::swendsen_wang, 1, 0},
                                     {"Wolff", ProtocolKind::wolff, 3, 0},
                                     {"FewCluster", ProtocolKind::few_cluster, 1, 0},
                                     {"Local", ProtocolKind::local, 0, 2},
                                     {"Mixed", ProtocolKind::swendsen_wang, 1, 1}};

class StatisticsOfVectors : public ::testing::TestWithParam<Method> {};

/// Energy of a closed chain of N unit vectors by the expansion of exp(beta s.s') in harmonics of the sphere:
/// Z ~ sum_l d_l lambda_l^N. The product of the couplings' signs decides whether odd l count with -1.
double closed_chain_energy(int n, int N, double beta, bool frustrated) {
  const auto log_Z = [&](double b) {
    double Z = 0.0;
    const double scale = std::cyl_bessel_i(0.5 * n - 1.0, b);  // of l = 0
    for (int l = 0; l < 40; ++l) {
      const double degeneracy = n == 2 ? (l == 0 ? 1.0 : 2.0) : n == 3 ? 2.0 * l + 1.0 : (l + 1.0) * (l + 1.0);
      const double ratio = std::cyl_bessel_i(0.5 * n - 1.0 + l, b) / scale;
      Z += (frustrated && l % 2 == 1 ? -1.0 : 1.0) * degeneracy * std::pow(ratio, N);
    }
    // exp(b cos) on the sphere: lambda_0 ~ I_{n/2-1}(b) b^{1-n/2}
    return std::log(Z) + N * (std::log(scale) + (1.0 - 0.5 * n) * std::log(b));
  };
  const double h = 1e-4;
  return -(log_Z(beta + h) - log_Z(beta - h)) / (2.0 * h) / N;
}

TEST_P(StatisticsOfVectors, ClosedChains) {
  const Lattice lattice{1, 8};
  for (const int n : {2, 3, 4}) {
    for (const bool frustrated : {false, true}) {
      for (const float beta : {0.5F, 2.0F, 6.0F}) {
        std::vector<float> J(8, 1.0F);
        if (frustrated) J[2] = J[3] = J[6] = -1.0F;
        const Chain chain =
            test::cluster_chain(test::on(n), lattice, 1, {beta}, protocol_of(GetParam(), lattice.L), 250);
        const test::Rounds rounds = test::simulate(chain, test::with_scale(lattice, J), 1);
        EXPECT_TRUE(agrees(rounds, 0, O::energy, closed_chain_energy(n, 8, beta, frustrated)))
            << "n " << n << " beta " << beta << " frustrated " << frustrated;
      }
    }
  }
}

struct Ferromagnet {
  int n, dim, L;
  double beta, e, e_error, m2, m2_error, ratio, ratio_error, xi, xi_error;
};
/// Values with errors of independent cluster Monte Carlo.
TEST_P(StatisticsOfVectors, Ferromagnets) {
  constexpr Ferromagnet known[] = {
      {3, 3, 8, 0.693003, -1.05163, 0.00035, 0.14307, 0.00017, 1.13180, 0.00053, 0.55980, 0.00051},
      {4, 4, 4, 0.608, -0.94545, 0.00087, 0.10868, 0.00024, 1.1731, 0.0012, 0.52918, 0.00080}};
  for (const Ferromagnet& x : known) {
    const Lattice lattice{x.dim, x.L};
    const Chain chain =
        test::cluster_chain(test::on(x.n), lattice, 1, {static_cast<float>(x.beta)}, protocol_of(GetParam(), x.L), 150);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 2);
    EXPECT_TRUE(agrees(rounds, 0, O::energy, x.e, x.e_error)) << x.n;
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_2, x.m2, x.m2_error)) << x.n;
    EXPECT_TRUE(agrees(rounds, 0, test::fourth_moment_ratio, x.ratio, x.ratio_error)) << x.n;
    EXPECT_TRUE(agrees(
        rounds, 0, [&](const Means& m) { return test::xi_over_L(m, x.L); }, x.xi, x.xi_error))
        << x.n;
    EXPECT_EQ(rounds.mean[0][O::modulus_2], 1.0);
  }
}

/// lambda = infinity is O(4) at beta = 2 kappa, with the same bits.
TEST_P(StatisticsOfVectors, InfiniteLambdaIsTheUnitVector) {
  const Lattice lattice{4, 4};
  const Protocol protocol = protocol_of(GetParam(), 4);
  const Chain a = test::cluster_chain(test::on(4), lattice, 1, {0.608F}, protocol, 2);
  const Chain b = test::cluster_chain(test::phi4(INFINITY), lattice, 1, {0.608F}, protocol, 2);
  const Disorder disorder = test::pure(lattice);
  ChainState x = initial_state(a, 1), y = initial_state(b, 1);
  const auto backend = test::fast_backend();
  EXPECT_EQ(test::run_one_round(*backend, a, disorder, 1, x), test::run_one_round(*backend, b, disorder, 1, y));
  EXPECT_EQ(x, y);
}

INSTANTIATE_TEST_SUITE_P(Updates, StatisticsOfVectors, ::testing::ValuesIn(vector_methods),
                         [](const auto& test) { return test.param.name; });

class StatisticsOfPhi4 : public ::testing::TestWithParam<Method> {};

/// lambda = 0, d = 4, L = 4: <phi_a^2> and <phi_a(x) phi_a(x + mu)> of the free field, from the sum over its modes.
TEST_P(StatisticsOfPhi4, FreeField) {
  struct {
    double kappa, square, neighbours;
  } const exact[] = {{0.1, 0.554470486111, 0.068088107639}, {0.12, 0.625670642691, 0.130906919470}};
  const Lattice lattice{4, 4};
  for (const auto& x : exact) {
    const Chain chain = test::cluster_chain(test::phi4(0.0), lattice, 1, {static_cast<float>(2.0 * x.kappa)},
                                            protocol_of(GetParam(), 4), 120);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 2);
    EXPECT_TRUE(agrees(rounds, 0, O::modulus_2, 4.0 * x.square)) << x.kappa;
    EXPECT_TRUE(agrees(rounds, 0, O::energy, -16.0 * x.neighbours)) << x.kappa;  // four components, four axes
    // Wick: <(phi^2)^2> = n (n + 2) <phi_a^2>^2
    EXPECT_TRUE(agrees(
        rounds, 0, [](const Means& m) { return m[O::modulus_4] / (m[O::modulus_2] * m[O::modulus_2]); }, 1.5))
        << x.kappa;
    // k = 0: sum_x <phi_a(x) phi_a(0)> = 1/(2 (1 - 8 kappa)); one step along an axis: 1 - 2 kappa (3 + cos(pi/2)).
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_2, 4.0 / (2.0 * (1.0 - 8.0 * x.kappa)) / 256.0)) << x.kappa;
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_kmin, 4.0 / (2.0 * (1.0 - 6.0 * x.kappa)) / 256.0)) << x.kappa;
  }
}

/// Any lambda: integration by parts gives sum_x <phi.dS/dphi> = n N, so 2 beta e + 2 <phi^2> + 4 lambda (<phi^4> -
/// <phi^2>) = 4 (e = - <phi.phi'> summed over the bonds of a site that it owns).
TEST_P(StatisticsOfPhi4, IntegrationByParts) {
  const Lattice lattice{3, 4};
  for (const double lambda : {0.5, 2.0, 20.0}) {
    for (const float beta : {0.3F, 0.7F}) {
      const Chain chain = test::cluster_chain(test::phi4(lambda), lattice, 1, {beta}, protocol_of(GetParam(), 4), 300);
      const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 1);
      const auto identity = [&](const Means& m) {
        return 2.0 * static_cast<double>(beta) * m[O::energy] + 2.0 * m[O::modulus_2] +
               4.0 * lambda * (m[O::modulus_4] - m[O::modulus_2]);
      };
      EXPECT_TRUE(agrees(rounds, 0, identity, 4.0)) << lambda << " " << beta;
    }
  }
}

/// Finite lambda has local sweeps in every protocol.
constexpr Method with_local[] = {{"Local", ProtocolKind::local, 0, 2},
                                 {"SwendsenWang", ProtocolKind::swendsen_wang, 1, 1},
                                 {"Wolff", ProtocolKind::wolff, 2, 1},
                                 {"FewCluster", ProtocolKind::few_cluster, 1, 1}};
INSTANTIATE_TEST_SUITE_P(Updates, StatisticsOfPhi4, ::testing::ValuesIn(with_local),
                         [](const auto& test) { return test.param.name; });

/// The improved estimators have the means of the plain ones, round by round with less noise.
TEST(StatisticsOfImprovedEstimators, HaveTheMeansOfThePlainOnes) {
  struct {
    const char* name;
    SpinModel model;
    Lattice lattice;
    float beta;
  } const systems[] = {{"ising", test::ising(), {2, 8}, 0.42F},    {"ising 3d", test::ising(), {3, 4}, 0.2F},
                       {"potts 3", test::potts(3), {2, 8}, 0.95F}, {"on 2", test::on(2), {2, 8}, 1.0F},
                       {"on 3", test::on(3), {3, 4}, 0.65F},       {"on 4", test::on(4), {2, 6}, 1.5F},
                       {"phi4", test::phi4(0.5), {3, 4}, 0.5F}};
  for (const auto& x : systems) {
    const Chain chain =
        test::cluster_chain(x.model, x.lattice, 2, {x.beta}, protocol_of(ProtocolKind::swendsen_wang, 1, 1), 200);
    const test::Rounds rounds = test::simulate(chain, test::pure(x.lattice), 1);
    const auto ratio = [](O::Fixed a, O::Fixed b) { return [a, b](const Means& m) { return m[a] / m[b]; }; };
    EXPECT_TRUE(agrees(rounds, 0, ratio(O::improved_m2, O::magnetization_2), 1.0)) << x.name;
    EXPECT_TRUE(agrees(rounds, 0, ratio(O::improved_kmin, O::magnetization_kmin), 1.0)) << x.name;
    EXPECT_GT(rounds.mean[0][O::clusters], 0.0);
    EXPECT_GT(rounds.mean[0][O::moved_sites], 0.3);
  }
}

/// Copies at one slot are independent: <sum (q^{mu nu})^2> = sum over pairs of sites <s_i.s_j>^2 / (n N^2) for O(n); at
/// T = infinity it is 1/N. Hot and independent, so beta = 0.01.
TEST(StatisticsOfOverlaps, OfIndependentVectors) {
  const Lattice lattice{2, 4};
  for (const int n : {2, 3, 4}) {
    const Chain chain =
        test::cluster_chain(test::on(n), lattice, 2, {0.001F}, protocol_of(ProtocolKind::swendsen_wang, 1, 1), 300);
    const test::Rounds rounds = test::simulate(chain, test::pure(lattice), 1);
    const BinLayout layout(chain);
    EXPECT_TRUE(agrees(rounds, 0, layout[BinQuantity::overlap], 0.0)) << n;
    EXPECT_TRUE(agrees(rounds, 0, layout[BinQuantity::overlap_2], 1.0 / 16.0)) << n;
    EXPECT_TRUE(agrees(rounds, 0, layout[BinQuantity::overlap_kmin], 1.0 / 16.0)) << n;
  }
}

}}  // namespace glassworks
