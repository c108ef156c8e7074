#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/campaign/stopwatch.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class WorkerPoolTest : public SmallCampaign {};

TEST_F(WorkerPoolTest, DecisionsDoNotDependOnTheNumberOfWorkers) {
  const std::string alone = expected();
  for (const int workers : {1, 2, 3}) {
    for (const int batch : {0, 1, 2}) {
      Config together = config("together" + std::to_string(workers) + std::to_string(batch));
      together.backend.batch = batch;
      std::vector<WorkerBackend> list;
      for (int i = 0; i < workers; ++i) {
        list.push_back(fake_worker(i, {}, 0, i == 1 ? BackendKind::reference : BackendKind::cpu));
      }
      EXPECT_EQ(run_campaign(together, std::move(list)), RunOutcome::complete);
      EXPECT_EQ(outcome(together), alone) << workers << " workers, batch " << batch;
      EXPECT_EQ(checkpoint_files(together).size(), 12u) << "two generations of each state";
    }
  }
}

TEST_F(WorkerPoolTest, WorkersSimulateSideBySide) {
  Gate both_in_their_first_round(2);
  const RoundHook meet = [&](const RoundStart& start) {
    if (start.number == 0) both_in_their_first_round.pass();
  };
  EXPECT_EQ(run_campaign(config("two"), list_of(fake_worker(0, meet), fake_worker(1, meet))), RunOutcome::complete);
}

TEST_F(WorkerPoolTest, NoRoundIsSimulatedTwice) {
  const Config run = config("run");
  std::mutex mutex;
  std::map<std::pair<std::uint32_t, std::uint64_t>, int> times;  // by realization and step
  const RoundHook note = [&](const RoundStart& start) {
    const std::lock_guard lock(mutex);
    for (const RoundTask& task : start.tasks) ++times[{task.realization, task.state->steps}];
  };
  run_campaign(run, list_of(fake_worker(0, note, 2), fake_worker(1, note, 1), fake_worker(2, note, 3)));
  std::size_t rounds = 0;
  for (const RealizationRow& row : read_campaign(run).realizations()) rounds += row.rounds;
  EXPECT_EQ(times.size(), rounds);
  EXPECT_TRUE(std::ranges::all_of(times, [](const auto& entry) { return entry.second == 1; }));
}

/// Sizes of the first batches of workers, each of which has one before any of them begins. devices: of each worker
std::vector<std::size_t> first_batches(const Config& config, int preferred,
                                       const std::vector<int>& devices = {0, 1, 2}) {
  Gate all(static_cast<int>(devices.size()));
  std::mutex mutex;
  std::vector<std::size_t> sizes;
  const RoundHook first = [&](const RoundStart& start) {
    if (start.number > 0) return;
    {
      const std::lock_guard lock(mutex);
      sizes.push_back(start.tasks.size());
    }
    all.pass();
  };
  std::vector<WorkerBackend> workers;
  for (const int device : devices) workers.push_back(fake_worker(device, first, preferred));
  run_campaign(config, std::move(workers));
  return sizes;
}

TEST_F(WorkerPoolTest, OpenRealizationsAreSharedOutEvenly) {
  EXPECT_THAT(first_batches(config("large"), 4), ElementsAre(2, 2, 2));
  EXPECT_THAT(first_batches(config("none"), 0), ElementsAre(2, 2, 2));
  EXPECT_THAT(first_batches(config("small"), 1), ElementsAre(1, 1, 1));
  Config seven = config("seven");
  seven.disorder.realizations = {7};
  EXPECT_THAT(first_batches(seven, 4), UnorderedElementsAre(3, 3, 1));
  Config given = config("given");
  given.disorder.realizations = {13};
  given.backend.batch = 6;
  EXPECT_THAT(first_batches(given, 1), UnorderedElementsAre(6, 6, 1)) << "neither preference nor share";
}

TEST_F(WorkerPoolTest, WhatCostsADeviceNoTimeIsNotSharedOut) {
  std::atomic<int> rounds{0};
  const RoundHook all = [&](const RoundStart& start) {
    if (++rounds <= 8) {  // before the first decision
      EXPECT_EQ(start.tasks.size(), 6u) << "six fill half of a device";
    }
  };
  EXPECT_EQ(run_campaign(config("half"), list_of(fake_worker(0, all, 12), fake_worker(1, all, 12))),
            RunOutcome::complete);
}

TEST_F(WorkerPoolTest, WorkersOfADeviceLeaveItNotHalfEmpty) {
  EXPECT_THAT(first_batches(config("filled"), 2, {0, 0}), ElementsAre(2, 2)) << "what fills the device";
  EXPECT_THAT(first_batches(config("share"), 6, {0, 0}), ElementsAre(3, 3)) << "an even share fills half of it";
  EXPECT_THAT(first_batches(config("half"), 8, {0, 0}), UnorderedElementsAre(4, 2)) << "an even share does not";
}

TEST_F(WorkerPoolTest, AWorkerWithoutWorkWaitsForTheOthers) {
  Config one = config("one");
  one.disorder.realizations = {1};
  std::atomic<int> rounds{0};
  const RoundHook fail_once = [&](const RoundStart&) {  // whoever comes first; the other one has nothing to do
    if (rounds++ == 0) throw std::runtime_error("the first one is lost");
  };
  EXPECT_EQ(run_campaign(one, list_of(fake_worker(0, fail_once), fake_worker(1, fail_once))), RunOutcome::complete);
  const RealizationRow row = read_campaign(one).realizations().front();
  EXPECT_EQ(rounds, static_cast<int>(row.rounds) + 1);
  EXPECT_EQ(row.attempt, static_cast<int>(row.rounds) + 2) << "raised by its lease and by its end";
}

TEST_F(WorkerPoolTest, AStopEndsAllWorkersAndTheCampaignGoesOnWithOthers) {
  const std::string alone = expected();
  const Config pieces = config("pieces");
  int runs = 0;
  for (RunOutcome end = RunOutcome::stopped; end == RunOutcome::stopped; ++runs) {
    ASSERT_LT(runs, 100);
    std::vector<WorkerBackend> list;
    for (int i = 0; i <= runs % 3; ++i) list.push_back(fake_worker(i, {}, 1));
    Campaign campaign = Campaign::create_or_continue(pieces);
    RoundControl control;
    WorkerPool pool(campaign, std::move(list), {});
    int commits = -1;  // the first call comes before the first commit
    end = pool.run(control, {[&](const CampaignProgress&) {
                               if (++commits == 10) control.stop = true;
                             },
                             {},
                             {}});
    EXPECT_LE(commits, 12) << "those that were about to be committed, but no new rounds";
  }
  EXPECT_GT(runs, 4);
  EXPECT_EQ(outcome(pieces), alone);
}

TEST_F(WorkerPoolTest, AStopReachesAWorkerThatWaits) {
  Config one = config("one");
  one.disorder.realizations = {1};
  Campaign campaign = Campaign::create_or_continue(one);
  RoundControl control;
  const RoundHook stop = [&](const RoundStart& start) { control.stop = start.number == 2; };
  WorkerPool pool(campaign, list_of(fake_worker(0, stop), fake_worker(1, stop), fake_worker(2, stop)), {});
  EXPECT_EQ(pool.run(control, {}), RunOutcome::stopped);
  EXPECT_LT(read_campaign(one).realizations().front().rounds, 8u);
}

TEST_F(WorkerPoolTest, ProgressAndTimesCountAllWorkers) {
  const Config run = config("run");
  Campaign campaign = Campaign::create_or_continue(run);
  RoundControl control;
  WorkerPool pool(campaign, list_of(fake_worker(0), fake_worker(1), fake_worker(1)), {});
  CampaignProgress last;
  pool.run(control, {[&](const CampaignProgress& progress) {
                       EXPECT_GE(progress.rounds, last.rounds);
                       last = progress;
                     },
                     {},
                     {}});
  EXPECT_EQ(last.devices, 2);
  EXPECT_EQ(last.converged + last.failed, 6u);
  EXPECT_EQ(last.updates, static_cast<double>(last.rounds) * 5 * 2 * 3 * 10 * 64);
  EXPECT_EQ(static_cast<std::uint64_t>(last.updates), control.updates.load());
}

TEST_F(WorkerPoolTest, TimesOfAllWorkersAddUp) {
  Config one = config("one");
  one.disorder.realizations = {1};
  Campaign campaign = Campaign::create_or_continue(one);
  RoundControl control;
  const RoundHook slow = [](const RoundStart&) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  WorkerPool pool(campaign, list_of(fake_worker(0, slow), fake_worker(1, slow)), {});
  Stopwatch watch;
  pool.run(control, {});
  const double wall = watch.total();
  const TimeShares times = pool.times();
  EXPECT_GE(times.rounds, 8 * 0.02) << "one has all the rounds";
  EXPECT_GE(times.idle, 0.5 * times.rounds) << "the other one waits until the end";
  EXPECT_LE(times.rounds + times.checkpoints + times.database + times.idle, 2 * wall) << "nothing is counted twice";
}

TEST_F(WorkerPoolTest, EachRoundNamesTheBackendThatRanIt) {
  const Config run = config("run");
  Gate both(2);
  const RoundHook meet = [&](const RoundStart& start) {
    if (start.number == 0) both.pass();
  };
  run_campaign(run, list_of(fake_worker(0, meet), fake_worker(1, meet)));
  std::vector<std::string> backends;
  for (const Provenance& provenance : read_campaign(run).provenances()) backends.push_back(provenance.backend);
  EXPECT_THAT(backends, UnorderedElementsAre("fake 0", "fake 1"));
}

}}  // namespace glassworks::testing
