#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/durable_file.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/group_config.hpp"
#include "tests/scheduler/ranks/ranks_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RanksRun : public RanksTest {};

TEST_F(RanksRun, ComesToTheSameResultForAnyNumberOfRanksAndBatch) {
  const std::string alone = expected();
  for (const int others : {1, 2, 3}) {
    for (const int batch : {0, 1, 4}) {
      for (const bool computes : {false, true}) {
        Config run = config(fmt::format("run{}{}{}", others, batch, computes));
        run.backend.batch = batch;
        std::vector<Member> members;
        for (int i = 0; i < others; ++i) {
          members.push_back({.backends = [i] {
            return list_of(fake_worker(0, {}, 0, i == 1 ? BackendKind::reference : BackendKind::cpu));
          }});
        }
        const Result result =
            run_on_ranks(run, members, computes ? list_of(fake_worker(0)) : std::vector<WorkerBackend>{});
        EXPECT_EQ(result.outcome, RunOutcome::complete);
        EXPECT_EQ(result.unfinished, 0);
        EXPECT_EQ(result.workers, others);
        EXPECT_EQ(outcome(run), alone) << others << " other ranks, batch " << batch << ", rank 0 computes " << computes;
        expect_clean(run);
      }
    }
  }
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(RanksRun, HandlesSizesAndAdaptedLadders) {
  Config alone = config("alone"), run = config("run");
  for (Config* each : {&alone, &run}) {
    each->model.L = {4, 6};
    each->disorder.realizations = {4};
    each->convergence.max_rounds = 8;
    each->ladder.adapt = LadderAdaptation::rejection;
    each->ladder.adapt_rounds = 4;
  }
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  EXPECT_EQ(run_on_ranks(run, {Member{}, Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), outcome(alone));
  expect_clean(run);
}

TEST_F(RanksRun, GroupsStopTogether) {
  const ScratchDirectory scratch;
  const Config alone = group_config(scratch.path() / "alone");
  Config run = group_config(scratch.path() / "run");
  run.backend.batch = 60;  // divides the group
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  EXPECT_EQ(run_on_ranks(run, {Member{}, Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), outcome(alone));
  expect_clean(run);
}

TEST_F(RanksRun, TellsWhatTheRanksWorkWithAndHowLong) {
  const Config run = config("run");
  const Member two_devices{.backends = [] { return list_of(fake_worker(5), fake_worker(7), fake_worker(5)); }};
  const Result result = run_on_ranks(run, {two_devices, Member{}});
  ASSERT_EQ(ready_.size(), 3u);
  ASSERT_TRUE(ready_[1] && ready_[2]);
  EXPECT_THAT(ready_[1]->devices, ElementsAre(DeviceOfRank{"fake 5", 2}, DeviceOfRank{"fake 7", 1}));
  EXPECT_TRUE(ready_[1]->sees_directory);
  EXPECT_EQ(result.workers, 4);
  EXPECT_GT(result.times.rounds, 0.0);
  EXPECT_GT(control(0).updates, 0u) << "what the others have committed counts";
}

TEST_F(RanksRun, WithoutOtherRanksIsAnOrdinaryOne) {
  const std::string alone = expected();
  const Config run = config("run");
  EXPECT_EQ(run_on_ranks(run, {}, list_of(fake_worker(0))).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(RanksRun, SurvivesTheLossOfADevice) {
  const std::string alone = expected();
  const Config run = config("run");
  const Member failing{.backends = [] {
    return list_of(fake_worker(3, [](const RoundStart& start) {
      if (start.number == 1) throw std::runtime_error("device 3 is lost (unplugged). Plug it in.");
    }));
  }};
  EXPECT_EQ(run_on_ranks(run, {failing, Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
  EXPECT_THAT(failures_,
              ElementsAre("fake 3 of rank 1 on n1 (process 101): device 3 is lost (unplugged). Plug it in."));
  expect_clean(run);
}

TEST_F(RanksRun, EndsWhenNoDeviceIsLeft) {
  const Config run = config("run");
  const Member failing{.backends = [] {
    return list_of(fake_worker(3, [](const RoundStart&) { throw std::runtime_error("it is lost"); }));
  }};
  EXPECT_THAT(
      [&] {
        run_on_ranks(run, {failing, failing});
      },
      ::testing::ThrowsMessage<std::runtime_error>("it is lost"));
  expect_clean(run);
}

TEST_F(RanksRun, StopsWhereRankZeroIsAskedTo) {
  const std::string alone = expected();
  Config run = config("run");
  run.backend.batch = 1;
  on_progress_ = [this](const CampaignProgress& progress) { control(0).stop = progress.rounds >= 20; };
  const Result stopped = run_on_ranks(run, {Member{}, Member{}});
  EXPECT_EQ(stopped.outcome, RunOutcome::stopped);
  EXPECT_EQ(stopped.unfinished, 0);
  EXPECT_FALSE(stopped.stopped_by_rank);
  expect_clean(run);
  on_progress_ = {};
  EXPECT_EQ(run_on_ranks(run, {Member{}, Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(RanksRun, StopsWhereAnotherRankIsAskedTo) {
  const std::string alone = expected();
  const Config run = config("run");
  const Member asked{.backends = [this] {
    return list_of(fake_worker(0, [this](const RoundStart& start) {
      if (start.number == 2) control(1).stop = true;
    }));
  }};
  const Result stopped = run_on_ranks(run, {asked, Member{}});
  EXPECT_EQ(stopped.outcome, RunOutcome::stopped);
  EXPECT_TRUE(stopped.stopped_by_rank);
  expect_clean(run);
  EXPECT_EQ(run_on_ranks(run, {Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(RanksRun, BeginsNoRoundThatWouldMissTheDeadline) {
  const Config run = config("run");
  deadline_ = std::chrono::steady_clock::now();
  EXPECT_EQ(run_on_ranks(run, {Member{}, Member{}}).outcome, RunOutcome::stopped);
  EXPECT_EQ(last_.rounds, 0u);
  expect_clean(run);
}

TEST_F(RanksRun, EndsWithTheProblemOfARank) {
  const Config run = config("run");
  const Member without{.backends = []() -> std::vector<WorkerBackend> {
    throw std::runtime_error("backend.kind = cuda cannot be used (no device). Use cpu.");
  }};
  EXPECT_THAT(
      [&] {
        run_on_ranks(run, {Member{}, without});
      },
      Refuses(InputFault::unsupported, "rank 2 on n2 (process 102)"));
  expect_clean(run);
}

TEST_F(RanksRun, EndsWithTheErrorOfARank) {
  const std::string alone = expected();
  const Config run = config("run");
  const Member exhausted{.backends = [] {
    return list_of(fake_worker(0, [](const RoundStart& start) {
      if (start.number == 2) throw std::bad_alloc();
    }));
  }};
  EXPECT_THAT([&] { run_on_ranks(run, {Member{}, exhausted}); }, Fails());
  const Member full{.backends = [] {
    return list_of(fake_worker(0, [](const RoundStart& start) {
      if (start.number == 1)
        throw FileError(FileFault::withheld, "Cannot write x (No space left on device)", "Free some");
    }));
  }};
  EXPECT_THAT(
      [&] {
        run_on_ranks(run, {Member{}, full});
      },
      ::testing::ThrowsMessage<std::runtime_error>(
          "rank 2 on n2 (process 102): Cannot write x (No space left on device). Free some."));
  EXPECT_EQ(run_on_ranks(run, {Member{}}).outcome, RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
  expect_clean(run);
}

}}  // namespace glassworks::testing
