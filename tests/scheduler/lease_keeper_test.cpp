#include "scheduler/campaign/lease_keeper.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "scheduler/campaign/process.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/lease_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

using LeaseKeeperTest = LeaseTest;

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
  keeper.register_again(keeper.worker());
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

/// After the clock was set back, times in rows lie in the future; whoever does not move is gone all the same.
TEST_F(LeaseKeeperTest, EndsTheLeasesOfASilentProcessWhoseTimesLieInTheFuture) {
  const Config run = created("run", 3);
  Campaign campaign = Campaign::create_or_continue(run);
  WorkerRow silent = this_process("a process that runs, but does not work", 3);
  silent.heartbeat += 3'600'000;
  silent.expires = silent.heartbeat + 3000;
  lease_all(campaign, campaign.database().add_worker(silent));
  const LeaseKeeper keeper(campaign, "");
  EXPECT_TRUE(soon([&] { return held(run) == 0; }));
}

/// As after a jump of the clock by hours, of which the rows of workers know nothing until these renew them.
TEST_F(LeaseKeeperTest, NobodyLosesLeasesWhenTheClockJumps) {
  constexpr std::int64_t hours = 10'800'000;
  const Config run = created("run", 3);
  Campaign campaign = Campaign::create_or_continue(run);
  WorkerRow behind = this_process("a process that runs, and whose clock is hours behind", 3);
  behind.heartbeat -= hours;
  behind.expires = behind.heartbeat + 3000;
  const std::int64_t other = campaign.database().add_worker(behind);
  lease_all(campaign, other);
  const LeaseKeeper keeper(campaign, "");
  const std::int64_t worker = keeper.worker();
  ASSERT_TRUE(campaign.database().heartbeat(worker, now_ms() - hours, now_ms() - hours + 3000));
  for (int beat = 1; beat <= 9; ++beat) {  // 1.5 leases
    std::this_thread::sleep_for(500ms);
    ASSERT_TRUE(campaign.database().heartbeat(other, behind.heartbeat + beat, behind.expires)) << "it was expelled";
  }
  EXPECT_EQ(keeper.worker(), worker) << "its own lease was renewed, not lost";
  EXPECT_GT(read_campaign(run).workers().back().expires, now_ms());
  EXPECT_EQ(held(run), 6);
  EXPECT_TRUE(soon([&] { return held(run) == 0; }, 10s)) << "silent now, it keeps its leases for 3 s";
}

}}  // namespace glassworks::testing
