#include "base/threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/task_queue.hpp"
#include "kernels/core/team.hpp"
#include "kernels/rounds/round_teams.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

/// While it lives no thread can be started: each would need more memory for its stack than addresses have.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_{};
};

TEST(Threads, ThatNoneCanBeStartedIsASentence) {
  const NoThreads limit;
  EXPECT_THAT([] { const Thread thread([] {}); }, Fails());
  std::vector<Thread> threads;
  EXPECT_THROW(start_threads(threads, 3, [] {}), std::runtime_error);
  EXPECT_NO_THROW(start_threads(threads, 0, [] {}));
}

TEST(Threads, ATeamIsTheCallerAloneWhereNoThreadCanBeStarted) {
  const NoThreads limit;
  int calls = 0;
  ThreadTeam team(8);
  EXPECT_EQ(team.size(), 1);
  team.run([&](int rank) { calls += rank + 1; }, [] {});
  EXPECT_EQ(calls, 1);
}

TEST(Threads, ATeamThatIsGivenNothingEnds) { EXPECT_EQ(ThreadTeam(4).size(), 4); }

TEST(Threads, EveryRankOfATeamIsCalledOnce) {
  std::vector<std::atomic<int>> calls(6);
  ThreadTeam(6).run([&](int rank) { ++calls[static_cast<std::size_t>(rank)]; }, [] {});
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(Threads, WhatAMemberThrowsReachesTheCallerAndTheOthersLeaveTheirBarriers) {
  for (const int failing : {0, 1, 3}) {
    std::atomic<int> reached{0};
    const auto work = [&](int member, Team& team) {
      ASSERT_EQ(team.size, 4);
      for (int i = 0; i < 100; ++i) {
        if (member == failing && i == 50) throw std::bad_alloc();
        team.synchronize();
      }
      ++reached;
    };
    EXPECT_THROW(run_team(4, work), std::bad_alloc) << failing;
    EXPECT_EQ(reached, 0) << failing;
  }
}

TEST(Threads, ABarrierOfABrokenGroupIsBroken) {
  BarrierGroup group;
  group.break_all();
  TeamBarrier barrier(2, group);
  EXPECT_THROW(barrier.arrive_and_wait(), BarrierBroken);
}

TEST(Threads, MembersMeetAtEveryBarrier) {
  constexpr int members = 3, phases = 2000;
  std::vector<int> seen(members, 0);
  std::atomic<int> wrong{0};
  run_team(members, [&](int member, Team& team) {
    for (int phase = 0; phase < phases; ++phase) {
      seen[static_cast<std::size_t>(member)] = phase;
      team.synchronize();
      for (const int other : seen) wrong += other != phase ? 1 : 0;
      team.synchronize();
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<std::atomic<int>> calls(23);
    parallel_for(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& c) { return c == 1; })) << threads << " threads";
  }
}

TEST(ParallelFor, RethrowsWhatABodyThrows) {
  for (const int threads : {1, 2, 7}) {
    const auto body = [](std::size_t i) {
      if (i % 2 == 1) throw std::bad_alloc();
    };
    EXPECT_THROW(parallel_for(50, threads, body), std::bad_alloc) << threads;
  }
}

using Task = std::function<void()>;

auto call_each() {
  return [](const Task& task) { task(); };
}

TEST(TaskQueue, DoesEverythingBeforeItFinishes) {
  for (const std::size_t threads : {1U, 3U}) {
    std::atomic<int> done{0};
    TaskQueue<Task> queue(threads, call_each);
    for (int i = 0; i < 100; ++i) queue.post([&] { ++done; });
    queue.finish();
    EXPECT_EQ(done, 100);
  }
}

TEST(TaskQueue, GivesEachThreadItsOwnState) {
  std::atomic<int> made{0}, sum{0};
  {
    TaskQueue<int> queue(3, [&] {
      ++made;
      return [&sum, before = std::make_unique<int>(0)](int task) {
        sum += task - *before;  // telescopes to the last task of each thread
        *before = task;
      };
    });
    for (int i = 1; i <= 50; ++i) queue.post(i);
    queue.finish();
  }
  EXPECT_EQ(made, 3);
  EXPECT_GE(sum, 50);
  EXPECT_LE(sum, 50 + 49 + 48);
}

TEST(TaskQueue, DropsWhatWaitsWhenItGoes) {
  std::atomic<bool> begun{false}, released{false};
  std::atomic<int> done{0};
  {
    TaskQueue<Task> queue(1, call_each);
    queue.post([&] {
      begun = true;
      begun.notify_all();
      released.wait(false);
      ++done;
    });
    for (int i = 0; i < 5; ++i) queue.post([&] { ++done; });
    begun.wait(false);
    queue.stop();
    queue.post([&] { ++done; });
    released = true;
    released.notify_all();
  }
  EXPECT_EQ(done, 1);
}

TEST(TaskQueue, KeepsWhatIsThrownFirstAndBeginsNothingMore) {
  std::atomic<int> done{0};
  TaskQueue<Task> queue(1, call_each);
  std::atomic<bool> posted{false};
  queue.post([&] {
    posted.wait(false);
    throw std::bad_alloc();
  });
  for (int i = 0; i < 5; ++i) {
    queue.post([&] {
      ++done;
      throw std::runtime_error("later");
    });
  }
  posted = true;
  posted.notify_all();
  EXPECT_THROW(queue.finish(), std::bad_alloc);
  EXPECT_EQ(done, 0);
}

TEST(TaskQueue, NeedsOneThread) {
  const NoThreads limit;
  EXPECT_THAT([] { const TaskQueue<Task> queue(2, call_each); }, Fails());
}

/// A round that a member of a team cannot finish.
struct FailingRound {
  std::size_t task;
  std::vector<std::size_t>& stored;
  RoundOutcome run(int member, Team& team, RoundControl& control) {
    for (int i = 0; i < 10; ++i) {
      if (task == 3 && member == team.size - 1 && i == 5) throw std::bad_alloc();
      bool stop = false;
      if (member == 0) stop = control.stop || team.broken();
      team.synchronize();
      if (stop && team.size == 1) return RoundOutcome::abandoned;
    }
    return RoundOutcome::finished;
  }
  void store() { stored.push_back(task); }
};

TEST(Teams, ARoundThatThrowsEndsTheBatchAndStoresNothing) {
  for (const int threads : {1, 2, 4, 8}) {
    RoundControl control;
    std::vector<std::size_t> stored;
    const auto make = [&](std::optional<FailingRound>& round, std::size_t task, Team&) {
      round.emplace(FailingRound{task, stored});
    };
    EXPECT_THROW(run_in_teams<FailingRound>(4, threads, control, make), std::bad_alloc) << threads;
    EXPECT_TRUE(stored.empty()) << threads;
    EXPECT_EQ(run_in_teams<FailingRound>(3, threads, control, make), RoundOutcome::finished) << threads;
    EXPECT_EQ(stored.size(), 3U) << threads;
  }
}

TEST(Teams, ARoundThatCannotBeMadeEndsTheBatch) {
  for (const int threads : {1, 2, 5}) {
    RoundControl control;
    std::vector<std::size_t> stored;
    const auto make = [&](std::optional<FailingRound>& round, std::size_t task, Team&) {
      if (task == 1) throw std::bad_alloc();
      round.emplace(FailingRound{task, stored});
    };
    EXPECT_THROW(run_in_teams<FailingRound>(2, threads, control, make), std::bad_alloc) << threads;
  }
}

TEST(Teams, FewerThreadsThanAskedForDoTheSame) {
  const NoThreads limit;
  RoundControl control;
  std::vector<std::size_t> stored;
  const auto make = [&](std::optional<FailingRound>& round, std::size_t task, Team& team) {
    EXPECT_EQ(team.size, 1);
    round.emplace(FailingRound{task, stored});
  };
  EXPECT_EQ(run_in_teams<FailingRound>(3, 6, control, make), RoundOutcome::finished);
  EXPECT_EQ(stored.size(), 3U);
}

}}  // namespace glassworks
