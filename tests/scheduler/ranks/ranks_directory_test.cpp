#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.hpp"
#include "scheduler/ranks/checkpoint_transfer.hpp"
#include "scheduler/ranks/directory_token.hpp"
#include "scheduler/ranks/rank_scratch.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/ranks/ranks_fixture.hpp"
#include "tests/scheduler/stored_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class RanksDirectory : public RanksTest {
 protected:
  static constexpr const char* restored = "was restored to the bit";
};

TEST_F(RanksDirectory, NeedNotBeShared) {
  const std::string alone = expected();
  for (const int batch : {0, 1}) {
    Config run = config(fmt::format("run{}", batch));
    run.backend.batch = batch;
    notes_.clear();
    EXPECT_EQ(run_on_ranks(run, {Member{.sees_directory = false}, Member{}, Member{.sees_directory = false}}).outcome,
              RunOutcome::complete);
    EXPECT_EQ(outcome(run), alone);
    expect_clean(run);
    EXPECT_THAT(notes_, ElementsAre(StartsWith("Ranks 1, 3 see another directory")));
  }
}

TEST_F(RanksDirectory, StatesThatAreDamagedAreMadeAgainAndPutBack) {
  const std::string alone = expected();
  for (const bool previous_too : {false, true}) {
    const Config run = config(previous_too ? "both" : "newest");
    run_campaign(run, 3);
    int damaged = 0;
    for (const RealizationRow& row : read_campaign(run).realizations()) {
      if (row.rounds < 2 || is_finished(row.status)) continue;
      flip_bit(run.campaign.directory / "checkpoints" / row.checkpoint);
      if (previous_too) fs::remove(run.campaign.directory / "checkpoints" / row.previous_checkpoint);
      ++damaged;
    }
    ASSERT_GT(damaged, 0);
    notes_.clear();
    EXPECT_EQ(run_on_ranks(run, {Member{.sees_directory = false}}).outcome, RunOutcome::complete);
    EXPECT_EQ(outcome(run), alone);
    EXPECT_EQ(std::ranges::count_if(notes_, [](const auto& n) { return n.find(restored) != std::string::npos; }),
              damaged);
    expect_clean(run);
    for (const RealizationRow& row : read_campaign(run).realizations()) {
      EXPECT_NO_THROW((void)read_checkpoint(run.campaign.directory / "checkpoints" / row.checkpoint, row.state_digest));
      EXPECT_NO_THROW(
          (void)read_checkpoint(run.campaign.directory / "checkpoints" / row.previous_checkpoint, row.previous_digest));
    }
  }
}

TEST_F(RanksDirectory, IsRecognizedByAFreshToken) {
  const ScratchDirectory here, elsewhere;
  for (const fs::path& each : {here.path(), elsewhere.path()}) fs::create_directory(each / "checkpoints");
  std::string file;
  {
    const DirectoryToken token(here.path());
    file = token.file();
    EXPECT_TRUE(sees_directory(here.path(), token.file(), token.text()));
    EXPECT_FALSE(sees_directory(elsewhere.path(), token.file(), token.text()));
    const DirectoryToken other(elsewhere.path());
    EXPECT_FALSE(sees_directory(elsewhere.path(), other.file(), token.text())) << "a copy of the directory";
    EXPECT_NE(token.text(), other.text());
  }
  EXPECT_TRUE(fs::is_empty(here.path() / "checkpoints"));
}

TEST_F(RanksDirectory, FilesKeepToIt) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "checkpoints");
  for (const std::string name : {"../outside", "", "..", "/tmp/outside", "a/b"}) {
    EXPECT_THAT(
        [&] {
          write_states(scratch.path() / "checkpoints", {{"L004-000000-000001-0123456789abcdef.ckpt", {}}, {name, {}}});
        },
        Fails());
  }
  EXPECT_TRUE(fs::is_empty(scratch.path() / "checkpoints"));
}

TEST_F(RanksDirectory, ScratchOfKilledProcessesIsRemovedAndThatOfOthersKept) {
  const ScratchDirectory parent;
  fs::create_directories(parent.path() / "glassworks-rank-killed" / "checkpoints");
  std::ofstream(parent.path() / "glassworks-rank-killed" / "lock");
  fs::create_directories(parent.path() / "another-program");
  {
    const RankScratch first(parent.path());
    EXPECT_FALSE(fs::exists(parent.path() / "glassworks-rank-killed"));
    const RankScratch second(parent.path());
    EXPECT_TRUE(fs::is_directory(first.checkpoints()));
    EXPECT_TRUE(fs::is_directory(second.checkpoints()));
    EXPECT_NE(first.checkpoints(), second.checkpoints());
  }
  EXPECT_TRUE(fs::exists(parent.path() / "another-program"));
  EXPECT_EQ(std::distance(fs::directory_iterator(parent.path()), {}), 1);
  EXPECT_THAT([&] { const RankScratch none(parent.path() / "missing"); }, Refuses(FileFault::withheld));
}

}}  // namespace glassworks::testing
