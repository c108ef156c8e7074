#include <algorithm>
#include <list>
#include <set>

#include "engine/bins/looks.hpp"
#include "scheduler/campaign/amendment.hpp"
#include "scheduler/campaign/explanation.hpp"
#include "scheduler/convergence/stopping_groups.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/group_config.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::HasSubstr;

class GroupCampaign : public ::testing::Test {
 protected:
  [[nodiscard]] Config config(const std::string& name) const { return group_config(scratch_.path() / name); }

  ScratchDirectory scratch_;
};

TEST_F(GroupCampaign, MembersStopTogetherAndTheRestByItself) {
  const Config whole = config("whole");
  ASSERT_EQ(run_campaign(whole), RunOutcome::complete);
  const StoppingGroups groups(whole);
  std::vector<RealizationRow> members;
  std::set<std::uint32_t> lengths_of_part;
  for (const RealizationRow& row : read_campaign(whole).realizations()) {
    if (groups.of(row.key)) {
      members.push_back(row);
    } else {
      lengths_of_part.insert(row.rounds);
    }
  }
  ASSERT_EQ(members.size(), 128U);
  EXPECT_GT(lengths_of_part.size(), 1U) << "members of a part of a group stop one by one";
  const auto rounds = [](const RealizationRow& row) { return row.rounds; };
  const std::uint32_t stop = std::ranges::min(members, {}, rounds).rounds;
  EXPECT_GT(stop, 8U) << "the words of a group are full until it stops";
  EXPECT_GE(std::ranges::count(members, stop, rounds), static_cast<std::ptrdiff_t>(groups.needed()));
  EXPECT_GT(std::ranges::max(members, {}, rounds).rounds, stop) << "the example should have some that go on";
  for (const RealizationRow& row : members) {
    EXPECT_TRUE(is_finished(row.status));
    EXPECT_EQ(first_look_from(whole.convergence, row.rounds), row.rounds);
    EXPECT_EQ(row.status == RealizationStatus::failed, row.reason.starts_with("maximum of 40")) << row.reason;
    EXPECT_EQ(row.judgement.expected_rounds, row.rounds);
  }
}

class LongGroupCampaign : public GroupCampaign {};

TEST_F(LongGroupCampaign, DoesNotDependOnBatchesRunsOrProcesses) {
  const Config whole = config("whole");
  ASSERT_EQ(run_campaign(whole), RunOutcome::complete);
  const std::string expected = outcome(whole);

  Config pieces = config("pieces");  // batches that divide groups, and runs that end between looks
  pieces.backend.batch = 50;
  int runs = 1;
  while (run_campaign(pieces, 7) == RunOutcome::stopped) ++runs;
  EXPECT_GT(runs, 3);
  EXPECT_EQ(outcome(pieces), expected);

  const Config processes = config("processes");
  std::list<ChildProcess> children;
  for (int i = 0; i < 2; ++i) {
    children.emplace_back([&] { return run_campaign(processes) == RunOutcome::complete; });
  }
  for (ChildProcess& child : children) EXPECT_TRUE(child.wait());
  EXPECT_EQ(outcome(processes), expected);
}

TEST_F(LongGroupCampaign, WhatIsRaisedLaterComesToTheSameAsFromTheStart) {
  Config higher = config("higher");
  higher.convergence.min_round_trips = 5;
  ASSERT_EQ(run_campaign(higher), RunOutcome::complete);
  ASSERT_EQ(run_campaign(config("lower")), RunOutcome::complete);
  Config raised = config("lower");
  EXPECT_NE(outcome(raised), outcome(higher));
  raised.convergence.min_round_trips = 5;
  ASSERT_EQ(run_campaign(raised), RunOutcome::complete);
  EXPECT_EQ(outcome(raised), outcome(higher));
}

TEST_F(GroupCampaign, ADividedGroupIsNotCompletedLater) {
  const Config begun = config("begun");
  static_cast<void>(run_campaign(begun, 1));
  Config more = begun;
  more.disorder.realizations = {256};
  EXPECT_THAT([&] { static_cast<void>(run_campaign(more)); }, Refuses(InputFault::conflict, "disorder.realizations"));
}

TEST_F(GroupCampaign, IsExplained) {
  const Config whole = config("whole");
  static_cast<void>(run_campaign(whole, 12));
  const Database database = read_campaign(whole);
  const RealizationRow row = database.realization({4, 100});
  ASSERT_GT(row.rounds, 0U);
  EXPECT_THAT(explain(whole, row, database.rounds(row.key), database.sizes().front()),
              HasSubstr("Group: realizations 0 to 127 stop together when 103 of them meet the criteria"));
}

}}  // namespace glassworks::testing
