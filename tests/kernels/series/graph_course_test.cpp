#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/make_backend.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"
#include "tests/kernels/graph_cases.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Courses on graphs: the bits of the plain definition, however a history is cut.
namespace glassworks { namespace {

using test::GraphCouplings;

/// Down to a temperature, in a field that changes its sign where there is one.
Chain graph_course(const test::GraphCase& graph, const SpinModel& model, SiteRule rule, int copies, bool in_field) {
  Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
  protocol.exchange = ExchangeSchedule::none;
  protocol.local = rule;
  Chain chain = test::cluster_chain(model, graph.lattice, copies, test::geometric_betas(2, 0.7, 1.4), protocol, 1);
  chain.protocol.exchanges_per_measurement = 1;
  chain.samples = 0;
  Course course = test::slow_quench(chain, in_field);
  course.longest_round = 5;
  chain.course = std::make_shared<const Course>(std::move(course));
  return chain;
}

void expect_same_course(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what) {
  const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  const test::CourseRun expected = test::run_course(*reference, chain, disorder, {7, 9});
  const auto compare = [&](const test::CourseRun& found, const std::string& how) {
    for (std::size_t i = 0; i < expected.states.size(); ++i) {
      EXPECT_EQ(found.states[i], expected.states[i]) << what << ", " << how;
      for (std::size_t r = 0; r < expected.records.size(); ++r) {
        EXPECT_TRUE(test::same_bytes(found.records[r][i], expected.records[r][i])) << what << ", " << how << ", " << r;
      }
    }
  };
  for (const InstructionSet isa : available_instruction_sets()) {
    const auto fast = make_backend({BackendKind::cpu, isa, 2});
    compare(test::run_course(*fast, chain, disorder, {7, 9}, true), to_string(isa));
  }
}

class GraphCourses : public ::testing::TestWithParam<std::pair<std::string, SpinModel>> {};

TEST_P(GraphCourses, AreTheSameBitsCutAnywhereOnEveryBackend) {
  const auto& [name, model] = GetParam();
  for (const test::GraphCase& graph : test::graph_cases()) {
    for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis, SiteRule::demon}) {
      const bool in_field = facts_of(model).has_fields && rule != SiteRule::metropolis;
      const Chain chain = graph_course(graph, model, rule, rule == SiteRule::heat_bath ? 9 : 3, in_field);
      const double field = in_field ? 0.4 : 0.0;
      expect_same_course(chain,
                         {test::graph_disorder(graph, model, GraphCouplings::gaussian, 3, field),
                          test::graph_disorder(graph, model, GraphCouplings::bimodal, 4, field)},
                         name + ", " + graph.name + ", rule " + std::to_string(static_cast<int>(rule)));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GraphCourses,
                         ::testing::Values(std::pair{"ising", test::ising()}, std::pair{"potts3", test::potts(3)},
                                           std::pair{"blumeCapel", test::blume_capel(0.3)},
                                           std::pair{"clock5", test::clock_model(5)}, std::pair{"xy", test::on(2)},
                                           std::pair{"on5", test::on(5)}),
                         [](const auto& one) { return one.param.first; });

/// Words of realizations that share a graph.
TEST(GraphCourseWords, AreTheSameBitsCutAnywhereOnEveryBackend) {
  for (const test::GraphCase& graph : test::graph_cases()) {
    if (graph.name == "complete") continue;
    for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
      Chain chain = graph_course(graph, test::ising(), SiteRule::heat_bath, 6, false);
      chain.protocol.multispin = rule;
      expect_same_course(chain,
                         {test::graph_disorder(graph, test::ising(), GraphCouplings::bimodal, 3),
                          test::graph_disorder(graph, test::ising(), GraphCouplings::bimodal, 4)},
                         graph.name + ", rule " + std::to_string(static_cast<int>(rule)));
    }
  }
}

}}  // namespace glassworks
