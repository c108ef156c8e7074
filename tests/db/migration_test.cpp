#include <SQLiteCpp/SQLiteCpp.h>

#include "db/schema.hpp"
#include "tests/db/campaign_fixture.hpp"

namespace glassworks {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

/// A campaign that version 1 has left (data/README.md); digests of its bins as version 1 printed them.
class Migration : public Campaign {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    fs::copy_file(fs::path(GLASSWORKS_SOURCE_DIR) / "tests" / "db" / "data" / "version-1.sqlite", file_);
  }

  [[nodiscard]] std::int64_t version() const {
    SQLite::Database raw(file_.string());
    return db::read_schema_version(raw);
  }

  static void expect_contents_of_version_1(const Database& database) {
    EXPECT_THAT(database.config_text(), HasSubstr("convergence.max_rounds = 12"));
    ASSERT_EQ(database.sizes().size(), 1U);
    EXPECT_EQ(database.sizes()[0].temperatures.size(), 3U);
    EXPECT_FALSE(database.sizes()[0].adapting);
    EXPECT_EQ(database.provenances().size(), 1U);
    EXPECT_THAT(database.workers(), IsEmpty());
    EXPECT_THAT(database.amendments(), IsEmpty());
    EXPECT_THAT(database.ladder_stages(4), IsEmpty());
    const std::vector<std::string> bins{"6bcb593e1812eca18b607b7d63ccc500", "fb85d3351b571c6c186c343ea608e029",
                                        "541123f978cc8f26fabed3fa0b672e40", "be316a4210de93805385a431606b07a5"};
    const std::vector<std::string> states{"106befd26a6b382accf54ec9ccbd72c9", "7f54e2a28c8cff4206840593f4078b30",
                                          "4fe0d39d0353d44af21e1c102bc0e530", "abafcfe41d024b03e16dd1d6ead39464"};
    const auto rows = database.realizations();
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(database.bins_digest(rows[i].key), bins[i]);
      EXPECT_EQ(rows[i].state_digest, states[i]);
      EXPECT_EQ(rows[i].rounds, i == 0 ? 8U : 7U);
      EXPECT_EQ(rows[i].attempt, i < 2 ? 8 : 7);
      EXPECT_EQ(rows[i].status, i == 0 ? RealizationStatus::converged : RealizationStatus::equilibrating);
      EXPECT_EQ(rows[i].previous_checkpoint + rows[i].previous_digest, "");
      EXPECT_EQ(rows[i].judgement, Judgement{});
      EXPECT_EQ(rows[i].failures, 0);
      EXPECT_EQ(rows[i].worker, 0);
    }
    EXPECT_EQ(rows[0].checkpoint, "L004-000000-000008-106befd26a6b382a.ckpt");
    EXPECT_EQ(rows[0].round_trips, 4U);
    EXPECT_THAT(rows[0].reason, HasSubstr("4 of 2 round trips"));
    EXPECT_EQ(database.changes_since(0).rows.size(), 4U);
  }
};

TEST_F(Migration, ReadingDoesNotNeedIt) {
  const std::vector<std::byte> before = read_file(file_);
  {
    Database database = open(DatabaseAccess::read_only);
    expect_contents_of_version_1(database);
    EXPECT_THAT(message_of([&] {
                  database.set_status(database.realization({4, 0}), RealizationStatus::failed, "");
                }),
                HasSubstr("read-only"));
  }
  EXPECT_EQ(read_file(file_), before);
  EXPECT_EQ(version(), 1);
}

TEST_F(Migration, KeepsEverything) {
  {
    const Database database = open();
    expect_contents_of_version_1(database);
  }
  EXPECT_EQ(version(), 2);
  expect_contents_of_version_1(open());
  expect_contents_of_version_1(open(DatabaseAccess::read_only));
  SQLite::Database raw(file_.string());
  EXPECT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(raw.execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt(), 0);
}

TEST_F(Migration, GivesTheSchemaOfANewCampaign) {
  static_cast<void>(open());
  const fs::path fresh = directory_ / "fresh.sqlite";
  static_cast<void>(Database::create(fresh, config(), sizes(), 1));
  const auto schema = [](const fs::path& file) {
    SQLite::Database raw(file.string());
    return raw.execAndGet("SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)").getString();
  };
  EXPECT_EQ(schema(file_), schema(fresh));
}

TEST_F(Migration, CampaignGoesOn) {
  Database database = open();
  const std::int64_t worker = database.add_worker(worker_row());
  EXPECT_THAT(lease(database, worker, {{4, 0}}), IsEmpty());  // has converged
  const std::vector<RealizationRow> leased = lease(database, worker, {{4, 1}});
  ASSERT_EQ(leased.size(), 1U);
  RoundCommit next = round({4, 1}, 7, leased[0].attempt);
  next.record = database.rounds({4, 1}, 6)[0].record;
  const Changes before = database.changes_since(0);
  database.commit(worker, std::vector{next}, provenance(), now);
  const RealizationRow row = database.realization({4, 1});
  EXPECT_EQ(row.rounds, 8U);
  EXPECT_EQ(row.previous_checkpoint, leased[0].checkpoint);
  EXPECT_EQ(row.judgement, next.judgement);
  EXPECT_EQ(database.rounds({4, 1}).size(), 8U);
  EXPECT_EQ(database.provenances().size(), 2U);
  EXPECT_EQ(database.changes_since(before.sequence).rows.size(), 1U);
  database.set_status(database.realization({4, 2}), RealizationStatus::quarantined, "too many failures");
  EXPECT_EQ(open().realization({4, 2}).status, RealizationStatus::quarantined);
}

TEST_F(Migration, DamageStaysDamage) {
  for (const char* change : {"UPDATE realizations SET round_trips = 999 WHERE realization = 2",
                             "UPDATE sizes SET observables = replace(observables, 'energy', 'enemy')"}) {
    for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
      SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec(change);
      EXPECT_THAT(message_of([&] { static_cast<void>(open(access).realizations()); }),
                  HasSubstr("does not match its checksum"))
          << change;
    }
    TearDown();
    SetUp();
  }
}

TEST_F(Migration, OfAnOpenReaderIsNoDamage) {
  const Database reader = open(DatabaseAccess::read_only);
  EXPECT_EQ(reader.realizations().size(), 4U);
  static_cast<void>(open());
  EXPECT_THAT(message_of([&] { static_cast<void>(reader.realizations()); }), HasSubstr("Open it again"));
}

}  // namespace
}  // namespace glassworks
