#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Quarantine : public SmallCampaign {
 protected:
  /// A device that is lost in every round of realization 2 from its step `first_step` on.
  RoundHook poisoned(std::uint64_t first_step = 0) {
    return [this, first_step](const RoundStart& start) {
      const bool poison = std::ranges::any_of(
          start.tasks, [&](const RoundTask& task) { return task.realization == 2 && task.state->steps >= first_step; });
      if (!poison) return;
      const std::lock_guard lock(mutex_);
      sizes_.push_back(start.tasks.size());
      throw std::runtime_error("it has burnt out");
    };
  }
  RunObserver observer() {
    RunObserver observer;
    observer.progress = [this](const CampaignProgress& progress) { last_ = progress; };
    observer.note = [this](const std::string& text) { notes_.push_back(text); };
    return observer;
  }
  /// Six devices, which is one more than may be lost.
  RunOutcome run_with_poison(const Config& run, std::uint64_t first_step = 0) {
    std::vector<WorkerBackend> list;
    for (int i = 0; i < 6; ++i) list.push_back(fake_worker(i, poisoned(first_step)));
    return run_campaign(run, std::move(list), observer());
  }

  std::mutex mutex_;
  std::vector<std::size_t> sizes_;  ///< of the batches that failed
  std::vector<std::string> notes_;
  CampaignProgress last_;
};

/// Lines of an outcome but that of realization 2.
std::string others(const std::string& outcome) {
  const auto begin = outcome.find("4 2 "), end = outcome.find("4 3 ");
  return outcome.substr(0, begin) + outcome.substr(end);
}

TEST_F(Quarantine, TakesOutWhatAlwaysFailsAndTheOthersFinish) {
  const std::string alone = expected();
  Config run = config("run");
  run.backend.batch = 6;
  run.workers.max_attempts = 5;
  EXPECT_EQ(run_with_poison(run), RunOutcome::complete);
  EXPECT_THAT(sizes_, ElementsAre(6, 6, 6, 1, 1)) << "alone after three failures, so that it drags no others along";
  const RealizationRow row = read_campaign(run).realization({4, 2});
  EXPECT_EQ(row.status, RealizationStatus::quarantined);
  EXPECT_EQ(row.reason, "5 attempts at round 0 ended without a commit; last known: it has burnt out");
  EXPECT_EQ(row.failures, 5);
  EXPECT_THAT(notes_, ElementsAre("L = 4, realization 2 is quarantined: " + row.reason + "."));
  EXPECT_EQ(last_.quarantined, 1u);
  EXPECT_EQ(last_.finished(), 6u);
  EXPECT_EQ(last_.devices, 1);
  EXPECT_EQ(others(outcome(run)), others(alone));
  EXPECT_EQ(run_campaign(run), RunOutcome::complete) << "it stays out";
  EXPECT_EQ(read_campaign(run).realization({4, 2}).rounds, 0u);
}

TEST_F(Quarantine, AHigherLimitTakesItInAgain) {
  const std::string alone = expected();
  Config run = config("run");
  run.backend.batch = 6;
  run.workers.max_attempts = 5;
  constexpr std::uint64_t third_round = 2 * 5 * 2;
  EXPECT_EQ(run_with_poison(run, third_round), RunOutcome::complete);
  EXPECT_THAT(read_campaign(run).realization({4, 2}).reason, HasSubstr("5 attempts at round 2"));
  run.workers.max_attempts = 6;
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone) << "the rounds before are kept, and nothing tells of it afterwards";
  EXPECT_EQ(read_campaign(run).realization({4, 2}).failures, 0);
}

TEST_F(Quarantine, ACommitMakesFailuresGood) {
  const std::string alone = expected();
  Config run = config("run");
  run.workers.max_attempts = 3;
  for (int i = 0; i < 5; ++i) {  // two failures, then a commit, five times
    Campaign campaign = Campaign::create_or_continue(run);
    Database& database = campaign.database();
    const std::int64_t worker = database.add_worker({});
    for (int failure = 0; failure < 2; ++failure) {
      const auto rows = database.lease(worker, database.realizations());
      database.release(worker, rows, LeaseEnd::failed, "by hand");
    }
    database.remove_worker(worker, LeaseEnd::given_back);
    RoundControl control;
    WorkerPool pool(campaign, make_worker_backends(run), {});
    int commits = -1;
    const auto stop = [&](const CampaignProgress&) { control.stop = ++commits == 1; };
    EXPECT_EQ(pool.run(control, {stop, {}, {}}), RunOutcome::stopped);
    for (const RealizationRow& row : database.realizations()) {
      EXPECT_EQ(row.failures, 0);
      EXPECT_EQ(row.rounds, static_cast<std::uint32_t>(i + 1));
    }
  }
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

}}  // namespace glassworks::testing
