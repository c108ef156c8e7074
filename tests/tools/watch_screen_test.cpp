#include "tools/glassworks/watch_screen.hpp"

#include <gmock/gmock.h>

#include "tools/glassworks/status_report.hpp"

namespace glassworks { namespace {

WorkerState worker(std::int64_t id, double updates) {
  WorkerState state;
  state.row.id = id;
  state.row.updates = updates;
  return state;
}

TEST(RateMeter, IsTheMeanBetweenLooks) {
  RateMeter meter;
  meter.look(100.0, {worker(1, 7e12)});  // what was there before does not count
  EXPECT_EQ(meter.updates_per_ns(), 0.0);
  meter.look(110.0, {worker(1, 7e12 + 5e9)});
  EXPECT_DOUBLE_EQ(meter.updates_per_ns(), 0.5);
  meter.look(120.0, {worker(1, 7e12 + 5e9)});  // no commit in between
  EXPECT_DOUBLE_EQ(meter.updates_per_ns(), 0.25);
}

TEST(RateMeter, CountsWorkersThatComeAndGo) {
  RateMeter meter;
  meter.look(0.0, {worker(1, 1e10)});
  meter.look(10.0, {worker(1, 2e10), worker(2, 3e10)});
  EXPECT_DOUBLE_EQ(meter.updates_per_ns(), 4.0);
  meter.look(20.0, {worker(2, 7e10)});  // what the first did after the last look is not known
  EXPECT_DOUBLE_EQ(meter.updates_per_ns(), 4.0);
}

TEST(RateMeter, ForgetsWhatIsLongerAgoThanAMinute) {
  RateMeter meter;
  double updates = 0.0;
  for (int t = 0; t <= 100; t += 10) meter.look(t, {worker(1, updates += 1e11)});
  for (int t = 110; t <= 170; t += 10) meter.look(t, {worker(1, updates += 1e10)});
  EXPECT_NEAR(meter.updates_per_ns(), 1.0, 1e-9);
  meter.look(1000.0, {worker(1, updates + 830e9)});  // the last two looks, where they lie further apart
  EXPECT_NEAR(meter.updates_per_ns(), 1.0, 1e-9);
}

TEST(Bar, IsFullOnlyAtTheEnd) {
  EXPECT_EQ(bar(0, 1000, 4), "[....]");
  EXPECT_EQ(bar(249, 1000, 4), "[....]");
  EXPECT_EQ(bar(250, 1000, 4), "[#...]");
  EXPECT_EQ(bar(999, 1000, 4), "[###.]");
  EXPECT_EQ(bar(1000, 1000, 4), "[####]");
  EXPECT_EQ(bar(0, 0, 4), "[....]");
}

TEST(WatchLines, SayWhatIsKnown) {
  CampaignState state;
  SizeState size;
  size.L = 8;
  size.realizations = 4;
  size.counts = {{RealizationStatus::converged, 2}, {RealizationStatus::equilibrating, 2}};
  size.remaining_rounds = 50.0;
  size.remaining_updates = 1.2e11;
  size.acceptance = AcceptanceRange{0.2, 0.5, 0.125, 4};
  state.sizes = {size};
  state.workers = {worker(1, 1e9)};
  RealizationRow hard;
  hard.key = {8, 3};
  hard.rounds = 20;
  hard.judgement = {.tau = 31.4, .equilibration_rounds = 3, .expected_rounds = 70};
  const auto lines = watch_lines("dir", state, {hard}, 2.0);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "dir: 2 of 4 realizations converged");
  EXPECT_EQ(
      lines[1],
      "L = 8    [############............] 2/4 converged; about 50 rounds left; acceptance 0.20 (T = 0.125) to 0.50");
  EXPECT_EQ(lines[2], "2.00 updates/ns; about 1 min 00 s left");
  EXPECT_EQ(lines[3], "Hardest: L = 8, realization 3: 20 of about 70 rounds, tau 31.4 measurements, 0 round trips");
  state.sizes[0].remaining_is_least = true;
  EXPECT_EQ(watch_lines("dir", state, {}, 2.0)[2], "2.00 updates/ns; at least 1 min 00 s left");
  EXPECT_THAT(watch_lines("dir", state, {}, 2.0)[1], ::testing::HasSubstr("; at least 50 rounds left"));
  EXPECT_THAT(status_text(state), ::testing::HasSubstr(", at least 50 rounds left"));
  EXPECT_THAT(status_json("dir", state), ::testing::ContainsRegex("\"remaining_is_least\": ?true"));
  state.workers[0].signs = WorkerLiveness::silent;
  EXPECT_EQ(watch_lines("dir", state, {}, 2.0)[2], "No process works on it.");
  state.sizes[0].counts = {{RealizationStatus::converged, 3}, {RealizationStatus::quarantined, 1}};
  EXPECT_EQ(watch_lines("dir", state, {}, 2.0)[2], "Finished.");
}

TEST(QuantilesOf, AreValuesByRank) {
  const Quantiles q = quantiles_of({5, 1, 4, 2, 3, 6, 8, 7});
  EXPECT_EQ(q.least, 1);
  EXPECT_EQ(q.quarter, 3);
  EXPECT_EQ(q.median, 5);
  EXPECT_EQ(q.three_quarters, 7);
  EXPECT_EQ(q.largest, 8);
  EXPECT_EQ(quantiles_of({}).largest, 0);
  EXPECT_EQ(quantiles_of({2.5}).quarter, 2.5);
}

}}  // namespace glassworks
