#include "scheduler/campaign/course_explanation.hpp"

#include <gtest/gtest.h>

#include "scheduler/campaign/status_words.hpp"

namespace glassworks { namespace {

Config config_with_course() {
  return parse_config(
      "model.type = ising\nmodel.L = 4\nmodel.couplings = bimodal\ndisorder.realizations = 2\n"
      "course.sweeps = 100\ncourse.segments = 20 at 2, 30 from 1.5 to 0.5 geometric stair 10, at 0.7\n"
      "course.times = 5, 60, 100\ncourse.waiting_times = 20, 40\ncourse.longest_round = 20\n");
}

/// After so many rounds of 2 s each.
std::string text_after(std::uint32_t rounds, RealizationStatus status) {
  RealizationRow row;
  row.key = {4, 1};
  row.rounds = rounds;
  row.status = status;
  row.attempt = 3;
  row.reason = status == RealizationStatus::converged ? "the course has reached its end" : "";
  std::vector<RoundRow> history(rounds);
  for (RoundRow& round : history) round.seconds = 2.0;
  return explain_course(config_with_course(), row, history, {.L = 4, .temperatures = {2.0}, .observables = {}});
}

TEST(CourseExplanation, TellsTimesRateAndWhatIsLeft) {
  EXPECT_EQ(text_after(3, RealizationStatus::equilibrating),
            "L = 4, realization 1: running at t = 40 of 100\n"
            "  segment      t = 0 to 20, T = 2: done\n"
            "  segment      t = 20 to 50, T = 1.5 to 0.5, geometric: running\n"
            "  segment      t = 50 to 100, T = 0.7\n"
            "  measured     at 3 of 6 times: 5, 20, 40, 50, 60, 100\n"
            "  kept states  2 of 2: t_w = 20, 40\n"
            "  rounds       3 of 7; the next one leads from t = 40 to 50\n"
            "  attempts     attempt number 3; 0 failed attempts at the next round, 20 allowed\n"
            "  rate         10.0 sweeps/s in the last rounds\n"
            "  left         60 sweeps, about 6 s at this rate\n");
}

TEST(CourseExplanation, OfBeginningAndEnd) {
  EXPECT_EQ(text_after(0, RealizationStatus::queued),
            "L = 4, realization 1: queued at t = 0 of 100\n"
            "  segment      t = 0 to 20, T = 2\n"
            "  segment      t = 20 to 50, T = 1.5 to 0.5, geometric\n"
            "  segment      t = 50 to 100, T = 0.7\n"
            "  measured     at 0 of 6 times: 5, 20, 40, 50, 60, 100\n"
            "  kept states  0 of 2: t_w = 20, 40\n"
            "  rounds       0 of 7; the next one leads from t = 0 to 5\n"
            "  attempts     attempt number 3; 0 failed attempts at the next round, 20 allowed\n");
  EXPECT_EQ(text_after(7, RealizationStatus::converged),
            "L = 4, realization 1: complete at t = 100 of 100\n"
            "  reason       the course has reached its end\n"
            "  segment      t = 0 to 20, T = 2: done\n"
            "  segment      t = 20 to 50, T = 1.5 to 0.5, geometric: done\n"
            "  segment      t = 50 to 100, T = 0.7: done\n"
            "  measured     at 6 of 6 times: 5, 20, 40, 50, 60, 100\n"
            "  kept states  2 of 2: t_w = 20, 40\n"
            "  rounds       7 of 7\n"
            "  attempts     attempt number 3; 0 failed attempts at the next round, 20 allowed\n"
            "  rate         10.0 sweeps/s in the last rounds\n");
}

TEST(StatusWords, OfACourseAreItsOwn) {
  const Config course = config_with_course(), equilibrium;
  EXPECT_STREQ(status_word(course, RealizationStatus::converged), "complete");
  EXPECT_STREQ(status_word(course, RealizationStatus::producing), "running");
  EXPECT_STREQ(status_word(course, RealizationStatus::quarantined), "quarantined");
  EXPECT_STREQ(status_word(equilibrium, RealizationStatus::converged), "converged");
}

}}  // namespace glassworks
