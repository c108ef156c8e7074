#include <gtest/gtest.h>

#include <tuple>

#include "kernels/rounds/kept_spins.hpp"
#include "kernels/series/measure_series.hpp"
#include "kernels/series/series_measurer.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/cuda/graph_case.hpp"
#include "tests/kernels/course_cases.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Rounds of courses on a GPU: the bits of the host, however a history is cut.
namespace glassworks { namespace {

void expect_same_run(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what) {
  const auto host = test::fast_backend();
  const auto device = make_backend({.kind = BackendKind::cuda});
  ASSERT_EQ(device->refusal(chain), "") << what;
  const test::CourseRun expected = test::run_course(*host, chain, disorder, {7, 9});
  for (const bool cut : {false, true}) {
    const test::CourseRun found = test::run_course(*device, chain, disorder, {7, 9}, cut);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(test::same_bytes(found.states[i], expected.states[i])) << what;
      EXPECT_TRUE(found.states[i].states == expected.states[i].states) << what;
      EXPECT_EQ(found.states[i].kept, expected.states[i].kept) << what;
      for (std::size_t r = 0; r < expected.records.size(); ++r) {
        EXPECT_TRUE(test::same_bytes(found.records[r][i], expected.records[r][i])) << what << ", round " << r;
      }
    }
  }
}

class CudaCourseBatch : public test::OnDeviceWith<test::CourseCase> {};
class CudaGraphCourse : public test::OnDevice {};
class CudaCopyLanes : public test::OnDevice {};
class CudaRealizationLanes : public test::OnDevice {};

TEST_P(CudaCourseBatch, SameBitsAsTheHost) {
  const test::CourseCase& one = GetParam();
  if (has_free_modulus(one.model)) GTEST_SKIP() << "no series of phi4";
  for (const Lattice& lattice : {Lattice{3, 8}, Lattice{2, 12}}) {
    Chain chain = test::chain_of(one, lattice);
    chain.protocol = {};
    const bool multispin = one.moves.begin()->rule == MoveRule::multispin_metropolis;
    set_moves(chain.protocol, {{multispin ? MoveRule::multispin_metropolis : MoveRule::heat_bath, 1}});
    chain.protocol.sweeps_per_exchange = chain.protocol.exchanges_per_measurement = 1;
    chain.protocol.exchange = ExchangeSchedule::none;
    chain.copies = 6;
    chain.samples = 0;
    Course course = test::quench(chain, {1, 3, 8, 20}, {0, 4, 8});
    Segment ramp = course.segments.front();
    ramp.steps = 6;
    for (Ramp& T : ramp.temperature) T.first = 1.5 * T.last;
    course.segments.insert(course.segments.begin(), ramp);
    chain.course = std::make_shared<const Course>(std::move(course));
    expect_same_run(chain, {test::disorder_of(one, lattice, 3), test::disorder_of(one, lattice, 4)},
                    std::string(one.name) + ", d = " + std::to_string(lattice.dim));
  }
}

INSTANTIATE_TEST_SUITE_P(Chains, CudaCourseBatch, ::testing::ValuesIn(test::course_cases),
                         [](const auto& one) { return one.param.name; });

/// Graphs in changing conditions, by kernels for sweeps of graphs and by plain ones.
TEST_F(CudaGraphCourse, SameBitsAsTheHost) {
  for (const test::Graphs& graphs : test::small_graphs()) {
    for (const auto& [name, model] : test::models()) {
      if (has_free_modulus(model)) continue;
      for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis, SiteRule::demon}) {
        Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
        protocol.local = rule;
        protocol.exchange = ExchangeSchedule::none;
        protocol.exchanges_per_measurement = 1;
        Chain chain = test::cluster_chain(model, graphs.lattice, 6, test::geometric_betas(2, 0.7, 1.4), protocol, 1);
        const bool in_field = facts_of(model).has_fields && rule != SiteRule::metropolis;
        chain.course = std::make_shared<const Course>(test::slow_quench(chain, in_field));
        const auto fields = in_field ? test::Fields::gaussian : test::Fields::none;
        expect_same_run(chain, graphs.disorder(chain, test::Couplings::gaussian, fields),
                        graphs.name + ", " + name + ", rule " + std::to_string(static_cast<int>(rule)));
        if (HasFailure()) return;
      }
    }
  }
}

/// A chain of words of copies that is quenched to temperatures with marks and with digits.
Chain quenched_copies(const Lattice& lattice, int copies, MultispinRule rule, int pairs) {
  Chain chain = test::cluster_chain(test::ising(), lattice, copies, {1.0F / 0.4F, 1.0F / 0.9F, 1.0F / 1.6F, 0.05F},
                                    test::multispin_protocol(rule), 1);
  chain.protocol.lanes = MultispinLanes::copies;
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.protocol.exchanges_per_measurement = 1;
  Course course = test::quench(chain, {1, 4, 9}, {0, 4});
  course.pairs = pairs;
  chain.course = std::make_shared<const Course>(std::move(course));
  return chain;
}

/// The device measures such a course itself. Pairs: all of few copies; whole rings of copies and a part of one; rings
/// of copies that fill their words in part, or several groups of words.
TEST_F(CudaCopyLanes, MeasuresAsTheHostDoes) {
  for (const auto& [lattice, copies, pairs] : {std::tuple{Lattice{3, 8}, 2, 0},
                                               {Lattice{3, 6}, 7, 0},
                                               {Lattice{3, 6}, 37, 160},
                                               {Lattice{2, 34}, 33, 0},
                                               {Lattice{3, 10}, 128, 300},
                                               {Lattice{4, 4}, 130, 1000},
                                               {Lattice{3, 4}, 512, 0}}) {
    const Chain chain = quenched_copies(lattice, copies, MultispinRule::metropolis, pairs);
    const std::vector<Disorder> disorder{test::bimodal(lattice, 3), test::bimodal(lattice, 4)};
    const auto device = make_backend({.kind = BackendKind::cuda});
    std::vector<HeldTask> tasks;
    for (std::uint32_t i = 0; i < 2; ++i) tasks.push_back({i, &disorder[i], initial_state(chain, i)});
    Chain piece = chain;
    piece.course = nullptr;
    piece.measurements = piece.samples = 0;
    piece.protocol.exchanges_per_measurement = 5;
    const auto held = device->hold(piece, std::move(tasks));
    std::vector<std::vector<KeptSpins>> kept(2);
    for (std::size_t i = 0; i < 2; ++i) kept[i].push_back(keep_spins(chain, held->state(i)));
    RoundControl control;
    std::vector<RoundRecord> records(2);
    ASSERT_EQ(held->run_round(records, control), RoundOutcome::finished);
    auto* const measurer = held->series_measurer();
    ASSERT_NE(measurer, nullptr);
    const SeriesLayout layout = series_layout(chain);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto size = static_cast<std::size_t>(chain.slots() * layout.size());
      std::vector<double> found(size, -1.0), expected(size, -2.0);
      ASSERT_TRUE(measurer->measure(i, layout, {&kept[i], 1}, 2, found));
      measure_series(chain, disorder[i], held->state(i), kept[i], layout, 2, expected);
      for (std::size_t c = 0; c < size; ++c) {
        const auto column = c % static_cast<std::size_t>(layout.size());
        EXPECT_EQ(found[c], expected[c]) << layout.names()[column] << ", " << copies << " copies, L = " << lattice.L;
      }
    }
  }
}

/// Words of realizations are measured on the device too, all realizations at once: those of two words, in a field or
/// not.
TEST_F(CudaRealizationLanes, AreMeasuredAsTheHostDoes) {
  for (const auto& [lattice, copies, field] :
       {std::tuple{Lattice{3, 8}, 2, 0.0F}, {Lattice{3, 12}, 1, 0.3F}, {Lattice{2, 34}, 5, 0.0F}}) {
    Chain chain = test::cluster_chain(test::ising(), lattice, copies, {1.0F / 0.7F, 1.0F / 1.6F},
                                      test::multispin_protocol(MultispinRule::metropolis), 1);
    chain.protocol.exchange = ExchangeSchedule::none;
    chain.protocol.exchanges_per_measurement = 5;
    chain.measurements = 0;
    const std::vector<std::uint32_t> numbers{3, 4, 37, 38, 70};
    std::vector<Disorder> disorder;
    for (const std::uint32_t number : numbers) {
      disorder.push_back(test::bimodal(lattice, number));
      if (field != 0.0F) disorder.back() = test::in_field(lattice, disorder.back(), field);
    }
    std::vector<HeldTask> tasks;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      tasks.push_back({numbers[i], &disorder[i], initial_state(chain, numbers[i])});
    }
    const auto device = make_backend({.kind = BackendKind::cuda});
    const auto held = device->hold(chain, std::move(tasks));
    std::vector<std::vector<KeptSpins>> kept(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) kept[i].push_back(keep_spins(chain, held->state(i)));
    RoundControl control;
    std::vector<RoundRecord> records(numbers.size());
    ASSERT_EQ(held->run_round(records, control), RoundOutcome::finished);
    auto* const measurer = held->series_measurer();
    ASSERT_NE(measurer, nullptr);
    const SeriesLayout layout({chain.model, lattice, copies, 0, {0}});
    const auto size = static_cast<std::size_t>(chain.slots() * layout.size());
    std::vector<double> found(4 * size, -1.0), expected(size, -2.0);
    ASSERT_TRUE(measurer->measure(1, layout, std::span(kept).subspan(1), 2, found));
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      measure_series(chain, disorder[i], held->state(i), kept[i], layout, 2, expected);
      for (std::size_t c = 0; c < size; ++c) {
        const auto column = c % static_cast<std::size_t>(layout.size());
        EXPECT_EQ(found[(i - 1) * size + c], expected[c])
            << layout.names()[column] << " of realization " << numbers[i] << ", L = " << lattice.L;
      }
    }
  }
}

/// Marks at low temperatures, digits at high ones; quads that are cut off by the edge; groups of copies.
TEST_F(CudaCopyLanes, SameBitsAsTheHost) {
  for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
    for (const auto& [lattice, copies] : {std::pair{Lattice{3, 8}, 5},
                                          {Lattice{3, 6}, 130},
                                          {Lattice{3, 10}, 256},
                                          {Lattice{2, 14}, 64},
                                          {Lattice{4, 4}, 300},
                                          {Lattice{3, 16}, 512}}) {
      const Chain chain = quenched_copies(lattice, copies, rule, 0);
      expect_same_run(chain, {test::bimodal(lattice, 3), test::bimodal(lattice, 4)},
                      std::to_string(lattice.dim) + "d, L = " + std::to_string(lattice.L) + ", " +
                          std::to_string(copies) + " copies");
    }
  }
}

}}  // namespace glassworks
