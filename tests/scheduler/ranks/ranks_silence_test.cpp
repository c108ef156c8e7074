#include <string>
#include <vector>

#include "tests/refusals.hpp"
#include "tests/scheduler/ranks/ranks_fixture.hpp"

namespace glassworks::testing { namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RanksSilence : public RanksTest {
 protected:
  RanksSilence() {
    on_note_ = [this](const std::string& text) {
      if (text.find("rank 1 ") == std::string::npos) return;
      if (text.find("has not answered") != std::string::npos) lost_.happen();
      if (text.find("has rejoined") != std::string::npos) back_.happen();
    };
    now_ = [this] { return clock_.now(); };
  }

  template <class Message>
  static bool is(const Received& received) {
    try {
      return std::holds_alternative<Message>(decode_from_worker(received.bytes));
    } catch (const std::exception&) {
      return false;  // a greeting is no message of a worker
    }
  }

  HandClock clock_;
  Event lost_, back_, working_;
};

TEST_F(RanksSilence, GivesItsRealizationsToOthersAndRefusesItsLateCommit) {
  const std::string alone = expected();
  for (const bool sees_directory : {true, false}) {
    Config run = config(sees_directory ? "run" : "apart");
    run.workers.lease_seconds = 5;  // a sign of life every 0.83 s
    for (Event* event : {&lost_, &back_, &working_}) event->reset();
    notes_.clear();
    max_wait_.silence = 3s;
    // Time passes with the signs of life of rank 2, while nothing of rank 1 arrives.
    on_arrival_ = [this](const Received& received) {
      if (received.from == 2 && held_up(1) && is<Heartbeat>(received)) clock_.pass(1400ms);
    };
    const Member silent{.backends =
                            [this] {
                              return list_of(fake_worker(0, [this](const RoundStart& start) {
                                if (start.number != 1) return;
                                held_up(1) = true;
                                working_.happen();
                                lost_.wait_for_it();
                              }));
                            },
                        .sees_directory = sees_directory};
    // The other rank begins when the first one is at work, takes what that holds, and stays until it has come back.
    const Member other{.backends = [this] {
      working_.wait_for_it();
      return list_of(fake_worker(0, [this](const RoundStart& start) {
        if (start.number == 4) lost_.wait_for_it();
        if (start.number != 8) return;
        held_up(1) = false;
        back_.wait_for_it();
      }));
    }};
    const Result result = run_on_ranks(run, {silent, other});
    EXPECT_EQ(result.outcome, RunOutcome::complete);
    EXPECT_EQ(result.unfinished, 0);
    EXPECT_EQ(outcome(run), alone);
    EXPECT_THAT(
        notes_,
        Contains(ContainsRegex("rank 1 on n1 \\(process 101\\) has not answered for [0-9]+ s: the run continues")));
    EXPECT_THAT(notes_, Contains(HasSubstr("realizations are given to others")));
    EXPECT_THAT(notes_, Contains(HasSubstr("rank 1 on n1 (process 101) has finished")));
    const Database database = read_campaign(run);
    EXPECT_TRUE(database.workers().empty());
    for (const RealizationRow& row : database.realizations()) EXPECT_EQ(row.worker, 0);
  }
}

TEST_F(RanksSilence, OfARankThatIsStillThereIsNone) {
  Config run = config("run");
  run.workers.lease_seconds = 5;  // a sign of life every 0.83 s
  max_wait_.silence = 3s;
  // A round lasts twice as long as a rank may be silent.
  int signs = 0;
  on_arrival_ = [&](const Received& received) {
    if (!is<Heartbeat>(received)) return;
    clock_.pass(1400ms);
    if (++signs == 5) working_.happen();
  };
  const Member slow{.backends = [this] {
    return list_of(fake_worker(0, [this](const RoundStart& start) {
      if (start.number == 0) working_.wait_for_it();
    }));
  }};
  EXPECT_EQ(run_on_ranks(run, {slow}).outcome, RunOutcome::complete);
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(RanksSilence, AtTheEndIsNotWaitedForLong) {
  const Config run = config("run");
  max_wait_ = {.silence = 1500ms, .start = 1500ms, .end = 3s};
  // Time begins when the other rank has finished.
  std::optional<Coordinator::Clock::time_point> begin;
  on_arrival_ = [&](const Received& received) {
    if (received.from == 2 && is<Finished>(received)) begin = Coordinator::Clock::now();
  };
  now_ = [&] { return begin ? clock_.now() + (Coordinator::Clock::now() - *begin) : clock_.now(); };
  const Member dead{.course = [](Transport& transport) { transport.send(0, encode(hello_of(1))); }};
  const Result result = run_on_ranks(run, {dead, Member{}});
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  EXPECT_EQ(result.unfinished, 1);
  EXPECT_THAT(notes_, Contains(HasSubstr("rank 1 on n1 (process 101) has not answered")));
}

TEST_F(RanksSilence, OfAWholeRankBeforeTheRunEndsIt) {
  const Config run = config("run");
  hello_patience_ = 2s;
  const Member mute{.course = [](Transport&) {}};
  EXPECT_THAT([&] { run_on_ranks(run, {Member{}, mute, mute}); }, Refuses(InputFault::missing, "rank 2"));
  EXPECT_FALSE(std::filesystem::exists(run.campaign.directory));
}

TEST_F(RanksSilence, OfAnotherVersionEndsTheRunBeforeItBegins) {
  const Config run = config("run");
  Handshake old = hello_of(2);
  old.commit = "xyz";
  EXPECT_THAT(
      [&] {
        run_on_ranks(run, {Member{}, Member{.hello = old}, Member{}});
      },
      Refuses(InputFault::conflict, "rank 2"));
  EXPECT_FALSE(std::filesystem::exists(run.campaign.directory));
}

TEST_F(RanksSilence, WhatIsNoHelloEndsTheRunBeforeItBegins) {
  const Config run = config("run");
  const Member other_program{.course = [](Transport& transport) { transport.send(0, std::vector<std::byte>(40)); }};
  EXPECT_THAT([&] { run_on_ranks(run, {Member{}, other_program}); }, Refuses(InputFault::malformed, "rank 2"));
}

TEST_F(RanksSilence, WhatCannotBeUnderstoodEndsTheRun) {
  const Config run = config("run");
  const Member babbling{.course = [](Transport& transport) {
    transport.send(0, encode(hello_of(1)));
    while (!transport.receive()) std::this_thread::yield();  // Welcome
    transport.send(0, std::vector<std::byte>(100, std::byte{7}));
    transport.send(0, encode(FromWorker{Finished{}}));
  }};
  EXPECT_THAT([&] { run_on_ranks(run, {babbling, Member{}}); }, Fails());
}

}}  // namespace glassworks::testing
