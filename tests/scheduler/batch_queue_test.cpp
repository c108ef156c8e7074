#include "scheduler/work/batch_queue.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/row.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/campaign/process.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/lease_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr WorkerId first{0, 0}, second{1, 1};

/// A queue with two devices of one worker each, and somebody who simulates what it gives.
class BatchQueueTest : public SmallCampaign {
 protected:
  void begin(Config config) {
    campaign_.emplace(Campaign::create_or_continue(config));
    chains_.emplace(4, make_chain(campaign_->config(), 0));
    keeper_.emplace(*campaign_, "test");
    RunObserver observer;
    observer.note = [this](const std::string& text) { notes_.push_back(text); };
    queue_.emplace(*campaign_, *keeper_, chains_, control_, observer);
    queue_->enter(first.device, 1);
    queue_->enter(second.device, 1);
  }

  [[nodiscard]] static BatchLimits at_most(int n) { return {.largest = {{4, n}}, .width = {{4, n}}}; }

  /// Rounds of a batch from the initial state; only the first is the true one.
  [[nodiscard]] FinishedBatch simulate(const Batch& batch) {
    FinishedBatch finished;
    finished.holder = batch.rows.front().worker;
    finished.provenance = {"t", "t", "t", "t", "t"};
    for (const RealizationRow& row : batch.rows) {
      const Chain& chain = chains_.at(4);
      const Disorder disorder = make_disorder(campaign_->config(), chain.lattice, row.key.realization);
      ChainState state = initial_state(chain, row.key.realization);
      RoundCommit round;
      round.key = row.key;
      round.attempt = row.attempt;
      round.round = row.rounds;
      const RoundTask task{row.key.realization, &disorder, &state, &round.record};
      RoundControl control;
      EXPECT_EQ(backend_->run_round(chain, {&task, 1}, control), RoundOutcome::finished);
      round.state_digest = state_digest(state);
      round.checkpoint = checkpoint_name(row.key, row.rounds + 1, round.state_digest);
      finished.rounds.push_back(std::move(round));
    }
    return finished;
  }

  /// The answer to a question; fails instead of waiting for ever.
  [[nodiscard]] Batch take(WorkerId who, int n) {
    std::future<Batch> batch = asked(who, n);
    if (batch.wait_for(std::chrono::seconds(20)) == std::future_status::ready) return batch.get();
    ADD_FAILURE() << "no answer";
    return {};
  }
  [[nodiscard]] std::future<Batch> asked(WorkerId who, int n) { return queue_->ask(who, at_most(n)); }

  std::unique_ptr<Backend> backend_ = make_backend({.kind = BackendKind::reference});
  std::optional<Campaign> campaign_;
  std::optional<LeaseKeeper> keeper_;
  Chains chains_;
  RoundControl control_;
  std::vector<std::string> notes_;
  std::optional<BatchQueue> queue_;  // ends first
};

/// A lease that nobody will ever end must not be waited for.
TEST_F(BatchQueueTest, EndsLeasesOfWorkersThatDoNotExist) {
  begin(config("run"));
  SQLite::Database raw((campaign_->config().campaign.directory / database_file_name).string(), SQLite::OPEN_READWRITE);
  raw.exec(
      "UPDATE realizations SET worker = 99, attempt = attempt; UPDATE clock SET sequence = sequence + 1; "
      "UPDATE realizations SET sequence = (SELECT sequence FROM clock)");
  EXPECT_THAT(take(first, 6).rows, SizeIs(6));
  EXPECT_THAT(notes_, Contains(HasSubstr("was leased to worker 99, which does not simulate it")));
}

/// What another process has given back, and the index of changes does not show: found in the table, told, and not
/// waited for.
TEST_F(BatchQueueTest, EndsAWaitThatTheIndexOfChangesWouldMakeEndless) {
  const Config run = config("run");
  begin(run);
  Database other = Database::open(run.campaign.directory / database_file_name, DatabaseAccess::read_write);
  const auto held = other.lease(other.add_worker(this_process("other", 60)), other.realizations());
  auto batch = asked(first, 6);
  EXPECT_EQ(batch.wait_for(std::chrono::seconds(1)), std::future_status::timeout) << "others hold all";
  RealizationRow given_back = held.front();
  ++given_back.attempt;
  SQLite::Database raw((run.campaign.directory / database_file_name).string(), SQLite::OPEN_READWRITE);
  raw.exec(fmt::format("UPDATE realizations SET worker = 0, attempt = {}, checksum = {} WHERE realization = {}",
                       given_back.attempt, db::realization_checksum(given_back), given_back.key.realization));
  ASSERT_EQ(batch.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_THAT(batch.get().rows, IsEmpty());
  EXPECT_THAT([&] { static_cast<void>(queue_->outcome()); }, Fails());
}

TEST_F(BatchQueueTest, AWorkerThatAsksGetsWhatItHasJustHandedOver) {
  Config one = config("one");
  one.disorder.realizations = {1};
  one.convergence.min_rounds = 2;  // so that decisions are due as well
  begin(one);
  Batch batch = take(first, 1);
  for (std::uint32_t round = 0; round < 4; ++round) {
    ASSERT_THAT(batch.rows, SizeIs(1)) << round;
    EXPECT_EQ(batch.rows.front().rounds, round);
    std::future<Committed> committed = queue_->commit(first, simulate(batch));
    batch = take(first, 1);
    EXPECT_TRUE(committed.get().written);
  }
}

TEST_F(BatchQueueTest, WhatAWorkerHasHandedOverMayBePartOfItsNextBatch) {
  Config run = config("part");
  run.convergence.min_rounds = 1;  // deciding takes longer than asking
  run.convergence.min_round_trips = 1'000'000;
  begin(run);
  const Batch half = take(first, 3);
  ASSERT_THAT(half.rows, SizeIs(3));
  std::future<Committed> committed = queue_->commit(first, simulate(half));
  EXPECT_THAT(take(first, 6).rows, SizeIs(6)) << "not only the others";
  EXPECT_TRUE(committed.get().written);
}

TEST_F(BatchQueueTest, ARefusedCommitOfOneWorkerCostsNoOther) {
  begin(config("refused"));
  const Batch lost = take(first, 2), held = take(second, 2);
  const std::int64_t process = keeper_->worker();
  queue_->give_back(lost);
  EXPECT_FALSE(queue_->commit(first, simulate(lost)).get().written);
  EXPECT_TRUE(queue_->commit(second, simulate(held)).get().written);
  EXPECT_EQ(keeper_->worker(), process);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("not committed")));
  EXPECT_THAT(take(first, 6).rows, SizeIs(6)) << "everything is free again";
}

TEST_F(BatchQueueTest, WhoCannotBeServedYetGetsWhatOthersGiveBack) {
  begin(config("waits"));
  const Batch all = take(first, 6);
  ASSERT_THAT(all.rows, SizeIs(6));
  std::future<Batch> rest = asked(second, 6);
  EXPECT_EQ(rest.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  queue_->give_back(all);
  EXPECT_THAT(rest.get().rows, SizeIs(6));
}

TEST_F(BatchQueueTest, ADeviceThatHasLeftGetsNothingUntilItComesBack) {
  begin(config("leaves"));
  const Batch all = take(first, 6);
  std::future<Batch> waiting = asked(second, 1);
  queue_->leave(second.device);
  EXPECT_THAT(waiting.get().rows, IsEmpty());
  queue_->give_back(all);
  EXPECT_THAT(take(second, 1).rows, IsEmpty());
  queue_->enter(second.device, 1);
  EXPECT_THAT(take(second, 1).rows, SizeIs(1));
}

TEST_F(BatchQueueTest, AnErrorOfTheDatabaseEndsTheRunForEverybody) {
  begin(config("error"));
  const Batch batch = take(first, 3), other = take(second, 3);
  std::future<Batch> waiting = asked(second, 3);
  FinishedBatch misshapen = simulate(batch);
  misshapen.rounds.back().record.mean.pop_back();
  EXPECT_ANY_THROW(queue_->commit(first, std::move(misshapen)).get());
  EXPECT_TRUE(control_.stop);
  EXPECT_THAT(waiting.get().rows, IsEmpty());
  EXPECT_ANY_THROW(static_cast<void>(queue_->outcome()));
  for (const RealizationRow& row : read_campaign(campaign_->config()).realizations()) EXPECT_EQ(row.rounds, 0u);
}

TEST_F(BatchQueueTest, WhoDoesNotWaitGetsAnswersUnderTheirTickets) {
  Config run = config("tickets");
  run.convergence.min_rounds = 1;
  begin(run);
  const auto answer = [this]() -> QueueAnswer {
    for (int i = 0; i < 20; ++i) {
      queue_->answers().wait_for(std::chrono::seconds(1));
      std::vector<QueueAnswer> answers = queue_->answers().take();
      if (!answers.empty()) return std::move(answers.front());
    }
    return {};
  };
  queue_->ask(first, at_most(2), 7);
  const auto leased = std::get<LeaseAnswer>(answer());
  EXPECT_EQ(leased.ticket, 7U);
  ASSERT_THAT(leased.batch.rows, SizeIs(2));
  const FinishedBatch finished = simulate(leased.batch);
  queue_->commit(first, finished, 8);
  const auto committed = std::get<CommitAnswer>(answer());
  EXPECT_EQ(committed.ticket, 8U);
  EXPECT_TRUE(committed.result.written);
  queue_->commit(first, finished, 9);
  const auto refused = std::get<CommitAnswer>(answer());
  EXPECT_EQ(refused.ticket, 9U);
  EXPECT_FALSE(refused.result.written) << "the leases have ended";
}

TEST_F(BatchQueueTest, AnErrorOfADecisionReachesWhoCommitted) {
  Config run = config("decision");
  run.convergence.min_rounds = 1;
  begin(run);
  FinishedBatch finished = simulate(take(first, 2));
  finished.rounds.back().key.L = 5;  // there is no such size
  EXPECT_THROW(queue_->commit(first, std::move(finished)).get(), InputError);
  EXPECT_TRUE(control_.stop);
  EXPECT_THROW(static_cast<void>(queue_->outcome()), InputError);
  for (const RealizationRow& row : read_campaign(campaign_->config()).realizations()) EXPECT_EQ(row.rounds, 0U);
}

TEST_F(BatchQueueTest, AStopAnswersThoseWhoWait) {
  begin(config("stop"));
  const Batch all = take(first, 6);
  std::future<Batch> waiting = asked(second, 1);
  control_.stop = true;
  queue_->wake();
  EXPECT_THAT(waiting.get().rows, IsEmpty());
  EXPECT_EQ(queue_->outcome(), RunOutcome::stopped);
}

}}  // namespace glassworks::testing
