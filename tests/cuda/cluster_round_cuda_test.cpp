#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cuda/cluster_round_case.hpp"

/// Rounds of the models ising, potts, on and phi4 on the device must have the bits of the CPU.
namespace glassworks { namespace {

using test::ClusterBatchOfTasks;
using test::ClusterRound;
using test::Couplings;
using test::Fields;
using test::models;
using test::Oracle;

class ClusterRoundOfModel : public ClusterRound, public ::testing::WithParamInterface<int> {};

TEST_P(ClusterRoundOfModel, EqualsTheCpu) {
  const auto& [name, model] = models()[static_cast<std::size_t>(GetParam())];
  for (const Lattice lattice : {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 72}, Lattice{3, 4},
                                Lattice{3, 18}, Lattice{4, 4}, Lattice{4, 6}}) {
    for (const ProtocolKind kind :
         {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff, ProtocolKind::few_cluster}) {
      if (!test::has_updates(model, kind)) continue;
      for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
        // Swendsen-Wang with all couplings, the others with each of them on some lattices.
        const bool turn = static_cast<int>(couplings) == (lattice.L + lattice.dim + static_cast<int>(kind)) % 3;
        if (kind != ProtocolKind::swendsen_wang && !turn) continue;
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
        protocol.sweeps_per_exchange = 2;
        protocol.exchanges_per_measurement = 2;
        protocol.seed_tile = lattice.L / 2;
        protocol.p_flip = 0.6;
        if (!model.is_discrete() && couplings != Couplings::pure) protocol.overrelaxation = 2;
        protocol.exchange = couplings == Couplings::pure      ? ExchangeSchedule::even_odd
                            : couplings == Couplings::bimodal ? ExchangeSchedule::sequential
                                                              : ExchangeSchedule::none;
        const double T = model.kind == ModelKind::phi4 && model.lambda < 1 ? 8.0 : 0.8;
        Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(3, T, 2 * T), protocol, 3);
        chain.samples = 2;
        expect_same_bits(chain, couplings,
                         name + ", d " + std::to_string(lattice.dim) + ", L " + std::to_string(lattice.L) + ", kind " +
                             std::to_string(static_cast<int>(kind)) + ", couplings " +
                             std::to_string(static_cast<int>(couplings)));
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ClusterRoundOfModel, ::testing::Range(0, 10),
                         [](const auto& test) { return models()[static_cast<std::size_t>(test.param)].first; });

/// Cluster updates where bonds are found by their vectors: lattices other than the hypercubic one, and prisms. Few
/// sites at high temperatures as well as low ones, so that clusters wrap around some axes, all or none.
TEST_F(ClusterRound, OnLatticesAndPrisms) {
  const Lattice lattices[] = {{2, 2, 0, LatticeKind::triangular},
                              {2, 6, 0b10, LatticeKind::triangular},
                              {2, 40, 0, LatticeKind::triangular},
                              {3, 2, 0, LatticeKind::fcc},
                              {3, 8, 0, LatticeKind::fcc},
                              {3, 4, 0b101, LatticeKind::bcc},
                              {3, 10, 0, LatticeKind::bcc},
                              {1, 7, 0b1, LatticeKind::hypercubic, {7}},
                              {2, 70, 0b10, LatticeKind::hypercubic, {70, 5}},
                              {3, 8, 0, LatticeKind::hypercubic, {8, 4, 6}},
                              {3, 7, 0b001, LatticeKind::hypercubic, {7, 6, 4}},
                              {4, 6, 0b1001, LatticeKind::hypercubic, {3, 4, 6, 5}}};
  unsigned turn = 0;
  for (const Lattice& lattice : lattices) {
    for (const auto& [name, model] : models()) {
      for (const ProtocolKind kind :
           {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff, ProtocolKind::few_cluster}) {
        if (!test::has_updates(model, kind) || (kind == ProtocolKind::local && model.kind != ModelKind::ising))
          continue;
        ++turn;
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
        protocol.seed_tile = lattice.L / 2;
        protocol.p_flip = 0.6;
        if (model.kind == ModelKind::ising)
          protocol.isoenergetic = kind == ProtocolKind::local || turn % 2 == 0 ? 1 : 0;
        const double T = (model.kind == ModelKind::phi4 && model.lambda < 2 ? 16.0 : 0.6) * (1.0 + turn % 3);
        Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(2, T, 3 * T), protocol, 3);
        chain.samples = 1;
        chain.local = local_observables_of(model);
        if (!problem_of(chain).empty()) continue;
        expect_same_bits(chain, turn % 2 == 0 ? Couplings::gaussian : Couplings::bimodal,
                         name + ", " + test::name_of(lattice) + ", kind " + std::to_string(static_cast<int>(kind)));
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// The ladder and the resident kernel for vectors of n components (n = 1: ising), which sweep whole lattices of some
/// sizes.
class ClusterRoundOfVectors : public ClusterRound, public ::testing::WithParamInterface<std::tuple<int, int>> {};

TEST_P(ClusterRoundOfVectors, EqualsTheCpu) {
  const auto [n, L] = GetParam();
  int turn = n + L / 2;
  for (const ExchangeSchedule exchange :
       {ExchangeSchedule::even_odd, ExchangeSchedule::sequential, ExchangeSchedule::none}) {
    for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
      ++turn;
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1 + turn % 2);
      protocol.overrelaxation = turn % 4 * 3;
      protocol.sweeps_per_exchange = 1 + turn % 3 / 2;
      protocol.exchanges_per_measurement = 3;
      protocol.exchange = exchange;
      Chain chain = test::cluster_chain(n == 1 ? test::ising() : test::on(n), {3, L}, 1 + turn % 2,
                                        test::geometric_betas(L <= 8 ? 11 : 5, 0.4, 1.5), protocol, 3);
      chain.samples = 2;
      expect_same_bits(chain, couplings,
                       "exchange " + std::to_string(static_cast<int>(exchange)) + ", couplings " +
                           std::to_string(static_cast<int>(couplings)));
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ClusterRoundOfVectors,
                         ::testing::Combine(::testing::Values(1, 2, 3, 4),
                                            ::testing::Values(4, 6, 8, 10, 12, 14, 16, 20, 24)),
                         [](const auto& test) {
                           return "n" + std::to_string(std::get<0>(test.param)) + "_L" +
                                  std::to_string(std::get<1>(test.param));
                         });

/// Overlaps of the chiralities of XY spins, with what else can be selected, against the plain definition: rows of less
/// and more than a warp, open ends, sweeps and clusters.
TEST_F(ClusterRound, ChiralOverlapsOfXyCopies) {
  unsigned turn = 0;
  for (const Lattice& lattice :
       {Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 72}, Lattice{2, 8, 0b01}, Lattice{3, 4}, Lattice{3, 8}, Lattice{3, 18},
        Lattice{3, 6, 0b101}, Lattice{3, 34}, Lattice{4, 4}, Lattice{4, 6, 0b0110}}) {
    for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
      for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
        const bool large = lattice.sites() > 10000;
        if (large && couplings != Couplings::gaussian) continue;
        ++turn;
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 1, 1);
        protocol.overrelaxation = kind == ProtocolKind::local ? 2 : 0;
        const int copies = turn % 3 == 0 && !large ? 4 : 2;
        Chain chain = test::cluster_chain(test::on(2), lattice, copies, test::geometric_betas(large ? 2 : 3, 0.4, 1.2),
                                          protocol, 2);
        chain.samples = 1;
        chain.local = chiral_overlap | (turn % 2 == 0 ? 1U : 0U);
        expect_same_bits(chain, couplings,
                         test::name_of(lattice) + ", kind " + std::to_string(static_cast<int>(kind)) + ", couplings " +
                             std::to_string(static_cast<int>(couplings)) + ", copies " + std::to_string(copies),
                         Fields::none, Oracle::reference);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(ClusterRound, IsoenergeticMovesOfTwoAndFourCopies) {
  for (const Lattice lattice : {Lattice{2, 34}, Lattice{3, 6}}) {
    for (const int copies : {2, 4}) {
      Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 1, 1);
      protocol.sweeps_per_exchange = 2;
      protocol.isoenergetic = 2;
      if (copies == 4) protocol.isoenergetic_T_max = 1.0;
      Chain chain =
          test::cluster_chain(test::ising(), lattice, copies, test::geometric_betas(5, 0.5, 2.0), protocol, 3);
      chain.samples = 2;
      expect_same_bits(chain, Couplings::bimodal, "copies " + std::to_string(copies));
    }
  }
}

/// Clusters of many tiles, with all ways to lie on the torus.
TEST_F(ClusterRound, LargeLatticesNearAndBelowTheirTransitions) {
  const Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 1);
  const auto check = [&](const SpinModel& model, const Lattice& lattice, const std::vector<float>& beta, float J) {
    const Chain chain = test::cluster_chain(model, lattice, 1, beta, protocol, 4);
    ClusterBatchOfTasks expected(chain, {test::pure(lattice, J)}), found = expected;
    for (int round = 0; round < 2; ++round) {
      expected.run(*test::fast_backend());
      found.run(*test::cuda_backend());
      found.expect_same(expected, "d " + std::to_string(lattice.dim));
      if (HasFatalFailure()) return;
    }
  };
  check(test::ising(), {2, 500}, {0.8F, 0.4406868F, 0.4F}, 1.0F);
  check(test::potts(4), {2, 400}, {1.5F, 1.0986123F, 0.9F}, 1.0F);
  check(test::ising(), {3, 66}, {0.5F, 0.22165F}, 1.0F);
  check(test::on(3), {3, 40}, {1.0F, 0.693F}, 1.0F);
  check(test::phi4(INFINITY), {4, 14}, {1.0F, 0.608F}, 1.0F);
}

/// More systems than one launch of the labelling takes.
TEST_F(ClusterRound, TensOfThousandsOfSmallSystems) {
  const Chain chain = test::cluster_chain(test::ising(), {2, 4}, 2, test::geometric_betas(20, 1.5, 4.0),
                                          test::protocol_of(ProtocolKind::swendsen_wang, 1), 2);
  std::vector<Disorder> disorder;
  for (std::uint32_t i = 0; i < 1700; ++i) disorder.push_back(test::disorder_of(chain, Couplings::bimodal, i));
  ClusterBatchOfTasks expected(chain, disorder), found = expected;
  expected.run(*test::fast_backend());
  found.run(*test::cuda_backend());
  found.expect_same(expected, "68000 systems");
}

TEST_F(ClusterRound, AbandonedLeavesTheStatesAsTheyAre) {
  const Chain chain =
      test::cluster_chain(test::ising(), {2, 16}, 1, {0.4F}, test::protocol_of(ProtocolKind::swendsen_wang, 1), 3);
  const ClusterBatchOfTasks before(chain, {test::pure(chain.lattice)});
  ClusterBatchOfTasks batch = before;
  EXPECT_EQ(batch.run(*test::cuda_backend(), 0, true), RoundOutcome::abandoned);
  EXPECT_TRUE(batch.same_states(before));
}

TEST_F(ClusterRound, KernelsAndBatchesForPeople) {
  const auto cuda = test::cuda_backend();
  const Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 1);
  const Chain ising = test::cluster_chain(test::ising(), {2, 64}, 1, {0.4F}, protocol, 1);
  const Chain potts = test::cluster_chain(test::potts(3), {2, 8192}, 1, {0.4F}, protocol, 1);
  EXPECT_THAT(cuda->kernel_description(ising), testing::HasSubstr("tiles"));
  EXPECT_THAT(cuda->kernel_description(potts), testing::HasSubstr("plain"));
  EXPECT_GT(cuda->preferred_batch(ising), 1000);
  EXPECT_EQ(cuda->preferred_batch(potts), 1);
}

}}  // namespace glassworks
