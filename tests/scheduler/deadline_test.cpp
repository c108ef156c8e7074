#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using namespace std::chrono_literals;

class Deadline : public SmallCampaign {
 protected:
  /// Runs for so long with rounds of 100 ms. Returns how many have begun.
  static int run_for(const Config& run, std::chrono::milliseconds time, RunOutcome end) {
    Campaign campaign = Campaign::create_or_continue(run);
    int rounds = 0;
    const RoundHook slow = [&](const RoundStart& start) {
      rounds = start.number + 1;
      std::this_thread::sleep_for(100ms);
    };
    WorkerPool pool(campaign, list_of(fake_worker(0, slow)), {});
    pool.set_deadline(std::chrono::steady_clock::now() + time);
    RoundControl control;
    EXPECT_EQ(pool.run(control, {}), end);
    return rounds;
  }
};

/// 450 ms would do for the beginning of a fifth round, not for its end. On a busy machine it is less rounds.
TEST_F(Deadline, NoRoundBeginsThatWouldNotEnd) {
  const std::string alone = expected();
  Config run = config("run");
  run.backend.batch = 6;
  const int rounds = run_for(run, 450ms, RunOutcome::stopped);
  EXPECT_GE(rounds, 1);
  EXPECT_LE(rounds, 4);
  for (const RealizationRow& row : read_campaign(run).realizations()) {
    EXPECT_EQ(row.rounds, static_cast<std::uint32_t>(rounds)) << "what has begun is committed";
    EXPECT_EQ(row.failures, 0);
  }
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

/// Rounds go on as long as another one fits: the run ends within the longest round, not after half of its time.
TEST_F(Deadline, RoundsBeginUntilTheNextOneWouldNotEnd) {
  Config run = config("run");
  run.convergence.min_rounds = run.convergence.max_rounds = 4096;
  run.checkpoint.given = 180;  // the batch stays with its worker
  run.backend.batch = 6;
  Campaign campaign = Campaign::create_or_continue(run);
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> begun;
  const RoundHook slow = [&](const RoundStart&) {
    begun.push_back(Clock::now());
    std::this_thread::sleep_for(20ms);
  };
  WorkerPool pool(campaign, list_of(fake_worker(0, slow)), {});
  const auto deadline = Clock::now() + 1500ms;
  pool.set_deadline(deadline);
  RoundControl control;
  EXPECT_EQ(pool.run(control, {}), RunOutcome::stopped);
  ASSERT_GE(begun.size(), 2U);
  Clock::duration longest{};
  for (std::size_t i = 1; i < begun.size(); ++i) longest = std::max(longest, begun[i] - begun[i - 1]);
  EXPECT_LT(deadline - begun.back(), 2.5 * longest + 50ms);
}

TEST_F(Deadline, ThatIsPastBeginsNothing) {
  const Config run = config("run");
  EXPECT_EQ(run_for(run, -1ms, RunOutcome::stopped), 0);
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(run_for(run, -1ms, RunOutcome::complete), 0) << "nothing is left to be done";
}

TEST_F(Deadline, ReachesAllWorkers) {
  const Config run = config("run");
  Campaign campaign = Campaign::create_or_continue(run);
  const RoundHook slow = [](const RoundStart&) { std::this_thread::sleep_for(20ms); };
  WorkerPool pool(campaign, list_of(fake_worker(0, slow, 1), fake_worker(1, slow, 1)), {});
  const auto deadline = std::chrono::steady_clock::now() + 200ms;
  pool.set_deadline(deadline);
  RoundControl control;
  EXPECT_EQ(pool.run(control, {}), RunOutcome::stopped);
  EXPECT_LT(read_campaign(run).realizations().front().rounds, 8u);
}

}}  // namespace glassworks::testing
