#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "tests/db/campaign_fixture.hpp"
#include "tests/message_of.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class Together : public Campaign {
 protected:
  static const std::vector<RealizationKey>& keys() {
    static const std::vector<RealizationKey> all{{4, 0}, {4, 1}, {6, 0}, {6, 1}};
    return all;
  }

  /// Transactions in the write-ahead log: in the header of the last frame of each stands the size of the database, at
  /// byte 4, big endian; in other frames it is 0. Frames of an older log have another salt, bytes 8 .. 15.
  [[nodiscard]] std::size_t transactions() const {
    std::ifstream in(file_.string() + "-wal", std::ios::binary);
    const std::string log((std::istreambuf_iterator<char>(in)), {});
    const auto number = [&](std::size_t at) {
      std::uint32_t value = 0;
      for (std::size_t i = at; i < at + 4; ++i) value = value << 8U | static_cast<unsigned char>(log[i]);
      return value;
    };
    std::size_t count = 0;
    for (std::size_t at = 32; at + 24 <= log.size(); at += 24 + number(8)) {
      if (log.compare(at + 8, 8, log, 16, 8) == 0 && number(at + 4) != 0) ++count;
    }
    return count;
  }
};

TEST_F(Together, IsOneTransactionWithTheEffectOfMany) {
  std::vector<std::string> stored;
  std::vector<std::size_t> written;
  for (const bool grouped : {false, true}) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    Database database = create();
    const std::int64_t worker = database.add_worker(worker_row());
    const std::size_t before = transactions();
    const auto body = [&] {
      for (int i = 0; i < 3; ++i) {
        for (const RealizationKey key : keys()) {
          const auto leased = lease(database, worker, {key});
          EXPECT_EQ(leased.at(0).rounds, static_cast<std::uint32_t>(i)) << "what was written before is read";
          database.commit(worker, next_rounds(leased), provenance(), now, 1.0);
        }
      }
      EXPECT_TRUE(database.heartbeat(worker, now + 1, expires + 1));
      EXPECT_TRUE(database.set_status(database.realization({6, 2}), RealizationStatus::quarantined, "why"));
      database.release(worker, lease(database, worker, {{4, 3}}), LeaseEnd::failed);
      EXPECT_EQ(database.remove_worker(database.add_worker(worker_row("other")), LeaseEnd::given_back), 0U);
      EXPECT_EQ(database.changes_since(0).rows.size(), 10U);
    };
    if (grouped) {
      database.together(body);
    } else {
      body();
    }
    stored.push_back(contents(open()));
    written.push_back(transactions() - before);
  }
  EXPECT_EQ(stored[1], stored[0]);
  EXPECT_EQ(written[0], 30U);
  EXPECT_EQ(written[1], 1U);
}

TEST_F(Together, OthersSeeNothingOrAll) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const Database other = open(DatabaseAccess::read_only);
  const std::string before = contents(other);
  database.together([&] {
    for (const RealizationKey key : keys()) {
      database.commit(worker, next_rounds(lease(database, worker, {key})), provenance(), now);
      EXPECT_EQ(contents(other), before);
    }
  });
  EXPECT_EQ(contents(other), contents(database));
  EXPECT_EQ(other.realization(keys()[3]).rounds, 1U);
}

TEST_F(Together, AMemberThatThrowsUndoesOnlyItsOwn) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const auto held = lease(database, worker, keys());
  database.together([&] {
    database.commit(worker, next_rounds({held[0]}), provenance(), now, 1.0);
    std::vector<RoundCommit> stale = next_rounds({held[1], held[2]});
    ++stale[1].attempt;
    EXPECT_THROW(database.commit(worker, stale, provenance("new host"), now, 1.0), LeaseLost);
    EXPECT_EQ(database.realization(held[1].key).rounds, 0U);
    database.commit(worker, next_rounds({held[3]}), provenance("new host"), now, 1.0);
  });
  const Database stored = open();
  std::vector<std::uint32_t> rounds;
  for (const RealizationKey key : keys()) {
    rounds.push_back(stored.realization(key).rounds);
    EXPECT_EQ(stored.rounds(key).size(), rounds.back());
  }
  EXPECT_EQ(rounds, (std::vector<std::uint32_t>{1, 0, 0, 1}));
  EXPECT_EQ(stored.provenances().size(), 2U);
  EXPECT_EQ(stored.workers().at(0).rounds, 2U);
}

TEST_F(Together, ABodyThatThrowsUndoesAll) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const auto held = lease(database, worker, keys());
  const std::string before = contents(database);
  const auto fail = [&] {
    database.commit(worker, next_rounds({held[0]}), provenance("new host"), now);
    throw std::runtime_error("stop");
  };
  EXPECT_EQ(message_of([&] { database.together(fail); }), "stop");
  EXPECT_EQ(contents(database), before);
  EXPECT_EQ(contents(open()), before);

  // The same provenance is stored again: the row that was undone is not referred to.
  database.commit(worker, next_rounds({held[0]}), provenance("new host"), now);
  EXPECT_EQ(database.provenances().size(), 1U);
  EXPECT_EQ(database.rounds(held[0].key).at(0).provenance, 1);

  database.together([&] {
    EXPECT_EQ(message_of([&] {
                database.together([&] {
                  database.commit(worker, next_rounds({held[1]}), provenance("third host"), now);
                  throw std::runtime_error("stop within");
                });
              }),
              "stop within");
    database.together([&] { database.commit(worker, next_rounds({held[2]}), provenance("third host"), now); });
  });
  EXPECT_EQ(database.realization(held[1].key).rounds, 0U);
  EXPECT_EQ(open().realization(held[2].key).rounds, 1U);
  EXPECT_EQ(open().provenances().size(), 2U);
}

TEST_F(Together, AFullDiskUndoesAllEvenIfTheBodyGoesOn) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const auto held = lease(database, worker, keys());
  const std::string before = contents(database);

  // A limit on the size of files fails a write in the log, as a full disk does. Texts that are larger than SQLite's
  // cache get it written before the end of the transaction.
  rlimit no_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &no_limit), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{std::filesystem::file_size(file_.string() + "-wal") + 100'000, no_limit.rlim_max};
  int failures = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto writing = outcome_of([&] {
    database.together([&] {
      for (std::size_t i = 0; i < held.size(); ++i) {
        const std::string large(i == 1 ? 32U << 20U : 1U, 'x');
        const std::string why =
            message_of([&] { database.release(worker, std::vector{held[i]}, LeaseEnd::failed, large); });
        if (why != "no error") ++failures;
      }
    });
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &no_limit), 0);
  static_cast<void>(std::signal(SIGXFSZ, handler));

  EXPECT_EQ(failures, 3) << "the large one and those after it";
  EXPECT_THAT(writing, Fails());
  EXPECT_EQ(contents(database), before);
  EXPECT_EQ(contents(open()), before);
  database.together([&] { database.release(worker, held, LeaseEnd::given_back); });
  EXPECT_EQ(database.realization(held[0].key).worker, 0);
}

TEST_F(Together, ReadersMayNotWrite) {
  static_cast<void>(create());
  Database reader = open(DatabaseAccess::read_only);
  EXPECT_THAT([&] { reader.together([] {}); }, Fails());
}

}}  // namespace glassworks
