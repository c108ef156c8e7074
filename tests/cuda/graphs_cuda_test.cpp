#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/checkpoint/held_states.hpp"
#include "kernels/rounds/local_names.hpp"
#include "tests/cuda/graph_case.hpp"
#include "tests/kernels/course_cases.hpp"
#include "tests/kernels/graph_cases.hpp"
#include "tests/kernels/site_cases.hpp"

/// Rounds on graphs on the device must have the bits of the plain definition.
namespace glassworks { namespace {

using test::ClusterBatchOfTasks;
using test::Couplings;
using test::Fields;
using test::Graphs;

class GraphRound : public test::OnDevice {
 protected:
  /// Two rounds of realizations, of which the last one has made a round already, by a kernel.
  static void expect_same_bits(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what,
                               const std::vector<std::string>& kernels = {""}) {
    static const auto reference = test::oracle_backend(test::Oracle::reference);
    ClusterBatchOfTasks expected(chain, disorder);
    expected.run(*reference, disorder.size() - 1);
    const ClusterBatchOfTasks before = expected;
    std::vector<ClusterBatchOfTasks> rounds;
    for (int round = 0; round < 2; ++round) {
      expected.run(*reference);
      rounds.push_back(expected);
    }
    for (const std::string& kernel : kernels) {
      const auto& cuda = backend(kernel);
      const std::string name = cuda.kernel_description(chain);
      if (!kernel.empty() && !name.starts_with(kernel)) continue;  // more replicas than there are
      ClusterBatchOfTasks found = before;
      for (std::size_t round = 0; round < rounds.size(); ++round) {
        ASSERT_EQ(found.run(backend(kernel)), RoundOutcome::finished);
        found.expect_same(rounds[round], what + ", " + name + ", round " + std::to_string(round));
        if (HasFatalFailure()) return;
      }
    }
  }
  /// They keep their memory.
  static Backend& backend(const std::string& kernel) {
    static std::map<std::string, std::unique_ptr<Backend>> all;
    auto& known = all[kernel];
    if (!known) known = test::cuda_backend(0, {.kernel = kernel});
    return *known;
  }
  static const std::vector<std::string>& sweep_kernels() {
    static const std::vector<std::string> all{"", "graph R=1", "graph R=4", "graph R=16", "graph memory", "plain"};
    return all;
  }
  static bool is_of_graphs(const SpinModel& model) { return model.kind != ModelKind::phi4; }
  static std::string name_of(const Graphs& graphs, const std::string& model, Couplings couplings) {
    return graphs.name + ", " + model + ", couplings " + std::to_string(static_cast<int>(couplings));
  }
};

TEST_F(GraphRound, KernelsForPeople) {
  const Graphs& graphs = test::small_graphs().front();
  const Chain chain = test::cluster_chain(test::on(3), graphs.lattice, 2, test::geometric_betas(8, 0.4, 1.2),
                                          test::protocol_of(ProtocolKind::local, 0, 1), 1);
  EXPECT_THAT(backend("").kernel_description(chain),
              testing::StartsWith("graph (replicas side by side: up to 16 in shared"));
  EXPECT_THAT(backend("graph R=4").kernel_description(chain), testing::StartsWith("graph R=4 (4 replicas"));
  EXPECT_THAT(backend("graph memory").kernel_description(chain), testing::StartsWith("graph memory"));
  EXPECT_THAT(backend("plain").kernel_description(chain), testing::HasSubstr("plain"));
  EXPECT_GT(backend("").preferred_batch(chain), 1000);
}

TEST_F(GraphRound, SweepsOfAllModels) {
  int turn = 0;
  for (const Graphs& graphs : test::small_graphs()) {
    for (const auto& [name, model] : test::models()) {
      if (!is_of_graphs(model)) continue;
      for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
        ++turn;
        Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1 + turn % 2);
        protocol.overrelaxation = model.is_discrete() ? 0 : turn % 4;
        protocol.sweeps_per_exchange = 1 + turn % 3;
        protocol.exchanges_per_measurement = 2;
        protocol.exchange = couplings == Couplings::pure      ? ExchangeSchedule::even_odd
                            : couplings == Couplings::bimodal ? ExchangeSchedule::sequential
                                                              : ExchangeSchedule::none;
        const int copies = turn % 5 == 0 ? 4 : 1 + turn % 2;
        Chain chain = test::cluster_chain(model, graphs.lattice, copies, test::geometric_betas(5 + turn % 7, 0.5, 1.6),
                                          protocol, 2);
        chain.samples = 1;
        if (copies == 4) chain.local = (field_response & local_observables_of(model)) | axis_modes;
        chain.local |= local_observables_of(model) & 0b101U;  // bond_nematic, quadrupole
        const Fields fields = !facts_of(model).has_fields || turn % 2 == 0 ? Fields::none : Fields::gaussian;
        expect_same_bits(chain, graphs.disorder(chain, couplings, fields), name_of(graphs, name, couplings),
                         sweep_kernels());
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// A list of moves, more runs than one launch takes, and more replicas than a group has.
TEST_F(GraphRound, ListsOfMoves) {
  const Graphs& graphs = test::small_graphs()[1];
  for (const auto& [slots, repetitions] : {std::pair{21, 1}, {3, 9}}) {
    Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
    set_moves(protocol, {{MoveRule::heat_bath, 1}, {MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 2}});
    protocol.sweeps_per_exchange = repetitions;
    const Chain chain =
        test::cluster_chain(test::on(4), graphs.lattice, 2, test::geometric_betas(slots, 0.4, 1.2), protocol, 2);
    expect_same_bits(chain, graphs.disorder(chain, Couplings::gaussian), "slots " + std::to_string(slots),
                     sweep_kernels());
    if (HasFatalFailure()) return;
  }
}

TEST_F(GraphRound, ClusterUpdates) {
  for (const Graphs& graphs : test::small_graphs()) {
    for (const auto& [name, model] : test::models()) {
      for (const ProtocolKind kind : {ProtocolKind::swendsen_wang, ProtocolKind::wolff}) {
        if (!is_of_graphs(model) || !test::has_updates(model, kind)) continue;
        for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
          Protocol protocol = test::protocol_of(kind, 2, 1);
          protocol.sweeps_per_exchange = 2;
          protocol.exchanges_per_measurement = 2;
          protocol.overrelaxation = model.is_discrete() || couplings == Couplings::pure ? 0 : 2;
          Chain chain = test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(3, 0.8, 2.4), protocol, 2);
          chain.samples = 1;
          expect_same_bits(chain, graphs.disorder(chain, couplings),
                           name_of(graphs, name, couplings) + ", kind " + std::to_string(static_cast<int>(kind)));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(GraphRound, IsoenergeticMovesOfTwoAndFourCopies) {
  for (const Graphs& graphs : test::small_graphs()) {
    for (const int copies : {2, 4}) {
      for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
        Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 1, 1);
        protocol.isoenergetic = 2;
        if (copies == 4) protocol.isoenergetic_T_max = 1.0;
        const Chain chain =
            test::cluster_chain(test::ising(), graphs.lattice, copies, test::geometric_betas(4, 0.5, 2.0), protocol, 3);
        expect_same_bits(chain, graphs.disorder(chain, Couplings::bimodal), graphs.name);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(GraphRound, OtherUpdatesOfSingleSpins) {
  for (const Graphs& graphs : test::small_graphs()) {
    for (const auto& [name, model] : test::models()) {
      if (!is_of_graphs(model)) continue;
      for (std::size_t rule = 1; rule < SiteUpdates::size; ++rule) {
        Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
        protocol.local = static_cast<SiteRule>(rule);
        const UpdateTraits& traits = traits_of(protocol.local);
        if (traits.has_reserve) protocol.exchange = ExchangeSchedule::none;
        if (traits.has_width && !model.is_discrete()) protocol.adaptation = 2;
        const Chain chain =
            test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(3, 0.5, 1.5), protocol, 3);
        expect_same_bits(chain, graphs.disorder(chain, Couplings::gaussian),
                         graphs.name + ", " + name + ", " + std::string(traits.name));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(GraphRound, AbsentSitesAxesAndManyComponents) {
  const Graphs& graphs = test::small_graphs().front();
  for (SpinModel model : {test::ising(), test::on(3), test::on(6), test::blume_capel(0.4), test::clock_model(6)}) {
    for (const bool diluted : {false, true}) {
      model.diluted = diluted;
      model.anisotropic = !model.is_discrete();
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
      protocol.overrelaxation = model.is_discrete() ? 0 : 1;
      const Chain chain =
          test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(3, 0.5, 1.5), protocol, 2);
      std::vector<Disorder> all = graphs.disorder(chain, Couplings::gaussian, Fields::gaussian);
      for (Disorder& d : all) {
        test::Source source(9);
        const auto n = static_cast<std::size_t>(components_of(model));
        for (std::size_t i = 0; i < static_cast<std::size_t>(graphs.lattice.sites()); ++i) {
          if (diluted) d.absent.push_back(i % 7 == 5 ? 1 : 0);
          if (diluted && i % 7 == 5) {
            for (std::size_t k = 0; k < n; ++k) d.fields[n * i + k] = 0.0F;
          }
          for (std::size_t k = 0; model.anisotropic && k < n; ++k) d.axes.push_back(k == i % n ? 1.0F : 0.0F);
        }
        for (std::size_t bond = 0; diluted && bond < d.couplings.size(); ++bond) {
          const GraphBond& ends = d.graph->bonds()[bond];
          if (ends.a % 7 == 5 || ends.b % 7 == 5) d.couplings[bond] = 0.0F;
        }
        if (model.anisotropic) d.anisotropy = 0.5F;
        d.energy_scale = choose_energy_scale(graphs.lattice, d.couplings, d.fields, 1.0, d.graph.get());
      }
      expect_same_bits(chain, all, "model " + std::to_string(static_cast<int>(model.kind)));
      if (HasFatalFailure()) return;
    }
  }
}

/// Graphs of which several blocks share the planes, the links and the clusters.
TEST_F(GraphRound, LargeGraphs) {
  GraphRecipe kagome;
  kagome.kind = MadeGraph::kagome;
  kagome.size = 60;
  const Graphs graphs("kagome", kagome, 2);
  for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
    for (const SpinModel& model : {test::ising(), test::on(3)}) {
      const Protocol protocol = test::protocol_of(kind, kind == ProtocolKind::local ? 0 : 1, 1);
      const Chain chain =
          test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(2, 0.6, 1.0), protocol, 2);
      expect_same_bits(chain, graphs.disorder(chain, Couplings::pure), "kagome",
                       kind == ProtocolKind::local ? sweep_kernels() : std::vector<std::string>{""});
      if (HasFatalFailure()) return;
    }
  }
}

/// Terms of more than two spins: of 3 to 16 sites beside bonds, with sites that have one, both or none; without bonds;
/// drawn for each realization; around plaquettes.
const std::vector<Graphs>& graphs_of_terms() {
  const auto recipe = [](MadeGraph kind, int size, int body, double degree) {
    GraphRecipe r;
    r.kind = kind;
    r.size = size;
    r.body = body;
    r.degree = degree;
    return r;
  };
  static const std::vector<Graphs> all{{"mixed", test::mixed_terms(61, 31, 16, 3), 2},
                                       {"ring", test::ring_of_terms(12), 2},
                                       {"p_spin", recipe(MadeGraph::p_spin, 90, 3, 4.0), 3},
                                       {"p_spin_regular", recipe(MadeGraph::p_spin_regular, 40, 5, 3.0), 3},
                                       {"gauge", recipe(MadeGraph::plaquette_gauge, 3, 4, 0.0), 2}};
  return all;
}

/// Replicas that fill no group, one, and more than one; with and without exchanges and fields.
TEST_F(GraphRound, SweepsOfTerms) {
  int turn = 0;
  for (const Graphs& graphs : graphs_of_terms()) {
    for (const Couplings couplings : {Couplings::pure, Couplings::bimodal, Couplings::gaussian}) {
      ++turn;
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1 + turn % 2);
      protocol.sweeps_per_exchange = 1 + turn % 3;
      protocol.exchanges_per_measurement = 2;
      protocol.exchange = couplings == Couplings::pure      ? ExchangeSchedule::even_odd
                          : couplings == Couplings::bimodal ? ExchangeSchedule::sequential
                                                            : ExchangeSchedule::none;
      const int copies = turn % 4 == 0 ? 4 : 1 + turn % 2;
      Chain chain = test::cluster_chain(test::ising(), graphs.lattice, copies,
                                        test::geometric_betas(4 + 3 * (turn % 5), 0.5, 1.6), protocol, 2);
      chain.samples = 1;
      chain.local = axis_modes | (copies == 4 ? field_response : 0U);
      const Fields fields = turn % 2 == 0 ? Fields::none : Fields::gaussian;
      expect_same_bits(chain, graphs.disorder(chain, couplings, fields), name_of(graphs, "ising", couplings),
                       sweep_kernels());
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(GraphRound, OtherUpdatesOfTerms) {
  for (const Graphs& graphs : graphs_of_terms()) {
    for (std::size_t rule = 1; rule < SiteUpdates::size; ++rule) {
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
      protocol.local = static_cast<SiteRule>(rule);
      if (traits_of(protocol.local).has_reserve) protocol.exchange = ExchangeSchedule::none;
      const Chain chain =
          test::cluster_chain(test::ising(), graphs.lattice, 2, test::geometric_betas(3, 0.5, 1.5), protocol, 3);
      const std::string what = graphs.name + ", " + std::string(traits_of(protocol.local).name);
      expect_same_bits(chain, graphs.disorder(chain, Couplings::bimodal, Fields::gaussian), what);
      if (HasFatalFailure()) return;
    }
  }
}

/// Absent sites take their terms with them.
TEST_F(GraphRound, TermsWithAbsentSites) {
  for (const Graphs& graphs : graphs_of_terms()) {
    SpinModel model = test::ising();
    model.diluted = true;
    const Chain chain = test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(3, 0.5, 1.5),
                                            test::protocol_of(ProtocolKind::local, 0, 2), 2);
    std::vector<Disorder> all = graphs.disorder(chain, Couplings::gaussian, Fields::gaussian);
    for (Disorder& d : all) {
      const SiteGraph& graph = *d.graph;
      for (std::int64_t i = 0; i < graph.sites(); ++i) {
        d.absent.push_back(i % 7 == 5 ? 1 : 0);
        if (!d.is_absent(i)) continue;
        d.fields[static_cast<std::size_t>(i)] = 0.0F;
        for (const SiteGraph::Neighbour& n : graph.neighbours(i)) d.couplings[static_cast<std::size_t>(n.bond)] = 0.0F;
        for (const std::int32_t t : graph.terms_of(i)) {
          d.couplings[static_cast<std::size_t>(graph.place_of_term(t))] = 0.0F;
        }
      }
      d.energy_scale = choose_energy_scale(graphs.lattice, d.couplings, d.fields, 0.0, d.graph.get());
    }
    expect_same_bits(chain, all, graphs.name);
    if (HasFatalFailure()) return;
  }
}

/// A replica does not fit into the shared memory of a block.
TEST_F(GraphRound, ManySitesWithTerms) {
  const Graphs graphs("long ring", test::ring_of_terms(240000), 1);
  const Chain chain = test::cluster_chain(test::ising(), graphs.lattice, 2, test::geometric_betas(1, 0.8, 0.8),
                                          test::protocol_of(ProtocolKind::local, 0, 1), 1);
  EXPECT_THAT(backend("").kernel_description(chain), testing::StartsWith("graph memory"));
  expect_same_bits(chain, graphs.disorder(chain, Couplings::bimodal), graphs.name, {"", "plain"});
}

/// A course, whose measurements the host makes.
TEST_F(GraphRound, CourseOfTerms) {
  const Graphs& graphs = graphs_of_terms().front();
  const test::CourseCase one{"Terms", test::ising(), {{MoveRule::heat_bath, 1}}, false, true};
  const Chain chain = test::chain_of(one, graphs.lattice);
  const Course course = test::course_of(one, chain);
  const std::vector<Disorder> disorder = graphs.disorder(chain, Couplings::gaussian, Fields::gaussian);
  const auto reference = test::oracle_backend(test::Oracle::reference);
  const test::Walked expected = test::walk(*reference, chain, disorder, course);
  test::expect_same_walk(test::walk(backend(""), chain, disorder, course), expected, "terms");
  test::expect_same_walk(test::walk(backend(""), chain, disorder, course, {3, 7}), expected, "terms, cut");
}

/// Held batches go on where the plain definition does, by their digests.
TEST_F(GraphRound, DigestsOfHeldBatches) {
  const Graphs& graphs = test::small_graphs().front();
  for (const SpinModel& model : {test::ising(), test::on(3)}) {
    const Chain chain = test::cluster_chain(model, graphs.lattice, 2, test::geometric_betas(5, 0.5, 1.5),
                                            test::protocol_of(ProtocolKind::local, 0, 1), 3);
    const std::vector<Disorder> disorder = graphs.disorder(chain, Couplings::gaussian, Fields::gaussian);
    const auto reference = test::oracle_backend(test::Oracle::reference);
    const auto held_by = [&](Backend& by) {
      std::vector<HeldTask> held;
      for (std::size_t i = 0; i < disorder.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(7 + 2 * i);
        held.push_back({number, &disorder[i], initial_state(chain, number)});
      }
      return by.hold(chain, std::move(held));
    };
    const auto found = held_by(backend("")), expected = held_by(*reference);
    for (int round = 0; round < 3; ++round) {
      const Conditions conditions{test::geometric_betas(5, 0.5 + 0.1 * round, 1.5), round == 1 ? 0.5F : 1.0F};
      std::vector<RoundRecord> here(disorder.size()), there(disorder.size());
      RoundControl control;
      found->set_conditions(conditions, {2, round == 2 ? 0 : 2});
      expected->set_conditions(conditions, {2, round == 2 ? 0 : 2});
      ASSERT_EQ(found->run_round(there, control), RoundOutcome::finished);
      ASSERT_EQ(expected->run_round(here, control), RoundOutcome::finished);
      EXPECT_EQ(state_digests(*found, disorder.size()), state_digests(*expected, disorder.size())) << round;
      for (std::size_t i = 0; i < disorder.size(); ++i) {
        ASSERT_TRUE(test::same_bytes(there[i], here[i])) << "round " << round << ", realization " << i;
        ASSERT_EQ(found->state(i), expected->state(i)) << "round " << round << ", realization " << i;
      }
    }
  }
}

}}  // namespace glassworks
