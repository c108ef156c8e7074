#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/rounds/kernel_families.hpp"
#include "tests/kernels/graph_cases.hpp"

/// Multi-spin coding on graphs: words of realizations that share a graph have the bits of the plain definition, and the
/// definition has the Boltzmann distribution.
namespace glassworks { namespace {

using test::GraphCouplings;

Chain chain_in_words(const test::GraphCase& graph, MultispinRule rule, int copies, int slots) {
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 2);
  protocol.multispin = rule;
  protocol.sweeps_per_exchange = 2;
  protocol.exchanges_per_measurement = 2;
  Chain chain =
      test::cluster_chain(test::ising(), graph.lattice, copies, test::geometric_betas(slots, 0.7, 2.0), protocol, 2);
  chain.samples = 1;
  return chain;
}

struct WordsOutcome {
  std::vector<ChainState> states;
  std::vector<RoundRecord> records;
};
/// Two rounds of the realizations 0, 1, 2, 130 and 700, which lie in three groups.
WordsOutcome run_words(Backend& backend, const Chain& chain, const std::vector<Disorder>& disorder) {
  constexpr std::uint32_t numbers[] = {0, 1, 2, 130, 700};
  WordsOutcome o{{}, std::vector<RoundRecord>(std::size(numbers))};
  for (const std::uint32_t r : numbers) o.states.push_back(initial_state(chain, r));
  std::vector<RoundTask> tasks;
  for (std::size_t r = 0; r < std::size(numbers); ++r) {
    tasks.push_back({numbers[r], &disorder[r], &o.states[r], &o.records[r]});
  }
  RoundControl control;
  for (int round = 0; round < 2; ++round) backend.run_round(chain, tasks, control);
  return o;
}

std::vector<Disorder> disorders_of_words(const test::GraphCase& graph, float field) {
  std::vector<Disorder> all;
  for (std::uint32_t r = 0; r < 5; ++r) {
    Disorder d = test::graph_disorder(graph, test::ising(), GraphCouplings::bimodal, r + 1);
    if (field != 0.0F) d.fields.assign(static_cast<std::size_t>(graph.lattice.sites()), field);
    d.energy_scale = choose_energy_scale(graph.lattice, d.couplings, d.fields, 0.0, d.graph.get());
    all.push_back(std::move(d));
  }
  return all;
}

void expect_same_words(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what) {
  ASSERT_TRUE(uses_kernel_kind(BackendKind::cpu, KernelKind::bits, chain)) << what;
  const WordsOutcome expected =
      run_words(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, disorder);
  for (const InstructionSet isa : available_instruction_sets()) {
    const int threads = isa == available_instruction_sets().back() ? 3 : 1;
    const WordsOutcome found = run_words(*make_backend({BackendKind::cpu, isa, threads}), chain, disorder);
    for (std::size_t r = 0; r < disorder.size(); ++r) {
      EXPECT_TRUE(found.states[r] == expected.states[r]) << "state: " << what << ", " << to_string(isa) << ", " << r;
      EXPECT_TRUE(test::same_bytes(found.records[r], expected.records[r]))
          << "record: " << what << ", " << to_string(isa) << ", " << r;
    }
  }
}

TEST(GraphWords, FastEqualsPlain) {
  std::vector<test::GraphCase> graphs = test::graph_cases();  // the complete one has too many bonds for words
  graphs.push_back(test::graph_case("complete of 17", test::complete_graph(17)));
  graphs.push_back(test::graph_case("cubic", test::random_regular(30, 6, 3)));
  for (const test::GraphCase& graph : graphs) {
    for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
      for (const float field : {0.0F, 0.3F}) {
        const Chain chain = chain_in_words(graph, rule, field == 0.0F ? 2 : 1, 3);
        expect_same_words(chain, disorders_of_words(graph, field),
                          graph.name + ", rule " + std::to_string(static_cast<int>(rule)));
        if (HasFailure()) return;
      }
    }
  }
}

/// Realizations with graphs of their own, and absent bonds, have plain code.
TEST(GraphWords, OtherGraphsAndAbsentBondsArePlain) {
  const test::GraphCase graph = test::graph_case("regular", test::random_regular(20, 4, 3));
  const Chain chain = chain_in_words(graph, MultispinRule::heat_bath, 2, 2);
  std::vector<Disorder> disorder = disorders_of_words(graph, 0.0F);
  disorder[1].graph = std::make_shared<const SiteGraph>(test::random_regular(20, 4, 4));
  disorder[2].couplings[3] = 0.0F;
  expect_same_words(chain, disorder, "graphs of their own");
}

/// Mean energies of 9 sites of different degrees by enumeration of all states. False alarm: 6e-5 for each of 8 numbers.
TEST(StatisticsGraphWords, EnergiesAreExact) {
  const test::GraphCase graph = test::graph_case("erdos-renyi", test::erdos_renyi(9, 3.0, 2));
  for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
    for (const float field : {0.0F, 0.3F}) {
      Chain chain = chain_in_words(graph, rule, 1, 2);
      chain.measurements = 200;
      chain.samples = 0;
      const Disorder disorder = disorders_of_words(graph, field).front();
      const test::Rounds rounds = test::simulate(chain, disorder, 2);
      for (int slot = 0; slot < 2; ++slot) {
        const auto beta = static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]);
        double Z = 0.0, sum = 0.0;
        for (int state = 0; state < 1 << 9; ++state) {
          const auto spin = [state](int i) { return (state >> i & 1) != 0 ? 1.0 : -1.0; };
          double E = 0.0;
          for (std::size_t b = 0; b < disorder.couplings.size(); ++b) {
            const GraphBond& bond = graph.graph->bonds()[b];
            E -= static_cast<double>(disorder.couplings[b]) * spin(bond.a) * spin(bond.b);
          }
          for (int i = 0; i < 9; ++i) E -= static_cast<double>(field) * spin(i);
          Z += std::exp(-beta * E);
          sum += E * std::exp(-beta * E);
        }
        EXPECT_TRUE(test::agrees(rounds, slot, test::O::energy, sum / Z / 9.0))
            << "rule " << static_cast<int>(rule) << ", field " << field << ", slot " << slot;
      }
    }
  }
}

}}  // namespace glassworks
