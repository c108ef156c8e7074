#include "scheduler/lease_keeper.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/process.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class LeaseKeeperTest : public SmallCampaign {
 protected:
  /// A campaign that exists and nobody works on.
  [[nodiscard]] Config created(const std::string& name, int lease_seconds = 60) const {
    Config run = config(name);
    Campaign::create_or_continue(run);
    run.lease_seconds = lease_seconds;  // shorter than a configuration file may say
    return run;
  }
  static std::vector<RealizationRow> lease_all(Campaign& campaign, std::int64_t worker) {
    return campaign.database().lease(worker, campaign.database().realizations());
  }
  /// Realizations that somebody holds.
  static int held(const Config& run) {
    int sum = 0;
    for (const RealizationRow& row : read_campaign(run).realizations()) sum += row.worker != 0 ? 1 : 0;
    return sum;
  }
  /// Sum over all realizations.
  static int failures(const Config& run) {
    int sum = 0;
    for (const RealizationRow& row : read_campaign(run).realizations()) sum += row.failures;
    return sum;
  }
};

TEST_F(LeaseKeeperTest, EntersThisProcessAndGivesEverythingBack) {
  const Config run = created("run");
  Campaign campaign = Campaign::create_or_continue(run);
  {
    const LeaseKeeper keeper(campaign, "a backend");
    const auto workers = read_campaign(run).workers();
    ASSERT_THAT(workers, SizeIs(1));
    EXPECT_EQ(workers.front().id, keeper.worker());
    EXPECT_EQ(workers.front().backend, "a backend");
    EXPECT_TRUE(is_running(workers.front()));
    EXPECT_NEAR(static_cast<double>(workers.front().expires - now_ms()), 60e3, 20e3);
    EXPECT_THAT(lease_all(campaign, keeper.worker()), SizeIs(6));
  }
  EXPECT_THAT(read_campaign(run).workers(), IsEmpty());
  EXPECT_EQ(held(run), 0);
  EXPECT_EQ(failures(run), 0) << "given back, not failed";
}

TEST_F(LeaseKeeperTest, RenewsItsLease) {
  const Config run = created("run", 5);
  const Campaign campaign = Campaign::create_or_continue(run);
  const LeaseKeeper keeper(campaign, "");
  const std::int64_t first = read_campaign(run).workers().front().expires;
  EXPECT_TRUE(soon([&] { return read_campaign(run).workers().front().expires > first; }));
}

TEST_F(LeaseKeeperTest, EntersAgainAsAnotherWorker) {
  const Config run = created("run");
  Campaign campaign = Campaign::create_or_continue(run);
  LeaseKeeper keeper(campaign, "");
  const std::int64_t before = keeper.worker();
  lease_all(campaign, before);
  keeper.enter_again();
  EXPECT_NE(keeper.worker(), before);
  const auto workers = read_campaign(run).workers();
  ASSERT_THAT(workers, SizeIs(1)) << "once, not twice";
  EXPECT_EQ(workers.front().id, keeper.worker());
  EXPECT_EQ(held(run), 0);
}

TEST_F(LeaseKeeperTest, EndsTheLeasesOfAKilledProcessAtOnce) {
  const Config run = created("run");
  const ChildProcess child([&]() -> bool {
    Campaign campaign = Campaign::create_or_continue(run);
    const LeaseKeeper keeper(campaign, "");
    lease_all(campaign, keeper.worker());
    for (;;) ::pause();
  });
  ASSERT_TRUE(soon([&] { return held(run) == 6; }));
  const Campaign campaign = Campaign::create_or_continue(run);
  const LeaseKeeper keeper(campaign, "");
  std::this_thread::sleep_for(1500ms);
  EXPECT_EQ(held(run), 6) << "it is running";
  child.signal(SIGKILL);  // nobody asks for its status yet: its entry in the process table stays
  EXPECT_TRUE(soon([&] { return held(run) == 0; }, 10s)) << "long before its lease of a minute";
  EXPECT_EQ(failures(run), 6);
  EXPECT_THAT(read_campaign(run).workers(), SizeIs(1));
}

TEST_F(LeaseKeeperTest, AnotherProcessOfTheSameNumberIsNotTakenForIt) {
  WorkerRow row = this_process("", 60);
  EXPECT_TRUE(is_running(row));
  row.process_start -= 1;
  EXPECT_FALSE(is_running(row));
  std::optional<WorkerRow> gone;
  {
    ChildProcess child([] { return true; });
    EXPECT_TRUE(child.wait());
    gone = row;
    gone->pid = child.pid();
  }
  EXPECT_FALSE(is_running(*gone));
}

/// A process whose third round takes longer than its lease: it stops itself in the middle of it.
class Sleeper : public LeaseKeeperTest {
 protected:
  /// Runs the campaign to its end. True if exactly one commit was refused.
  static bool sleep_in_third_round(const Config& run) {
    const RoundHook hook = [](const RoundStart& start) {
      if (start.number == 2) ::raise(SIGSTOP);
    };
    std::vector<std::string> notes;
    RunObserver observer;
    observer.note = [&](const std::string& text) { notes.push_back(text); };
    const bool complete = run_campaign(run, list_of(fake_worker(0, hook)), observer) == RunOutcome::complete;
    return complete && notes.size() == 1 && notes.front().find("not committed") != std::string::npos;
  }
};

TEST_F(Sleeper, CannotCommitWhatOthersHaveTakenOver) {
  const std::string alone = expected();
  Config run = created("run", 3);
  run.batch = 2;
  ChildProcess child([&] { return sleep_in_third_round(run); });
  ASSERT_TRUE(child.wait_for_stop());
  ASSERT_EQ(held(run), 2);
  EXPECT_EQ(run_campaign(run), RunOutcome::complete) << "the other process waits for the lease to expire";
  EXPECT_EQ(outcome(run), alone);
  child.signal(SIGCONT);
  EXPECT_TRUE(child.wait());
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(Sleeper, CannotCommitAfterItsLeaseEvenIfNobodyCame) {
  const std::string alone = expected();
  Config run = created("run", 3);
  run.batch = 2;
  ChildProcess child([&] { return sleep_in_third_round(run); });
  ASSERT_TRUE(child.wait_for_stop());
  const std::int64_t expires = read_campaign(run).workers().front().expires;
  ASSERT_TRUE(soon([&] { return now_ms() > expires; }));
  EXPECT_EQ(held(run), 2);
  child.signal(SIGCONT);
  EXPECT_TRUE(child.wait()) << "one commit is refused; then it enters again and finishes the campaign";
  EXPECT_EQ(outcome(run), alone);
}

/// Two workers of one process, each in a round, when the process is taken for dead.
TEST_F(LeaseKeeperTest, WorkersOfAProcessThatWasTakenForDeadDoNotEndEachOthersLeases) {
  const std::string alone = expected();
  Config run = created("run");
  run.batch = 1;
  Gate both(2);
  std::once_flag once;
  std::atomic<int> refused{0}, rounds{0};
  const RoundHook hook = [&](const RoundStart& start) {
    if (++rounds > 500) throw std::bad_alloc();  // ends the run
    if (start.number == 1) {
      both.pass();
      std::call_once(once, [&] {
        Database database = Database::open(run.directory / database_file_name, DatabaseAccess::read_write);
        for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
      });
    }
    std::this_thread::sleep_for(5ms);
  };
  RunObserver observer;
  observer.note = [&](const std::string& text) {
    EXPECT_THAT(text, HasSubstr("not committed"));
    ++refused;
  };
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0, hook), fake_worker(1, hook)), observer), RunOutcome::complete);
  EXPECT_EQ(refused, 2) << "one batch of each";
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(LeaseKeeperTest, AProcessThatWasTakenForDeadWhileItAdaptsALadderGoesOn) {
  Config alone = config("alone"), run = config("run");
  for (Config* config : {&alone, &run}) {
    config->ladder.adapt = LadderAdaptation::rejection;
    config->ladder.adapt_rounds = 4;
  }
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  std::vector<std::string> notes;
  const RoundHook hook = [&](const RoundStart& start) {
    if (start.number != 1) return;
    Database database = Database::open(run.directory / database_file_name, DatabaseAccess::read_write);
    for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
  };
  RunObserver observer;
  observer.note = [&](const std::string& text) { notes.push_back(text); };
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0, hook)), observer), RunOutcome::complete);
  EXPECT_THAT(notes, Contains(HasSubstr("was not added")));
  EXPECT_EQ(outcome(run), outcome(alone));
}

}  // namespace
}  // namespace glassworks::testing
