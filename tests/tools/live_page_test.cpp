#include "tools/glassworks/live_page.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <regex>
#include <string>

namespace glassworks { namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using S = RealizationStatus;

/// Two realizations of L = 4 with one round at three temperatures: chi_zero and chi_kmin of known ratio.
CampaignState live_state() {
  CampaignState state;
  state.config = parse_config(
      "model.type = ising\nmodel.dim = 2\nmodel.L = 4\ndisorder.realizations = 8\nladder.temperatures = 1, 1.5, 2\n");
  SizeState size;
  size.L = 4;
  size.realizations = 8;
  size.counts = {{S::converged, 2}, {S::failed, 1}, {S::producing, 1}, {S::equilibrating, 2}, {S::queued, 2}};
  size.remaining_rounds = 50.0;
  size.remaining_updates = 1.2e11;
  size.temperatures = {1.0, 1.5, 2.0};
  const BinLayout layout = state.config.bins();
  for (const auto& name : layout.names()) size.observables.emplace_back(name);
  for (const std::uint32_t realization : {0U, 1U}) {
    RoundRow round;
    RoundRecord& record = round.record;
    record.measurements = 10;
    record.mean.assign(3 * size.observables.size(), 0.25 + 0.01 * realization);
    record.exchange_attempts = {100, 100};
    record.exchange_accepted = {20 + 20 * realization, 50};
    record.walk_up = {10, 5, 0};
    record.walk_down = {0, 5, 10};
    size.latest.emplace_back(RealizationKey{4, realization}, round);
  }
  state.sizes = {size};
  WorkerState worker;
  worker.row.host = "<b>nova</b>";
  worker.updates_per_ns = 2.0;
  state.workers = {worker};
  return state;
}

LiveLook live_look(CampaignState state) { return {"a & b", std::move(state), {}, 2.0, 1'700'000'000'000}; }

const Figure* figure_named(const std::vector<Figure>& figures, const std::string& id) {
  const auto found = std::ranges::find(figures, id, &Figure::id);
  return found == figures.end() ? nullptr : &*found;
}

TEST(LiveFigures, AreThoseOfTheLatestRounds) {
  const std::vector<Figure> figures = live_figures(live_state());
  const Figure* acceptance = figure_named(figures, "acceptance");
  ASSERT_NE(acceptance, nullptr);
  EXPECT_THAT(acceptance->series[0].y, ::testing::ElementsAre(0.3, 0.5));
  const Figure* walk = figure_named(figures, "walk");
  ASSERT_NE(walk, nullptr);
  EXPECT_THAT(walk->series[0].y, ::testing::ElementsAre(1.0, 0.5, 0.0));
  EXPECT_THAT(walk->series[0].x, ::testing::ElementsAre(1.0, 1.5, 2.0));
  ASSERT_FALSE(figures.empty());
  EXPECT_THAT(figures[0].caption, HasSubstr("Latest round of 2 realizations of each size"));
}

TEST(LiveFigures, AreNoneBeforeTheFirstRound) {
  CampaignState state = live_state();
  state.sizes[0].latest.clear();
  EXPECT_TRUE(live_figures(state).empty());
}

TEST(LiveHistory, KeepsItsEndsAndStaysSmall) {
  LiveHistory history;
  EXPECT_TRUE(history.figures().empty());
  for (int i = 0; i <= 10000; ++i) history.add(i, 1e-4 * i, 2.0);
  const std::vector<Figure> figures = history.figures();
  ASSERT_EQ(figures.size(), 2U);
  const Series& done = figures[0].series[0];
  EXPECT_LE(done.x.size(), LiveHistory::most_points);
  EXPECT_EQ(done.x.front(), 0.0);
  EXPECT_DOUBLE_EQ(done.x.back(), 10000.0 / 60.0);  // [min]
  EXPECT_DOUBLE_EQ(done.y.back(), 100.0);
}

TEST(LivePage, SaysWhereTheCampaignIs) {
  const std::string page = live_page(live_look(live_state()), {}, LiveCourse::goes_on, 4.5);
  EXPECT_THAT(page, AllOf(HasSubstr("The campaign runs, about 1 min 00 s left."), HasSubstr("data-every=\"5\""),
                          HasSubstr("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"),
                          HasSubstr("37 %: 2 of 8 realizations converged, 1 failed; 2.00 updates/ns; 1 process."),
                          HasSubstr("Written <time>2023-11-14 22:13:20 UTC</time>, renewed every 5 s.")));
  EXPECT_THAT(page, HasSubstr("<span class=\"done\" style=\"width:25.000%\"></span><span class=\"failed\" "
                              "style=\"width:12.500%\"></span><span class=\"making\" style=\"width:12.500%\"></span>"
                              "<span class=\"begun\" style=\"width:25.000%\"></span></div>"));
  EXPECT_THAT(page,
              AllOf(HasSubstr("<h1>a &amp; b</h1>"), HasSubstr("&lt;b&gt;nova"), Not(HasSubstr("<b>nova")),
                    Not(HasSubstr("http://")), Not(HasSubstr("https://")), HasSubstr("id=\"figure-acceptance\"")));
}

TEST(LivePage, EndsWithTheCampaign) {
  CampaignState state = live_state();
  state.sizes[0].counts = {{S::converged, 8}};
  state.workers.clear();
  const std::string page = live_page(live_look(state), {}, LiveCourse::ended, 5.0);
  EXPECT_THAT(page,
              AllOf(HasSubstr("The campaign is finished."), HasSubstr("<title>100 % of"), HasSubstr("data-every=\"0\""),
                    Not(HasSubstr("http-equiv=\"refresh\"")), Not(HasSubstr("renewed every"))));
}

TEST(LivePage, SaysThatItWasStopped) {
  const std::string page = live_page(live_look(live_state()), {}, LiveCourse::stopped, 5.0);
  EXPECT_THAT(page, AllOf(HasSubstr("was stopped: this page shows its last look."), HasSubstr("data-every=\"0\""),
                          Not(HasSubstr("http-equiv=\"refresh\""))));
}

TEST(LivePage, OfACourseHasTimes) {
  CampaignState state = live_state();
  SizeState& size = state.sizes[0];
  size.latest.clear();
  size.course = CourseState{.end = 1000, .reached = quantiles_of({0, 300, 500, 1000}), .swept = 1800, .sweeps = 4000};
  const std::string page = live_page(live_look(state), {}, LiveCourse::goes_on, 5.0);
  EXPECT_THAT(page, AllOf(HasSubstr("t = 500 reached by half of the realizations, 0 by the last one, of 1000"),
                          HasSubstr("45 %: 2 of 8 realizations complete"), HasSubstr("style=\"width:45.000%\""),
                          Not(HasSubstr("equilibrating"))));
}

}}  // namespace glassworks
