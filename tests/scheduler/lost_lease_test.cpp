#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/campaign/process.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/lease_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

using LostLease = LeaseTest;

/// A process whose third round takes longer than its lease: it stops itself in the middle of it.
class Sleeper : public LeaseTest {
 protected:
  /// Runs the campaign to its end. True if so many commits were refused.
  static bool sleep_in_third_round(const Config& run, std::size_t refused) {
    const RoundHook hook = [](const RoundStart& start) {
      if (start.number == 2) ::raise(SIGSTOP);
    };
    std::vector<std::string> notes;
    RunObserver observer;
    observer.note = [&](const std::string& text) { notes.push_back(text); };
    const bool complete = run_campaign(run, list_of(fake_worker(0, hook)), observer) == RunOutcome::complete;
    return complete && notes.size() == refused &&
           std::ranges::all_of(notes, [](const std::string& note) { return note.find("not committed") != note.npos; });
  }
};

TEST_F(Sleeper, CannotCommitWhatOthersHaveTakenOver) {
  const std::string alone = expected();
  Config run = created("run", 3);
  run.backend.batch = 2;
  ChildProcess child([&] { return sleep_in_third_round(run, 1); });
  ASSERT_TRUE(child.wait_for_stop());
  ASSERT_EQ(held(run), 2);
  EXPECT_EQ(run_campaign(run), RunOutcome::complete) << "the other process waits for the lease to expire";
  EXPECT_EQ(outcome(run), alone);
  child.signal(SIGCONT);
  EXPECT_TRUE(child.wait());
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(Sleeper, CommitsAfterTheTimeOfItsLeaseIfNobodyCame) {
  const std::string alone = expected();
  Config run = created("run", 3);
  run.backend.batch = 2;
  ChildProcess child([&] { return sleep_in_third_round(run, 0); });
  ASSERT_TRUE(child.wait_for_stop());
  const std::int64_t expires = read_campaign(run).workers().front().expires;
  ASSERT_TRUE(soon([&] { return now_ms() > expires; }));
  EXPECT_EQ(held(run), 2);
  child.signal(SIGCONT);
  EXPECT_TRUE(child.wait()) << "no round is simulated twice";
  EXPECT_EQ(outcome(run), alone);
}

/// Two workers of one process, each in a round, when the process is taken for dead.
TEST_F(LostLease, OfSeveralWorkersIsTakenAgainOnce) {
  const std::string alone = expected();
  Config run = created("run");
  run.backend.batch = 1;
  Gate both(2);
  std::once_flag once;
  std::atomic<int> refused{0}, rounds{0};
  const RoundHook hook = [&](const RoundStart& start) {
    if (++rounds > 500) throw std::bad_alloc();  // ends the run
    if (start.number == 1) {
      both.pass();
      std::call_once(once, [&] {
        Database database = Database::open(run.campaign.directory / database_file_name, DatabaseAccess::read_write);
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

TEST_F(LostLease, OfALadderIsTakenAgain) {
  Config alone = config("alone"), run = config("run");
  for (Config* config : {&alone, &run}) {
    config->ladder.adapt = LadderAdaptation::rejection;
    config->ladder.adapt_rounds = 4;
  }
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  std::vector<std::string> notes;
  const RoundHook hook = [&](const RoundStart& start) {
    if (start.number != 1) return;
    Database database = Database::open(run.campaign.directory / database_file_name, DatabaseAccess::read_write);
    for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
  };
  RunObserver observer;
  observer.note = [&](const std::string& text) { notes.push_back(text); };
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0, hook)), observer), RunOutcome::complete);
  EXPECT_THAT(notes, Contains(HasSubstr("was not added")));
  EXPECT_EQ(outcome(run), outcome(alone));
}

}}  // namespace glassworks::testing
