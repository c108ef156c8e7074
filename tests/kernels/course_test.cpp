#include <gmock/gmock.h>

#include <numeric>

#include "tests/kernels/course_cases.hpp"

/// Histories in time: pieces, backends, and what single spins do.
namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CourseBits : public ::testing::TestWithParam<test::CourseCase> {};

TEST_P(CourseBits, EqualInPiecesAndInEveryBackend) {
  const Lattice lattice{2, 8};
  const Chain chain = test::chain_of(GetParam(), lattice);
  const Course course = test::course_of(GetParam(), chain);
  ASSERT_EQ(course_problem(course, chain), "");
  const std::vector<Disorder> disorder{test::disorder_of(GetParam(), lattice, 3),
                                       test::disorder_of(GetParam(), lattice, 4)};
  const auto plain = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  const test::Walked whole = test::walk(*plain, chain, disorder, course);
  EXPECT_THAT(whole.times, ElementsAre(1, 2, 4, 5, 8, 10, 13, 15));
  EXPECT_EQ(whole.kept.size(), 8U);
  std::vector<std::uint64_t> everywhere(18);
  std::iota(everywhere.begin(), everywhere.end(), std::uint64_t{1});
  test::expect_same_walk(test::walk(*plain, chain, disorder, course, everywhere), whole, "cut everywhere");
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const int threads : {1, 3}) {
      const auto fast = make_backend({BackendKind::cpu, isa, threads});
      const std::string what = std::string(to_string(isa)) + ", threads " + std::to_string(threads);
      test::expect_same_walk(test::walk(*fast, chain, disorder, course, {3, 7, 11}), whole, what);
    }
  }
  Course colder = course;
  for (Ramp& T : colder.segments[1].temperature) T = Ramp::constant(0.9 * T.first);
  EXPECT_NE(test::walk(*plain, chain, disorder, colder).states, whole.states) << "temperatures matter";
  if (!GetParam().in_field) return;
  Course weaker = course;
  weaker.segments[0].field.last = 0.5;
  EXPECT_NE(test::walk(*plain, chain, disorder, weaker).states, whole.states) << "so does the field";
}

INSTANTIATE_TEST_SUITE_P(Chains, CourseBits, ::testing::ValuesIn(test::course_cases),
                         [](const auto& one) { return one.param.name; });

/// Measurements that nobody sees bring vectors back to length 1 all the same, at their times alone.
TEST(Course, MeasurementsBelongToTheChainWhetherSeenOrNot) {
  const test::CourseCase& one = test::course_cases[1];
  const Lattice lattice{2, 6};
  Chain chain = test::chain_of(one, lattice);
  chain.protocol.exchanges_per_measurement = 3;
  chain.measurements = 4;
  const Disorder disorder = test::disorder_of(one, lattice, 5);
  const auto backend = test::fast_backend();
  ChainState by_round = initial_state(chain, 7);
  static_cast<void>(test::run_one_round(*backend, chain, disorder, 7, by_round));
  Course course;
  Segment segment{.steps = endless, .temperature = {}};
  for (const float beta : chain.beta) segment.temperature.push_back(Ramp::constant(1.0 / static_cast<double>(beta)));
  course.segments = {segment};
  course.measured.every = 3;
  EXPECT_EQ(course_problem(course, chain), "");
  const auto end_of = [&](const Course& of, const CourseVisitor& visitor) {
    const auto held = backend->hold(chain, [&] {
      std::vector<HeldTask> tasks;
      tasks.push_back({7, &disorder, initial_state(chain, 7)});
      return tasks;
    }());
    RoundControl control;
    EXPECT_EQ(follow_course(*held, 1, of, 0, 12, visitor, control), 12U);
    return held->state(0);
  };
  int seen = 0;
  const CourseVisitor visitor{[&](std::uint64_t, std::span<RoundRecord>) { ++seen; }, {}};
  EXPECT_TRUE(test::same_bytes(end_of(course, {}), by_round));
  EXPECT_TRUE(test::same_bytes(end_of(course, visitor), by_round));
  EXPECT_EQ(seen, 4);
  course.measured.every = 0;
  EXPECT_FALSE(test::same_bytes(end_of(course, {}), by_round)) << "the test would see a measurement that is left out";
}

/// A stop comes between pieces, and the batch goes on from there.
TEST(Course, GoesOnWhereItWasStopped) {
  const test::CourseCase& one = test::course_cases[2];
  const Chain chain = test::chain_of(one, {2, 4});
  const std::vector<Disorder> disorder{test::disorder_of(one, chain.lattice, 5)};
  const Course course = test::course_of(one, chain);
  const auto backend = test::fast_backend();
  std::vector<HeldTask> tasks;
  tasks.push_back({7, disorder.data(), initial_state(chain, 7)});
  const auto held = backend->hold(chain, std::move(tasks));
  RoundControl control;
  const CourseVisitor stopping{[&](std::uint64_t time, std::span<RoundRecord>) { control.stop = time == 5; }, {}};
  EXPECT_EQ(follow_course(*held, 1, course, 0, 19, stopping, control), 5U);
  EXPECT_EQ(held->state(0).steps, 5U);
  control.stop = false;
  EXPECT_EQ(follow_course(*held, 1, course, 5, 19, {}, control), 19U);
  EXPECT_EQ(held->state(0), test::walk(*backend, chain, disorder, course).states[0]);
}

/// Spins without couplings in a field that is ramped down while they are cooled: a sweep of Metropolis flips each with
/// w = min(1, exp(-2 beta h s)), so that m(t + 1) = m(t) (1 - w_up - w_down) + w_up - w_down. 16384 spins, 4 standard
/// deviations at each of 20 times: false-alarm probability 1.3e-3.
TEST(StatisticsOfCourses, SingleSpinsRelaxAsTheirMatrixSays) {
  constexpr float h = 0.8F;
  constexpr int steps = 20;
  const Lattice lattice{2, 64};
  const Protocol p = test::multispin_protocol(MultispinRule::metropolis);
  const Chain chain = test::cluster_chain(test::ising(), lattice, 4, {1.0F}, p, 1);
  const Disorder disorder = test::in_field(lattice, test::pure(lattice, 0.0F), h);
  Course course;
  course.segments = {
      {.steps = steps, .temperature = {{2.0, 0.5, RampShape::geometric}}, .field = {1.0, 0.2, RampShape::linear}}};
  for (std::uint64_t t = 0; t <= steps; ++t) course.references.push_back(t);
  std::vector<HeldTask> tasks;
  tasks.push_back({3, &disorder, initial_state(chain, 3)});
  const auto backend = test::fast_backend();
  const auto held = backend->hold(chain, std::move(tasks));
  std::vector<double> m;
  const CourseVisitor visitor{
      {}, [&](std::uint64_t, const HeldBatch& batch) {
        const std::vector<std::uint8_t> states = batch.state(0).states;
        m.push_back(2.0 * std::accumulate(states.begin(), states.end(), 0.0) / static_cast<double>(states.size()) -
                    1.0);
      }};
  RoundControl control;
  ASSERT_EQ(follow_course(*held, 1, course, 0, steps, visitor, control), steps);
  ASSERT_EQ(m.size(), steps + 1U);
  double expected = m[0], slope = 1.0;
  for (std::uint64_t t = 0; t < steps; ++t) {
    const Conditions now = conditions_at(course, t);
    const double down = std::exp(-2.0 * static_cast<double>(now.beta[0] * h * now.field));
    expected = expected * (1.0 - 1.0 - down) + 1.0 - down;
    slope *= -down;
    EXPECT_NEAR(m[t + 1], expected, 4.0 * std::sqrt((1.0 - expected * expected) / 16384.0)) << "time " << t + 1;
  }
  EXPECT_LT(std::fabs(slope), 1e-3);
  EXPECT_LT(expected, 0.6) << "the field is weak at the end: a course that forgot it would end near 1";
}

TEST(Course, RampsAreStairsFromTheFirstValueToTheLast) {
  Course course;
  course.segments = {{.steps = 5, .temperature = {{2.0, 1.0, RampShape::linear}}, .stair = 2},
                     {.steps = 4, .temperature = {{1.0, 8.0, RampShape::geometric}}},
                     {.steps = 3, .temperature = {Ramp::constant(8.0)}}};
  std::vector<float> T;
  for (std::uint64_t step = 0; step < course.end(); ++step) T.push_back(1.0F / conditions_at(course, step).beta[0]);
  EXPECT_THAT(T, ::testing::Pointwise(::testing::FloatEq(),
                                      {2.0F, 2.0F, 1.5F, 1.5F, 1.0F, 1.0F, 2.0F, 4.0F, 8.0F, 8.0F, 8.0F, 8.0F}));
  std::vector<std::uint64_t> changes;
  for (std::uint64_t t = 0; t < course.end(); t = changes.back()) changes.push_back(next_change(course, t));
  EXPECT_THAT(changes, ElementsAre(2, 4, 5, 6, 7, 8, 9, 12));
  // 1/(1/beta) is beta again, so that constants of a ladder are its own.
  for (const float beta : test::geometric_betas(40, 0.13, 3.7)) {
    const Course constant{{{.steps = 1, .temperature = {Ramp::constant(1.0 / static_cast<double>(beta))}}}, {}, {}};
    EXPECT_EQ(conditions_at(constant, 0).beta[0], beta);
  }
  const Ramp geometric{0.37, 5.1, RampShape::geometric};
  EXPECT_EQ(geometric.at(0.0), 0.37);
  EXPECT_EQ(geometric.at(1.0), 5.1);
  for (const double x : {1e-9, 0.1, 1.0 / 3.0, 0.5, 0.9, 1.0 - 1e-15}) {
    EXPECT_NEAR(geometric.at(x) / (0.37 * std::pow(5.1 / 0.37, x)), 1.0, 1e-14) << x;
  }
}

TEST(MeasurementTimes, LogarithmicOnesAscend) {
  EXPECT_THAT(logarithmic_times(16, 2, 1), ElementsAre(1, 2, 4, 8, 16)) << "the end is one of them";
  EXPECT_THAT(logarithmic_times(15, 2, 1), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(logarithmic_times(1000, 10, 1), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(logarithmic_times(12, 10, 20), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)) << "each once";
  EXPECT_THAT(logarithmic_times(1, 2, 4), ElementsAre(1));
  EXPECT_THAT(logarithmic_times(0, 2, 4), ElementsAre());
  for (const auto& [base, n] : {std::pair{2, 1}, {2, 4}, {2, 64}, {10, 3}, {10, 100}}) {
    const std::vector<std::uint64_t> times = logarithmic_times(endless, base, n);
    EXPECT_EQ(std::ranges::adjacent_find(times, std::greater_equal<>()), times.end()) << base << ", " << n;
    EXPECT_EQ(times.front(), 1U);
    EXPECT_LT(times.back(), std::uint64_t{1} << 53);
    EXPECT_GT(times.back(), std::uint64_t{1} << 48);
  }
  EXPECT_THAT(logarithmic_times(100, 2, 4),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 23, 27, 32, 38, 45, 54, 64, 76, 91));
}

TEST(MeasurementTimes, UniformAndListedOnesAreMerged) {
  const MeasurementTimes times{.every = 4, .listed = {1, 4, 6, 13}};
  std::vector<std::uint64_t> all;
  for (std::uint64_t t = 0; t < 13; t = all.back()) all.push_back(*times.next_after(t));
  EXPECT_THAT(all, ElementsAre(1, 4, 6, 8, 12, 13));
  EXPECT_EQ((MeasurementTimes{.every = 0, .listed = {3}}.next_after(3)), std::nullopt);
  EXPECT_EQ((MeasurementTimes{.every = 4, .listed = {}}.next_after(endless - 2)), std::nullopt) << "no overflow";
}

TEST(Course, KeptSpinsTakeAsFewBitsAsTheirValues) {
  for (const SpinModel& model : {test::ising(), test::potts(3), test::potts(20), test::blume_capel(0.1), test::on(2)}) {
    const Chain chain = test::cluster_chain(model, {2, 6}, 2, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
    ChainState state = initial_state(chain, 1);
    state.steps = 12;
    const KeptSpins kept = keep_spins(chain, state);
    EXPECT_EQ(kept.time, 12U);
    ChainState again = initial_state(chain, 2);
    again.steps = 12;
    EXPECT_NE(again, state);
    put_spins(chain, kept, again);
    EXPECT_EQ(again, state);
    if (model == test::ising()) {
      EXPECT_EQ(kept.bits.size(), 2U) << "72 spins";
    }
  }
}

TEST(Course, BadOnesAreRefusedInASentence) {
  const Chain chain =
      test::cluster_chain(test::ising(), {2, 4}, 1, {1.0F, 0.5F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
  const Segment good{.steps = 10, .temperature = {Ramp::constant(1.0), Ramp::constant(2.0)}};
  const auto problem = [&](const auto& change) {
    Course course{{good, good}, {.every = 2, .listed = {3, 20}}, {0, 20}};
    change(course);
    const std::string text = course_problem(course, chain);
    EXPECT_TRUE(text.empty() || (text.ends_with(".") && text.find(" (") != text.npos && text.find("). ") != text.npos))
        << text;
    return text;
  };
  EXPECT_EQ(problem([](Course&) {}), "");
  EXPECT_THAT(problem([](Course& c) { c.segments.clear(); }), HasSubstr("no segment"));
  EXPECT_THAT(problem([](Course& c) { c.segments[1].steps = 0; }), HasSubstr("Segment 2 of the course"));
  EXPECT_THAT(problem([](Course& c) { c.segments[0].stair = 0; }), HasSubstr("stairs"));
  EXPECT_THAT(problem([](Course& c) { c.segments[0].temperature.pop_back(); }), HasSubstr("1 temperatures"));
  for (const double T : {0.0, -1.0, 1e-300, 1e300, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    EXPECT_THAT(problem([&](Course& c) { c.segments[0].temperature[1].last = T; }), HasSubstr("temperature")) << T;
  }
  EXPECT_THAT(problem([](Course& c) { c.segments[0].field.first = 1.5; }), HasSubstr("between -1 and 1"));
  EXPECT_THAT(problem([](Course& c) { c.segments[0].field.first = static_cast<double>(NAN); }), HasSubstr("between"));
  EXPECT_THAT(problem([](Course& c) {
                c.segments[0].field = {1.0, -1.0, RampShape::geometric};
              }),
              HasSubstr("goes through 0"));
  EXPECT_THAT(problem([](Course& c) { c.segments[0].steps = endless; }), HasSubstr("followed by another"));
  EXPECT_THAT(problem([](Course& c) {
                c.segments[1].steps = endless;
                c.segments[1].temperature[0].last = 3.0;
              }),
              HasSubstr("no end"));
  EXPECT_THAT(problem([](Course& c) { c.segments[1].steps = std::uint64_t{1} << 47; }), HasSubstr("2^48"));
  EXPECT_THAT(problem([](Course& c) { c.measured.listed = {3, 3}; }), HasSubstr("measurement times"));
  EXPECT_THAT(problem([](Course& c) { c.measured.listed = {4, 3}; }), HasSubstr("do not ascend"));
  EXPECT_THAT(problem([](Course& c) { c.measured.listed = {0, 3}; }), HasSubstr("time 0 is not between 1"));
  EXPECT_THAT(problem([](Course& c) { c.measured.listed = {21}; }), HasSubstr("time 21"));
  EXPECT_THAT(problem([](Course& c) { c.references = {21}; }), HasSubstr("reference times"));
  const auto backend = test::fast_backend();
  const auto held = backend->hold(chain, {});
  EXPECT_NO_THROW(held->set_conditions({{1.0F, 0.5F}, 0.5F}, {}));
  const Disorder none = test::pure(chain.lattice);
  std::vector<HeldTask> tasks;
  tasks.push_back({0, &none, initial_state(chain, 0)});
  const auto without_field = backend->hold(chain, std::move(tasks));
  EXPECT_THROW(without_field->set_conditions({{1.0F, 0.5F}, 0.5F}, {}), std::runtime_error);
}

}}  // namespace glassworks
