#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/scheduler/ladder_pilots_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

/// Another worker holds the claim; `meanwhile` is called after a while of waiting.
class WaitingPilotsTest : public LadderPilotsTest {
 protected:
  struct Outcome {
    bool complete;
    int rounds;
  };
  Outcome adapt_while(const Config& run,
                      const std::function<void(Database&, std::int64_t other, RoundControl&)>& meanwhile) {
    const Campaign holder = campaign_of(run);  // or the others would take its worker for one that was killed
    Database database = open(run);
    const std::int64_t other = new_worker(database);
    EXPECT_TRUE(database.claim_ladder(4, other));
    HookedBackend backend;
    RoundControl control;
    Outcome result{};
    std::jthread waiting([&] { result.complete = adapt(run, backend, control); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(backend.rounds(), 0) << "nobody else may adapt";
    meanwhile(database, other, control);
    waiting.join();
    result.rounds = backend.rounds();
    return result;
  }
};

TEST_F(WaitingPilotsTest, UntilTheOtherWorkerIsGone) {
  ASSERT_TRUE(adapt(config("alone")));
  const Config run = config("run");
  const auto [complete, rounds] = adapt_while(run, [](Database& database, std::int64_t other, RoundControl&) {
    database.remove_worker(other, LeaseEnd::failed);
  });
  EXPECT_TRUE(complete);
  EXPECT_EQ(rounds, 6);
  EXPECT_EQ(outcome(run), outcome(config("alone")));
}

TEST_F(WaitingPilotsTest, UntilTheOtherWorkerHasFrozenTheLadder) {
  const auto [complete, rounds] =
      adapt_while(config("run"), [&](Database& database, std::int64_t other, RoundControl&) {
        LadderStage stage;
        stage.L = 4;
        stage.temperatures = {0.5, 0.9};
        stage.exchange_attempts = stage.exchange_accepted = {1};
        stage.walk_up = stage.walk_down = {1, 1};
        database.add_ladder_stage(other, stage, &stage.temperatures);
      });
  EXPECT_TRUE(complete);
  EXPECT_EQ(rounds, 0);
  EXPECT_THAT(open(config("run")).sizes().front().temperatures, ElementsAre(0.5, 0.9));
}

TEST_F(WaitingPilotsTest, UntilAStop) {
  const auto [complete, rounds] =
      adapt_while(config("run"), [](Database&, std::int64_t, RoundControl& control) { control.stop = true; });
  EXPECT_FALSE(complete);
  EXPECT_EQ(rounds, 0);
}

/// A worker that was taken for dead while it simulated commits nothing.
TEST_F(LadderPilotsTest, ARemovedWorkerAddsNoStage) {
  const Config run = config("run");
  static_cast<void>(campaign_of(run));
  for (const bool successor : {false, true}) {
    const std::size_t stored = open(run).ladder_stages(4).size();
    RoundControl control;
    HookedBackend backend([&](int round) {
      if (round != 1) return;
      Database database = open(run);
      for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
      if (successor) {
        EXPECT_TRUE(database.claim_ladder(4, new_worker(database)));
      }
    });
    EXPECT_THROW(adapt(run, backend, control), LeaseLost);
    EXPECT_EQ(open(run).ladder_stages(4).size(), stored + 1);
    Database database = open(run);
    for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
  }
  ASSERT_TRUE(adapt(run));
  ASSERT_TRUE(adapt(config("alone")));
  EXPECT_EQ(outcome(run), outcome(config("alone")));
}

/// Its successor may be further and have removed the files that it reads.
TEST_F(LadderPilotsTest, ARemovedWorkerLeavesTheFilesOfItsSuccessorAlone) {
  Config run = config("run");
  run.backend.batch = 1;
  const std::string newer = "pilot-L004-s005-r0000-0123456789abcdef.ckpt";
  RoundControl control;
  HookedBackend backend([&](int round) {
    ASSERT_LE(round, 3) << "nothing is simulated again";
    if (round != 3) return;  // the first pilot of the second stage: the others are still to be read
    Database database = open(run);
    for (const WorkerRow& worker : database.workers()) database.remove_worker(worker.id, LeaseEnd::failed);
    EXPECT_TRUE(database.claim_ladder(4, new_worker(database)));
    for (const std::string& file : files(run)) fs::remove(run.campaign.directory / "checkpoints" / file);
    std::ofstream(run.campaign.directory / "checkpoints" / newer) << "text";
  });
  EXPECT_THROW(adapt(run, backend, control), LeaseLost);
  EXPECT_THAT(files(run), Contains(newer));
}

}}  // namespace glassworks::testing
