#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class Commit : public Campaign {
 protected:
  /// A batch in which only the given member is stale, as `spoil` makes it; nothing of it may be written.
  void expect_refused(const std::function<void(RoundCommit&)>& spoil) {
    Database database = create();
    const std::vector<RealizationKey> keys{{4, 0}, {6, 1}, {4, 2}};
    advance(database, keys);
    const std::int64_t worker = first_worker(database);
    std::vector<RoundCommit> batch = next_rounds(lease(database, worker, keys));
    const std::string before = contents(database);
    const RoundCommit good = batch[1];
    spoil(batch[1]);
    EXPECT_THAT([&] { database.commit(worker, batch, provenance("another host"), now); }, Fails<LeaseLost>());
    EXPECT_EQ(contents(database), before);
    EXPECT_EQ(contents(open()), before);
    batch[1] = good;
    database.commit(worker, batch, provenance("another host"), now);
    EXPECT_EQ(database.realization(keys[2]).rounds, 2U);
  }
};

TEST_F(Commit, RefusesAnOldAttempt) {
  expect_refused([](RoundCommit& commit) { --commit.attempt; });
}

TEST_F(Commit, RefusesARoundTwice) {
  expect_refused([](RoundCommit& commit) { commit.round = 0; });
}

TEST_F(Commit, RefusesASkippedRound) {
  expect_refused([](RoundCommit& commit) { commit.round = 2; });
}

TEST_F(Commit, RefusesARecordOfAnotherShape) {
  Database database = create();
  const std::int64_t worker = first_worker(database);
  const std::vector<RoundCommit> whole = next_rounds(lease(database, worker, {{6, 0}}));
  const std::string before = contents(database);
  for (int array = 0; array < 5; ++array) {
    RoundCommit commit = whole[0];
    if (array == 0) commit.record.mean.pop_back();
    if (array == 1) commit.record.exchange_accepted.clear();
    if (array == 2) commit.record.round_trips.push_back(0);
    if (array == 3) commit.record.samples.pop_back();
    if (array == 4) ++commit.record.samples_per_slot;
    EXPECT_THROW(database.commit(worker, std::vector{commit}, provenance(), now), std::invalid_argument);
    EXPECT_EQ(contents(database), before);
  }
}

TEST_F(Commit, DigestDoesNotDependOnBatches) {
  const std::vector<RealizationKey> keys{{4, 0}, {4, 1}, {6, 0}};
  std::vector<std::string> digests;
  {
    Database database = create();
    for (int i = 0; i < 3; ++i) advance(database, keys);
    for (const auto key : keys) digests.push_back(database.bins_digest(key));
  }
  std::filesystem::remove_all(directory_);
  std::filesystem::create_directory(directory_);
  Database database = create();
  for (const auto key : {keys[2], keys[0], keys[1]}) {
    for (int i = 0; i < 3; ++i) advance(database, {key});
  }
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(database.bins_digest(keys[i]), digests[i]);
  EXPECT_NE(digests[0], digests[1]);
  const std::string before = digests[0];
  advance(database, {keys[0]});
  EXPECT_NE(database.bins_digest(keys[0]), before);
}

TEST_F(Commit, FailedWriteLeavesNothing) {
  Database database = create();
  advance(database, {{4, 0}});
  const std::vector<RealizationKey> keys{{4, 0}, {4, 1}};
  const std::int64_t worker = first_worker(database);
  const std::vector<RoundCommit> batch = next_rounds(lease(database, worker, keys));
  const std::string before = contents(database);

  // A limit on the size of files fails a write in the log, as a full disk does.
  rlimit no_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &no_limit), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const auto log_size = std::filesystem::file_size(file_.string() + "-wal");
  const rlimit limit{log_size + 5000, no_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto writing = outcome_of([&] { database.commit(worker, batch, provenance(), now); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &no_limit), 0);
  static_cast<void>(std::signal(SIGXFSZ, handler));

  EXPECT_THAT(writing, Fails());
  EXPECT_EQ(contents(database), before);
  database.commit(worker, batch, provenance(), now);
  EXPECT_EQ(database.realization(keys[0]).rounds, 2U);
}

TEST_F(Commit, KillLeavesWholeBatches) {
  static_cast<void>(create());
  const std::vector<RealizationKey> keys{{4, 0}, {4, 1}, {6, 0}};
  std::uint32_t rounds = 0;
  for (int kill = 0; kill < 12; ++kill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Database database = open();
      for (const WorkerRow& killed : database.workers()) database.remove_worker(killed.id, LeaseEnd::failed);
      for (;;) advance(database, keys);
    }
    while (kill % 3 == 0 && open(DatabaseAccess::read_only).realization(keys[0]).rounds == rounds) ::usleep(1000);
    ::usleep(static_cast<useconds_t>(1000 + 3700 * kill));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const Database database = open();
    const std::uint32_t committed = database.realization(keys[0]).rounds;
    EXPECT_GE(committed, rounds);
    rounds = committed;
    for (const RealizationKey key : keys) {
      const auto stored = database.rounds(key);
      ASSERT_EQ(stored.size(), rounds);
      for (std::uint32_t i = 0; i < rounds; ++i) ASSERT_EQ(stored[i].record, round(key, i, 0).record);
    }
  }
  EXPECT_GT(rounds, 0U);
}

TEST_F(Commit, KilledCreationLeavesNothingOrAWholeCampaign) {
  int whole = 0, nothing = 0;
  for (int kill = 0; kill < 16; ++kill) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      static_cast<void>(create());
      for (;;) ::pause();
    }
    ::usleep(static_cast<useconds_t>(1 + 1500 * kill));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const bool exists = std::filesystem::exists(file_);
    ++(exists ? whole : nothing);
    const Database database = exists ? open() : create();
    EXPECT_EQ(database.realizations().size(), 10U);
  }
  RecordProperty("whole", whole);
  RecordProperty("nothing", nothing);
}

}}  // namespace glassworks
