#include <SQLiteCpp/SQLiteCpp.h>

#include <map>

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

/// Commits that are told the rows of their realizations.
class KnownRowsOfACommit : public Campaign {
 protected:
  static const std::vector<RealizationKey>& keys() {
    static const std::vector<RealizationKey> all{{4, 0}, {4, 2}, {6, 1}};
    return all;
  }

  /// All rows as of now.
  [[nodiscard]] KnownRows known(const Database& database) {
    Changes all = database.changes_since(0);
    known_.clear();
    for (RealizationRow& row : all.rows) known_.emplace(row.key, std::move(row));
    return {all.sequence, [this](RealizationKey key) { return &known_.at(key); }};
  }

  /// The next rounds of rows that are held, without checkpoints.
  static std::vector<RoundCommit> rounds_alone(const std::vector<RealizationRow>& held) {
    std::vector<RoundCommit> batch = next_rounds(held);
    for (RoundCommit& commit : batch) commit.checkpoint.clear();
    return batch;
  }

  /// Every column of the table of realizations.
  [[nodiscard]] std::string table() const {
    const SQLite::Database database(file_.string(), SQLite::OPEN_READONLY);
    SQLite::Statement all(database, "SELECT * FROM realizations ORDER BY L, realization");
    std::string text;
    while (all.executeStep()) {
      for (int i = 0; i < all.getColumnCount(); ++i) text += all.getColumn(i).getString() + ' ';
      text += '\n';
    }
    return text;
  }

  std::map<RealizationKey, RealizationRow> known_;
};

TEST_F(KnownRowsOfACommit, ChangeNothingInWhatIsStored) {
  std::vector<std::string> tables, stored;
  for (const bool told : {false, true}) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    Database database = create();
    const std::int64_t worker = first_worker(database);
    std::vector<RealizationRow> held = lease(database, worker, keys());
    const auto commit = [&](const std::vector<RoundCommit>& batch, LeaseAfter after) {
      const Changes written =
          database.commit(worker, batch, provenance(), now, 1.0, after, told ? known(database) : KnownRows{});
      EXPECT_EQ(written.sequence, database.changes_since(0).sequence);
      held = written.rows;
    };
    commit(rounds_alone(held), LeaseAfter::goes_on);
    commit(next_rounds(held), LeaseAfter::goes_on);
    commit(rounds_alone(held), LeaseAfter::goes_on);
    commit(next_rounds(held), LeaseAfter::ends);
    tables.push_back(table());
    stored.push_back(contents(database));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(stored[0], stored[1]);
  EXPECT_EQ(open().leases_without_worker().size(), 0U);
}

TEST_F(KnownRowsOfACommit, AreNotReadAgain) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const std::vector<RoundCommit> batch = rounds_alone(lease(database, worker, keys()));
  const KnownRows rows = known(database);
  SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec("UPDATE realizations SET round_trips = 77 WHERE L = 6");
  EXPECT_THAT([&] { database.commit(worker, batch, provenance(), now, 1.0, LeaseAfter::goes_on); }, Fails());
  database.commit(worker, batch, provenance(), now, 1.0, LeaseAfter::goes_on, rows);
  EXPECT_EQ(database.realization(keys()[2]).rounds, 1U);
}

TEST_F(KnownRowsOfACommit, AreReadAgainOnceAnythingWasWritten) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const std::vector<RoundCommit> batch = rounds_alone(lease(database, worker, keys()));
  const KnownRows rows = known(database);
  open().remove_worker(worker, LeaseEnd::failed);  // another process takes it for dead
  const std::int64_t heir = database.add_worker(worker_row("heir"));
  const std::vector<RealizationRow> again = lease(database, heir, keys());
  const std::string before = contents(database);
  for (const std::int64_t who : {worker, heir}) {
    EXPECT_THAT([&] { database.commit(who, batch, provenance(), now, 1.0, LeaseAfter::goes_on, rows); },
                Fails<LeaseLost>());
  }
  EXPECT_EQ(contents(database), before);
  database.commit(heir, rounds_alone(again), provenance(), now, 1.0, LeaseAfter::goes_on, rows);
  EXPECT_EQ(database.realization(keys()[0]).rounds, 1U);
}

TEST_F(KnownRowsOfACommit, HistoriesAreThoseOfEachAtOneMoment) {
  Database database = create();
  for (int i = 0; i < 3; ++i) advance(database, keys());
  advance(database, {{6, 1}});
  std::vector<std::size_t> lengths;
  database.visit_histories(keys(), RoundSamples::read, [&](std::size_t i, std::vector<RoundRow>&& rounds) {
    if (i == 0) {
      Database other = open();
      advance(other, {keys()[2]});
    }
    ASSERT_EQ(lengths.size(), i);
    lengths.push_back(rounds.size());
    for (const RoundRow& row : rounds) EXPECT_EQ(row.record, round(keys()[i], row.round, 0).record);
  });
  EXPECT_EQ(lengths, (std::vector<std::size_t>{3, 3, 4}));
  database.visit_histories(keys(), RoundSamples::skip, [&](std::size_t i, std::vector<RoundRow>&& rounds) {
    lengths[i] = rounds.size();
    for (const RoundRow& row : rounds) EXPECT_TRUE(row.record.samples.empty());
  });
  EXPECT_EQ(lengths, (std::vector<std::size_t>{3, 3, 5}));
}

}}  // namespace glassworks
