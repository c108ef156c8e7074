#include <gmock/gmock.h>

#include <thread>

#include "kernels/make_backend.hpp"
#include "tests/kernels/course_cases.hpp"
#include "tests/kernels/series/course_runs.hpp"

/// Rounds of courses: where they end, and that they are the same bits however a history is cut.
namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CourseRounds, EndAtMeasurementsAndReferences) {
  Course course;
  course.measured.listed = {1, 2, 5, 12};
  course.references = {0, 3, 5, 20};
  EXPECT_THAT(rounds_of(course), ElementsAre(CourseRound{0, 1, true}, CourseRound{1, 2, true}, CourseRound{2, 3, false},
                                             CourseRound{3, 5, true}, CourseRound{5, 12, true}));
  course.longest_round = 3;
  EXPECT_THAT(rounds_of(course), ElementsAre(CourseRound{0, 1, true}, CourseRound{1, 2, true}, CourseRound{2, 3, false},
                                             CourseRound{3, 5, true}, CourseRound{5, 8, false},
                                             CourseRound{8, 10, false}, CourseRound{10, 12, true}));
  course.measured.listed.clear();
  EXPECT_THAT(rounds_of(course), IsEmpty());
}

TEST(CourseRounds, OfALongerCourseBeginWithThoseOfAShorterOne) {
  Course shorter, longer;
  shorter.measured.listed = logarithmic_times(1000, 10, 7);
  longer.measured.listed = logarithmic_times(100000, 10, 7);
  shorter.references = longer.references = {10, 300, 5000};
  shorter.longest_round = longer.longest_round = 64;
  const std::vector<CourseRound> first = rounds_of(shorter), all = rounds_of(longer);
  ASSERT_LT(first.size(), all.size());
  EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].from, all[i - 1].to);
    EXPECT_LE(all[i].to - all[i].from, 64U);
  }
}

/// One model of each kind, a ramp, more copies than equilibrium has.
class CourseBatches : public ::testing::TestWithParam<test::CourseCase> {
 protected:
  static Chain chain_with_course(int copies) {
    const test::CourseCase& one = GetParam();
    Chain chain = test::chain_of(one, {2, 8});
    chain.protocol = {};
    const bool multispin = one.moves.begin()->rule == MoveRule::multispin_metropolis;
    set_moves(chain.protocol, {{multispin ? MoveRule::multispin_metropolis : MoveRule::heat_bath, 1}});
    chain.protocol.sweeps_per_exchange = chain.protocol.exchanges_per_measurement = 1;
    chain.protocol.exchange = ExchangeSchedule::none;
    chain.copies = copies;
    chain.samples = 0;
    Course course = test::quench(chain, {1, 3, 8, 20}, {0, 4, 8});
    Segment ramp = course.segments.front();
    ramp.steps = 6;
    for (Ramp& T : ramp.temperature) T.first = 1.5 * T.last;
    course.segments.insert(course.segments.begin(), ramp);
    course.longest_round = 5;
    chain.course = std::make_shared<const Course>(std::move(course));
    return chain;
  }
};

TEST_P(CourseBatches, AreTheSameBitsCutAnywhereOnEveryBackend) {
  const Chain chain = chain_with_course(6);
  if (has_free_modulus(chain.model)) {
    EXPECT_THROW(static_cast<void>(series_layout(chain)), std::runtime_error);
    return;
  }
  const std::vector<Disorder> disorder{test::disorder_of(GetParam(), chain.lattice, 3),
                                       test::disorder_of(GetParam(), chain.lattice, 4)};
  const auto plain = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  if (!plain->refusal(chain).empty()) GTEST_SKIP() << plain->refusal(chain);
  const test::CourseRun whole = test::run_course(*plain, chain, disorder, {7, 9});
  ASSERT_EQ(whole.states[0].kept.size(), 3U);
  EXPECT_EQ(whole.states[0].steps, 20U);
  EXPECT_EQ(whole.records[0][0].measurements, 1);
  const auto compare = [&](const test::CourseRun& found, const std::string& what) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(test::same_bytes(found.states[i], whole.states[i])) << what;
      EXPECT_EQ(found.states[i].kept, whole.states[i].kept) << what;
      for (std::size_t r = 0; r < whole.records.size(); ++r) {
        EXPECT_TRUE(test::same_bytes(found.records[r][i], whole.records[r][i])) << what << ", round " << r;
      }
    }
  };
  compare(test::run_course(*plain, chain, disorder, {7, 9}, true), "cut");
  for (const InstructionSet isa : available_instruction_sets()) {
    const auto fast = make_backend({BackendKind::cpu, isa, 2});
    compare(test::run_course(*fast, chain, disorder, {7, 9}, true), to_string(isa));
  }
}

INSTANTIATE_TEST_SUITE_P(Chains, CourseBatches, ::testing::ValuesIn(test::course_cases),
                         [](const auto& one) { return one.param.name; });

/// The energy too is that of the field at the time.
TEST(CourseBatch, AFieldTimesAFactorIsMeasuredLikeADisorderWithThatField) {
  for (const std::size_t number : {0U, 2U}) {
    const test::CourseCase& one = test::course_cases[number];
    Chain chain = test::chain_of(one, {2, 6});
    chain.protocol.exchange = ExchangeSchedule::none;
    chain.protocol.sweeps_per_exchange = chain.protocol.exchanges_per_measurement = 1;
    Course course = test::quench(chain, {2, 5}, {2});
    chain.course = std::make_shared<const Course>(course);
    Disorder disorder = test::disorder_of(one, chain.lattice, 3), weaker = disorder;
    weaker.fields = scaled_fields(disorder, -0.5F);
    const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, 1});
    const test::CourseRun expected = test::run_course(*backend, chain, {weaker}, {7});
    course.segments.front().field = Ramp::constant(-0.5);
    chain.course = std::make_shared<const Course>(course);
    const test::CourseRun found = test::run_course(*backend, chain, {disorder}, {7});
    EXPECT_TRUE(test::same_bytes(found.states[0], expected.states[0])) << one.name;
    for (std::size_t r = 0; r < expected.records.size(); ++r) {
      EXPECT_EQ(found.records[r][0].mean, expected.records[r][0].mean) << one.name << ", round " << r;
    }
  }
}

TEST(CourseBatch, KnowsTheTimeOfItsMeasurements) {
  Chain chain = test::chain_of(test::course_cases[2], {2, 8});
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.samples = 0;
  chain.course = std::make_shared<const Course>(test::quench(chain, {3, 8}, {1}));
  const Disorder disorder = test::disorder_of(test::course_cases[2], chain.lattice, 3);
  const auto backend = test::fast_backend();
  std::vector<HeldTask> tasks;
  tasks.push_back({7, &disorder, initial_state(chain, 7)});
  const auto held = hold_batch(*backend, chain, std::move(tasks));
  std::vector<RoundRecord> records(1);
  RoundControl control;
  double before = 0.0;
  for (const bool measured : {false, true, true}) {  // the first round leads to a reference time
    ASSERT_EQ(held->run_round(records, control), RoundOutcome::finished);
    EXPECT_EQ(held->measuring_seconds() > before, measured);
    before = held->measuring_seconds();
  }
}

TEST(CourseBatch, AnAbandonedRoundLeavesTheStatesBeforeIt) {
  Chain chain = test::chain_of(test::course_cases[2], {2, 16});
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.protocol.sweeps_per_exchange = 1;
  chain.course = std::make_shared<const Course>(test::quench(chain, {2, 10'000'000}, {0}));
  const std::vector<Disorder> disorder{test::disorder_of(test::course_cases[2], chain.lattice, 3)};
  const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, 1});
  std::vector<HeldTask> tasks;
  tasks.push_back({3, disorder.data(), initial_state(chain, 3)});
  const auto held = hold_batch(*backend, chain, std::move(tasks));
  RoundControl control;
  std::vector<RoundRecord> records(1);
  ASSERT_EQ(held->run_round(records, control), RoundOutcome::finished);
  const ChainState before = held->state(0);
  std::thread stopper([&] {
    while (control.updates < 50'000'000) std::this_thread::yield();
    control.stop = true;
  });
  EXPECT_EQ(held->run_round(records, control), RoundOutcome::abandoned);
  stopper.join();
  EXPECT_EQ(held->state(0), before);
  EXPECT_EQ(before.steps, 2U);
  EXPECT_EQ(before.kept.size(), 1U);
}

TEST(CourseBatch, TasksAtDifferentTimesAreRefused) {
  Chain chain = test::chain_of(test::course_cases[2], {2, 8});
  chain.protocol.exchange = ExchangeSchedule::none;
  chain.course = std::make_shared<const Course>(test::quench(chain, {2, 5}));
  const Disorder disorder = test::disorder_of(test::course_cases[2], chain.lattice, 3);
  const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, 1});
  std::vector<HeldTask> tasks;
  for (const std::uint32_t r : {0U, 1U}) tasks.push_back({r, &disorder, initial_state(chain, r)});
  tasks.back().state.steps = 2;
  EXPECT_THROW(static_cast<void>(hold_batch(*backend, chain, std::move(tasks))), std::logic_error);
}

}}  // namespace glassworks
