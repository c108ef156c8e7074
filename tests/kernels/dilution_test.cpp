#include <gtest/gtest.h>

#include "kernels/ground/quench.hpp"
#include "kernels/models/ising.hpp"
#include "tests/kernels/site_cases.hpp"

/// Absent sites: they stay empty and add nothing, and every backend and number of threads makes the same bits.
namespace glassworks { namespace {

using test::diluted;
using test::diluted_cases;
using test::diluted_chain;
using test::DilutedCase;

TEST(AbsentSites, SameBitsOfAllBackendsAndThreads) {
  for (const DilutedCase& c : diluted_cases()) {
    const Disorder disorder = diluted(c.chain, c.field, 17, c.fraction);
    const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
    const ChainState start = initial_state(c.chain, 5);
    const test::TwoRounds expected = test::two_rounds(*reference, c.chain, disorder, start);
    for (const int threads : {1, 2, 5}) {
      const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, threads});
      EXPECT_TRUE(test::two_rounds(*backend, c.chain, disorder, start) == expected) << threads;
    }
  }
}

/// Neither what stands at them in the beginning nor how many rounds have been made.
TEST(AbsentSites, StayEmptyWhateverStoodThere) {
  const auto backend = test::fast_backend();
  for (const DilutedCase& c : diluted_cases()) {
    const Disorder disorder = diluted(c.chain, c.field, 18, c.fraction);
    const ChainState start = initial_state(c.chain, 5);
    ChainState other = start;
    const auto sites = static_cast<std::size_t>(c.chain.lattice.sites());
    for (std::size_t i = 0; i < other.spins.size(); ++i) {
      if (disorder.absent[i % sites] != 0) other.spins[i] = 0.25F;
    }
    for (std::size_t i = 0; i < other.states.size(); ++i) {
      if (disorder.absent[i % sites] != 0) other.states[i] = 1 - other.states[i];
    }
    const test::TwoRounds end = test::two_rounds(*backend, c.chain, disorder, start);
    EXPECT_TRUE(test::two_rounds(*backend, c.chain, disorder, other) == end);
    for (std::size_t i = 0; i < end.state.spins.size(); ++i) {
      EXPECT_EQ(end.state.spins[i] == 0.0F, disorder.absent[i % sites] != 0) << i;
    }
    for (std::size_t i = 0; i < end.state.states.size(); ++i) {
      EXPECT_EQ(end.state.states[i] == DilutedIsing::absent, disorder.absent[i % sites] != 0) << i;
    }
  }
}

/// Sums over sites and bonds of the spins that are left, in double precision.
TEST(AbsentSites, AddNothingToAnySum) {
  const Lattice lattice{2, 4};
  Chain chain = diluted_chain(test::ising(), lattice);
  chain.beta = {0.7F};
  chain.measurements = 1;
  chain.protocol.exchanges_per_measurement = 1;
  const Disorder disorder = diluted(chain, 0.0, 19);
  ChainState state = initial_state(chain, 2);
  const RoundRecord record = test::run_one_round(*test::fast_backend(), chain, disorder, 2, state);
  double m_2 = 0.0, q = 0.0, link = 0.0, energy = 0.0;
  const auto spin = [&](int copy, std::int64_t i) {
    return disorder.is_absent(i) ? 0.0 : 2.0 * state.states[static_cast<std::size_t>(16 * copy + i)] - 1.0;
  };
  for (int copy = 0; copy < 2; ++copy) {
    double m = 0.0;
    for (std::int64_t i = 0; i < 16; ++i) m += spin(copy, i) / 16.0;
    m_2 += 0.5 * m * m;
  }
  for (std::int64_t i = 0; i < 16; ++i) {
    q += spin(0, i) * spin(1, i) / 16.0;
    for (int bond = 0; bond < 2; ++bond) {
      const std::int64_t j = lattice.neighbour(i, bond, +1);
      link += spin(0, i) * spin(0, j) * spin(1, i) * spin(1, j) / 32.0;
      const double J = disorder.couplings[static_cast<std::size_t>(2 * i + bond)];
      for (int copy = 0; copy < 2; ++copy) energy -= 0.5 * J * spin(copy, i) * spin(copy, j) / 16.0;
    }
  }
  const BinLayout layout(chain);
  EXPECT_NEAR(record.mean[test::O::energy], energy, 1e-6);
  EXPECT_NEAR(record.mean[test::O::magnetization_2], m_2, 1e-12);
  EXPECT_NEAR(record.mean[static_cast<std::size_t>(layout[BinQuantity::overlap])], q, 1e-12);
  EXPECT_NEAR(record.mean[static_cast<std::size_t>(layout[BinQuantity::link_overlap])], link, 1e-12);
}

TEST(AbsentSites, AreLeftOutOfDescents) {
  for (const DilutedCase& c : diluted_cases()) {
    if (!c.chain.lattice.is_hypercubic()) continue;
    const Disorder disorder = diluted(c.chain, c.field, 20, c.fraction);
    ChainState state = initial_state(c.chain, 1);
    static_cast<void>(test::run_one_round(*test::fast_backend(), c.chain, disorder, 1, state));
    const auto sites = static_cast<std::size_t>(c.chain.lattice.sites());
    const auto n = static_cast<std::size_t>(components_of(c.chain.model));
    Quench quench(c.chain.model, c.chain.lattice, disorder);
    const QuenchEnd end = c.chain.model.is_discrete() ? quench.run({}, std::span(state.states).first(sites))
                                                      : quench.run(std::span(state.spins).first(sites * n), {});
    EXPECT_TRUE(end.settled);
    for (std::size_t i = 0; i < sites; ++i) {
      double square = 0.0;
      for (std::size_t k = 0; k < n; ++k) square += quench.spins()[i * n + k] * quench.spins()[i * n + k];
      EXPECT_NEAR(square, disorder.absent[i] != 0 ? 0.0 : 1.0, 1e-6) << i;
    }
  }
}

TEST(AbsentSites, AreRefusedWithClusters) {
  Chain chain = diluted_chain(test::ising(), {2, 4});
  const Disorder disorder = diluted(chain, 0.0, 21);
  EXPECT_NO_THROW(check_cluster_couplings(chain, disorder));
  chain.protocol.kind = ProtocolKind::swendsen_wang;
  chain.protocol.cluster_sweeps = 1;
  EXPECT_THROW(check_cluster_couplings(chain, disorder), std::runtime_error);
}

}}  // namespace glassworks
