#include "scheduler/campaign/amendment.hpp"

#include <functional>
#include <string>
#include <vector>

#include "tests/enough.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

struct Raise {
  std::string text;  ///< as people see it
  std::function<void(Config&)> change;
};

const Raise longer{"convergence.n_tau: 90 -> 130", [](Config& c) { c.convergence.n_tau = 130.0; }};
const Raise later{"convergence.max_rounds: 20 -> 50", [](Config& c) { c.convergence.max_rounds = 50; }};
const Raise trips{"convergence.min_round_trips: 20 -> 90", [](Config& c) { c.convergence.min_round_trips = 90; }};
const Raise larger{"model.L: 4 -> 4, 6", [](Config& c) { c.model.L = {4, 6}; }};
const Raise more{"disorder.realizations: 4 -> 6", [](Config& c) { c.disorder.realizations = {6}; }};

std::vector<std::string> texts(const std::vector<ConfigChange>& changes) {
  std::vector<std::string> list;
  for (const ConfigChange& change : changes) list.push_back(change.text());
  return list;
}

/// Four realizations with tau of 3 to 5 measurements, so that 90 of them need 14 to 23 rounds of 20; one fails at the
/// maximum of 20.
class AmendmentTest : public SmallCampaign {
 protected:
  [[nodiscard]] Config base(const std::string& name) const {
    Config run = config(name);
    run.disorder.realizations = {4};
    run.round.measurements_per_round = {20};
    run.convergence = {
        .min_rounds = 8, .max_rounds = 20, .min_round_trips = 20, .n_tau = 90.0, .equilibration_tau = 1.0};
    return run;
  }
  /// Runs a campaign for so many batches (-1: to the end), raises, and runs it to the end.
  static std::string raised_later(Config run, int batches, const std::vector<Raise>& raises) {
    run_campaign(run, batches);
    std::vector<std::string> changes;
    for (const Raise& raise : raises) {
      raise.change(run);
      changes.push_back(raise.text);
    }
    EXPECT_EQ(texts(Campaign::create_or_continue(run).raised()), changes);
    EXPECT_THAT(Campaign::create_or_continue(run).raised(), IsEmpty()) << "once";
    EXPECT_EQ(run_campaign(run), RunOutcome::complete);
    EXPECT_EQ(read_campaign(run).config_text(), canonical_text(run));
    return outcome(run);
  }
  static std::string raised_from_the_start(Config run, const std::vector<Raise>& raises) {
    for (const Raise& raise : raises) raise.change(run);
    EXPECT_EQ(run_campaign(run), RunOutcome::complete);
    return outcome(run);
  }
  void expect_refused(const std::function<void(Config&)>& change, const std::string& key) const {
    Config run = base("refused");
    change(run);
    EXPECT_THAT([&] { Campaign::create_or_continue(run); }, Refuses(InputFault::changed, key));
  }
};

class LongAmendmentTest : public AmendmentTest {};

TEST_F(LongAmendmentTest, WhatIsRaisedLaterComesToTheSameAsFromTheStart) {
  const std::string before = raised_from_the_start(base("before"), {});
  int number = 0;
  std::vector<std::vector<Raise>> tried = {{larger, more, later, trips, longer}};
  if (test::enough(false, true)) tried.insert(tried.end(), {{longer}, {later}, {trips}, {more}, {larger}});
  for (const std::vector<Raise>& raises : tried) {
    const std::string name = std::to_string(number++);
    const std::string start = raised_from_the_start(base("start" + name), raises);
    EXPECT_NE(start, before) << raises.front().text << " changes nothing";
    if (test::enough(false, true)) {
      EXPECT_EQ(raised_later(base("finished" + name), -1, raises), start) << raises.front().text;
    }
    EXPECT_EQ(raised_later(base("running" + name), 12, raises), start) << raises.front().text;
  }
}

TEST_F(AmendmentTest, IsRecorded) {
  Config run = base("run");
  run_campaign(run, 1);
  longer.change(run);
  Campaign::create_or_continue(run);
  later.change(run);
  Campaign::create_or_continue(run);
  EXPECT_THAT(read_campaign(run).amendments(), ElementsAre(EndsWith(longer.text), EndsWith(later.text)));
}

/// Only the maximum is a look that another configuration does not have.
TEST_F(AmendmentTest, WhatConvergedAtTheFormerMaximumStaysConverged) {
  Config run = config("run");
  ASSERT_EQ(run_campaign(run), RunOutcome::complete);
  const RealizationKey key{4, 4};
  ASSERT_EQ(read_campaign(run).realization(key).rounds, 20u);
  ASSERT_EQ(read_campaign(run).realization(key).status, RealizationStatus::converged);
  run.convergence.max_rounds = 40;
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(read_campaign(run).realization(key).rounds, 20u);
  EXPECT_EQ(read_campaign(run).realization(key).status, RealizationStatus::converged);
  EXPECT_GT(read_campaign(run).realization({4, 5}).rounds, 20u) << "it had failed";
}

TEST_F(AmendmentTest, LoweringIsRefusedWithTheDifference) {
  run_campaign(base("refused"), 1);
  const std::string before = outcome(base("refused")), text = read_campaign(base("refused")).config_text();
  expect_refused([](Config& c) { c.convergence.n_tau = 89.5; }, "convergence.n_tau");
  expect_refused([](Config& c) { c.convergence.max_rounds = 19; }, "convergence.max_rounds");
  expect_refused([](Config& c) { c.convergence.min_round_trips = 19; }, "convergence.min_round_trips");
  expect_refused([](Config& c) { c.disorder.realizations = {3}; }, "disorder.realizations");
  EXPECT_EQ(outcome(base("refused")), before);
  EXPECT_EQ(read_campaign(base("refused")).config_text(), text);
}

TEST_F(AmendmentTest, WhatWasRaisedBeforeStaysRaised) {
  const Config first = base("run");
  Config run = first;
  run_campaign(run, 1);
  for (const Raise& raise : {larger, more, longer}) raise.change(run);
  EXPECT_EQ(Campaign::create_or_continue(run).raised().size(), 3U);
  const std::string text = read_campaign(run).config_text();

  const Campaign again = Campaign::create_or_continue(first);
  EXPECT_THAT(again.raised(), IsEmpty());
  EXPECT_THAT(texts(again.kept()),
              ElementsAre("model.L: 4 -> 4, 6", "disorder.realizations: 4 -> 6", "convergence.n_tau: 90 -> 130"));
  EXPECT_EQ(canonical_text(again.config()), text);
  EXPECT_EQ(read_campaign(run).config_text(), text);

  Config never = first;
  never.disorder.realizations = {5};
  EXPECT_THAT([&] { Campaign::create_or_continue(never); }, Refuses(InputFault::changed, "disorder.realizations"));
}

/// Each size has its own number, in whatever order sizes are given.
TEST_F(AmendmentTest, SizesAreRaisedByThemselves) {
  Config run = base("run");
  run.model.L = {4, 6};
  run.disorder.realizations = {4, 2};
  run_campaign(run, 1);
  run.model.L = {8, 6, 4};
  run.disorder.realizations = {1, 5, 4};
  run.round.measurements_per_round = {30, 20, 20};
  const Campaign campaign = Campaign::create_or_continue(run);
  EXPECT_THAT(texts(campaign.raised()),
              ElementsAre("model.L: 4, 6 -> 8, 6, 4", "disorder.realizations: 4, 2 -> 1, 5, 4"));
  EXPECT_THAT(campaign.config().model.L, ElementsAre(4, 6, 8));
  EXPECT_THAT(campaign.config().disorder.realizations, ElementsAre(4, 5, 1));
  EXPECT_THAT(campaign.config().round.measurements_per_round, ElementsAre(20, 20, 30));
  for (const auto& [L, count] : {std::pair{4, 4U}, {6, 5U}, {8, 1U}}) {
    EXPECT_EQ(read_campaign(run).realizations(L).size(), count);
  }
}

TEST_F(AmendmentTest, ASizeThatHasBegunStays) {
  Config run = base("refused");
  run.model.L = {4, 6};
  run_campaign(run, 1);
  expect_refused([](Config& c) { c.model.L = {6, 8}; }, "model.L");
  run.disorder.realizations = {4, 3};
  EXPECT_THAT([&] { Campaign::create_or_continue(run); }, Refuses(InputFault::changed, "disorder.realizations"));
}

TEST_F(AmendmentTest, AnythingElseIsRefusedWithTheDifference) {
  run_campaign(base("refused"), 1);
  expect_refused([](Config& c) { c.convergence.min_rounds = 9; }, "convergence.min_rounds");
  expect_refused([](Config& c) { c.round.measurements_per_round = {21}; }, "round.measurements");
  expect_refused([](Config& c) { c.campaign.seed = 8; }, "campaign.seed");
  expect_refused([](Config& c) { c.convergence.equilibration_tau = 1.5; }, "convergence.equilibration_tau");
  expect_refused([](Config& c) { c.ladder.T_max = 1.0; }, "ladder.T_max");
  // What would be allowed alone is not done beside it.
  expect_refused(
      [](Config& c) {
        c.campaign.seed = 8;
        c.convergence.max_rounds = 50;
      },
      "campaign.seed");
  EXPECT_THAT(read_campaign(base("refused")).amendments(), IsEmpty());
}

TEST_F(AmendmentTest, IsRefusedWhileAnotherProcessWorks) {
  Config run = base("run");
  {
    const Campaign other = Campaign::create_or_continue(run);
    longer.change(run);
    EXPECT_THAT([&] { Campaign::create_or_continue(run); }, Refuses(InputFault::in_use, "convergence.n_tau"));
    EXPECT_THAT(read_campaign(run).amendments(), IsEmpty());
  }
  EXPECT_THAT(texts(Campaign::create_or_continue(run).raised()), ElementsAre(longer.text));
}

}}  // namespace glassworks::testing
