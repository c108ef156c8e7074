#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/local_names.hpp"
#include "tests/kernels/graph_cases.hpp"

/// Graphs on processors: vectors over replicas have the bits of the plain definition, for every model and move, on
/// graphs with one or many colours, sites without neighbours and sites of every degree.
namespace glassworks { namespace {

using test::GraphCouplings;

struct GraphModelCase {
  std::string name;
  SpinModel model;
};
const std::vector<GraphModelCase> graph_models{{"ising", test::ising()},
                                               {"potts3", test::potts(3)},
                                               {"potts20", test::potts(20)},
                                               {"on2", test::on(2)},
                                               {"on3", test::on(3)},
                                               {"on4", test::on(4)},
                                               {"blumeCapel", test::blume_capel(0.4)},
                                               {"clock7", test::clock_model(7)}};

Chain chain_on_graph(const test::GraphCase& graph, const SpinModel& model, const Protocol& protocol, int copies,
                     int slots) {
  Chain chain = test::cluster_chain(model, graph.lattice, copies, test::geometric_betas(slots, 0.7, 2.0), protocol, 2);
  chain.samples = 1;
  return chain;
}

/// Two rounds of some realizations in one batch.
struct GraphOutcome {
  std::vector<ChainState> states;
  std::vector<RoundRecord> records;
};
GraphOutcome run_graph(Backend& backend, const Chain& chain, std::span<const Disorder> disorder) {
  GraphOutcome o{{}, std::vector<RoundRecord>(disorder.size())};
  for (std::size_t r = 0; r < disorder.size(); ++r) o.states.push_back(initial_state(chain, static_cast<unsigned>(r)));
  std::vector<RoundTask> tasks;
  for (std::size_t r = 0; r < disorder.size(); ++r) {
    tasks.push_back({static_cast<std::uint32_t>(r), &disorder[r], &o.states[r], &o.records[r]});
  }
  RoundControl control;
  for (int round = 0; round < 2; ++round) backend.run_round(chain, tasks, control);
  return o;
}

void expect_same_on_graph(const Chain& chain, std::span<const Disorder> disorder, const std::string& what) {
  ASSERT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::lanes, chain)) << what;
  const GraphOutcome expected =
      run_graph(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, disorder);
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const int threads : {1, 3}) {
      if (isa != available_instruction_sets().back() && threads > 1) continue;
      const GraphOutcome found = run_graph(*make_backend({BackendKind::cpu, isa, threads}), chain, disorder);
      for (std::size_t r = 0; r < disorder.size(); ++r) {
        const std::string where = what + ", " + to_string(isa) + ", threads " + std::to_string(threads) +
                                  ", realization " + std::to_string(r);
        EXPECT_TRUE(found.states[r] == expected.states[r]) << "state: " << where;
        EXPECT_TRUE(test::same_bytes(found.records[r], expected.records[r])) << "record: " << where;
      }
    }
  }
}

class GraphBits : public ::testing::TestWithParam<GraphModelCase> {};

TEST_P(GraphBits, LocalSweepsInFieldsAndWithout) {
  const auto& [name, model] = GetParam();
  for (const test::GraphCase& graph : test::graph_cases()) {
    for (const double field : {0.0, 0.3}) {
      if (field > 0.0 && !facts_of(model).has_fields) continue;
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
      protocol.sweeps_per_exchange = 2;
      protocol.exchanges_per_measurement = 2;
      protocol.overrelaxation = model.is_discrete() ? 0 : 2;
      Chain chain = chain_on_graph(graph, model, protocol, 2, 3);
      for (int i = 0; i < 32; ++i) {
        const LocalSelection bit = LocalSelection{1} << i;
        const bool measured = bit != chiral_overlap && bit != field_response && are_on_graphs(bit);
        if (measured) chain.local |= bit & local_observables_of(model);
      }
      const std::vector<Disorder> disorder{test::graph_disorder(graph, model, GraphCouplings::gaussian, 3, field),
                                           test::graph_disorder(graph, model, GraphCouplings::bimodal, 4, field)};
      expect_same_on_graph(chain, disorder, name + ", " + graph.name + ", field " + std::to_string(field));
      if (HasFailure()) return;
    }
  }
}

TEST_P(GraphBits, Metropolis) {
  const auto& [name, model] = GetParam();
  for (const test::GraphCase& graph : test::graph_cases()) {
    Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
    protocol.local = SiteRule::metropolis;
    protocol.adaptation = 3;
    const Chain chain = chain_on_graph(graph, model, protocol, 2, 2);
    const std::vector<Disorder> disorder{test::graph_disorder(graph, model, GraphCouplings::gaussian, 5)};
    expect_same_on_graph(chain, disorder, name + ", " + graph.name);
    if (HasFailure()) return;
  }
}

TEST_P(GraphBits, ClusterUpdates) {
  const auto& [name, model] = GetParam();
  for (const ProtocolKind kind : {ProtocolKind::swendsen_wang, ProtocolKind::wolff}) {
    if (!test::has_updates(model, kind)) continue;
    for (const test::GraphCase& graph : test::graph_cases()) {
      Protocol protocol = test::protocol_of(kind, 2, 1);
      protocol.sweeps_per_exchange = 2;
      protocol.isoenergetic = facts_of(model).isoenergetic ? 1 : 0;
      const Chain chain = chain_on_graph(graph, model, protocol, 2, 3);
      const bool potts = model.kind == ModelKind::potts;
      std::vector<Disorder> disorder{
          test::graph_disorder(graph, model, potts ? GraphCouplings::positive : GraphCouplings::gaussian, 6)};
      if (!potts) disorder.push_back(test::graph_disorder(graph, model, GraphCouplings::bimodal, 7));
      expect_same_on_graph(chain, disorder,
                           name + ", " + graph.name + ", kind " + std::to_string(static_cast<int>(kind)));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GraphBits, ::testing::ValuesIn(graph_models),
                         [](const auto& test) { return test.param.name; });

/// Terms of 3 to 8 spins beside bonds, of sites that have one, both or none; three spins around a ring.
class GraphBitsOfTerms : public ::testing::TestWithParam<SiteRule> {};

TEST_P(GraphBitsOfTerms, HaveTheBitsOfTheDefinition) {
  for (const test::GraphCase& graph : {test::graph_case("mixed", test::mixed_terms(41, 17, 8, 3)),
                                       test::graph_case("ring", test::ring_of_terms(12))}) {
    for (const double field : {0.0, 0.4}) {
      Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
      protocol.local = GetParam();
      protocol.exchanges_per_measurement = 2;
      const Chain chain = chain_on_graph(graph, test::ising(), protocol, 4, 5);
      const std::vector<Disorder> disorder{
          test::graph_disorder(graph, test::ising(), GraphCouplings::gaussian, 3, field),
          test::graph_disorder(graph, test::ising(), GraphCouplings::bimodal, 4, field)};
      expect_same_on_graph(chain, disorder, graph.name + ", field " + std::to_string(field));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rules, GraphBitsOfTerms, ::testing::Values(SiteRule::heat_bath, SiteRule::metropolis));

/// Demons and spins together keep their energy.
TEST(GraphBitsOfBundles, DemonsKeepTheEnergyOfTerms) {
  const test::GraphCase graph = test::graph_case("mixed", test::mixed_terms(41, 17, 8, 3));
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
  protocol.local = SiteRule::demon;
  protocol.exchange = ExchangeSchedule::none;
  const Chain chain = chain_on_graph(graph, test::ising(), protocol, 2, 2);
  const Disorder d = test::graph_disorder(graph, test::ising(), GraphCouplings::bimodal, 4, 0.3);
  const auto energy = [&](const ChainState& state, std::size_t replica) {
    const auto spin = [&](std::int64_t i) {
      return state.states[replica * 41 + static_cast<std::size_t>(i)] != 0 ? 1 : -1;
    };
    double sum = 0.0;
    std::size_t place = 0;
    for (const GraphBond& bond : graph.graph->bonds()) {
      sum -= static_cast<double>(d.couplings[place++]) * spin(bond.a) * spin(bond.b);
    }
    for (std::int64_t t = 0; t < graph.graph->terms().size(); ++t) {
      int product = 1;
      for (const std::int32_t i : graph.graph->terms()[t]) product *= spin(i);
      sum -= static_cast<double>(d.couplings[place++]) * product;
    }
    for (std::size_t i = 0; i < 41; ++i) {
      sum -= static_cast<double>(d.fields[i]) * spin(static_cast<std::int64_t>(i));
      sum += static_cast<double>(state.beside[replica * 41 + i]) * d.energy_scale.unit();
    }
    return sum;
  };
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  ChainState state = initial_state(chain, 3), before;
  static_cast<void>(test::run_one_round(*backend, chain, d, 3, state));
  before = state;
  static_cast<void>(test::run_one_round(*backend, chain, d, 3, state));
  EXPECT_NE(before.states, state.states);
  for (std::size_t replica = 0; replica < 4; ++replica) {
    EXPECT_NEAR(energy(before, replica), energy(state, replica), 1e-4);
  }
}

/// An absent site takes its terms with it.
TEST(GraphBitsOfBundles, AnAbsentSiteHasNoTerms) {
  std::vector<std::int32_t> colours;
  for (std::int32_t i = 0; i < 12; ++i) colours.push_back(i % 3);
  TermList with, without;
  for (std::int32_t i = 0; i < 12; ++i) {
    const std::vector<std::int32_t> term{i, (i + 1) % 12, (i + 2) % 12};
    with.add(term);
    if (std::ranges::find(term, 5) == term.end()) without.add(term);
  }
  std::vector<std::int64_t> energies[2];
  ChainState states[2];
  for (const std::size_t which : {0U, 1U}) {
    const test::GraphCase graph = test::graph_case("ring", SiteGraph(12, {}, {}, colours, which == 0 ? with : without));
    SpinModel model = test::ising();
    model.diluted = true;
    const Chain chain = chain_on_graph(graph, model, test::protocol_of(ProtocolKind::local, 0, 2), 2, 2);
    Disorder d;
    d.graph = graph.graph;
    d.fields.assign(12, 0.0F);
    d.absent.assign(12, 0);
    d.absent[5] = 1;
    for (std::int64_t t = 0; t < graph.graph->terms().size(); ++t) {
      const auto sites = graph.graph->terms()[t];
      d.couplings.push_back(std::ranges::find(sites, 5) != sites.end() ? 0.0F : 0.1F * static_cast<float>(sites[2]));
    }
    d.energy_scale = FixedScale{20};
    states[which] = initial_state(chain, 3);
    const RoundRecord record = test::run_one_round(*make_backend({BackendKind::cpu, InstructionSet::automatic, 1}),
                                                   chain, d, 3, states[which]);
    energies[which] = {std::llround(record.mean[0] * 1e12)};
  }
  EXPECT_TRUE(states[0] == states[1]);
  EXPECT_EQ(energies[0], energies[1]);
}

/// Terms of two spins and a third one that is always up have the states of bonds.
TEST(GraphBitsOfBundles, ATermWithASpinInALargeFieldIsABond) {
  TermList terms;
  for (std::int32_t i = 0; i < 10; ++i) terms.add(std::vector<std::int32_t>{i, (i + 1) % 10, 10});
  std::vector<GraphBond> ring;
  for (std::int32_t i = 0; i < 10; ++i) ring.push_back({i, (i + 1) % 10});
  const auto colours = [](std::int32_t last) { return std::vector<std::int32_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, last}; };
  const test::GraphCase of_terms = test::graph_case("terms", SiteGraph(11, {}, {}, colours(2), terms)),
                        of_bonds = test::graph_case("bonds", SiteGraph(11, ring, {}, colours(2)));
  GraphOutcome outcomes[2];
  for (const bool has_terms : {false, true}) {
    const test::GraphCase& graph = has_terms ? of_terms : of_bonds;
    Chain chain = chain_on_graph(graph, test::ising(), test::protocol_of(ProtocolKind::local, 0, 1), 2, 3);
    chain.start = Start::ordered;
    Disorder d = test::graph_disorder(graph, test::ising(), GraphCouplings::gaussian, 3, 0.3);
    d.fields.back() = 1000.0F;
    d.energy_scale = FixedScale{18};
    outcomes[has_terms ? 1 : 0] =
        run_graph(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, std::vector{d});
  }
  EXPECT_TRUE(outcomes[0].states == outcomes[1].states);
  EXPECT_TRUE(test::same_bytes(outcomes[0].records.front(), outcomes[1].records.front()));
}

/// More replicas than a bundle has lanes, more slots than a measurement takes at once; four copies; one replica.
TEST(GraphBitsOfBundles, ManyReplicasAndOne) {
  const test::GraphCase graph = test::graph_case("regular", test::random_regular(20, 4, 3));
  for (const auto& [model, copies, slots] :
       {std::tuple{test::ising(), 2, 18}, std::tuple{test::ising(), 4, 5}, std::tuple{test::on(3), 1, 1},
        std::tuple{test::on(2), 2, 20}, std::tuple{test::potts(4), 4, 6}}) {
    Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
    protocol.isoenergetic = facts_of(model).isoenergetic ? 2 : 0;
    const Chain chain = chain_on_graph(graph, model, protocol, copies, slots);
    const std::vector<Disorder> disorder{test::graph_disorder(graph, model, GraphCouplings::gaussian, 8)};
    expect_same_on_graph(chain, disorder, std::to_string(copies) + " copies, " + std::to_string(slots) + " slots");
  }
}

/// A chain that the vectors do not know has plain code, and says so.
TEST(GraphBitsOfBundles, WhatVectorsDoNotKnowIsPlain) {
  const test::GraphCase graph = test::graph_case("regular", test::random_regular(20, 4, 3));
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
  Chain chain = chain_on_graph(graph, test::on(5), protocol, 2, 2);
  EXPECT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::plain, chain));
  chain.model = test::ising();
  EXPECT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::lanes, chain));
  chain.protocol.local = SiteRule::demon;
  chain.protocol.exchange = ExchangeSchedule::none;
  EXPECT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::plain, chain));
}

}}  // namespace glassworks
