#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Lease : public Campaign {
 protected:
  const RealizationKey key_{6, 4};

  /// Leases realization key_ to a worker, lets `meanwhile` act on another connection, and expects that the commit is
  /// refused and changes nothing.
  void expect_lost(const std::function<void(Database&, std::int64_t worker)>& meanwhile) {
    Database slow = create();
    const std::int64_t worker = slow.add_worker(worker_row());
    const std::vector<RoundCommit> late = next_rounds(lease(slow, worker, {key_}));
    Database other = open();
    meanwhile(other, worker);
    const std::string before = contents(other);
    const auto moment = other.changes_since(0).sequence;
    EXPECT_THAT([&] { slow.commit(worker, late, provenance(), now); }, Fails<LeaseLost>());
    EXPECT_EQ(contents(other), before);
    EXPECT_EQ(other.changes_since(0).sequence, moment);
  }
};

TEST_F(Lease, GivesWhatIsFreeAndAsItWasRead) {
  Database database = create();
  Database other = open();
  const std::int64_t first = database.add_worker(worker_row("a")), second = other.add_worker(worker_row("b"));
  EXPECT_NE(first, second);
  advance(database, {{4, 0}});
  const std::vector<RealizationRow> seen = rows(database, {{6, 1}, {4, 0}, {4, 3}, {4, 2}, {4, 1}});
  const auto taken = database.lease(first, std::span(seen).subspan(2, 1));
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].worker, first);
  EXPECT_EQ(taken[0].attempt, 1);
  advance(database, {{4, 2}});
  database.set_status(database.realization({4, 1}), RealizationStatus::quarantined, "too many failures");

  const auto got = other.lease(second, seen);
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].key, (RealizationKey{6, 1}));
  EXPECT_EQ(got[1].key, (RealizationKey{4, 0}));
  EXPECT_EQ(got[1].rounds, 1U);
  EXPECT_EQ(got[1].attempt, 2);
  for (const RealizationRow& row : got) {
    EXPECT_EQ(row.worker, second);
    EXPECT_EQ(database.realization(row.key).attempt, row.attempt);
    EXPECT_EQ(database.realization(row.key).worker, second);
  }
  EXPECT_EQ(database.realization({4, 3}).worker, first);
  EXPECT_EQ(database.realization({4, 1}).attempt, 0);
}

TEST_F(Lease, GivesARealizationOnceToAWorkerThatExists) {
  Database database = create();
  const std::int64_t worker = database.add_worker(worker_row());
  EXPECT_EQ(lease(database, worker, {{4, 0}, {4, 0}}).size(), 1U);
  EXPECT_THAT(lease(database, worker, {{4, 0}}), IsEmpty());
  EXPECT_THAT(lease(database, worker + 1, {{4, 1}}), IsEmpty());
  EXPECT_EQ(database.realization({4, 1}).worker, 0);
  EXPECT_THROW(lease(database, 0, {{4, 1}}), std::invalid_argument);
  EXPECT_THROW(database.commit(0, {}, provenance(), now), std::invalid_argument);
}

TEST_F(Lease, CommitFreesAndKeepsTwoGenerations) {
  Database database = create();
  database.release(first_worker(database), lease(database, first_worker(database), {key_}), LeaseEnd::failed);
  EXPECT_EQ(database.realization(key_).failures, 1);
  for (std::uint32_t i = 0; i < 3; ++i) {
    advance(database, {key_, {4, 1}});
    const RealizationRow row = database.realization(key_);
    const RoundCommit committed = round(key_, i, 0);
    EXPECT_EQ(row.worker, 0);
    EXPECT_EQ(row.failures, 0);
    EXPECT_EQ(row.attempt, static_cast<int>(i) + 3);  // the failed lease has raised it twice
    EXPECT_EQ(row.checkpoint, committed.checkpoint);
    EXPECT_EQ(row.judgement, committed.judgement);
    EXPECT_EQ(row.previous_checkpoint, i == 0 ? "" : round(key_, i - 1, 0).checkpoint);
    EXPECT_EQ(row.previous_digest, i == 0 ? "" : round(key_, i - 1, 0).state_digest);
  }
  const WorkerRow account = database.workers().front();
  EXPECT_EQ(account.rounds, 6U);
  EXPECT_EQ(account.updates, 300.0);
}

TEST_F(Lease, ReleaseEndsOnlyWhatIsStillHeld) {
  Database database = create();
  const std::int64_t worker = database.add_worker(worker_row()), other = database.add_worker(worker_row());
  const auto held = lease(database, worker, {{4, 0}, {4, 1}, {4, 2}});
  database.commit(worker, next_rounds({held[1]}), provenance(), now);
  const auto of_other = lease(database, other, {{4, 1}});
  database.release(other, held, LeaseEnd::failed, "not mine");
  EXPECT_EQ(database.realization({4, 0}).worker, worker);
  database.release(worker, std::vector{held[0], held[1]}, LeaseEnd::failed, "no memory");
  database.release(worker, std::vector{held[2]}, LeaseEnd::given_back);

  EXPECT_EQ(database.realization({4, 0}).worker, 0);
  EXPECT_EQ(database.realization({4, 0}).attempt, 2);
  EXPECT_EQ(database.realization({4, 0}).failures, 1);
  EXPECT_EQ(database.realization({4, 0}).reason, "no memory");
  EXPECT_EQ(database.realization({4, 1}).worker, other);
  EXPECT_EQ(database.realization({4, 1}).attempt, of_other[0].attempt);
  EXPECT_EQ(database.realization({4, 1}).failures, 0);
  EXPECT_EQ(database.realization({4, 2}).worker, 0);
  EXPECT_EQ(database.realization({4, 2}).attempt, 2);
  EXPECT_EQ(database.realization({4, 2}).failures, 0);
  const auto moment = database.changes_since(0).sequence;
  database.release(worker, held, LeaseEnd::failed);
  EXPECT_EQ(database.changes_since(0).sequence, moment);
}

/// The clock may have been set, by hours; only others who watched it can tell that a worker is silent.
TEST_F(Lease, OutlivesItsTimeWhileNobodyHasEndedIt) {
  Database database = create();
  const std::int64_t worker = database.add_worker(worker_row()), hours = later + 10'000'000;
  const auto batch = next_rounds(lease(database, worker, {key_}));
  EXPECT_TRUE(database.heartbeat(worker, hours, hours + 60'000)) << "its row said that it had expired";
  database.commit(worker, batch, provenance(), hours + 100'000);
  EXPECT_EQ(database.realization(key_).rounds, 1U);
  EXPECT_EQ(database.workers().front().heartbeat, hours + 100'000) << "a commit is a sign of life";
}

TEST_F(Lease, LivesAsLongAsItsHeartbeat) {
  Database database = create();
  const std::int64_t worker = database.add_worker(worker_row());
  const auto batch = next_rounds(lease(database, worker, {key_}));
  EXPECT_TRUE(database.heartbeat(worker, expires, later));
  EXPECT_EQ(database.workers().front().heartbeat, expires);
  database.commit(worker, batch, provenance(), later);
  EXPECT_EQ(database.realization(key_).rounds, 1U);
  EXPECT_FALSE(database.heartbeat(worker + 1, now, expires));
}

TEST_F(Lease, IsLostWithItsWorker) {
  expect_lost(
      [](Database& other, std::int64_t worker) { EXPECT_EQ(other.remove_worker(worker, LeaseEnd::given_back), 1U); });
}

TEST_F(Lease, IsLostWhenAnotherHasTakenOver) {
  expect_lost([this](Database& other, std::int64_t worker) {
    other.release(worker, rows(other, {key_}), LeaseEnd::given_back);
    EXPECT_EQ(lease(other, other.add_worker(worker_row("b")), {key_}).size(), 1U);
  });
}

TEST_F(Lease, IsLostWhenItHasEndedAndNobodyHasTakenOver) {
  expect_lost(
      [this](Database& other, std::int64_t worker) { other.release(worker, rows(other, {key_}), LeaseEnd::failed); });
}

TEST_F(Lease, CountsOnlyForTheWorkerThatHoldsIt) {
  Database database = create();
  const std::int64_t worker = database.add_worker(worker_row()), thief = database.add_worker(worker_row());
  const auto batch = next_rounds(lease(database, worker, {key_}));
  EXPECT_THROW(database.commit(thief, batch, provenance(), now), LeaseLost);
  database.commit(worker, batch, provenance(), now);
  EXPECT_THROW(database.commit(worker, batch, provenance(), now), LeaseLost);
  EXPECT_EQ(database.realization(key_).rounds, 1U);
}

TEST_F(Lease, OfADeadWorkerIsReclaimed) {
  Database database = create();
  const std::int64_t dead = database.add_worker(worker_row("dead")), heir = database.add_worker(worker_row("heir"));
  EXPECT_EQ(lease(database, dead, {{4, 0}, key_}).size(), 2U);
  EXPECT_EQ(lease(database, heir, {{4, 1}}).size(), 1U);
  EXPECT_THAT(lease(database, heir, {key_}), IsEmpty());
  EXPECT_EQ(database.remove_worker(dead, LeaseEnd::failed), 2U);
  EXPECT_EQ(database.remove_worker(dead, LeaseEnd::failed), 0U);
  EXPECT_FALSE(database.heartbeat(dead, now, expires));
  ASSERT_EQ(database.workers().size(), 1U);
  EXPECT_EQ(database.workers()[0].host, "heir");
  EXPECT_EQ(database.realization(key_).failures, 1);
  EXPECT_EQ(database.realization({4, 1}).failures, 0);
  EXPECT_EQ(database.realization({4, 1}).worker, heir);
  const auto again = lease(database, heir, {key_});
  ASSERT_EQ(again.size(), 1U);
  database.commit(heir, next_rounds(again), provenance(), now);
  EXPECT_EQ(database.realization(key_).failures, 0);
}

TEST_F(Lease, IdsOfWorkersAreNeverUsedAgain) {
  Database database = create();
  const std::int64_t first = database.add_worker(worker_row());
  EXPECT_GT(first, 0);
  database.remove_worker(first, LeaseEnd::given_back);
  EXPECT_GT(open().add_worker(worker_row()), first);
}

TEST_F(Lease, ChangesAreWhatWasWrittenSince) {
  Database database = create();
  Database other = open();
  const auto keys = [](const Changes& changes) {
    std::vector<RealizationKey> out;
    for (const RealizationRow& row : changes.rows) out.push_back(row.key);
    return out;
  };
  Changes changes = database.changes_since(0);
  EXPECT_EQ(changes.rows.size(), 2U * realizations);
  EXPECT_THAT(database.changes_since(changes.sequence).rows, IsEmpty());
  const std::int64_t worker = other.add_worker(worker_row());
  EXPECT_THAT(database.changes_since(changes.sequence).rows, IsEmpty());

  const auto leased = lease(other, worker, {{6, 1}, {4, 2}});
  lease(other, worker, {{6, 1}});  // gets nothing, writes nothing
  const std::int64_t before_lease = changes.sequence;
  changes = database.changes_since(changes.sequence);
  EXPECT_EQ(changes.sequence, before_lease + 1);
  EXPECT_THAT(keys(changes), ElementsAre(RealizationKey{4, 2}, RealizationKey{6, 1}));
  EXPECT_EQ(changes.rows[1].worker, worker);

  database.set_status(database.realization({4, 4}), RealizationStatus::failed, "by hand");  // its own writes count too
  other.commit(worker, next_rounds({leased[0]}), provenance(), now);
  other.release(worker, std::vector{leased[1]}, LeaseEnd::given_back);
  const Changes later_changes = database.changes_since(changes.sequence);
  EXPECT_THAT(keys(later_changes), ElementsAre(RealizationKey{4, 2}, RealizationKey{4, 4}, RealizationKey{6, 1}));
  EXPECT_EQ(later_changes.rows[2].rounds, 1U);
  EXPECT_EQ(database.changes_since(0).rows.size(), 2U * realizations);
  EXPECT_EQ(keys(database.changes_since(later_changes.sequence - 1)).size(), 1U);
}

}}  // namespace glassworks
