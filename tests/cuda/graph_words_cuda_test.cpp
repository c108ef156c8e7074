#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/checkpoint/held_states.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"
#include "tests/kernels/graph_cases.hpp"

/// Multi-spin coding on graphs on a device has the bits of the plain definition.
namespace glassworks { namespace {

using test::Ensemble;
using test::GraphCase;

class CudaGraphWords : public test::OnDevice {
 protected:
  /// They keep their memory.
  static Backend& backend(const std::string& kernel) {
    static std::map<std::string, std::unique_ptr<Backend>> all;
    auto& known = all[kernel];
    if (!known) known = test::cuda_backend(0, {.kernel = kernel});
    return *known;
  }
  static const std::vector<std::string>& kernels() {
    static const std::vector<std::string> all{"", "words 4", "words 2", "words 1", "words memory", "plain"};
    return all;
  }
  static Chain chain_of(const GraphCase& graph, MultispinRule rule, int copies, int slots, ExchangeSchedule exchange) {
    Protocol protocol = test::multispin_protocol(rule, 2);
    protocol.sweeps_per_exchange = 2;
    protocol.exchanges_per_measurement = 2;
    protocol.exchange = exchange;
    Chain chain =
        test::cluster_chain(test::ising(), graph.lattice, copies, test::geometric_betas(slots, 0.5, 2.0), protocol, 2);
    chain.samples = 1;
    return chain;
  }
  static Disorder disorder_of(const GraphCase& graph, std::uint32_t number, float field) {
    Disorder d = test::graph_disorder(graph, test::ising(), test::GraphCouplings::bimodal, number + 1);
    if (field != 0.0F) d.fields.assign(static_cast<std::size_t>(graph.lattice.sites()), field);
    d.energy_scale = choose_energy_scale(graph.lattice, d.couplings, d.fields, 0.0, d.graph.get());
    return d;
  }
  /// Two rounds of all realizations, of which the first is a round ahead.
  static void expect_same_bits(const Chain& chain, const Ensemble& before, const std::string& what, test::Oracle oracle,
                               const std::vector<std::string>& of_kernels) {
    const auto processor = test::oracle_backend(oracle);
    Ensemble start = before;
    if (start.number.size() > 1) start.round(*processor, chain, {0});
    Ensemble expected = start;
    for (int round = 0; round < 2; ++round) expected.round(*processor, chain, expected.all());
    for (const std::string& kernel : of_kernels) {
      Ensemble found = start;
      for (int round = 0; round < 2; ++round) found.round(backend(kernel), chain, found.all());
      for (const std::size_t i : expected.all()) {
        ASSERT_TRUE(found.state[i] == expected.state[i]) << what << ", " << kernel << ", state " << expected.number[i];
        ASSERT_TRUE(test::same_bytes(found.record[i], expected.record[i]))
            << what << ", " << kernel << ", record " << expected.number[i];
      }
    }
  }
};

std::vector<std::uint32_t> first_numbers(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t n = 0; n < count; ++n) numbers[n] = n;
  return numbers;
}

/// Three neighbours of each of an even number of sites: the next ones on a ring, and the one opposite.
SiteGraph moebius_ladder(int sites) {
  std::vector<GraphBond> bonds;
  for (int i = 0; i < sites; ++i) bonds.push_back({std::min(i, (i + 1) % sites), std::max(i, (i + 1) % sites)});
  for (int i = 0; i < sites / 2; ++i) bonds.push_back({i, i + sites / 2});
  return SiteGraph(sites, bonds);
}

/// Open ends, positions along two axes of different lengths, numbers in no order.
SiteGraph placed_square(int width, int height) {
  const auto site = [&](int x, int y) { return (x + width * y) * 5 % (width * height); };
  std::vector<GraphBond> bonds;
  std::vector<GraphAxis> axes{{width, {}}, {height, {}}};
  for (GraphAxis& axis : axes) axis.plane.resize(static_cast<std::size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int i = site(x, y);
      axes[0].plane[static_cast<std::size_t>(i)] = x;
      axes[1].plane[static_cast<std::size_t>(i)] = y;
      if (x + 1 < width) bonds.push_back({std::min(i, site(x + 1, y)), std::max(i, site(x + 1, y))});
      if (y + 1 < height) bonds.push_back({std::min(i, site(x, y + 1)), std::max(i, site(x, y + 1))});
    }
  }
  return SiteGraph(width * height, bonds, axes);
}

std::vector<GraphCase> word_graphs() {
  std::vector<GraphCase> all = test::graph_cases();  // one has sites without bonds, one too many bonds for words
  all.push_back(test::graph_case("regular, z = 6", test::random_regular(131, 6, 3)));
  all.push_back(test::graph_case("regular, z = 4", test::random_regular(71, 4, 3)));
  all.push_back(test::graph_case("cubic", moebius_ladder(50)));
  all.push_back(test::graph_case("complete of 17", test::complete_graph(17)));
  all.push_back(test::graph_case("erdos-renyi of 203", test::erdos_renyi(203, 4.0, 5)));
  all.push_back(test::graph_case("placed", placed_square(7, 9)));
  return all;
}

TEST_F(CudaGraphWords, EqualToThePlainDefinition) {
  // Neighbours in a word, in a group, in other groups, and alone in theirs.
  const std::vector<std::uint32_t> scattered{0, 1, 31, 32, 127, 128, 700, 4000000000U};
  int turn = 0;
  for (const GraphCase& graph : word_graphs()) {
    for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
      for (const float field : {0.0F, 0.3F}) {
        ++turn;
        const auto exchange = turn % 7 == 6   ? ExchangeSchedule::none
                              : turn % 3 == 0 ? ExchangeSchedule::sequential
                                              : ExchangeSchedule::even_odd;
        const int copies = turn % 5 == 4 ? 4 : 1 + turn % 2, slots = turn % 4 == 3 ? 1 : 2 + turn % 4;
        const Chain chain = chain_of(graph, rule, copies, slots, exchange);
        ASSERT_TRUE(uses_kernel_kind(BackendKind::cuda, KernelKind::bits, chain));
        const Ensemble start(chain, scattered, [&](std::uint32_t n) { return disorder_of(graph, n % 97, field); });
        expect_same_bits(chain, start, graph.name + ", turn " + std::to_string(turn), test::Oracle::reference,
                         kernels());
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Packs that are full and one that is not.
TEST_F(CudaGraphWords, ManyRealizations) {
  const GraphCase graph = test::graph_case("regular", test::random_regular(70, 6, 3));
  const Chain chain = chain_of(graph, MultispinRule::metropolis, 2, 6, ExchangeSchedule::even_odd);
  const Ensemble start(chain, first_numbers(300), [&](std::uint32_t n) { return disorder_of(graph, n, 0.0F); });
  expect_same_bits(chain, start, graph.name, test::Oracle::cpu, kernels());
}

/// More sites than fit into the shared memory of a block, and than 16 bits number; several blocks for a plane.
TEST_F(CudaGraphWords, LargeGraphs) {
  for (const int sites : {14000, 70001}) {
    const GraphCase graph = test::graph_case("ring", test::random_regular(sites, sites < 65536 ? 6 : 2, 3));
    const Chain chain = chain_of(graph, MultispinRule::heat_bath, 2, 2, ExchangeSchedule::even_odd);
    const Ensemble start(chain, {0, 1, 200}, [&](std::uint32_t n) { return disorder_of(graph, n, 0.0F); });
    expect_same_bits(chain, start, graph.name + std::to_string(sites), test::Oracle::cpu, {"", "words 4", "words 1"});
    if (HasFatalFailure()) return;
  }
}

/// Graphs of their own and absent bonds have plain kernels.
TEST_F(CudaGraphWords, OtherRealizationsArePlain) {
  const GraphCase graph = test::graph_case("regular", test::random_regular(20, 4, 3));
  const Chain chain = chain_of(graph, MultispinRule::heat_bath, 2, 2, ExchangeSchedule::even_odd);
  const auto other = std::make_shared<const SiteGraph>(test::random_regular(20, 4, 4));
  for (const bool absent : {false, true}) {
    const Ensemble start(chain, {0, 1, 2}, [&](std::uint32_t n) {
      Disorder d = disorder_of(graph, n, 0.0F);
      if (n == 1 && !absent) d.graph = other;
      if (n == 1 && absent) d.couplings[3] = 0.0F;
      return d;
    });
    expect_same_bits(chain, start, absent ? "absent bond" : "another graph", test::Oracle::reference, {""});
  }
}

/// Courses: other temperatures, a factor of the field, rounds without measurements.
TEST_F(CudaGraphWords, ConditionsOfHeldBatches) {
  const GraphCase graph = test::graph_case("regular", test::random_regular(91, 6, 3));
  const auto reference = test::oracle_backend(test::Oracle::reference);
  for (const std::string& kernel : {std::string(), std::string("words memory")}) {
    for (const float field : {0.0F, 0.4F}) {
      Chain chain = chain_of(graph, MultispinRule::heat_bath, 2, 4, ExchangeSchedule::even_odd);
      chain.samples = 0;  // courses have none
      std::vector<Disorder> disorder;
      for (std::uint32_t n = 0; n < 5; ++n) disorder.push_back(disorder_of(graph, n, field));
      const auto held_by = [&](Backend& by) {
        std::vector<HeldTask> held;
        for (std::size_t i = 0; i < disorder.size(); ++i) {
          const auto number = static_cast<std::uint32_t>(7 + 60 * i);
          held.push_back({number, &disorder[i], initial_state(chain, number)});
        }
        return by.hold(chain, std::move(held));
      };
      const auto found = held_by(backend(kernel)), expected = held_by(*reference);
      for (int round = 0; round < 3; ++round) {
        const Conditions conditions{test::geometric_betas(4, 0.5 + 0.1 * round, 1.5),
                                    round == 1 && field != 0.0F ? 0.5F : 1.0F};
        std::vector<RoundRecord> here(disorder.size()), there(disorder.size());
        RoundControl control;
        found->set_conditions(conditions, {2, round == 2 ? 0 : 2});
        expected->set_conditions(conditions, {2, round == 2 ? 0 : 2});
        ASSERT_EQ(found->run_round(there, control), RoundOutcome::finished);
        ASSERT_EQ(expected->run_round(here, control), RoundOutcome::finished);
        for (std::size_t i = 0; i < disorder.size(); ++i) {
          ASSERT_TRUE(test::same_bytes(there[i], here[i])) << kernel << ", round " << round << ", realization " << i;
          ASSERT_EQ(found->state(i), expected->state(i)) << kernel << ", round " << round << ", realization " << i;
        }
      }
    }
  }
}

TEST_F(CudaGraphWords, KernelsForPeople) {
  const GraphCase graph = test::graph_case("regular", test::random_regular(4096, 6, 3));
  const Chain chain = chain_of(graph, MultispinRule::metropolis, 2, 16, ExchangeSchedule::even_odd);
  EXPECT_THAT(backend("").kernel_description(chain),
              testing::StartsWith("multi-spin coding, 128 realizations and 3 replicas to a block of 512 threads"));
  EXPECT_EQ(backend("words memory").kernel_description(chain), "multi-spin coding, spins in device memory");
  EXPECT_GE(backend("").preferred_batch(chain), 1024);
}

}}  // namespace glassworks
