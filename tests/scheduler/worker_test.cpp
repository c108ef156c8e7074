#include <algorithm>
#include <fstream>
#include <vector>

#include "base/threads.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class WorkerTest : public ::testing::Test {
 protected:
  /// The small campaign in a directory of that name.
  [[nodiscard]] Config config(const std::string& name) const { return small_config(scratch_.path() / name); }

  ScratchDirectory scratch_;
};

TEST_F(WorkerTest, RunsEveryRealizationToADecision) {
  const Config whole = config("whole");
  EXPECT_EQ(run_campaign(whole), RunOutcome::complete);
  const auto rows = read_campaign(whole).realizations();
  ASSERT_EQ(rows.size(), 6u);
  int converged = 0;
  std::set<std::uint32_t> lengths;
  for (const RealizationRow& row : rows) {
    lengths.insert(row.rounds);
    converged += row.status == RealizationStatus::converged ? 1 : 0;
    EXPECT_TRUE(row.status == RealizationStatus::converged || row.status == RealizationStatus::failed);
    EXPECT_GE(row.rounds, 8u);
    EXPECT_LE(row.rounds, 20u);
    EXPECT_EQ(row.status == RealizationStatus::failed, row.rounds == 20u && row.reason.starts_with("maximum of 20"));
    if (row.status == RealizationStatus::converged) {
      EXPECT_GE(row.round_trips, 20u);
    }
  }
  EXPECT_GT(converged, 0);
  EXPECT_GE(lengths.size(), 3u) << "the small campaign should show decisions at different times";
  EXPECT_EQ(run_campaign(whole), RunOutcome::complete) << "a finished campaign is finished at once";
}

TEST_F(WorkerTest, DecisionsDoNotDependOnRunsOrBatches) {
  const Config whole = config("whole");
  run_campaign(whole);
  for (const auto& [batch, batches_per_run] : {std::pair{1, 5}, {2, 1}, {4, 3}, {6, 2}}) {
    Config pieces = config("pieces" + std::to_string(batch));
    pieces.backend.batch = batch;
    int runs = 1;
    while (run_campaign(pieces, batches_per_run) == RunOutcome::stopped) ++runs;
    EXPECT_GT(runs, 3);
    EXPECT_EQ(outcome(whole), outcome(pieces)) << "batch " << batch << ", " << runs << " runs";
  }
}

TEST_F(WorkerTest, AnotherSeedIsAnotherOutcome) {
  const Config first = config("first");
  Config second = config("second");
  second.campaign.seed = 6;
  run_campaign(first, 1);
  run_campaign(second, 1);
  EXPECT_NE(outcome(first), outcome(second));
}

TEST_F(WorkerTest, UnreachableRoundTripsEndAtTheMaximumOfRounds) {
  Config never = config("never");
  never.convergence.min_round_trips = 1'000'000;
  run_campaign(never);
  for (const RealizationRow& row : read_campaign(never).realizations()) {
    EXPECT_EQ(row.status, RealizationStatus::failed);
    EXPECT_EQ(row.rounds, 20u);
    EXPECT_THAT(row.reason, AllOf(HasSubstr("maximum of 20 rounds reached"), HasSubstr("round trips, 1000000 needed")));
  }
}

TEST_F(WorkerTest, TheMostWorkThatMayRemainIsTakenFirst) {
  Config two = config("two");
  two.model.L = {4, 6};
  two.backend.batch = 3;
  const auto rounds_of = [&](int L) {
    std::vector<std::uint32_t> list;
    for (const RealizationRow& row : read_campaign(two).realizations(L)) list.push_back(row.rounds);
    return list;
  };
  run_campaign(two, 1);
  EXPECT_THAT(rounds_of(6), ElementsAre(1, 1, 1, 0, 0, 0)) << "L = 6 begins";
  run_campaign(two, 1);
  EXPECT_THAT(rounds_of(6), ElementsAre(1, 1, 1, 1, 1, 1)) << "nobody has a second round before all have one";
  run_campaign(two, 14);
  EXPECT_THAT(rounds_of(6), Each(8u)) << "all of the large ones are judged";
  EXPECT_THAT(rounds_of(4), Each(0u)) << "19 rounds of L = 6 are more work than 20 of L = 4";
}

TEST_F(WorkerTest, CheckpointsAreThoseOfTheLastTwoRounds) {
  const Config run = config("run");
  run_campaign(run, 3);
  std::set<std::string> referred;
  for (const RealizationRow& row : read_campaign(run).realizations()) {
    EXPECT_EQ(row.rounds, 3u);
    referred.insert({row.checkpoint, row.previous_checkpoint});
  }
  EXPECT_EQ(referred.size(), 12u);
  EXPECT_EQ(checkpoint_files(run), referred);
}

TEST_F(WorkerTest, OrphansGoAndOtherFilesStay) {
  const Config run = config("run");
  run_campaign(run, 1);
  const auto before = checkpoint_files(run);
  for (const char* name :
       {"L004-000000-000099-0000000000000000.ckpt", "L004-000000-000001-0000000000000000.ckpt.12-0.tmp", "notes.txt",
        "copy of L004-000000-000001-0000000000000000.ckpt", "x.ckpt.12-0.tmp"}) {
    std::ofstream(run.campaign.directory / "checkpoints" / name) << "text";
  }
  Campaign::create_or_continue(run);
  auto expected = before;
  expected.insert({"notes.txt", "copy of L004-000000-000001-0000000000000000.ckpt", "x.ckpt.12-0.tmp"});
  EXPECT_EQ(checkpoint_files(run), expected);
}

TEST_F(WorkerTest, ProgressCountsCommittedRounds) {
  const Config run = config("run");
  CampaignProgress last;
  std::uint64_t rounds = 0;
  run_campaign(run, -1, [&](const CampaignProgress& progress) {
    EXPECT_GE(progress.rounds, rounds);
    rounds = progress.rounds;
    last = progress;
  });
  std::uint64_t stored = 0;
  for (const RealizationRow& row : read_campaign(run).realizations()) stored += row.rounds;
  EXPECT_EQ(last.rounds, stored);
  EXPECT_EQ(last.realizations, 6u);
  EXPECT_EQ(last.converged + last.failed, 6u);
  EXPECT_EQ(last.remaining_seconds, 0.0);
  // measurements x n_A x sweeps x replicas x sites
  EXPECT_EQ(last.updates, static_cast<double>(stored) * 5 * 2 * 3 * 10 * 64);
}

/// The rounds of a course are not alike: the last ones, between logarithmic times, are the longest.
TEST_F(WorkerTest, ProgressOfACourseKnowsWhatIsLeft) {
  Config run = parse_config(
      "model.type = ising\nmodel.dim = 2\nmodel.L = 4, 6\ndisorder.realizations = 2\nladder.temperatures = 1, 2\n"
      "course.sweeps = 1000\ncourse.times = 1 per decade\nbackend.kind = cpu\nbackend.threads = 1\nbackend.batch = "
      "1\n");
  run.campaign.directory = scratch_.path() / "course";
  const double total = 2.0 * (16 + 36) * 2 * 2 * 1000;  // realizations x sites x copies x slots x sweeps
  int seen = 0;
  run_campaign(run, -1, [&](const CampaignProgress& p) {
    if (p.updates == 0.0) return;
    ++seen;
    EXPECT_NEAR(p.updates + p.remaining_updates, total, 1e-6 * total) << p.rounds << " rounds";
    EXPECT_EQ(p.remaining_seconds == 0.0, p.finished() == p.realizations);
    EXPECT_FALSE(p.remaining_is_least);
  });
  EXPECT_GE(seen, 4);
}

TEST_F(WorkerTest, ASecondHolderJoinsAndCleansNothingUp) {
  const Config run = config("run");
  const Campaign first = Campaign::create_or_continue(run);
  EXPECT_TRUE(first.created());
  const std::filesystem::path file =
      run.campaign.directory / "checkpoints" / "L004-000000-000001-0000000000000000.ckpt";
  std::ofstream(file) << "about to be committed by the first";
  EXPECT_FALSE(Campaign::create_or_continue(run).created());
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(WorkerTest, ADifferenceIsShownBeforeAnythingIsTouched) {
  const Config run = config("run");
  run_campaign(run, 1);
  Config other = run;
  other.campaign.seed = 99;
  other.replicas.copies = 4;
  EXPECT_THAT([&] { Campaign::create_or_continue(other); },
              Refuses(InputFault::changed, "campaign.seed, replicas.copies"));
  Config elsewhere = run;
  elsewhere.backend.options.kind = BackendKind::reference;
  elsewhere.backend.batch = 3;
  EXPECT_FALSE(Campaign::create_or_continue(elsewhere).created()) << "how it is run may change";
}

TEST_F(WorkerTest, CheckpointsWithoutDatabaseAreKept) {
  const Config run = config("run");
  run_campaign(run, 1);
  const auto before = checkpoint_files(run);
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::filesystem::remove(run.campaign.directory / (std::string(database_file_name) + suffix));
  }
  EXPECT_THAT([&] { run_campaign(run, 1); },
              Refuses(InputFault::missing, (run.campaign.directory / database_file_name).string()));
  EXPECT_EQ(checkpoint_files(run), before);
  EXPECT_FALSE(std::filesystem::exists(run.campaign.directory / database_file_name));
}

TEST_F(WorkerTest, MissingCheckpointsAreMadeAgainToTheBit) {
  const Config whole = config("whole");
  run_campaign(whole);
  Config run = config("run");
  run.backend.options.threads = 3;
  run_campaign(run, 1);
  for (const std::string& name : checkpoint_files(run))
    std::filesystem::remove(run.campaign.directory / "checkpoints" / name);
  std::vector<std::string> notes;
  EXPECT_EQ(
      run_campaign(run, make_worker_backends(run), {{}, {}, [&](const std::string& text) { notes.push_back(text); }}),
      RunOutcome::complete);
  EXPECT_THAT(notes, SizeIs(6));
  EXPECT_THAT(notes, Each(AllOf(HasSubstr("checkpoints/L004-"), HasSubstr("simulated again from the start"))));
  EXPECT_EQ(outcome(run), outcome(whole));
}

}}  // namespace glassworks::testing
