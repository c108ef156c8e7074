#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>

#include "db/schema.hpp"
#include "tests/db/campaign_fixture.hpp"

namespace glassworks {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class Damage : public Campaign {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    Database database = create();
    for (int i = 0; i < 3; ++i) advance(database, {{4, 0}, {6, 1}});
  }

  void execute(const std::string& sql) const {
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    raw.exec(sql);
  }

  void write(const std::string& content) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << content;
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(file_.string() + suffix);
  }

  [[nodiscard]] std::string open_message(DatabaseAccess access) const {
    return message_of([&] { static_cast<void>(open(access)); });
  }
};

TEST_F(Damage, AlteredBinsAreNamed) {
  const std::vector<std::string> columns{"means",     "exchange_attempts", "exchange_accepted", "walk_up",
                                         "walk_down", "walk_mean",         "round_trips"};
  for (const std::string& column : columns) {
    execute("CREATE TABLE saved AS SELECT * FROM rounds");
    execute(
        fmt::format("UPDATE rounds SET {0} = CAST(X'FF' || substr({0}, 2) AS BLOB) WHERE L = 6 AND round = 1", column));
    const Database database = open(DatabaseAccess::read_only);
    EXPECT_EQ(database.rounds({4, 0}).size(), 3U);
    EXPECT_EQ(database.rounds({6, 1}, 2).size(), 1U);
    for (const bool digest : {false, true}) {
      const std::string message = message_of([&] {
        static_cast<void>(digest ? database.bins_digest({6, 1}).size() : database.rounds({6, 1}).size());
      });
      EXPECT_THAT(message, AllOf(HasSubstr("Round 1 of realization 1 at L = 6"), HasSubstr("column " + column)));
    }
    execute("DELETE FROM rounds; INSERT INTO rounds SELECT * FROM saved; DROP TABLE saved");
    EXPECT_EQ(database.rounds({6, 1}).size(), 3U);
  }
}

TEST_F(Damage, AlteredRowsAreNamed) {
  const auto message = [&](const std::string& change, const std::string& undo) {
    execute(change);
    const std::string text = message_of([&] { static_cast<void>(contents(open(DatabaseAccess::read_only))); });
    execute(undo);
    return text;
  };
  EXPECT_THAT(message("UPDATE rounds SET seconds = 9 WHERE L = 4 AND round = 2",
                      "UPDATE rounds SET seconds = 0.5 WHERE L = 4 AND round = 2"),
              HasSubstr("Round 2 of realization 0 at L = 4"));
  EXPECT_THAT(message("UPDATE realizations SET round_trips = 77 WHERE L = 4 AND realization = 0",
                      "UPDATE realizations SET round_trips = 3 WHERE L = 4 AND realization = 0"),
              HasSubstr("realization 0 at L = 4 in table realizations"));
  EXPECT_THAT(message("UPDATE campaign SET config = config || 'x'", "UPDATE campaign SET config = rtrim(config, 'x')"),
              HasSubstr("configuration"));
  EXPECT_THAT(message("UPDATE sizes SET observables = replace(observables, 'chi', 'chj')",
                      "UPDATE sizes SET observables = replace(observables, 'chj', 'chi')"),
              HasSubstr("L = 6 in table sizes"));
  EXPECT_THAT(message("UPDATE provenance SET host = 'x'", "UPDATE provenance SET host = 'host'"),
              HasSubstr("row 1 of table provenance"));
  EXPECT_EQ(message("SELECT 1", "SELECT 1"), "no error");
}

TEST_F(Damage, MissingRowsAreNoticed) {
  for (const int round : {0, 1, 2}) {
    execute("CREATE TABLE saved AS SELECT * FROM rounds");
    execute(fmt::format("DELETE FROM rounds WHERE L = 4 AND round = {}", round));
    EXPECT_THAT(message_of([&] {
                  static_cast<void>(open(DatabaseAccess::read_only).rounds({4, 0}));
                }),
                HasSubstr(fmt::format("Round {} of realization 0", round)));
    execute("DELETE FROM rounds; INSERT INTO rounds SELECT * FROM saved; DROP TABLE saved");
  }
  execute("DELETE FROM realizations WHERE L = 6 AND realization = 4");
  EXPECT_THAT(message_of([&] { static_cast<void>(open(DatabaseAccess::read_only).realizations()); }),
              HasSubstr("realization 4 at L = 6"));
}

TEST_F(Damage, FlippedBitsNeverGiveOtherData) {
  const std::string expected = contents(open());
  const std::vector<std::byte> good = read_file(file_);
  int detected = 0, unused = 0;
  for (std::size_t at = 0; at < good.size(); at += 41) {
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

TEST_F(Damage, TruncatedFileIsRefused) {
  const std::vector<std::byte> good = read_file(file_);
  for (const std::size_t length : {std::size_t{1}, std::size_t{50}, std::size_t{4096}, good.size() - 4096}) {
    write(std::string(reinterpret_cast<const char*>(good.data()), length));
    EXPECT_THAT(message_of([&] { static_cast<void>(contents(open(DatabaseAccess::read_only))); }),
                AnyOf(HasSubstr("is damaged"), HasSubstr("not a database")))
        << length;
  }
}

TEST_F(Damage, ForeignFilesAreRefusedAndNotTouched) {
  for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
    fs::remove(file_);
    EXPECT_THAT(open_message(access), HasSubstr("there is no such file"));
    EXPECT_FALSE(fs::exists(file_));
    EXPECT_THAT(message_of([&] { static_cast<void>(Database::open(directory_, access)); }),
                HasSubstr("not a regular file"));

    write(std::string(5000, 'x'));
    EXPECT_THAT(open_message(access), HasSubstr("it is not a database"));
    write("");
    EXPECT_THAT(open_message(access), HasSubstr("it is not a database: it has 0 bytes"));
    EXPECT_EQ(fs::file_size(file_), 0U);

    SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec("CREATE TABLE t (x); PRAGMA application_id = 7");
    const std::vector<std::byte> before = read_file(file_);
    EXPECT_THAT(open_message(access), HasSubstr("not of a campaign: application id 0x7"));
    EXPECT_EQ(read_file(file_), before);
  }
}

TEST_F(Damage, NewerSchemaIsRefused) {
  execute("PRAGMA user_version = 3");
  for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
    EXPECT_THAT(open_message(access), AllOf(HasSubstr("schema version 3"), HasSubstr("Use a newer version")));
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
  EXPECT_EQ(db::read_schema_version(raw), 2);
  EXPECT_FALSE(raw.tableExists("later"));
  db::apply_migrations(file_, raw, extended);
  db::apply_migrations(file_, raw, extended);  // another process may have been first
  EXPECT_EQ(db::read_schema_version(raw), 4);
  EXPECT_TRUE(raw.tableExists("later"));
  EXPECT_EQ(raw.execAndGet("SELECT sum(priority) FROM realizations").getInt(), 0);
  EXPECT_THROW(db::apply_migrations(file_, raw, db::migrations()), std::runtime_error);
}

}  // namespace
}  // namespace glassworks
