#include "scheduler/recovery/verification.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <bit>

#include "scheduler/recovery/recomputation.hpp"
#include "tests/scheduler/stored_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto problem(const std::string& what, const std::string& next_run) {
  return AllOf(Field("what", &VerificationProblem::what, HasSubstr(what)),
               Field("consequence", &VerificationProblem::consequence, ::testing::Not(IsEmpty())),
               Field("next_run", &VerificationProblem::next_run, HasSubstr(next_run)));
}

/// Six realizations with 0, 1, 2, 3, 4 and 12 rounds.
class VerificationTest : public ::testing::Test {
 protected:
  static constexpr std::size_t rounds = 22, files = 1 + 2 + 2 + 2 + 2;

  void SetUp() override {
    for (int r = 1; r < 5; ++r) campaign_.add_rounds(static_cast<std::uint32_t>(r), r);
    campaign_.add_rounds(5, 12);
  }

  Verification verify(int recompute = 0, const std::function<void(const VerificationProgress&)>& progress = {}) {
    return glassworks::verify(campaign_.directory(), {recompute, &campaign_.backend(), progress}, control_);
  }

  void execute(const std::string& sql) {
    SQLite::Database database((campaign_.directory() / database_file_name).string(), SQLite::OPEN_READWRITE);
    ASSERT_EQ(database.exec(sql), 1) << sql;
  }

  [[nodiscard]] fs::path newest(std::uint32_t r) const { return campaign_.checkpoint(campaign_.row(r).checkpoint); }
  [[nodiscard]] fs::path previous(std::uint32_t r) const {
    return campaign_.checkpoint(campaign_.row(r).previous_checkpoint);
  }

  /// All was looked at in spite of problems.
  static void expect_counts(const Verification& found) {
    EXPECT_EQ(found.realizations, 6u);
    EXPECT_EQ(found.rounds, rounds);
    EXPECT_EQ(found.checkpoints, files);
    EXPECT_FALSE(found.stopped);
  }

  ScratchDirectory scratch_;
  StoredCampaign campaign_{small_config(scratch_.path() / "campaign")};
  RoundControl control_;
};

TEST_F(VerificationTest, GoodCampaignHasNoProblems) {
  std::vector<std::string> stages;
  const Verification found = verify(0, [&](const VerificationProgress& p) {
    if (stages.empty() || stages.back() != p.stage) stages.emplace_back(p.stage);
    EXPECT_LE(p.done, p.total);
  });
  expect_counts(found);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.orphans, IsEmpty());
  EXPECT_EQ(found.recomputed, 0u);
  EXPECT_THAT(stages, ElementsAre("the database as a whole", "realizations"));
}

TEST_F(VerificationTest, LastRoundsComeOutTheSame) {
  const Verification found = verify(100);
  expect_counts(found);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.recomputed, 5u);  // one of each that has any
  EXPECT_EQ(verify(2).recomputed, 2u);
}

TEST_F(VerificationTest, FewRoundsAreSimulatedAgainFromTheStart) {
  fs::remove(previous(4));  // after three rounds
  fs::remove(previous(5));  // after eleven
  const Verification found = verify(100);
  EXPECT_EQ(found.recomputed, 3u + 4u);
  EXPECT_EQ(found.problems.size(), 2u);
}

TEST_F(VerificationTest, LostCheckpointsAreTold) {
  fs::remove(newest(1));
  flip_bit(newest(2));
  fs::resize_file(newest(3), 100);
  fs::remove(previous(3));
  fs::remove(previous(4));
  flip_bit(newest(5));
  campaign_.database().set_status(campaign_.database().realization({4, 5}), RealizationStatus::converged, "");
  const Verification found = verify();
  expect_counts(found);
  const std::string from_start = "it simulates all of its 3 rounds again and puts the file back";
  EXPECT_THAT(found.problems,
              ElementsAre(problem(newest(1).string() + " (No such file", "it simulates its only round again"),
                          problem(newest(2).string() + " is damaged", "it simulates its last round again"),
                          problem(newest(3).string() + " is damaged", from_start),
                          problem(previous(3).string() + " (No such file", "another takes its place"),
                          problem(previous(4).string() + " (No such file", "another takes its place"),
                          problem(newest(5).string() + " is damaged", "it leaves this finished realization alone")));
}

TEST_F(VerificationTest, CheckpointOfAnotherStateIsTold) {
  fs::copy_file(newest(3), newest(4), fs::copy_options::overwrite_existing);
  EXPECT_THAT(verify().problems,
              ElementsAre(problem("it holds L = 4, realization 3 after 3 rounds instead of L = 4, realization 4",
                                  "last round")));
}

TEST_F(VerificationTest, DamagedRowsAreToldOneByOne) {
  execute("UPDATE realizations SET reason = 'x' WHERE realization = 2");
  execute("UPDATE rounds SET means = zeroblob(length(means)) WHERE realization = 4 AND round = 2");
  execute("DELETE FROM rounds WHERE realization = 5 AND round = 7");
  execute("UPDATE provenance SET host = 'x'");
  const Verification found = verify(100);
  const std::string copy = "restore that from a copy";
  EXPECT_THAT(found.problems, ElementsAre(problem("realization 2 at L = 4 in table realizations", copy),
                                          problem("row 1 of table provenance", copy),
                                          problem("Round 2 of realization 4 at L = 4", copy),
                                          problem("Round 7 of realization 5 at L = 4", copy)));
  EXPECT_EQ(found.realizations, 5u);
  EXPECT_EQ(found.rounds, 1u + 3u);
  EXPECT_EQ(found.checkpoints, files - 2);
  EXPECT_EQ(found.recomputed, 2u);
}

TEST_F(VerificationTest, RoundTripsMustAddUp) {
  campaign_.add_rounds(0, 1, [](RoundCommit& commit, ChainState&) { ++commit.round_trips; });
  EXPECT_THAT(verify().problems, ElementsAre(problem("The round trips of L = 4, realization 0 do not add up", "")));
}

TEST_F(VerificationTest, RoundsMustBeOfTheCampaign) {
  campaign_.add_rounds(0, 1, [](RoundCommit& commit, ChainState&) { commit.record.measurements = 4; });
  campaign_.add_rounds(1, 1, [](RoundCommit& commit, ChainState&) {
    commit.record.round_trips.pop_back();
    commit.record.walk_mean.resize(commit.record.walk_mean.size() - walk_functions);
  });
  EXPECT_THAT(verify().problems, ElementsAre(problem("(it has 4 measurements instead of 5)", ""),
                                             problem("(it has 9 replicas instead of 10)", "")));
}

TEST_F(VerificationTest, ProvenanceMustBeKnown) {
  const auto new_program = [&](const VerificationProgress& p) {
    if (p.done == 0) campaign_.add_rounds(1, 1, {}, "another program");
  };
  EXPECT_THAT(verify(0, new_program).problems, IsEmpty());
  execute("DELETE FROM provenance WHERE id = 2");
  EXPECT_THAT(verify().problems, ElementsAre(problem("(its provenance 2 is not known)", "")));
}

TEST_F(VerificationTest, OtherBinsAndStatesAreFound) {
  campaign_.add_rounds(3, 1, [](RoundCommit& commit, ChainState&) {
    commit.record.mean[3] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(commit.record.mean[3]) ^ 1);
    ++commit.record.exchange_accepted[0];
  });
  campaign_.add_rounds(5, 1, [](RoundCommit&, ChainState& state) { state.spins[7] = -state.spins[7]; });
  EXPECT_THAT(verify().problems, IsEmpty());
  const Verification found = verify(100);
  EXPECT_THAT(found.problems,
              ElementsAre(problem("L = 4, realization 3 simulated again is not the same (the bins of round 3 differ in "
                                  "means, exchange_accepted; with " +
                                      campaign_.backend().description(),
                                  "it goes on"),
                          problem("realization 5 simulated again is not the same (the state after round 12 has another",
                                  "it goes on")));
}

TEST_F(VerificationTest, FilesThatNoRowNamesAreOrphans) {
  const std::string old = "L004-000000-000009-0123456789abcdef.ckpt", unfinished = old + ".1-0.tmp";
  for (const std::string& name : {old, unfinished, std::string("notes.txt"), std::string("other.ckpt")}) {
    std::ofstream(campaign_.checkpoint(name)) << name;
  }
  const Verification found = verify();
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.orphans, ElementsAre(old, unfinished));
  execute("UPDATE realizations SET reason = 'x' WHERE realization = 2");
  EXPECT_THAT(verify().orphans, IsEmpty()) << "an unreadable row may name them";
}

TEST_F(VerificationTest, CheckpointsElsewhereAreAProblem) {
  const fs::path checkpoints = campaign_.directory() / "checkpoints", elsewhere = scratch_.path() / "elsewhere";
  fs::rename(checkpoints, elsewhere);
  fs::create_symlink(elsewhere, checkpoints);
  const Verification found = verify();
  EXPECT_THAT(found.problems, ElementsAre(problem("checkpoints is a symbolic link", "it refuses to begin")));
  expect_counts(found);
}

TEST_F(VerificationTest, RunningCampaignGivesNoFalseAlarm) {
  std::size_t calls = 0;
  const auto others_go_on = [&](const VerificationProgress&) {
    for (std::uint32_t r = 0; r < 6; ++r) campaign_.add_rounds(r, 3);  // all files that were named are gone
    ++calls;
  };
  const Verification found = verify(100, others_go_on);
  EXPECT_EQ(calls, 2u + 7u + 6u);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.orphans, IsEmpty());
  EXPECT_EQ(found.checkpoints, 10u);  // two of each that had rounds at first
  EXPECT_EQ(found.recomputed, 5u);
}

TEST_F(VerificationTest, StopIsHonoured) {
  const Verification found = verify(100, [&](const VerificationProgress& p) { control_.stop = p.done == 2; });
  EXPECT_TRUE(found.stopped);
  EXPECT_LE(found.realizations, 3u);
  EXPECT_EQ(found.recomputed, 0u);
}

TEST_F(VerificationTest, NothingIsWritten) {
  fs::remove(newest(3));
  const auto before = checkpoint_files(campaign_.config());
  static_cast<void>(verify(100));
  EXPECT_EQ(checkpoint_files(campaign_.config()), before);
}

TEST_F(VerificationTest, StatesOfPilotsAreChecked) {
  Config config = small_config(scratch_.path() / "adapting");
  config.ladder.adapt = LadderAdaptation::rejection;
  StoredCampaign adapting(config);
  const ChainState pilot = initial_state(adapting.chain(), 0);
  const auto name_of = [&](int stage) { return pilot_checkpoint_name(4, stage, 0, state_digest(pilot)); };
  for (const int stage : {0, 1}) write_checkpoint(adapting.checkpoint(name_of(stage)), pilot);
  ASSERT_TRUE(adapting.database().claim_ladder(4, adapting.worker()));
  const std::size_t slots = 5;
  for (int stage = 0; stage < 2; ++stage) {
    const LadderStage row{.L = 4,
                          .stage = stage,
                          .pilots = 1,
                          .measurements = 5,
                          .temperatures = ladder_temperatures(config, 0),
                          .exchange_attempts = std::vector<std::uint64_t>(slots - 1, 9),
                          .exchange_accepted = std::vector<std::uint64_t>(slots - 1, 3),
                          .walk_up = std::vector<std::uint64_t>(slots, 1),
                          .walk_down = std::vector<std::uint64_t>(slots, 1),
                          .round_trips = 0,
                          .checkpoints = name_of(stage) + ' ' + state_digest(pilot) + '\n'};
    adapting.database().add_ladder_stage(adapting.worker(), row);
  }
  const Verification good = glassworks::verify(adapting.directory(), {}, control_);
  EXPECT_THAT(good.problems, IsEmpty());
  EXPECT_EQ(good.checkpoints, 1u);
  EXPECT_THAT(good.orphans, ElementsAre(name_of(0)));
  flip_bit(adapting.checkpoint(name_of(1)));
  EXPECT_THAT(glassworks::verify(adapting.directory(), {}, control_).problems,
              ElementsAre(problem(name_of(1) + " is damaged", "it simulates the stages of this ladder again")));
}

TEST(SpreadEvenly, TakesFromAllParts) {
  EXPECT_THAT(spread_evenly(10, 2), ElementsAre(2, 7));
  EXPECT_THAT(spread_evenly(3, 5), ElementsAre(0, 1, 2));
  EXPECT_THAT(spread_evenly(1000, 1), ElementsAre(500));
  EXPECT_THAT(spread_evenly(0, 4), IsEmpty());
  EXPECT_THAT(spread_evenly(7, 7), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

}}  // namespace glassworks::testing
