#include <gtest/gtest.h>

#include <cmath>

#include "kernels/models/vectors.hpp"
#include "kernels/reference/reference_cluster_replica.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Over-relaxation of vectors of n components, and chains that use it, against exact values.
namespace glassworks { namespace {

template <int n>
exact::Vector<n> random_vector(test::Source& source, double length) {
  exact::Vector<n> v;
  for (int k = 0; k < n; ++k) v.c[k] = static_cast<float>(length * (2.0 * source.uniform() - 1.0));
  return v;
}

template <int n>
void expect_reflection() {
  test::Source source(n);
  for (int i = 0; i < 2000; ++i) {
    exact::Vector<n> s = random_vector<n>(source, 1.0);
    const double length = std::sqrt(static_cast<double>(exact::dot(s, s)));
    for (float& c : s.c) c = static_cast<float>(c / length);
    const exact::Vector<n> h = random_vector<n>(source, 4.0);
    const exact::Vector<n> t = exact::over_relax(s, h);
    double h_2 = 0.0, s_h = 0.0, t_h = 0.0, t_2 = 0.0;
    for (int k = 0; k < n; ++k) {
      h_2 += static_cast<double>(h.c[k]) * h.c[k];
      s_h += static_cast<double>(s.c[k]) * h.c[k];
      t_h += static_cast<double>(t.c[k]) * h.c[k];
      t_2 += static_cast<double>(t.c[k]) * t.c[k];
    }
    EXPECT_NEAR(t_h, s_h, 2e-6 * std::sqrt(h_2)) << "the energy is conserved";
    EXPECT_NEAR(t_2, 1.0, 4e-6);
    for (int k = 0; k < n; ++k) {
      EXPECT_NEAR(t.c[k], 2.0 * s_h * h.c[k] / h_2 - s.c[k], 1e-6) << "component " << k << " of " << n;
    }
  }
}

TEST(OverRelaxationOfVectors, IsTheReflectionAboutTheLocalField) {
  expect_reflection<2>();
  expect_reflection<3>();
  expect_reflection<4>();
}

TEST(OverRelaxationOfVectors, WithoutAFieldTurnsTheSpin) {
  const exact::Vector<2> t = exact::over_relax(exact::Vector<2>{{0.6F, -0.8F}}, exact::Vector<2>{{0.0F, 0.0F}});
  EXPECT_EQ(t.c[0], -0.6F);
  EXPECT_EQ(t.c[1], 0.8F);
}

/// Of whole lattices with any couplings and fields: 50 sweeps move every spin and change the energy by rounding
/// alone.
TEST(OverRelaxationOfVectors, ConservesTheEnergyOfALattice) {
  for (const int n : {2, 3, 4}) {
    for (const Lattice& lattice : {Lattice{1, 16}, Lattice{2, 6}, Lattice{3, 4}}) {
      for (const bool in_fields : {false, true}) {
        Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 0);
        protocol.overrelaxation = 50;
        const Chain chain = test::cluster_chain(test::on(n), lattice, 1, {1.0F}, protocol, 1);
        Disorder disorder = test::gaussian_disorder(lattice, 3);
        test::Source source(8);
        for (std::int64_t i = 0; in_fields && i < n * lattice.sites(); ++i) {
          disorder.fields.push_back(static_cast<float>(source.normal()));
        }
        const ClusterSystem system(chain, disorder, 0);
        const ChainState before = initial_state(chain, 0);
        const auto replica = make_reference_cluster_replica(system, 0, before);
        const double unit = disorder.energy_scale.unit();
        replica->finish_step({}, true);
        const double energy = static_cast<double>(replica->energy()) * unit;
        test::make_step(system, *replica, 0, 0);
        replica->finish_step({}, true);
        EXPECT_NEAR(static_cast<double>(replica->energy()) * unit, energy, 2e-4) << n << " components";
        for (std::int64_t i = 0; i < n * lattice.sites(); ++i) {
          EXPECT_NE(replica->spins()[i], before.spins[static_cast<std::size_t>(i)]) << n << " components, " << i;
        }
      }
    }
  }
}

TEST(OverRelaxationOfVectors, AloneIsRefused) {
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 0);
  protocol.overrelaxation = 3;
  const Chain chain = test::cluster_chain(test::on(2), {2, 4}, 1, {1.0F}, protocol, 2);
  ChainState state = initial_state(chain, 0);
  EXPECT_THROW(test::run_one_round(*test::fast_backend(), chain, test::pure(chain.lattice), 0, state),
               std::runtime_error);
}

/// Energy per site of a closed XY chain with couplings J_b: Z = sum_m prod_b I_m(beta J_b), I_m(-x) = (-1)^m I_m(x).
double closed_xy_energy(const std::vector<float>& J, double beta) {
  const auto log_Z = [&](double b) {
    double Z = 0.0, scale = 0.0;
    for (const float coupling : J) scale += std::log(std::cyl_bessel_i(0.0, b * std::fabs(coupling)));
    for (int m = 0; m < 40; ++m) {
      double product = 1.0;
      for (const float coupling : J) {
        const double x = b * std::fabs(coupling);
        product *= (coupling < 0.0F && m % 2 == 1 ? -1.0 : 1.0) * std::cyl_bessel_i(static_cast<double>(m), x) /
                   std::cyl_bessel_i(0.0, x);
      }
      Z += (m == 0 ? 1.0 : 2.0) * product;
    }
    return std::log(Z) + scale;
  };
  const double h = 1e-4;
  return -(log_Z(beta + h) - log_Z(beta - h)) / (2.0 * h) / static_cast<double>(J.size());
}

/// Closed chains of any couplings, with over-relaxation before the heat bath, and before clusters. Each comparison has
/// a false-alarm probability of 6e-5; seeds are fixed.
TEST(StatisticsOfOverRelaxation, ClosedXYChains) {
  const std::vector<float> chains[] = {
      {1.0F, 1.0F}, {0.7F, -1.3F, 1.0F, 0.4F, -0.9F, 1.6F}, {1.0F, 1.0F, -1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F}};
  for (const std::vector<float>& J : chains) {
    for (const float beta : {0.5F, 2.0F, 5.0F}) {
      for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
        const Lattice lattice{1, static_cast<int>(J.size())};
        Protocol protocol =
            test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 1, kind == ProtocolKind::local ? 1 : 0);
        protocol.overrelaxation = 3;
        const Chain chain = test::cluster_chain(test::on(2), lattice, 1, {beta}, protocol, 400);
        const test::Rounds rounds = test::simulate(chain, test::with_scale(lattice, J), 1);
        EXPECT_TRUE(agrees(rounds, 0, test::O::energy, closed_xy_energy(J, beta)))
            << J.size() << " sites, beta " << beta << ", kind " << static_cast<int>(kind);
      }
    }
  }
}

/// Fields of any modulus: the same averages with and without over-relaxation, which leaves |phi| and the energy. Each
/// comparison of two normal numbers has a false-alarm probability of 2e-5; seeds are fixed.
TEST(StatisticsOfOverRelaxation, ChangesNoAverageOfPhi4) {
  for (const double lambda : {0.5, 4.0}) {
    const Lattice lattice{2, 4};
    Protocol plain = test::protocol_of(ProtocolKind::local, 0, 1), with = plain;
    with.overrelaxation = 2;
    const Chain a = test::cluster_chain(test::phi4(lambda), lattice, 1, {0.4F}, plain, 400, 1);
    const Chain b = test::cluster_chain(test::phi4(lambda), lattice, 1, {0.4F}, with, 400, 2);
    const test::Rounds one = test::simulate(a, test::pure(lattice), 1), two = test::simulate(b, test::pure(lattice), 1);
    const auto mean_and_error = [](const test::Rounds& rounds, int column) {
      double sum = 0.0, squares = 0.0;
      for (const auto& round : rounds.mean) {
        sum += round[static_cast<std::size_t>(column)];
        squares += round[static_cast<std::size_t>(column)] * round[static_cast<std::size_t>(column)];
      }
      const auto n = static_cast<double>(rounds.mean.size());
      return std::pair(sum / n, (squares / n - sum / n * (sum / n)) / (n - 1.0));
    };
    for (const int column : {test::O::energy, test::O::modulus_2, test::O::modulus_4}) {
      const auto [x, x_error] = mean_and_error(one, column);
      const auto [y, y_error] = mean_and_error(two, column);
      EXPECT_LT(std::fabs(x - y), 4.3 * std::sqrt(x_error + y_error)) << "lambda " << lambda << ", column " << column;
    }
  }
}

}}  // namespace glassworks
