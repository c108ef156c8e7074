#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(Campaign, CreatesEverythingQueued) {
  const Database database = create();
  EXPECT_EQ(database.config_text(), config());
  ASSERT_EQ(database.sizes().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(database.sizes()[i].L, sizes()[i].L);
    EXPECT_EQ(database.sizes()[i].temperatures, sizes()[i].temperatures);
    EXPECT_EQ(database.sizes()[i].observables, sizes()[i].observables);
    EXPECT_EQ(database.sizes()[i].samples, sizes()[i].samples);
  }
  const auto rows = database.realizations();
  ASSERT_EQ(rows.size(), 2U * realizations);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].key, (RealizationKey{i < realizations ? 4 : 6, static_cast<std::uint32_t>(i % realizations)}));
    EXPECT_EQ(rows[i].status, RealizationStatus::queued);
    EXPECT_EQ(rows[i].rounds, 0U);
    EXPECT_EQ(rows[i].attempt, 0);
    EXPECT_EQ(rows[i].checkpoint, "");
  }
  EXPECT_EQ(database.realizations(6).size(), 5U);
  EXPECT_TRUE(database.rounds({4, 0}).empty());
  EXPECT_TRUE(database.provenances().empty());
}

TEST_F(Campaign, RunsWithTheDocumentedSettings) {
  static_cast<void>(create());
  SQLite::Database raw(file_.string());
  EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(raw.execAndGet("PRAGMA application_id").getInt(), 0x474C4153);
  EXPECT_EQ(raw.execAndGet("PRAGMA user_version").getInt(), 4);
  EXPECT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(Campaign, CreateRefusesAnExistingFile) {
  {
    Database database = create();
    advance(database, {{4, 0}});
  }
  EXPECT_THAT([&] { static_cast<void>(create()); }, Fails());
  EXPECT_EQ(open().realization({4, 0}).rounds, 1U);
}

TEST_F(Campaign, CreateClearsWhatAKilledCreationLeft) {
  const std::string garbage = "left over";
  for (const char* suffix : {".new", ".new-journal", ".new-wal"}) {
    DurableFile output(file_.string() + suffix);
    output.append(std::as_bytes(std::span(garbage)));
    output.publish();
  }
  EXPECT_EQ(create().realizations().size(), 10U);
  for (const auto& entry : fs::directory_iterator(directory_)) {
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr(".new")));
  }
}

TEST_F(Campaign, CreateNeedsItsDirectory) {
  EXPECT_THAT([&] { Database::create(directory_ / "no" / "c.sqlite", "", sizes(), 1); }, Fails());
}

TEST_F(Campaign, CommitSurvivesReopening) {
  std::string before;
  {
    Database database = create();
    advance(database, {{4, 0}, {6, 2}});
    advance(database, {{4, 0}});
    database.set_status(database.realization({6, 1}), RealizationStatus::failed, "energy is not a number");
    before = contents(database);
  }
  const Database database = open();
  EXPECT_EQ(contents(database), before);
  const auto rounds = database.rounds({4, 0});
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_EQ(rounds[0].record, round({4, 0}, 0, 1).record);
  EXPECT_EQ(rounds[1].record, round({4, 0}, 1, 2).record);
  EXPECT_EQ(rounds[1].round, 1U);
  EXPECT_EQ(rounds[1].seconds, 0.5);
  EXPECT_EQ(rounds[1].provenance, 1);
  EXPECT_EQ(database.rounds({4, 0}, 1).size(), 1U);
  EXPECT_EQ(database.rounds({4, 0}, 2).size(), 0U);
  EXPECT_EQ(database.rounds({6, 2})[0].record, round({6, 2}, 0, 1).record);
  EXPECT_EQ(database.rounds({6, 2})[0].record.samples.size(), 4U * 3 * 2);
  const RealizationRow row = database.realization({4, 0});
  EXPECT_EQ(row.status, RealizationStatus::equilibrating);
  EXPECT_EQ(row.rounds, 2U);
  EXPECT_EQ(row.attempt, 2);
  EXPECT_EQ(row.checkpoint, "L004-000000-000002-0000000000000000.ckpt");
  EXPECT_EQ(row.round_trips, 2U);
  EXPECT_EQ(database.realization({6, 1}).reason, "energy is not a number");
  EXPECT_EQ(database.realization({6, 1}).status, RealizationStatus::failed);
}

TEST_F(Campaign, ProvenanceIsStoredOnce) {
  Database database = create();
  const std::vector<std::string> hosts{"a", "b", "a", "b"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::int64_t worker = first_worker(database);
    database.commit(worker, next_rounds(lease(database, worker, {{4, i}})), provenance(hosts[i]), now);
  }
  ASSERT_EQ(database.provenances().size(), 2U);
  EXPECT_EQ(database.provenances()[1], provenance("b"));
  EXPECT_EQ(database.rounds({4, 3})[0].provenance, 2);
}

TEST_F(Campaign, CostIsThatOfAllRounds) {
  Database database = create();
  EXPECT_EQ(database.cost().rounds, 0U);
  EXPECT_EQ(database.cost().seconds, 0.0);
  const std::int64_t worker = first_worker(database);
  for (std::uint32_t i = 0; i < 3; ++i) {
    database.commit(worker, next_rounds(lease(database, worker, {{4, i}})), provenance("a"), now);
  }
  const CampaignCost cost = database.cost();
  EXPECT_EQ(cost.rounds, 3U);
  EXPECT_DOUBLE_EQ(cost.seconds, 3 * 0.5);
  EXPECT_THAT(cost.created, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(Campaign, SaysWhatDoesNotExist) {
  Database database = create();
  EXPECT_THAT(
      [&] {
        static_cast<void>(database.realization({4, 99}));
      },
      Refuses(InputFault::unknown, "realization 99 at L = 4"));
  EXPECT_THAT(
      [&] {
        static_cast<void>(database.rounds({4, 99}));
      },
      Refuses(InputFault::unknown, "realization 99 at L = 4"));
  EXPECT_THAT([&] { static_cast<void>(database.rounds({5, 0})); }, Refuses(InputFault::unknown, "L"));
  std::vector<RealizationRow> wanted = database.realizations(4);
  wanted[1].key.realization = 99;
  EXPECT_THAT([&] { database.lease(first_worker(database), wanted); },
              Refuses(InputFault::unknown, "realization 99 at L = 4"));
  EXPECT_EQ(database.realization({4, 0}).attempt, 0);
}

}}  // namespace glassworks
