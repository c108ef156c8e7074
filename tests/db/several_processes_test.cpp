#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <thread>

#include "tests/db/campaign_fixture.hpp"
#include "tests/message_of.hpp"

namespace glassworks { namespace {

/// Several workers on one campaign, each with a connection of its own.
class SeveralProcesses : public Campaign {
 protected:
  static constexpr std::uint32_t rounds_each = 12;

  /// Works until every realization has all its rounds: takes what is free by its own view of the campaign, gives some
  /// of it back, and commits the rest.
  void work(unsigned seed) const {
    std::mt19937 random(seed);
    Database database = open();
    const std::int64_t worker = database.add_worker(worker_row(fmt::format("{}", seed)));
    std::vector<RealizationRow> view = database.realizations();
    std::int64_t moment = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("rounds are missing for too long");
      const Changes changes = database.changes_since(moment);
      moment = changes.sequence;
      for (const RealizationRow& row : changes.rows) {
        *std::ranges::find(view, row.key, &RealizationRow::key) = row;
      }
      std::vector<RealizationRow> wanted;
      for (const RealizationRow& row : view) {
        if (row.rounds < rounds_each && wanted.size() < 3 && random() % 2 == 0) wanted.push_back(row);
      }
      if (std::ranges::all_of(view, [](const RealizationRow& row) { return row.rounds >= rounds_each; })) return;
      std::vector<RealizationRow> leased = database.lease(worker, wanted);
      if (!leased.empty() && random() % 4 == 0) {
        database.release(worker, std::vector{leased.back()}, LeaseEnd::given_back);
        leased.pop_back();
      }
      database.commit(worker, next_rounds(leased), provenance(), now, static_cast<double>(leased.size()));
      if (random() % 8 == 0) database = open();  // the last one to close it empties the log
      if (!database.heartbeat(worker, now, expires)) throw std::runtime_error("the worker is gone");
    }
  }

  /// Runs action(0), ..., action(count - 1) in a process each; all must end without an error.
  static void in_processes(unsigned count, const std::function<void(unsigned)>& action) {
    std::vector<pid_t> children;
    for (unsigned i = 0; i < count; ++i) {
      children.push_back(::fork());
      ASSERT_GE(children.back(), 0);
      if (children.back() == 0) {
        const std::string message = message_of([&] { action(i); });
        if (message != "no error") std::cerr << message << '\n';
        ::_exit(message == "no error" ? 0 : 1);
      }
    }
    for (const pid_t child : children) {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }
  }

  static void expect_every_round_once(const Database& database) {
    std::uint64_t rounds = 0;
    double updates = 0.0;
    for (const WorkerRow& worker : database.workers()) {
      rounds += worker.rounds;
      updates += worker.updates;
    }
    EXPECT_EQ(rounds, 2U * realizations * rounds_each);
    EXPECT_EQ(updates, static_cast<double>(rounds));
    for (const RealizationRow& row : database.realizations()) {
      EXPECT_EQ(row.worker, 0);
      const std::vector<RoundRow> stored = database.rounds(row.key);
      ASSERT_EQ(stored.size(), rounds_each);
      for (std::uint32_t i = 0; i < rounds_each; ++i) EXPECT_EQ(stored[i].record, round(row.key, i, 0).record);
    }
  }
};

TEST_F(SeveralProcesses, CommitEveryRoundOnce) {
  static_cast<void>(create());
  in_processes(4, [this](unsigned seed) { work(seed); });
  expect_every_round_once(open());
}

TEST_F(SeveralProcesses, ThreadsWithAConnectionEachAreAsGood) {
  static_cast<void>(create());
  std::vector<std::string> messages(4);
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < messages.size(); ++seed) {
      threads.emplace_back([&, seed] { messages[seed] = message_of([&] { work(10 + seed); }); });
    }
  }
  EXPECT_THAT(messages, testing::Each("no error"));
  expect_every_round_once(open());
}

TEST_F(SeveralProcesses, MigrateOnce) {
  std::filesystem::copy_file(
      std::filesystem::path(GLASSWORKS_SOURCE_DIR) / "tests" / "db" / "data" / "version-1.sqlite", file_);
  in_processes(6, [this](unsigned) { open().add_worker(worker_row()); });
  EXPECT_EQ(open().workers().size(), 6U);
  EXPECT_EQ(open().realizations().size(), 4U);
}

}}  // namespace glassworks
