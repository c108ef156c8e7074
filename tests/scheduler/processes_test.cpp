#include <atomic>
#include <chrono>
#include <csignal>
#include <list>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Several processes on one campaign.
class Processes : public SmallCampaign {
 protected:
  static constexpr int count = 3;

  /// In its first round each process waits until all are there.
  static void meet(const Config& run) {
    if (!soon([&] { return read_campaign(run).workers().size() == count; })) throw std::runtime_error("nobody came");
  }
  /// Rounds that take a while, so that all processes get some.
  static RoundHook slow(const Config& run) {
    return [run](const RoundStart& start) {
      if (start.number == 0) meet(run);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    };
  }
  /// Backends whose rounds are stored.
  static std::vector<std::string> contributors(const Config& run) {
    std::vector<std::string> names;
    for (const Provenance& provenance : read_campaign(run).provenances()) names.push_back(provenance.backend);
    return names;
  }
};

TEST_F(Processes, ComeToTheSameAsOneAlone) {
  const std::string alone = expected();
  for (const int batch : {1, 2}) {
    Config run = config("together" + std::to_string(batch));
    run.backend.batch = batch;
    std::list<ChildProcess> children;
    for (int i = 0; i < count; ++i) {
      children.emplace_back([&] {
        return run_campaign(
                   run, list_of(fake_worker(i, slow(run), 0, i == 1 ? BackendKind::reference : BackendKind::cpu))) ==
               RunOutcome::complete;
      });
    }
    for (ChildProcess& child : children) EXPECT_TRUE(child.wait()) << "creates, joins, and ends with the campaign";
    EXPECT_EQ(outcome(run), alone) << "batch " << batch;
    EXPECT_THAT(contributors(run), UnorderedElementsAre("fake 0", "fake 1", "fake 2"));
    EXPECT_THAT(read_campaign(run).workers(), IsEmpty());
    EXPECT_EQ(checkpoint_files(run).size(), 12u);
  }
}

TEST_F(Processes, WithSeveralWorkersEachComeToTheSame) {
  const std::string alone = expected();
  const Config run = config("together");
  std::list<ChildProcess> children;
  for (int i = 0; i < count; ++i) {
    children.emplace_back([&] {
      return run_campaign(run, list_of(fake_worker(0, {}, 1), fake_worker(1, {}, 1))) == RunOutcome::complete;
    });
  }
  for (ChildProcess& child : children) EXPECT_TRUE(child.wait());
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(Processes, WithALadderToAdaptComeToTheSame) {
  Config alone = config("alone"), run = config("together");
  for (Config* config : {&alone, &run}) {
    config->ladder.adapt = LadderAdaptation::rejection;
    config->ladder.adapt_rounds = 4;
  }
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  std::list<ChildProcess> children;
  for (int i = 0; i < count; ++i) {
    children.emplace_back([&] { return run_campaign(run, list_of(fake_worker(0))) == RunOutcome::complete; });
  }
  for (ChildProcess& child : children) EXPECT_TRUE(child.wait());
  EXPECT_EQ(outcome(run), outcome(alone));
  EXPECT_NE(read_campaign(run).sizes().front().temperatures, ladder_temperatures(run, 0));
  EXPECT_EQ(read_campaign(run).sizes().front().temperatures, read_campaign(alone).sizes().front().temperatures);
}

TEST_F(Processes, OneOfWhichIsKilledComeToTheSame) {
  const std::string alone = expected();
  Config run = config("killed");
  run.backend.batch = 2;
  std::list<ChildProcess> children;
  for (int i = 0; i < count; ++i) {
    const RoundHook die = [&](const RoundStart& start) {
      slow(run)(start);
      if (start.number == 3) ::raise(SIGKILL);
    };
    children.emplace_back(
        [&] { return run_campaign(run, list_of(fake_worker(i, i == 0 ? die : slow(run)))) == RunOutcome::complete; });
  }
  int good = 0;
  for (ChildProcess& child : children) good += child.wait() ? 1 : 0;
  EXPECT_EQ(good, 2) << "the first is killed in its fourth round";
  EXPECT_EQ(outcome(run), alone);
  EXPECT_THAT(contributors(run), UnorderedElementsAre("fake 0", "fake 1", "fake 2"));
  EXPECT_THAT(read_campaign(run).workers(), IsEmpty());
  Campaign::create_or_continue(run);
  EXPECT_EQ(checkpoint_files(run).size(), 12u) << "what the killed one left is removed by the next that is alone";
}

/// The one that simulates nothing must not show old numbers at the end.
TEST_F(Processes, ProgressOfOthersIsShown) {
  const Config run = config("run");
  ChildProcess other([&] {
    const RoundHook wait_for_the_other = [&](const RoundStart& start) {
      if (start.number == 0 && !soon([&] { return read_campaign(run).workers().size() == 2; })) throw std::bad_alloc();
    };
    Config all = run;
    all.backend.batch = 6;
    return run_campaign(all, list_of(fake_worker(0, wait_for_the_other))) == RunOutcome::complete;
  });
  ASSERT_TRUE(soon([&] {
    try {
      const auto rows = read_campaign(run).realizations();
      return !rows.empty() && rows.front().worker != 0;
    } catch (const std::exception&) {
      return false;  // not created yet
    }
  }));
  CampaignProgress last;
  std::vector<WorkerBackend> workers = list_of(fake_worker(1));
  RunObserver observer;
  observer.progress = [&](const CampaignProgress& progress) { last = progress; };
  EXPECT_EQ(run_campaign(run, std::move(workers), observer), RunOutcome::complete);
  EXPECT_TRUE(other.wait());
  EXPECT_EQ(last.finished(), 6u);
  EXPECT_EQ(last.remaining_seconds, 0.0);
}

}}  // namespace glassworks::testing
