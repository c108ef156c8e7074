#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "db/schema.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Batches that stay with their worker for many rounds: the states of most rounds are in no file.
class StayTest : public SmallCampaign {
 protected:
  [[nodiscard]] Config staying(const std::string& name, int seconds = 3600) const {
    Config run = config(name);
    run.checkpoint.given = seconds;
    run.backend.batch = 6;
    return run;
  }
  /// Runs with one device until it has begun so many rounds; the stop comes in the middle of the next.
  RunOutcome run_for(const Config& run, int rounds, RunObserver observer = {}) {
    Campaign campaign = Campaign::create_or_continue(run);
    RoundControl control;
    WorkerPool pool(campaign,
                    list_of(fake_worker(0,
                                        [&control, rounds](const RoundStart& start) {
                                          if (start.number == rounds) control.stop = true;
                                        })),
                    {"test", "test", "test", "test", "test"});
    return pool.run(control, std::move(observer));
  }
  /// Files that rows name are there and hold the states that rows say.
  static void expect_named_states(const Config& run) {
    const Chain chain = make_chain(run, 0);
    std::set<std::string> named;
    for (const RealizationRow& row : read_campaign(run).realizations()) {
      for (const auto& [file, digest] : {std::pair{row.checkpoint, row.checkpoint_digest},
                                         std::pair{row.previous_checkpoint, row.previous_digest}}) {
        if (file.empty()) continue;
        named.insert(file);
        EXPECT_NO_THROW(static_cast<void>(
            read_checkpoint(run.campaign.directory / "checkpoints" / file, digest,
                            checkpoint_identity(run, chain, row.key.realization, rounds_of_checkpoint(file)))));
      }
    }
    EXPECT_EQ(checkpoint_files(run), named);
  }
};

/// Reading and writing take at most 3 % of the time, unless the interval is given.
TEST(CheckpointInterval, GrowsWithTheTimeOfTheCheckpoints) {
  CheckpointConfig checkpoint;
  EXPECT_EQ(checkpoint.stay_seconds(0.0), 180.0);
  EXPECT_EQ(checkpoint.stay_seconds(5.0), 180.0);
  EXPECT_NEAR(checkpoint.stay_seconds(15.0), 500.0, 1e-9);
  for (const int given : {0, 10, 180}) {
    checkpoint.given = given;
    EXPECT_EQ(checkpoint.stay_seconds(15.0), given);
  }
}

/// One round shows how large a batch may be; then batches stay.
TEST_F(StayTest, AnAutomaticBatchStaysToo) {
  Config run = staying("automatic");
  run.backend.batch = 0;
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0))), RunOutcome::complete);
  for (const RealizationRow& row : read_campaign(run).realizations()) {
    EXPECT_LE(row.attempt, 3U) << "realization " << row.key.realization << " of " << row.rounds << " rounds";
  }
}

TEST_F(StayTest, LengthOfAStayChangesNothing) {
  const std::string whole = expected();
  for (const int workers : {1, 2, 3}) {
    const Config run = staying("stays" + std::to_string(workers));
    std::vector<WorkerBackend> backends;
    for (int i = 0; i < workers; ++i) backends.push_back(fake_worker(i));
    EXPECT_EQ(run_campaign(run, std::move(backends)), RunOutcome::complete);
    EXPECT_EQ(outcome(run), whole) << workers;
    expect_named_states(run);
  }
}

TEST_F(StayTest, FinishedRealizationsLeaveTheirStates) {
  const Config run = staying("run");
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0))), RunOutcome::complete);
  for (const RealizationRow& row : read_campaign(run).realizations()) {
    EXPECT_EQ(rounds_of_checkpoint(row.checkpoint), row.rounds);
    EXPECT_EQ(row.checkpoint_digest, row.state_digest);
    EXPECT_EQ(row.previous_checkpoint, "") << "no other state was ever written";
    EXPECT_EQ(row.worker, 0);
  }
}

TEST_F(StayTest, AStopWritesTheStatesOfTheLastWholeRound) {
  const std::string whole = expected();
  const Config run = staying("run");
  EXPECT_EQ(run_for(run, 5), RunOutcome::stopped);
  for (const RealizationRow& row : read_campaign(run).realizations()) {
    EXPECT_EQ(row.rounds, 5U);
    EXPECT_EQ(rounds_of_checkpoint(row.checkpoint), 5U);
    EXPECT_EQ(row.worker, 0);
  }
  expect_named_states(run);
  std::vector<std::string> notes;
  EXPECT_EQ(run_for(run, 1000, {{}, {}, [&](const std::string& text) { notes.push_back(text); }}),
            RunOutcome::complete);
  EXPECT_THAT(notes, IsEmpty()) << "nothing had to be simulated again";
  EXPECT_EQ(outcome(run), whole);
  expect_named_states(run);
}

TEST_F(StayTest, AStopBeforeTheFirstRoundLeavesNothing) {
  const Config run = staying("run");
  EXPECT_EQ(run_for(run, 0), RunOutcome::stopped);
  EXPECT_THAT(checkpoint_files(run), IsEmpty());
  for (const RealizationRow& row : read_campaign(run).realizations()) EXPECT_EQ(row.worker, 0);
}

/// A process that is killed leaves committed rounds whose states are in no file.
TEST_F(StayTest, RoundsBehindTheLastCheckpointAreSimulatedAgain) {
  const std::string whole = expected();
  const Config run = staying("run"), after = staying("after");
  run_for(run, 3);
  // What a kill would leave: the campaign as it is while its next rounds are committed.
  Campaign campaign = Campaign::create_or_continue(run);
  RoundControl control;
  const auto copy_at = [&](const RoundStart& start) {
    if (start.number != 4) return;
    const auto all = [&] {
      const auto rows = read_campaign(run).realizations();
      return std::ranges::all_of(rows, [](const RealizationRow& row) { return row.rounds == 7; });
    };
    for (int i = 0; i < 2000 && !all(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fs::copy(run.campaign.directory, after.campaign.directory, fs::copy_options::recursive);
    fs::remove(after.campaign.directory / "campaign.lock");
    control.stop = true;
  };
  WorkerPool pool(campaign, list_of(fake_worker(0, copy_at)), {"test", "test", "test", "test", "test"});
  EXPECT_EQ(pool.run(control, {}), RunOutcome::stopped);
  for (const RealizationRow& row : read_campaign(after).realizations()) {
    EXPECT_EQ(row.rounds, 7U);
    EXPECT_EQ(rounds_of_checkpoint(row.checkpoint), 3U);
    EXPECT_NE(row.worker, 0) << "still leased by the one that was killed";
  }
  std::vector<std::string> notes;
  EXPECT_EQ(run_for(after, 1000, {{}, {}, [&](const std::string& text) { notes.push_back(text); }}),
            RunOutcome::complete);
  EXPECT_THAT(notes, Contains(HasSubstr("up to 4 committed rounds of 6 realizations were simulated again")));
  EXPECT_EQ(outcome(after), whole);
  expect_named_states(after);
}

TEST_F(StayTest, AStateThatIsNotWhatWasCommittedIsGivenUp) {
  const Config run = staying("run");
  run_for(run, 3);
  Config other = run;
  other.workers.max_attempts = 1;
  {
    SQLite::Database database((run.campaign.directory / database_file_name).string(), SQLite::OPEN_READWRITE);
    db::add_views(database, static_cast<std::int64_t>(db::migrations().size()), db::migrations());
    // As if a fourth round had been committed whose state had another digest.
    database.exec(
        "INSERT INTO rounds SELECT L, realization, 3, attempt, provenance, seconds, measurements, slots, observables, "
        "replicas, checksum, means, means_checksum, exchange_attempts, exchange_attempts_checksum, exchange_accepted, "
        "exchange_accepted_checksum, walk_up, walk_up_checksum, walk_down, walk_down_checksum, walk_mean, "
        "walk_mean_checksum, round_trips, round_trips_checksum, samples_per_slot, samples_checksum, samples FROM "
        "rounds "
        "WHERE realization = 2 AND round = 2");
    database.exec("UPDATE realizations SET rounds = 4, state_digest = '" + std::string(32, 'a') +
                  "' WHERE realization = 2");
    database.exec(
        "UPDATE realizations SET checksum = row_checksum(L, realization, status, rounds, checkpoint, state_digest, "
        "round_trips, reason, attempt, previous_checkpoint, previous_digest, tau, equilibration_rounds, "
        "expected_rounds, failures, checkpoint_digest) WHERE realization = 2");
  }
  EXPECT_EQ(run_for(other, 1000), RunOutcome::complete);
  const RealizationRow row = read_campaign(run).realization({4, 2});
  EXPECT_EQ(row.status, RealizationStatus::quarantined);
  EXPECT_THAT(row.reason, AllOf(HasSubstr("after 4 rounds cannot be restored"), HasSubstr(std::string(32, 'a'))));
  EXPECT_EQ(read_campaign(run).realization({4, 1}).status, RealizationStatus::converged);
}

/// An idle worker gets its share of a batch that another one would have held for an hour.
TEST_F(StayTest, AnIdleWorkerGetsAShare) {
  const std::string whole = expected();
  const Config run = staying("run");
  std::map<int, int> rounds;
  std::mutex mutex;
  const auto count = [&](int device) {
    return [&, device](const RoundStart& start) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::lock_guard lock(mutex);
      rounds[device] += static_cast<int>(start.tasks.size());
    };
  };
  Config narrow = run;
  narrow.backend.batch = 0;  // the fake devices prefer six, and two of them share what is open
  EXPECT_EQ(run_campaign(narrow, list_of(fake_worker(0, count(0), 6), fake_worker(1, count(1), 6))),
            RunOutcome::complete);
  EXPECT_GT(rounds[0], 20);
  EXPECT_GT(rounds[1], 20);
  EXPECT_EQ(outcome(run), whole);
}

}}  // namespace glassworks::testing
