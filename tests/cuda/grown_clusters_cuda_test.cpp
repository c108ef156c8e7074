#include <gtest/gtest.h>

#include <limits>

#include "tests/cuda/graph_case.hpp"

/// Clusters of wolff and few_cluster that grow from their seeds, by one block a system, must give the bits of those
/// that are found by labelling the lattice, and those of the CPU.
namespace glassworks { namespace {

using test::ClusterBatchOfTasks;
using test::Couplings;
using test::Oracle;

/// A way to find the clusters.
struct Way {
  const char* name;
  CudaChoices choices;
};

class GrownClusters : public test::OnDevice {
 protected:
  /// Clusters of any size, in shared memory and in the memory of the device; all labelled; slots of small clusters grow
  /// them and others do not; what the backend takes.
  static const std::vector<Way>& ways() {
    constexpr double any = std::numeric_limits<double>::infinity();
    static const std::vector<Way> all{{"grown", {.most_grown = any}},
                                      {"grown, 5 sites in shared memory", {.most_grown = any, .grown_sites = 5}},
                                      {"labelled", {.most_grown = -1.0}},
                                      {"both", {.most_grown = 6.0}},
                                      {"by cost", {}}};
    return all;
  }

  static void expect_same_bits(const Chain& chain, Couplings couplings, const std::string& what, Oracle oracle) {
    std::vector<Disorder> disorder;
    for (std::uint32_t i = 0; i < 3; ++i) disorder.push_back(test::disorder_of(chain, couplings, 4 + i));
    expect_same_bits(chain, disorder, what, oracle);
  }
  static void expect_same_bits(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what,
                               Oracle oracle) {
    ASSERT_EQ(problem_of(chain), "") << what;
    const auto plain = test::oracle_backend(oracle);
    const ClusterBatchOfTasks before(chain, disorder);
    ClusterBatchOfTasks first = before;
    first.run(*plain);
    ClusterBatchOfTasks second = first;
    second.run(*plain);
    for (const Way& way : ways()) {
      const auto cuda = test::cuda_backend(0, way.choices);
      ClusterBatchOfTasks found = before;
      ASSERT_EQ(found.run(*cuda), RoundOutcome::finished);
      found.expect_same(first, what + ", " + way.name + ", round 0");
      if (HasFatalFailure()) return;
      ASSERT_EQ(found.run(*cuda), RoundOutcome::finished);
      found.expect_same(second, what + ", " + way.name + ", round 1");
      if (HasFatalFailure()) return;
    }
  }

  /// A ladder from the ordered phase, where a cluster holds nearly all sites, to a hot system, whose clusters are of a
  /// few.
  static Chain chain_of(const SpinModel& model, const Lattice& lattice, ProtocolKind kind, int heatbath,
                        ExchangeSchedule exchange = ExchangeSchedule::even_odd) {
    Protocol protocol = test::protocol_of(kind, 2, heatbath);
    protocol.exchange = exchange;
    protocol.sweeps_per_exchange = 2;
    protocol.exchanges_per_measurement = 12;
    protocol.seed_tile = lattice.L / 2;
    protocol.p_flip = 0.6;
    const double T = model.kind == ModelKind::potts ? 0.5 : model.kind == ModelKind::phi4 ? 4.0 : 1.0;
    Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(4, T, 8 * T), protocol, 3);
    chain.samples = 2;
    return chain;
  }
};

/// Many updates of small clusters are one launch where no exchange comes between them.
TEST_F(GrownClusters, OfManyStepsAtOnce) {
  for (const auto& [model, T] : {std::pair{test::ising(), 6.0}, {test::potts(10), 2.0}}) {
    for (const ProtocolKind kind : {ProtocolKind::wolff, ProtocolKind::few_cluster}) {
      Protocol protocol = test::protocol_of(kind, 1);
      protocol.sweeps_per_exchange = 3;
      protocol.exchanges_per_measurement = 100;
      protocol.exchange = ExchangeSchedule::none;
      protocol.seed_tile = 8;
      protocol.p_flip = 0.6;
      const Chain chain = test::cluster_chain(model, {2, 32}, 1, test::geometric_betas(2, T, 2 * T), protocol, 2);
      expect_same_bits(chain, Couplings::bimodal, "kind " + std::to_string(static_cast<int>(kind)), Oracle::cpu);
      if (HasFatalFailure()) return;
    }
  }
}

/// Steps of single clusters alone keep the energies of discrete spins by differences, and their exchanges depend on
/// every one of them.
TEST_F(GrownClusters, EqualTheReference) {
  unsigned turn = 0;
  for (const Lattice& lattice : {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 36}, Lattice{3, 4},
                                 Lattice{3, 8}, Lattice{3, 6, 0b101}, Lattice{4, 4}}) {
    for (const auto& [name, model] : test::models()) {
      for (const ProtocolKind kind : {ProtocolKind::wolff, ProtocolKind::few_cluster}) {
        if (!test::has_updates(model, kind)) continue;
        const bool free = has_free_modulus(model);
        const auto couplings = static_cast<Couplings>(turn % 3);
        const Chain chain = chain_of(model, lattice, kind, free || turn % 4 == 3 ? 1 : 0,
                                     turn % 5 == 4 ? ExchangeSchedule::none : ExchangeSchedule::even_odd);
        ++turn;
        expect_same_bits(chain, couplings,
                         name + ", " + test::name_of(lattice) + ", kind " + std::to_string(static_cast<int>(kind)) +
                             ", couplings " + std::to_string(static_cast<int>(couplings)),
                         Oracle::reference);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(GrownClusters, OnLatticesAndPrisms) {
  unsigned turn = 0;
  for (const Lattice& lattice :
       {Lattice{2, 6, 0b10, LatticeKind::triangular}, Lattice{2, 24, 0, LatticeKind::triangular},
        Lattice{3, 4, 0, LatticeKind::fcc}, Lattice{3, 4, 0b101, LatticeKind::bcc},
        Lattice{2, 70, 0b10, LatticeKind::hypercubic, {70, 5}}, Lattice{3, 8, 0, LatticeKind::hypercubic, {8, 4, 6}}}) {
    for (const auto& [name, model] : test::models()) {
      for (const ProtocolKind kind : {ProtocolKind::wolff, ProtocolKind::few_cluster}) {
        if (!test::has_updates(model, kind)) continue;
        const Chain chain = chain_of(model, lattice, kind, has_free_modulus(model) ? 1 : 0);
        ++turn;
        if (!problem_of(chain).empty()) continue;
        expect_same_bits(chain, turn % 2 == 0 ? Couplings::gaussian : Couplings::bimodal,
                         name + ", " + test::name_of(lattice) + ", kind " + std::to_string(static_cast<int>(kind)),
                         Oracle::reference);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Graphs of their own for each realization, sites without bonds, hubs, and as many bonds at each site as others.
TEST_F(GrownClusters, OnGraphs) {
  unsigned turn = 0;
  for (const test::Graphs& graphs : test::small_graphs()) {
    for (const auto& [name, model] : test::models()) {
      if (!test::has_updates(model, ProtocolKind::wolff) || has_free_modulus(model)) continue;
      const Chain chain = chain_of(model, graphs.lattice, ProtocolKind::wolff, turn % 3 == 2 ? 1 : 0,
                                   turn % 5 == 4 ? ExchangeSchedule::none : ExchangeSchedule::even_odd);
      const auto couplings = static_cast<Couplings>(turn % 3);
      ++turn;
      expect_same_bits(chain, graphs.disorder(chain, couplings),
                       name + ", " + graphs.name + ", couplings " + std::to_string(static_cast<int>(couplings)),
                       Oracle::reference);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(turn, 20U);
}

/// More sites than shared memory has marks for, and a complete graph, whose sites have more bonds than a block threads.
TEST_F(GrownClusters, OnLargeGraphs) {
  GraphRecipe sparse, complete;
  sparse.kind = MadeGraph::erdos_renyi;
  sparse.size = 140000;
  sparse.degree = 4.0;
  complete.kind = MadeGraph::complete;
  complete.size = 700;
  for (const auto& [recipe, T] : {std::pair{sparse, 3.0}, {complete, 600.0}}) {
    const test::Graphs graphs("graph", recipe, 3);
    Protocol protocol = test::protocol_of(ProtocolKind::wolff, 1);
    protocol.exchanges_per_measurement = 20;
    const Chain chain =
        test::cluster_chain(test::ising(), graphs.lattice, 1, test::geometric_betas(3, 0.7 * T, 2.0 * T), protocol, 2);
    expect_same_bits(chain, graphs.disorder(chain, Couplings::pure), "T = " + std::to_string(T), Oracle::cpu);
    if (HasFatalFailure()) return;
  }
}

/// Marks in the memory of the device, lists beyond shared memory, and blocks of all sizes.
TEST_F(GrownClusters, OfLargeLattices) {
  for (const auto& [lattice, model, T_c] : {std::tuple{Lattice{2, 400}, test::ising(), 2.269},
                                            {Lattice{2, 400}, test::potts(4), 0.910},
                                            {Lattice{3, 56}, test::ising(), 3.158},
                                            {Lattice{3, 28}, test::on(3), 1.010}}) {
    Protocol protocol = test::protocol_of(ProtocolKind::wolff, 1);
    protocol.exchanges_per_measurement = 40;
    protocol.exchange = ExchangeSchedule::none;
    const Chain chain =
        test::cluster_chain(model, lattice, 1, test::geometric_betas(3, 0.6 * T_c, 2.0 * T_c), protocol, 3);
    expect_same_bits(chain, Couplings::pure, test::name_of(lattice), Oracle::cpu);
    if (HasFatalFailure()) return;
  }
}

}}  // namespace glassworks
