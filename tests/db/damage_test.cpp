#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>

#include "db/schema.hpp"
#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Damage : public Campaign {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    std::vector<SizeRow> adapting = sizes();
    adapting[1].adapting = true;
    Database database = Database::create(file_, config(), adapting, realizations);
    const std::int64_t worker = first_worker(database);
    ASSERT_TRUE(database.claim_ladder(6, worker));
    database.add_ladder_stage(worker, ladder_stage(6, 0));
    database.add_ladder_stage(worker, ladder_stage(6, 1), &adapting[1].temperatures);
    const std::vector<std::string> changes{"convergence.n_tau: 20 -> 30", "convergence.max_rounds: 16 -> 32"};
    database.amend({.config_text = config(), .sizes = {}, .reopened = {}, .changes = changes});
    for (int i = 0; i < 3; ++i) advance(database, {{4, 0}, {6, 1}});
  }

  void execute(const std::string& sql) const {
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    raw.exec("PRAGMA synchronous = OFF; " + sql);
  }

  void write(const std::string& content) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << content;
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(file_.string() + suffix);
  }

  [[nodiscard]] auto unusable() const { return Refuses(InputFault::unusable_file, file_.string()); }
  [[nodiscard]] auto opening(DatabaseAccess access) const {
    return [=, this] { return open(access); };
  }
};

TEST_F(Damage, AlteredBinsAreNamed) {
  const std::vector<std::string> columns{"means",     "exchange_attempts", "exchange_accepted", "walk_up",
                                         "walk_down", "walk_mean",         "round_trips",       "samples"};
  for (const std::string& column : columns) {
    execute("CREATE TABLE saved AS SELECT * FROM rounds");
    execute(
        fmt::format("UPDATE rounds SET {0} = CAST(X'FF' || substr({0}, 2) AS BLOB) WHERE L = 6 AND round = 1", column));
    const Database database = open(DatabaseAccess::read_only);
    EXPECT_EQ(database.rounds({4, 0}).size(), 3U);
    EXPECT_EQ(database.rounds({6, 1}, 2).size(), 1U);
    for (const bool digest : {false, true}) {
      const auto reading = [&] {
        return digest ? database.bins_digest({6, 1}).size() : database.rounds({6, 1}).size();
      };
      EXPECT_THAT(reading, Fails());
    }
    execute("DELETE FROM rounds; INSERT INTO rounds SELECT * FROM saved; DROP TABLE saved");
    EXPECT_EQ(database.rounds({6, 1}).size(), 3U);
  }
}

/// Neither can samples be made to look as if there were none, nor the other way round.
TEST_F(Damage, NumberOfSamplesIsProtected) {
  const auto expect_damaged = [&](int L, const std::string& change) {
    execute("CREATE TABLE saved AS SELECT * FROM rounds");
    execute(fmt::format("UPDATE rounds SET {} WHERE L = {} AND round = 1", change, L));
    const Database database = open(DatabaseAccess::read_only);
    const RealizationKey key{L, L == 6 ? 1U : 0U};
    EXPECT_THAT([&] { static_cast<void>(database.rounds(key)); }, Fails()) << change;
    execute("DELETE FROM rounds; INSERT INTO rounds SELECT * FROM saved; DROP TABLE saved");
  };
  expect_damaged(6, "samples_per_slot = 0, samples_checksum = 3244421341483603138, samples = x''");
  expect_damaged(6, "samples_per_slot = 2");
  expect_damaged(6, "samples_checksum = samples_checksum + 1");
  expect_damaged(6, "samples = CAST(substr(samples, 5) AS BLOB)");
  expect_damaged(4, "samples_per_slot = 1");
  expect_damaged(4, "samples_checksum = 1");
  expect_damaged(4, "samples = x'00000000'");
}

/// Who does not want the samples does not read them, damaged or not.
TEST_F(Damage, OfSamplesDoesNotHinderOtherReaders) {
  const auto rounds = [&](RoundSamples samples) { return open(DatabaseAccess::read_only).rounds({6, 1}, 0, samples); };
  std::vector<RoundRow> expected = rounds(RoundSamples::read);
  execute("UPDATE rounds SET samples = CAST(X'FF' || substr(samples, 2) AS BLOB) WHERE L = 6");
  EXPECT_THAT([&] { static_cast<void>(rounds(RoundSamples::read)); }, Fails());
  const std::vector<RoundRow> found = rounds(RoundSamples::skip);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].record.samples_per_slot, 3);
    expected[i].record.samples.clear();
    EXPECT_EQ(found[i].record, expected[i].record);
  }
}

TEST_F(Damage, AlteredRowsAreNamed) {
  const auto reading = [&](const std::string& change, const std::string& undo) {
    execute(change);
    const auto outcome = outcome_of([&] { static_cast<void>(contents(open(DatabaseAccess::read_only))); });
    execute(undo);
    return outcome;
  };
  EXPECT_THAT(reading("UPDATE rounds SET seconds = 9 WHERE L = 4 AND round = 2",
                      "UPDATE rounds SET seconds = 0.5 WHERE L = 4 AND round = 2"),
              Fails());
  EXPECT_THAT(reading("UPDATE realizations SET round_trips = 77 WHERE L = 4 AND realization = 0",
                      "UPDATE realizations SET round_trips = 3 WHERE L = 4 AND realization = 0"),
              Fails());
  EXPECT_THAT(reading("UPDATE campaign SET config = config || 'x'", "UPDATE campaign SET config = rtrim(config, 'x')"),
              Fails());
  EXPECT_THAT(reading("UPDATE sizes SET observables = replace(observables, 'chi', 'chj')",
                      "UPDATE sizes SET observables = replace(observables, 'chj', 'chi')"),
              Fails());
  EXPECT_THAT(reading("UPDATE provenance SET host = 'x'", "UPDATE provenance SET host = 'host'"), Fails());
  EXPECT_NO_THROW(reading("SELECT 1", "SELECT 1")());
}

TEST_F(Damage, EveryColumnOfARowIsProtected) {
  struct Table {
    std::string name, row;
    std::vector<std::string> numbers, texts, blobs;
  };
  const std::vector<Table> tables{
      {"realizations",
       "L = 6 AND realization = 1",
       {"rounds", "round_trips", "attempt", "tau", "equilibration_rounds", "expected_rounds", "failures", "checksum"},
       {"checkpoint", "state_digest", "reason", "previous_checkpoint", "previous_digest"},
       {}},
      {"sizes", "L = 6", {"realizations", "adapting", "checksum"}, {"observables", "sample_names"}, {"temperatures"}},
      {"workers",
       "id = 1",
       {"pid", "process_start", "started", "heartbeat", "expires", "rounds", "updates", "checksum"},
       {"host", "backend"},
       {}},
      {"ladder_stages",
       "L = 6 AND stage = 1",
       {"stage", "pilots", "measurements", "round_trips", "checksum"},
       {"checkpoints"},
       {"temperatures", "exchange_attempts", "exchange_accepted", "walk_up", "walk_down"}},
      {"amendments", "id = 2", {"id", "checksum"}, {"time", "change"}, {}}};
  for (const Table& table : tables) {
    const auto expect_named = [&](const std::string& column, const std::string& damaged) {
      execute(fmt::format("CREATE TABLE saved AS SELECT * FROM {}", table.name));
      execute(fmt::format("UPDATE {0} SET {1} = {2} WHERE {3}", table.name, column, damaged, table.row));
      EXPECT_THAT([&] { static_cast<void>(contents(open(DatabaseAccess::read_only))); }, Fails()) << column;
      execute(fmt::format("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM saved; DROP TABLE saved", table.name));
    };
    for (const std::string& column : table.numbers) expect_named(column, column + " + 1");
    for (const std::string& column : table.texts) expect_named(column, column + " || 'x'");
    for (const std::string& column : table.blobs) {
      expect_named(column, "CAST(X'FF' || substr(" + column + ", 2) AS BLOB)");
      expect_named(column, "CAST(substr(" + column + ", 2) AS BLOB)");
    }
  }
  EXPECT_NO_THROW(static_cast<void>(contents(open())));
}

TEST_F(Damage, MissingRowsAreNoticed) {
  for (const int round : {0, 1, 2}) {
    execute("CREATE TABLE saved AS SELECT * FROM rounds");
    execute(fmt::format("DELETE FROM rounds WHERE L = 4 AND round = {}", round));
    EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).rounds({4, 0})); }, Fails());
    execute("DELETE FROM rounds; INSERT INTO rounds SELECT * FROM saved; DROP TABLE saved");
  }
  execute("DELETE FROM realizations WHERE L = 6 AND realization = 4");
  EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).realizations()); }, Fails());

  execute("DELETE FROM ladder_stages WHERE stage = 0");
  EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).ladder_stages(6)); }, Fails());
  execute("DELETE FROM amendments WHERE id = 1");
  EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).amendments()); }, Fails());
  execute("DELETE FROM clock");
  EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).changes_since(0)); }, Fails());
}

class FlippedBits : public Damage, public testing::WithParamInterface<std::size_t> {};

TEST_P(FlippedBits, NeverGiveOtherData) {
  const std::string expected = contents(open());
  const std::vector<std::byte> good = read_file(file_);
  int detected = 0, unused = 0;
  for (std::size_t at = GetParam(); at < good.size(); at += 4 * 83) {
    std::string bytes(reinterpret_cast<const char*>(good.data()), good.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    write(bytes);
    try {
      EXPECT_EQ(contents(open(DatabaseAccess::read_only)), expected) << "byte " << at;
      ++unused;
    } catch (const std::runtime_error& error) {
      ++detected;
      EXPECT_THAT(error.what(), HasSubstr(file_.string())) << "byte " << at;
    }
  }
  EXPECT_GT(detected, 20);
  EXPECT_GT(unused, 20);
}

INSTANTIATE_TEST_SUITE_P(FirstBytes, FlippedBits, testing::Values(0, 83, 2 * 83, 3 * 83));

TEST_F(Damage, TruncatedFileIsRefused) {
  const std::vector<std::byte> good = read_file(file_);
  for (const std::size_t length : {std::size_t{1}, std::size_t{50}, std::size_t{4096}, good.size() - 4096}) {
    write(std::string(reinterpret_cast<const char*>(good.data()), length));
    EXPECT_THAT([&] { static_cast<void>(contents(open(DatabaseAccess::read_only))); },
                testing::AnyOf(Fails().in_any_words(), unusable().in_any_words()))
        << length;
  }
}

TEST_F(Damage, ForeignFilesAreRefusedAndNotTouched) {
  for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
    fs::remove(file_);
    EXPECT_THAT(opening(access), unusable());
    EXPECT_FALSE(fs::exists(file_));
    EXPECT_THAT([&] { static_cast<void>(Database::open(directory_, access)); },
                Refuses(InputFault::unusable_file, directory_.string()));

    write(std::string(5000, 'x'));
    EXPECT_THAT(opening(access), unusable());
    write("");
    EXPECT_THAT(opening(access), unusable());
    EXPECT_EQ(fs::file_size(file_), 0U);

    SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec("CREATE TABLE t (x); PRAGMA application_id = 7");
    const std::vector<std::byte> before = read_file(file_);
    EXPECT_THAT(opening(access), unusable());
    EXPECT_EQ(read_file(file_), before);
  }
}

TEST_F(Damage, NewerSchemaIsRefused) {
  execute("PRAGMA user_version = 5");
  for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
    EXPECT_THAT(opening(access), Refuses(InputFault::unsupported, file_.string()));
  }
}

TEST_F(Damage, MigrationsAreAppliedTogetherOrNotAtAll) {
  std::vector<db::Migration> extended(db::migrations().begin(), db::migrations().end());
  extended.push_back({"ALTER TABLE realizations ADD COLUMN priority REAL NOT NULL DEFAULT 0"});
  extended.push_back({"CREATE TABLE later (x INTEGER) STRICT"});
  std::vector<db::Migration> bad = extended;
  bad.push_back({"CREATE TABLE later (y INTEGER) STRICT"});
  SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
  EXPECT_THROW(db::apply_migrations(file_, raw, bad), SQLite::Exception);
  EXPECT_EQ(db::read_schema_version(raw), 4);
  EXPECT_FALSE(raw.tableExists("later"));
  db::apply_migrations(file_, raw, extended);
  db::apply_migrations(file_, raw, extended);  // another process may have been first
  EXPECT_EQ(db::read_schema_version(raw), 6);
  EXPECT_TRUE(raw.tableExists("later"));
  EXPECT_EQ(raw.execAndGet("SELECT sum(priority) FROM realizations").getInt(), 0);
  EXPECT_THROW(db::apply_migrations(file_, raw, db::migrations()), std::runtime_error);
}

}}  // namespace glassworks
