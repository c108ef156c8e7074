#include <SQLiteCpp/SQLiteCpp.h>

#include "db/schema.hpp"
#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

/// A campaign that an earlier version has left (data/README.md), and what that version printed of it.
struct Stored {
  int version = 0;
  std::string key_with_value;  ///< in its configuration
  std::size_t amendments = 0;
  std::vector<std::string> bins, states;  ///< digests [realization]
  std::vector<std::uint32_t> rounds;      ///< [realization]
};

const Stored version_1{1,
                       "convergence.max_rounds = 12",
                       0,
                       {"6bcb593e1812eca18b607b7d63ccc500", "fb85d3351b571c6c186c343ea608e029",
                        "541123f978cc8f26fabed3fa0b672e40", "be316a4210de93805385a431606b07a5"},
                       {"106befd26a6b382accf54ec9ccbd72c9", "7f54e2a28c8cff4206840593f4078b30",
                        "4fe0d39d0353d44af21e1c102bc0e530", "abafcfe41d024b03e16dd1d6ead39464"},
                       {8, 7, 7, 7}};
const Stored version_2{2,
                       "convergence.max_rounds = 14",
                       2,
                       {"c8f1edbd7aa0e3dbe7bcf6a56a369550", "c437b49dff24b9efc31c4a9a0c4b43b0",
                        "56392b5b0f122579324cc786b6a658c4", "f1b09a2d061f56dfef29d0a010731fc5"},
                       {"15c7237a68e1dddd03736a981e1cb334", "b2457cb3075e6c88253e6719d7dec028",
                        "9d151b0fe245b4d2156cfa06127ace3e", "bbbd1640fa61c24c7e5e2ffafb3fe6ab"},
                       {10, 14, 8, 14}};
/// The same run by the program of another version.
const Stored version_3 = [] {
  Stored stored = version_2;
  stored.version = 3;
  return stored;
}();

class Migration : public Campaign, public testing::WithParamInterface<Stored> {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    const std::string name = fmt::format("version-{}.sqlite", GetParam().version);
    fs::copy_file(fs::path(GLASSWORKS_SOURCE_DIR) / "tests" / "db" / "data" / name, file_);
  }

  [[nodiscard]] std::int64_t version() const {
    SQLite::Database raw(file_.string());
    return db::read_schema_version(raw);
  }

  static void expect_stored_contents(const Database& database) {
    const Stored& stored = GetParam();
    EXPECT_THAT(database.config_text(), HasSubstr(stored.key_with_value));
    ASSERT_EQ(database.sizes().size(), 1U);
    EXPECT_EQ(database.sizes()[0].temperatures.size(), 3U);
    EXPECT_FALSE(database.sizes()[0].adapting);
    EXPECT_THAT(database.sizes()[0].samples, IsEmpty());
    EXPECT_EQ(database.provenances().size(), 1U);
    EXPECT_THAT(database.workers(), IsEmpty());
    EXPECT_EQ(database.amendments().size(), stored.amendments);
    EXPECT_THAT(database.ladder_stages(4), IsEmpty());
    const auto rows = database.realizations();
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(database.bins_digest(rows[i].key), stored.bins[i]);
      EXPECT_EQ(rows[i].state_digest, stored.states[i]);
      EXPECT_EQ(rows[i].rounds, stored.rounds[i]);
      EXPECT_EQ(rows[i].failures, 0);
      EXPECT_EQ(rows[i].worker, 0);
      const std::vector<RoundRow> rounds = database.rounds(rows[i].key);
      EXPECT_EQ(rounds.size(), rows[i].rounds);
      for (const RoundRow& round : rounds) {
        EXPECT_EQ(round.record.samples_per_slot, 0);
        EXPECT_THAT(round.record.samples, IsEmpty());
      }
    }
    EXPECT_EQ(database.changes_since(0).rows.size(), 4U);
    if (stored.version == 1) expect_contents_of_version_1(rows);
    if (stored.version >= 2) expect_contents_of_version_2(rows);
  }

  static void expect_contents_of_version_1(const std::vector<RealizationRow>& rows) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(rows[i].attempt, i < 2 ? 8 : 7);
      EXPECT_EQ(rows[i].status, i == 0 ? RealizationStatus::converged : RealizationStatus::equilibrating);
      EXPECT_EQ(rows[i].previous_checkpoint + rows[i].previous_digest, "");
      EXPECT_EQ(rows[i].judgement, Judgement{});
    }
    EXPECT_EQ(rows[0].checkpoint, "L004-000000-000008-106befd26a6b382a.ckpt");
    EXPECT_EQ(rows[0].round_trips, 4U);
    EXPECT_THAT(rows[0].reason, HasSubstr("4 of 2 round trips"));
  }

  static void expect_contents_of_version_2(const std::vector<RealizationRow>& rows) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(rows[i].attempt, static_cast<int>(rows[i].rounds));
      EXPECT_EQ(rows[i].status, i % 2 == 0 ? RealizationStatus::converged : RealizationStatus::failed);
      EXPECT_EQ(rows[i].previous_digest.size(), 32U);
    }
    EXPECT_THAT(rows[3].reason, HasSubstr("tau 98.9 measurements"));
  }
};

TEST_P(Migration, ReadingDoesNotNeedIt) {
  const std::vector<std::byte> before = read_file(file_);
  {
    Database database = open(DatabaseAccess::read_only);
    expect_stored_contents(database);
    EXPECT_THAT([&] { database.set_status(database.realization({4, 0}), RealizationStatus::failed, ""); }, Fails());
  }
  EXPECT_EQ(read_file(file_), before);
  EXPECT_EQ(version(), GetParam().version);
}

TEST_P(Migration, KeepsEverything) {
  {
    const Database database = open();
    expect_stored_contents(database);
  }
  EXPECT_EQ(version(), 4);
  expect_stored_contents(open());
  expect_stored_contents(open(DatabaseAccess::read_only));
  SQLite::Database raw(file_.string());
  EXPECT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(raw.execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt(), 0);
}

TEST_P(Migration, GivesTheSchemaOfANewCampaign) {
  static_cast<void>(open());
  const fs::path fresh = directory_ / "fresh.sqlite";
  static_cast<void>(Database::create(fresh, config(), sizes(), 1));
  const auto schema = [](const fs::path& file) {
    SQLite::Database raw(file.string());
    return raw.execAndGet("SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)").getString();
  };
  EXPECT_EQ(schema(file_), schema(fresh));
}

TEST_P(Migration, CampaignGoesOn) {
  Database database = open();
  const RealizationKey key{4, 1};
  const std::int64_t worker = database.add_worker(worker_row());
  EXPECT_THAT(lease(database, worker, {{4, 0}}), IsEmpty());  // has converged
  static_cast<void>(database.set_status(database.realization(key), RealizationStatus::equilibrating, ""));
  const std::vector<RealizationRow> leased = lease(database, worker, {key});
  ASSERT_EQ(leased.size(), 1U);
  const std::uint32_t rounds = leased[0].rounds;
  RoundCommit next = round(key, rounds, leased[0].attempt);
  next.record = database.rounds(key, rounds - 1)[0].record;
  const Changes before = database.changes_since(0);
  database.commit(worker, std::vector{next}, provenance(), now);
  const RealizationRow row = database.realization(key);
  EXPECT_EQ(row.rounds, rounds + 1);
  EXPECT_EQ(row.previous_checkpoint, leased[0].checkpoint);
  EXPECT_EQ(row.judgement, next.judgement);
  EXPECT_EQ(database.rounds(key).size(), rounds + 1);
  EXPECT_EQ(database.provenances().size(), 2U);
  EXPECT_EQ(database.changes_since(before.sequence).rows.size(), 1U);
  database.set_status(database.realization({4, 2}), RealizationStatus::quarantined, "too many failures");
  EXPECT_EQ(open().realization({4, 2}).status, RealizationStatus::quarantined);
}

TEST_P(Migration, DamageStaysDamage) {
  for (const char* change : {"UPDATE realizations SET round_trips = 999 WHERE realization = 2",
                             "UPDATE sizes SET observables = replace(observables, 'energy', 'enemy')",
                             "UPDATE rounds SET measurements = 99 WHERE realization = 2 AND round = 3"}) {
    for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
      SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec(change);
      EXPECT_THAT(
          [&] {
            const Database database = open(access);
            static_cast<void>(database.realizations());
            static_cast<void>(database.rounds({4, 2}));
          },
          Fails())
          << change;
    }
    TearDown();
    SetUp();
  }
}

TEST_P(Migration, OfAnOpenReaderIsNoDamage) {
  const Database reader = open(DatabaseAccess::read_only);
  EXPECT_EQ(reader.realizations().size(), 4U);
  static_cast<void>(open());
  EXPECT_THAT([&] { static_cast<void>(reader.realizations()); }, Fails());
}

/// Rounds of a realization are found by the key of their table, not by looking at all of them.
TEST_P(Migration, ViewsUseTheKeysOfTheTables) {
  SQLite::Database raw(file_.string(), SQLite::OPEN_READONLY);
  db::add_views(raw, GetParam().version, db::migrations());
  SQLite::Statement plan(
      raw,
      "EXPLAIN QUERY PLAN SELECT r.rounds, b.means, b.samples FROM realizations r LEFT JOIN rounds b "
      "ON b.L = r.L AND b.realization = r.realization AND b.round >= 2 WHERE r.L = 4 AND "
      "r.realization = 1 ORDER BY b.round");
  while (plan.executeStep()) EXPECT_THAT(plan.getColumn("detail").getString(), HasSubstr("USING"));
}

INSTANTIATE_TEST_SUITE_P(EarlierVersions, Migration, testing::Values(version_1, version_2, version_3),
                         [](const auto& tested) { return fmt::format("Version{}", tested.param.version); });

}}  // namespace glassworks
