#include "analysis/series/superposition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/series/field_response.hpp"
#include "analysis/series/series_tables.hpp"
#include "analysis/series/series_text.hpp"
#include "tests/analysis/series/series_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::made_series;
using ::testing::Not;

constexpr std::uint64_t switched = 8;
constexpr double h = 0.5;
const std::vector<std::uint64_t> times = {4, 8, 9, 10, 12, 16, 24, 32};

/// Field before and after the switch, and a magnetization [realization, t].
struct History {
  double before = 0.0, after = 1.0;
  std::function<double(std::uint32_t, std::uint64_t)> M;
};

CourseAnalysis analysis_of(const History& history, int realizations, double T = 2.0) {
  SizeSeries series = made_series(
      16, times, {"magnetization"}, realizations,
      [&](auto r, auto t, int, const std::string&) { return history.M(r, t); }, T);
  for (std::size_t k = 0; k < times.size(); ++k)
    series.field[k] = times[k] <= switched ? history.before : history.after;
  CampaignSeries campaign;
  campaign.config.model.field = FieldKind::constant;
  campaign.config.model.field_strength = h;
  campaign.config.course.sweeps = {32};
  campaign.config.course.segments = {
      {.sweeps = {switched}, .first_T = {}, .last_T = {}, .first_field = history.before, .last_field = history.before},
      {.sweeps = {0}, .first_T = {}, .last_T = {}, .first_field = history.after, .last_field = history.after}};
  campaign.sizes = {std::move(series)};
  return analyze_course(std::move(campaign));
}

/// Noise of a realization that is correlated in time: a random walk from one of the times to the next.
double walk(std::uint32_t seed, std::uint32_t realization, std::uint64_t t) {
  double sum = 0.0;
  for (const std::uint64_t time : times) {
    if (time > t) break;
    std::minstd_rand random(1 + seed * 100003 + realization * 1009 + static_cast<std::uint32_t>(time));
    random.discard(5);
    sum += 0.1 * h * std::normal_distribution<double>()(random);
  }
  return sum;
}

/// ln growth of the zero-field-cooled response, what is left of it for the remanent one, and `excess` on top.
std::vector<Superposition> superposed(int realizations, std::uint32_t seed, double excess = 0.0) {
  const auto since = [](std::uint64_t t) { return t > switched ? std::log1p(static_cast<double>(t - switched)) : 0.0; };
  const auto own = [](std::uint32_t r) { return 1.0 + 0.3 * std::sin(r); };  // of the disorder: the same in all three
  return superpose(
      analysis_of({0.0, 1.0, [=](auto r, auto t) { return h * (0.1 * own(r) * since(t) + excess) + walk(seed, r, t); }},
                  realizations),
      analysis_of({1.0, 0.0, [=](auto r, auto t) { return h * own(r) * (1.0 - 0.1 * since(t)); }}, realizations),
      analysis_of({1.0, 1.0, [=](auto r, auto) { return h * own(r); }}, realizations));
}

TEST(FieldSwitches, AreJumpsToAFieldThatStays) {
  const auto segment = [](std::uint64_t sweeps, double first, double last) {
    return CourseSegment{.sweeps = {sweeps}, .first_T = {}, .last_T = {}, .first_field = first, .last_field = last};
  };
  CourseConfig course;
  course.segments = {segment(10, 0, 0),   segment(20, 1, 1),    segment(5, 1, 1),
                     segment(30, 0, 0.5), segment(7, 0.5, 0.5), segment(0, 0, 0)};
  const std::vector<FieldSwitch> switches = field_switches(course);
  ASSERT_EQ(switches.size(), 2U);  // neither the ramp nor what goes on after it
  EXPECT_EQ(switches[0].t, 10U);
  EXPECT_EQ(switches[0].until, 35U);
  EXPECT_EQ(switches[1].t, 72U);
  EXPECT_EQ(switches[1].before, 0.5);
}

TEST(FieldResponse, CountsTimeFromTheSwitch) {
  const auto M = [](auto r, auto t) {
    return t > switched ? h * (1.0 + 0.01 * r) * (0.3 + 0.7 * std::log(static_cast<double>(t - switched))) : 0.0;
  };
  const CourseAnalysis analysis = analysis_of({0.0, 1.0, M}, 5);
  const SlotAnalysis& slot = analysis.sizes[0].slots[0];
  const TimeCurve *const response = slot.find("response(8)"), *const rate = slot.find("relaxation_rate(8)");
  ASSERT_TRUE(response != nullptr && rate != nullptr);
  EXPECT_TRUE(std::isnan(response->value[0]));
  EXPECT_EQ(response->value[1], 0.0);
  EXPECT_NEAR(response->value[3], 1.02 * (0.3 + 0.7 * std::log(2.0)), 1e-12);
  for (std::size_t k = 3; k < 7; ++k) {
    EXPECT_NEAR(rate->value[k], 1.02 * 0.7, 1e-9) << k;
    EXPECT_NEAR(rate->error[k], 0.7 * 0.01 * std::sqrt(2.5 / 5.0), 1e-9) << k;
  }
  EXPECT_THAT(series_text(analysis), HasSubstr("Response since the field went from 0 to 1 at t_w = 8"));
  EXPECT_THAT(series_csv(analysis), HasSubstr("16,0,2,8,response(8),0,"));
  EXPECT_THAT(series_csv(analysis), Not(HasSubstr("16,0,2,4,response(8)")));
}

TEST(Superposition, JudgesDifferencesOfPairedRealizations) {
  const std::vector<Superposition> checks = superposed(12, 1);
  ASSERT_EQ(checks.size(), 1U);
  const Superposition& check = checks[0];
  EXPECT_EQ(check.switched, 8U);
  ASSERT_EQ(check.points.size(), 6U);
  EXPECT_EQ(check.points[0].t, 9U);
  double mean = 0.0, squares = 0.0;  // of the walks: what realizations have in common drops out
  for (std::uint32_t r = 0; r < 12; ++r) mean += walk(1, r, 9) / h / 12.0;
  for (std::uint32_t r = 0; r < 12; ++r) squares += std::pow(walk(1, r, 9) / h - mean, 2);
  EXPECT_NEAR(check.points[0].difference, mean, 1e-12);
  EXPECT_NEAR(check.points[0].error, std::sqrt(squares / (12.0 * 11.0)), 1e-12);
  EXPECT_EQ(check.times, 3U);
  EXPECT_THAT(superposition_csv(checks),
              HasSubstr("L,slot,T,t,sum,field_cooled,difference,error,realizations\n16,0,2,9,"));
  const Superposition broken = superposed(12, 1, 0.4)[0];
  EXPECT_FALSE(broken.holds);
  EXPECT_THAT(superposition_verdict(broken), HasSubstr("the response is not linear. Use a smaller field."));
  EXPECT_THAT(superposition_verdict(superposed(3, 1)[0]), HasSubstr("cannot be judged by 3 paired realizations"));
}

/// p is uniform where superposition holds, whatever the correlation in time: of 200 checks 20 are below 0.1 within
/// 4.5 sqrt(200 0.1 0.9) = 19: a false alarm in 10^5 runs of other seeds.
TEST(StatisticsSuperposition, FalseAlarmsAreAsFrequentAsTheirLevel) {
  int below = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) below += static_cast<int>(superposed(10, seed)[0].p < 0.1);
  EXPECT_NEAR(below, 20, 19);
}

TEST(Superposition, IsRefusedWhereTheCampaignsDoNotFit) {
  const auto M = [](auto r, auto t) { return walk(1, r, t); };
  const CourseAnalysis on = analysis_of({0.0, 1.0, M}, 4), off = analysis_of({1.0, 0.0, M}, 4),
                       always = analysis_of({1.0, 1.0, M}, 4), never = analysis_of({0.0, 0.0, M}, 4),
                       warm = analysis_of({1.0, 1.0, M}, 4, 3.0);
  EXPECT_NO_THROW(superpose(on, off, always));
  EXPECT_THAT([&] { static_cast<void>(superpose(on, always, off)); }, Refuses(InputFault::conflict, "--superpose"));
  EXPECT_THAT([&] { static_cast<void>(superpose(never, always, always)); },
              Refuses(InputFault::conflict, "--superpose"));
  EXPECT_THAT([&] { static_cast<void>(superpose(on, off, warm)); }, Refuses(InputFault::conflict, "--superpose"));
  CourseAnalysis other = analysis_of({1.0, 1.0, M}, 4);
  other.series.config.campaign.seed = 77;
  EXPECT_THAT([&] { static_cast<void>(superpose(on, off, other)); }, Refuses(InputFault::conflict, "--superpose"));
}

}}  // namespace glassworks
