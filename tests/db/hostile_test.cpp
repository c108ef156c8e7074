#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "db/row.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A campaign in which somebody has changed what no checksum, or a checksum that was made to fit, protects.
class Hostile : public Campaign {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    Database database = create();
    for (int i = 0; i < 3; ++i) advance(database, {{4, 0}, {6, 1}});
  }

  void execute(const std::string& sql) const {
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    raw.exec("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; " + sql);
  }

  [[nodiscard]] auto opening(DatabaseAccess access) const {
    return [=, this] { return open(access); };
  }

  /// Stores a row of `realizations` that was changed, with the checksum that fits it.
  void store(const RealizationRow& row) const {
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    SQLite::Statement update(raw,
                             "UPDATE realizations SET checkpoint = ?, previous_checkpoint = ?, state_digest = ?, "
                             "previous_digest = ?, checksum = ? WHERE L = ? AND realization = ?");
    update.bind(1, row.checkpoint);
    update.bind(2, row.previous_checkpoint);
    update.bind(3, row.state_digest);
    update.bind(4, row.previous_digest);
    update.bind(5, db::realization_checksum(row));
    update.bind(6, row.key.L);
    update.bind(7, row.key.realization);
    update.exec();
  }
};

/// SQLite would wait at them for ever.
TEST_F(Hostile, FifosBesideTheDatabaseAreRefused) {
  ::alarm(20);  // ends the test
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    const std::string companion = file_.string() + suffix;
    std::filesystem::remove(companion);
    ASSERT_EQ(::mkfifo(companion.c_str(), 0600), 0);
    for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
      EXPECT_THAT(opening(access), Fails()) << suffix;
    }
    std::filesystem::remove(companion);
  }
  EXPECT_EQ(open(DatabaseAccess::read_only).realizations().size(),
            open(DatabaseAccess::read_write).realizations().size());
  ::alarm(0);
}

TEST_F(Hostile, SchemaVersionsThatNeverWereAreRefused) {
  for (const std::int64_t version : {-1, -2147483645, 0}) {
    execute(fmt::format("PRAGMA user_version = {}", version));
    for (const auto access : {DatabaseAccess::read_only, DatabaseAccess::read_write}) {
      EXPECT_THAT(opening(access), Fails());
    }
  }
}

TEST_F(Hostile, SchemaIsThatOfItsVersion) {
  for (const int version : {1, 2}) {
    execute(fmt::format("PRAGMA user_version = {}", version));
    EXPECT_THAT(opening(DatabaseAccess::read_write), Fails());
  }
}

TEST_F(Hostile, ObjectsOfOthersConcernOnlyThoseWhoWrite) {
  const std::vector<std::pair<std::string, std::string>> objects{
      {"trigger t", "CREATE TRIGGER t AFTER UPDATE ON realizations BEGIN DELETE FROM rounds; END"},
      {"view v", "CREATE VIEW v AS SELECT 1"},
      {"table u", "CREATE TABLE u (x)"},
      {"index i", "CREATE INDEX i ON rounds (seconds)"}};
  for (const auto& [name, sql] : objects) {
    execute(sql);
    EXPECT_THAT(opening(DatabaseAccess::read_write), Fails());
    EXPECT_NO_THROW(opening(DatabaseAccess::read_only)());
    EXPECT_THAT(open(DatabaseAccess::read_only).faults(CheckDepth::all), ElementsAre(name + " is not of a campaign"));
    execute("DROP " + name);
    EXPECT_NO_THROW(opening(DatabaseAccess::read_write)());
  }
}

TEST_F(Hostile, MissingAndReplacedObjectsAreRefused) {
  execute("DROP INDEX realizations_by_worker");
  EXPECT_THAT(opening(DatabaseAccess::read_only), Fails());
  execute("CREATE INDEX realizations_by_worker ON realizations (worker) WHERE worker = 1");
  EXPECT_THAT(opening(DatabaseAccess::read_only), Fails());
  execute(
      "DROP INDEX realizations_by_worker; CREATE INDEX realizations_by_worker ON realizations (worker) "
      "WHERE worker != 0");
  EXPECT_NO_THROW(opening(DatabaseAccess::read_write)());
  execute(
      "DROP TABLE amendments; CREATE VIEW amendments AS WITH RECURSIVE endless (id, time, change, checksum) AS "
      "(SELECT 1, '', '', 0 UNION ALL SELECT id + 1, '', '', 0 FROM endless) SELECT * FROM endless");
  EXPECT_THAT(opening(DatabaseAccess::read_only), Fails());
}

TEST_F(Hostile, RowsNameTheirOwnCheckpointsOnly) {
  const RealizationRow good = open(DatabaseAccess::read_only).realization({4, 0});
  const std::string other = checkpoint_name({4, 1}, 3, good.state_digest);
  for (const std::string& name :
       {std::string("../../victim"), std::string("/etc/passwd"), std::string("."), std::string(), other,
        good.checkpoint + "/../x", good.checkpoint + std::string("\n")}) {
    RealizationRow row = good;
    row.checkpoint = name;
    store(row);
    EXPECT_THAT([&] { return open(DatabaseAccess::read_only).realizations(); }, Fails()) << name;
    if (name.empty()) continue;  // where there is no generation before, nothing is named
    row = good;
    row.previous_checkpoint = name;
    store(row);
    EXPECT_THAT([&] { static_cast<void>(open(DatabaseAccess::read_only).realization({4, 0})); }, Fails()) << name;
  }
  store(good);
  EXPECT_EQ(open(DatabaseAccess::read_only).realization({4, 0}).checkpoint, good.checkpoint);
}

TEST_F(Hostile, NamesOfOtherFormsLeadNowhere) {
  const std::string name = checkpoint_name({4, 0}, 3, "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(name, "L004-000000-000003-0123456789abcdef.ckpt");
  EXPECT_TRUE(is_checkpoint_name(name));
  EXPECT_TRUE(is_checkpoint_name(pilot_checkpoint_name(1000, 3, 2, "0123456789abcdef0123456789abcdef")));
  EXPECT_TRUE(is_unfinished_checkpoint_name(name + ".12-0.tmp"));
  const std::string mark = rank_mark_name("37a873c6"),
                    trial = rank_trial_name(mark, "6c3f8f81ebe4d2a0d355f0b02c515b5a");
  EXPECT_EQ(trial, "ranks-37a873c6.tmp.6c3f8f81ebe4d2a0d355f0b02c515b5a.tmp");
  for (const std::string& left : {mark, trial, mark + ".12-0.tmp", trial + ".31781-0.tmp"}) {
    EXPECT_FALSE(is_checkpoint_name(left)) << left;
    EXPECT_TRUE(is_unfinished_checkpoint_name(left)) << left;
    for (const std::string& bad : {left + "x", left + ".tmp", "../" + left, left + "/x", left + ".-0.tmp"}) {
      EXPECT_FALSE(is_unfinished_checkpoint_name(bad)) << bad;
    }
  }
  for (const std::string& bad : {std::string(), std::string(".."), "../" + name, "/" + name, name + "/", "x" + name,
                                 name + ".tmp", name + std::string(1, '\0'), std::string("L004-0-3-x.ckpt")}) {
    EXPECT_FALSE(is_checkpoint_name(bad)) << bad;
    EXPECT_FALSE(is_unfinished_checkpoint_name(bad)) << bad;
    EXPECT_THROW(static_cast<void>(checkpoint_path(directory_, bad)), std::runtime_error) << bad;
    EXPECT_THROW(remove_checkpoint(directory_, bad), std::runtime_error) << bad;
  }
  std::filesystem::create_symlink(file_, directory_ / name);
  remove_checkpoint(directory_, name);
  EXPECT_TRUE(std::filesystem::exists(file_)) << "a link goes, not its target";
  EXPECT_FALSE(std::filesystem::is_symlink(directory_ / name));
}

TEST_F(Hostile, FieldsOutOfRangeAreDamage) {
  const auto reading = [&](const std::string& change) {
    const std::vector<std::byte> good = read_file(file_);
    execute(change + "; PRAGMA wal_checkpoint(TRUNCATE)");
    const auto outcome = outcome_of([&] {
      const Database database = open(DatabaseAccess::read_only);
      static_cast<void>(contents(database));
      static_cast<void>(database.changes_since(7));
    });
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(file_.string() + suffix);
    DurableFile restored(file_);
    restored.append(good);
    restored.publish();
    return outcome;
  };
  EXPECT_THAT(reading("UPDATE realizations SET worker = -5 WHERE L = 4 AND realization = 0"), Fails());
  EXPECT_THAT(reading("UPDATE realizations SET attempt = 2147483647 WHERE L = 4 AND realization = 0"), Fails());
  EXPECT_THAT(reading("UPDATE realizations SET rounds = -1 WHERE L = 4 AND realization = 0"), Fails());
  EXPECT_THAT(reading("UPDATE realizations SET tau = 9e999 WHERE L = 4 AND realization = 0"), Fails());
  EXPECT_THAT(reading("UPDATE clock SET sequence = 9223372036854775807"), Fails());
  EXPECT_THAT(reading("UPDATE workers SET pid = -1"), Fails());
  EXPECT_THAT(reading("UPDATE workers SET expires = -9"), Fails());
  EXPECT_THAT(reading("UPDATE rounds SET replicas = 2305843009213693952 WHERE L = 4 AND round = 1"), Fails());
  EXPECT_NO_THROW(reading("SELECT 1")());
}

/// A row that an index does not have. It cannot be taken out with SQL: the index is narrowed, filled and widened again.
TEST_F(Hostile, IndexesAreComparedWithTheirTables) {
  EXPECT_THAT(open().faults(CheckDepth::for_writing), IsEmpty());
  const auto redefine = [&](const char* from, const char* to) {
    execute(
        fmt::format("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}') "
                    "WHERE name = 'realizations_by_worker'",
                    from, to));
  };
  redefine("worker != 0", "worker > 99");
  execute("UPDATE realizations SET worker = 1 WHERE L = 4 AND realization = 2");
  redefine("worker > 99", "worker != 0");
  for (const auto depth : {CheckDepth::for_writing, CheckDepth::all}) {
    EXPECT_THAT(open(DatabaseAccess::read_only).faults(depth), Contains(HasSubstr("realizations_by_worker")));
  }
}

TEST_F(Hostile, RowsThatBelongToNothingAreFound) {
  const auto faults = [&](const std::string& change) {
    execute(change);
    return open(DatabaseAccess::read_only).faults(CheckDepth::for_writing);
  };
  EXPECT_THAT(
      faults("INSERT INTO realizations SELECT 4, 77, status, 0, '', '', 0, '', 0, '', '', 0, 0, 0, 0, 0, 0, 1, '' "
             "FROM realizations WHERE L = 4 AND realization = 1"),
      Contains(HasSubstr("a row of L = 4, realization 77")));
  EXPECT_THAT(faults("DELETE FROM realizations WHERE realization = 77; UPDATE rounds SET round = 8 WHERE L = 4 AND "
                     "round = 2"),
              Contains(HasSubstr("table rounds has 3 rounds (0 to 8) of L = 4, realization 0")));
  EXPECT_THAT(faults("UPDATE rounds SET round = 2 WHERE L = 4 AND round = 8; UPDATE rounds SET realization = 9 WHERE "
                     "L = 6"),
              Contains(HasSubstr("realization 9, and table realizations no such row")));
  EXPECT_THAT(faults("UPDATE rounds SET realization = 1 WHERE L = 6; DELETE FROM rounds WHERE L = 6"),
              Contains(HasSubstr("table rounds has no rounds of L = 6, realization 1")));
}

TEST_F(Hostile, RoundsBeforeTheFirstOneAreFound) {
  execute("UPDATE rounds SET round = -1 WHERE L = 4 AND round = 2");
  for (const CheckDepth depth : {CheckDepth::for_writing, CheckDepth::all}) {
    EXPECT_THAT(open(DatabaseAccess::read_only).faults(depth), Contains(HasSubstr("L = 4, realization 0")));
  }
}

TEST_F(Hostile, LeasesOfNobodyAreFound) {
  EXPECT_THAT(open(DatabaseAccess::read_only).leases_without_worker(), IsEmpty());
  execute("UPDATE realizations SET worker = 99 WHERE L = 6 AND realization = 3");
  const auto rows = open(DatabaseAccess::read_only).leases_without_worker();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].key, (RealizationKey{6, 3}));
  EXPECT_EQ(rows[0].worker, 99);
}

}}  // namespace glassworks
