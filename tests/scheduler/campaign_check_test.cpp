#include "scheduler/campaign/campaign_check.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "db/row.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;

/// A campaign of two sizes that is half done, and whose database somebody changes.
class CampaignCheckTest : public SmallCampaign {
 protected:
  void SetUp() override {
    run_ = config("run");
    run_.model.L = {4, 6};
    run_.ladder.slots = {5, 5};
    run_.convergence.max_rounds = 10;
    run_.convergence.min_round_trips = 0;
    run_campaign(run_, 4);
    files_ = checkpoint_files(run_);
  }

  void execute(const std::string& sql) const {
    SQLite::Database raw((run_.campaign.directory / database_file_name).string(), SQLite::OPEN_READWRITE);
    raw.exec("PRAGMA synchronous = OFF; " + sql);
  }

  /// A run refuses to begin, and removes nothing.
  void expect_refused() const {
    EXPECT_THAT([&] { run_campaign(run_); }, Fails());
    EXPECT_EQ(checkpoint_files(run_), files_);
  }

  Config run_;
  std::set<std::string> files_;
};

TEST_F(CampaignCheckTest, CheckpointsOfASizeThatIsGoneStay) {
  execute("DELETE FROM rounds WHERE L = 6; DELETE FROM realizations WHERE L = 6; DELETE FROM sizes WHERE L = 6");
  expect_refused();
}

TEST_F(CampaignCheckTest, SizesOfAnotherCampaignAreRefused) {
  SizeRow size = read_campaign(run_).sizes()[1];
  size.L = 8;
  execute(
      fmt::format("INSERT INTO sizes SELECT 8, temperatures, observables, realizations, adapting, {}, 0, sample_names "
                  "FROM sizes WHERE L = 6",
                  db::size_checksum(size, run_.disorder.realizations.front())));
  for (int r = 0; r < run_.disorder.realizations.front(); ++r) {
    RealizationRow row;
    row.key = {8, static_cast<std::uint32_t>(r)};
    execute(fmt::format(
        "INSERT INTO realizations VALUES (8, {}, 'queued', 0, '', '', 0, '', 0, '', '', 0, 0, 0, 0, {}, 0, 1, '')", r,
        db::realization_checksum(row)));
  }
  expect_refused();
}

TEST_F(CampaignCheckTest, RealizationsOfAnotherCampaignAreRefused) {
  execute(
      "CREATE TEMP TABLE t AS SELECT * FROM realizations WHERE L = 6 AND realization = 0; UPDATE t SET realization = "
      "6; "
      "INSERT INTO realizations SELECT * FROM t");
  expect_refused();
}

TEST_F(CampaignCheckTest, TriggersAreRefused) {
  execute("CREATE TRIGGER t AFTER UPDATE ON realizations BEGIN DELETE FROM rounds; END");
  expect_refused();
}

TEST_F(CampaignCheckTest, DamagedIndexIsRefused) {
  const auto redefine = [&](const std::string& from, const std::string& to) {
    execute("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '" + from + "', '" + to +
            "') WHERE name = 'realizations_by_worker'");
  };
  redefine("worker != 0", "worker > 99");
  execute("UPDATE realizations SET worker = 1 WHERE L = 4 AND realization = 2");
  redefine("worker > 99", "worker != 0");
  expect_refused();
}

/// What stands in the database is never a way to a file elsewhere.
TEST_F(CampaignCheckTest, FilesOutsideOfTheCampaignStay) {
  const fs::path victim = run_.campaign.directory.parent_path() / "victim";
  std::ofstream(victim) << "precious";
  const auto rows = read_campaign(run_).realizations();
  const auto with_two_generations = [](const RealizationRow& r) { return !r.previous_checkpoint.empty(); };
  const RealizationRow row = *std::ranges::find_if(rows, with_two_generations);
  for (const std::string& name : {std::string("../../victim"), victim.string()}) {
    RealizationRow hostile = row;
    hostile.previous_checkpoint = name;
    execute("UPDATE realizations SET previous_checkpoint = '" + name +
            "', checksum = " + std::to_string(db::realization_checksum(hostile)) +
            " WHERE L = " + std::to_string(row.key.L) + " AND realization = " + std::to_string(row.key.realization));
    expect_refused();
    EXPECT_TRUE(fs::exists(victim));
  }
}

TEST_F(CampaignCheckTest, FolderOfCheckpointsIsNoLink) {
  const fs::path checkpoints = run_.campaign.directory / "checkpoints",
                 elsewhere = run_.campaign.directory.parent_path() / "elsewhere";
  fs::rename(checkpoints, elsewhere);
  fs::create_symlink(elsewhere, checkpoints);
  EXPECT_THAT([&] { run_campaign(run_); }, Refuses(InputFault::unusable_file, checkpoints.string()));
  EXPECT_EQ(checkpoint_files(run_), files_);
}

TEST_F(CampaignCheckTest, LeasesOfNobodyAreEnded) {
  execute("UPDATE realizations SET worker = 99 WHERE L = 4 AND realization = 1");
  EXPECT_EQ(run_campaign(run_), RunOutcome::complete);
}

}}  // namespace glassworks::testing
