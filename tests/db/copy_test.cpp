#include "db/copy.hpp"

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class Copy : public Campaign {
 protected:
  [[nodiscard]] std::filesystem::path target() const { return directory_ / status_file_name; }
  [[nodiscard]] Database copy() const { return Database::open(target(), DatabaseAccess::read_only); }

  /// A campaign with a worker, rounds, a stage of a ladder and an amendment.
  [[nodiscard]] Database campaign() const {
    std::vector<SizeRow> with_ladder = sizes();
    with_ladder[0].adapting = true;
    Database database = Database::create(file_, config(), with_ladder, realizations);
    const std::int64_t worker = database.add_worker(worker_row());
    EXPECT_TRUE(database.claim_ladder(4, worker));
    database.add_ladder_stage(worker, ladder_stage(4, 0));
    for (int round = 0; round < 3; ++round) advance(database, {{6, 0}, {6, 2}, {6, 3}, {6, 4}});
    advance(database, {{6, 1}});
    database.amend({.config_text = config() + "# more\n",
                    .sizes = {{sizes()[0], realizations + 1}, {sizes()[1], realizations + 1}},
                    .reopened = {},
                    .changes = {"disorder.realizations: 5 -> 6"}});
    return database;
  }
};

/// All that a reader sees but bins.
std::string without_bins(const Database& database) {
  std::string text = database.config_text();
  for (const std::string& line : database.amendments()) text += line;
  for (const Provenance& p : database.provenances()) text += p.version + p.host;
  for (const WorkerRow& w : database.workers()) text += fmt::format("\n{} {} {} {}", w.id, w.host, w.expires, w.rounds);
  for (const SizeRow& size : database.sizes()) {
    text += fmt::format("\n{} {} {} {}", size.L, size.adapting, size.temperatures.size(), size.samples.size());
    for (const LadderStage& stage : database.ladder_stages(size.L)) text += fmt::format(" {}", stage.checkpoints);
  }
  const Changes changes = database.changes_since(0);
  text += fmt::format("\n{}", changes.sequence);
  for (const RealizationRow& row : changes.rows) {
    text += fmt::format("\n{} {} {} {} {} {}", row.key.L, row.key.realization, to_string(row.status), row.rounds,
                        row.checkpoint, row.judgement.tau);
  }
  return text;
}

TEST_F(Copy, ReadsLikeTheCampaignWithoutItsBins) {
  const Database database = campaign();
  EXPECT_TRUE(CampaignCopier(file_, target()).copy_if_changed());
  EXPECT_EQ(without_bins(copy()), without_bins(database));
  for (std::uint32_t r = 0; r < CampaignCopier::copied_realizations_per_size; ++r) {
    const RealizationKey key{6, r};
    const std::uint32_t last = database.realization(key).rounds - 1;
    const auto rounds = copy().rounds(key, last, RoundSamples::skip);
    ASSERT_EQ(rounds.size(), 1U) << r;
    EXPECT_EQ(rounds[0].record, database.rounds(key, last, RoundSamples::skip)[0].record) << r;
  }
  EXPECT_THAT(
      [&] {
        static_cast<void>(copy().rounds({6, 4}, 2));
      },
      Fails())
      << "nobody takes the copy for the campaign";
}

TEST_F(Copy, NeedsNoOtherFileAndNoWritableDirectory) {
  const Database database = campaign();
  CampaignCopier(file_, target()).copy_if_changed();
  const std::filesystem::path elsewhere = directory_ / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::copy(target(), elsewhere / status_file_name);
  std::filesystem::permissions(elsewhere, std::filesystem::perms{0555});
  EXPECT_EQ(without_bins(Database::open(elsewhere / status_file_name, DatabaseAccess::read_only)),
            without_bins(database));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(elsewhere), {}), 1);
}

TEST_F(Copy, IsMadeAgainOnlyAfterChanges) {
  Database database = campaign();
  CampaignCopier copier(file_, target());
  EXPECT_TRUE(copier.copy_if_changed());
  EXPECT_FALSE(copier.copy_if_changed());
  EXPECT_TRUE(database.heartbeat(first_worker(database), now + 5, expires + 5));
  EXPECT_TRUE(copier.copy_if_changed());
  EXPECT_FALSE(copier.copy_if_changed());
  EXPECT_EQ(copy().workers().at(0).expires, expires + 5);
  std::filesystem::remove(target());
  EXPECT_TRUE(copier.copy_if_changed());
}

TEST_F(Copy, DamageInTheCampaignShowsInTheCopy) {
  {
    static_cast<void>(campaign());
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    raw.exec("UPDATE realizations SET round_trips = round_trips + 1 WHERE L = 6 AND realization = 2");
  }
  CampaignCopier(file_, target()).copy_if_changed();
  EXPECT_THAT([&] { static_cast<void>(copy().realizations()); }, Fails());
}

}}  // namespace glassworks
