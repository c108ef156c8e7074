#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/glassworks/status_report.hpp"
#include "tools/glassworks/watch_screen.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

CampaignState course_state() {
  SizeState size;
  size.L = 64;
  size.realizations = 4;
  size.counts = {
      {RealizationStatus::converged, 1}, {RealizationStatus::equilibrating, 2}, {RealizationStatus::queued, 1}};
  size.course = CourseState{.end = 1000, .reached = quantiles_of({0, 300, 500, 1000}), .swept = 1800, .sweeps = 4000};
  size.updates = 4.7e8;
  size.remaining_rounds = 77.0;
  size.remaining_updates = 2.2e9;
  CampaignState state;
  state.sizes = {size};
  return state;
}

TEST(CourseStatus, HasTimesInsteadOfConvergence) {
  EXPECT_EQ(
      status_text(course_state()),
      "    L realizations   queued  running  complete  failed  quarantined      least t     median t        end t\n"
      "   64            4        1        2         1       0            0            0          500         1000\n"
      "L = 64: t = 500 reached by half of the realizations, 0 by the last one, of 1000; 45 % of all sweeps are done, "
      "4.7e+08 spin updates\n"
      "The campaign is not finished: `glassworks run` with its configuration continues it.\n");
}

TEST(CourseStatus, IsCompleteAtTheEnd) {
  CampaignState state = course_state();
  SizeState& size = state.sizes[0];
  size.counts = {{RealizationStatus::converged, 4}};
  size.course = CourseState{.end = 1000, .reached = quantiles_of({1000, 1000}), .swept = 4000, .sweeps = 4000};
  EXPECT_THAT(status_text(state), HasSubstr("L = 64: complete; 100 % of all sweeps are done"));
  EXPECT_THAT(status_text(state), HasSubstr("The campaign is complete.\n"));
  EXPECT_THAT(status_text(state), Not(HasSubstr("converged")));
}

TEST(CourseStatus, OfWatchShowsSweepsAndNoTau) {
  RealizationRow hard;
  hard.judgement.expected_rounds = 70;
  EXPECT_THAT(watch_lines("dir", course_state(), {hard}, 1.0),
              ElementsAre("dir: 1 of 4 realizations complete",
                          "L = 64   [##########..............] 1/4 complete; t = 500 (median), 0 (least) of 1000",
                          "No process works on it."));
}

TEST(CourseStatus, IsInTheJson) {
  const std::string json = status_json("dir", course_state());
  EXPECT_THAT(json, HasSubstr("\"course\""));
  EXPECT_THAT(json, HasSubstr("\"swept\""));
}

}}  // namespace glassworks
