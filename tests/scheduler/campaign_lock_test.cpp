#include "scheduler/campaign/campaign_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/campaign/process.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::MatchesRegex;
using namespace std::chrono_literals;

class CampaignLockTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return scratch_.path() / "campaign.lock"; }
  [[nodiscard]] std::string holder() const {
    std::ifstream in(file());
    std::string line;
    std::getline(in, line);
    return line;
  }
  /// As another machine leaves the file that renewed it so long ago.
  void held_elsewhere(std::chrono::seconds silence) const {
    std::ofstream(file()) << "another-boot pid:[1]\nnode7\n";
    std::filesystem::last_write_time(file(), std::filesystem::file_time_type::clock::now() - silence);
  }

  ScratchDirectory scratch_;
};

TEST_F(CampaignLockTest, TheProcessesOfAMachineShareIt) {
  CampaignLock first(scratch_.path());
  EXPECT_TRUE(first.alone());
  EXPECT_EQ(holder(), machine_identity());
  first.share();
  EXPECT_FALSE(first.alone());
  const CampaignLock second(scratch_.path());
  EXPECT_FALSE(second.alone());
  EXPECT_EQ(holder(), machine_identity());
}

TEST_F(CampaignLockTest, OthersWaitUntilTheFirstShares) {
  CampaignLock first(scratch_.path());
  std::atomic<bool> in{false}, alone{true};
  std::jthread waiting([&] {
    const CampaignLock second(scratch_.path());
    alone = second.alone();
    in = true;
  });
  std::this_thread::sleep_for(100ms);
  EXPECT_FALSE(in) << "the first may still be creating the campaign";
  first.share();
  EXPECT_TRUE(soon([&] { return in.load(); }));
  EXPECT_FALSE(alone);
}

TEST_F(CampaignLockTest, WhoFindsNobodyIsAloneAgain) {
  { CampaignLock(scratch_.path()).share(); }
  EXPECT_TRUE(CampaignLock(scratch_.path()).alone());
}

TEST_F(CampaignLockTest, TheLastOneEmptiesTheFile) {
  {
    CampaignLock first(scratch_.path());
    first.share();
    { const CampaignLock second(scratch_.path()); }
    EXPECT_EQ(holder(), machine_identity()) << "the first is still there";
    const CampaignLock moved(std::move(first));
    EXPECT_EQ(holder(), machine_identity());
  }
  EXPECT_EQ(std::filesystem::file_size(file()), 0u);
}

TEST_F(CampaignLockTest, AKilledProcessOfThisMachineIsNoObstacle) {
  ChildProcess child([&] {
    CampaignLock lock(scratch_.path());
    lock.share();
    return ::raise(SIGKILL) != 0;
  });
  EXPECT_FALSE(child.wait());
  EXPECT_EQ(holder(), machine_identity()) << "it could not say that it went";
  EXPECT_TRUE(CampaignLock(scratch_.path()).alone());
}

TEST_F(CampaignLockTest, AnotherMachineThatGivesASignOfLifeIsRefusedInOneSentence) {
  held_elsewhere(50s);
  std::jthread other([&] {
    std::this_thread::sleep_for(300ms);
    held_elsewhere(0s);
  });
  std::string said;
  EXPECT_THAT([&] { CampaignLock(scratch_.path(), [&](const std::string& text) { said = text; }); },
              Refuses(InputFault::in_use, scratch_.path().string()).with_any_numbers());  // last heartbeat 0 or 1 s ago
  EXPECT_THAT(said, MatchesRegex(".*\\(node7\\): waiting up to (9|10) s for a heartbeat\\."));
  EXPECT_EQ(holder(), "another-boot pid:[1]");
}

TEST_F(CampaignLockTest, AStopEndsAWait) {
  const auto seconds_until_stopped = [&] {
    const auto begin = std::chrono::steady_clock::now();
    const auto stop = [&] { return std::chrono::steady_clock::now() > begin + 300ms; };
    EXPECT_THROW(CampaignLock(scratch_.path(), {}, CampaignUse::with_others, {}, stop), WaitStopped);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  held_elsewhere(1s);
  EXPECT_LT(seconds_until_stopped(), 20.0) << "for a heartbeat of another machine";
  EXPECT_EQ(holder(), "another-boot pid:[1]");
  std::filesystem::remove(file());
  const CampaignLock first(scratch_.path());
  EXPECT_LT(seconds_until_stopped(), 20.0) << "for a process that opens the campaign";
}

TEST_F(CampaignLockTest, AMachineThatIsSilentForTheRestOfAMinuteIsGone) {
  held_elsewhere(58s);
  const CampaignLock lock(scratch_.path());
  EXPECT_TRUE(lock.alone());
  EXPECT_EQ(holder(), machine_identity());
}

TEST_F(CampaignLockTest, ManyThatFindAnOldFileAllGetIn) {
  held_elsewhere(1h);
  std::atomic<int> in{0};
  {
    std::vector<std::jthread> starters;
    for (int i = 0; i < 8; ++i) {
      starters.emplace_back([&] {
        CampaignLock lock(scratch_.path());
        lock.share();
        ++in;
      });
    }
  }
  EXPECT_EQ(in, 8);
}

TEST_F(CampaignLockTest, AMachineThatHasBeenSilentForAMinuteIsGone) {
  held_elsewhere(62s);
  const CampaignLock lock(scratch_.path());
  EXPECT_TRUE(lock.alone());
  EXPECT_EQ(holder(), machine_identity());
}

TEST_F(CampaignLockTest, ALockThatIsSeenCountsMoreThanSilence) {
  held_elsewhere(1h);
  const int descriptor = ::open(file().c_str(), O_RDWR);
  ASSERT_EQ(::flock(descriptor, LOCK_SH), 0);
  EXPECT_THAT([&] { CampaignLock(scratch_.path()); },
              Refuses(InputFault::in_use, scratch_.path().string()).with_any_numbers());
  ::close(descriptor);
}

TEST_F(CampaignLockTest, ARenewalIsASignOfLife) {
  const CampaignLock lock(scratch_.path());
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(file(), now - 1h);
  lock.renew();
  EXPECT_GT(std::filesystem::last_write_time(file()), now - 5s);
}

constexpr const char* ranks = "a run over 4 ranks, Slurm job 123";

double seconds(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(CampaignLockTest, WhoWorksAloneIsNamedToOthersAtOnce) {
  const CampaignLock alone(scratch_.path(), {}, CampaignUse::alone, ranks);
  EXPECT_TRUE(alone.alone());
  for (const CampaignUse use : {CampaignUse::with_others, CampaignUse::alone}) {
    EXPECT_LT(seconds([&] {
                EXPECT_THAT(
                    [&] { CampaignLock(scratch_.path(), {}, use, "another one"); },
                    Refuses(InputFault::in_use, scratch_.path().string()).with_any_numbers());  // process N on HOST
              }),
              10.0)
        << "long before the minute in which others open a campaign";
  }
}

TEST_F(CampaignLockTest, WhoIsToBeAloneIsRefusedWhileOthersAreThere) {
  CampaignLock other(scratch_.path());
  std::atomic<bool> ended{false};
  std::jthread waiting([&] {
    EXPECT_THAT([&] { CampaignLock(scratch_.path(), {}, CampaignUse::alone, ranks); },
                Refuses(InputFault::in_use, scratch_.path().string()));
    ended = true;
  });
  std::this_thread::sleep_for(1s);
  EXPECT_FALSE(ended) << "the other one may be creating the campaign and end at once";
  other.share();
  waiting.join();
  EXPECT_EQ(holder(), machine_identity());
}

TEST_F(CampaignLockTest, WhoIsToBeAloneWaitsForOneThatIsLeaving) {
  auto other = std::make_unique<CampaignLock>(scratch_.path());
  std::jthread leaving([&] {
    std::this_thread::sleep_for(1s);
    other.reset();
  });
  EXPECT_TRUE(CampaignLock(scratch_.path(), {}, CampaignUse::alone, ranks).alone());
}

TEST_F(CampaignLockTest, WhoWorkedAloneAndWasKilledIsNoObstacle) {
  ChildProcess child([&] {
    const CampaignLock lock(scratch_.path(), {}, CampaignUse::alone, ranks);
    return ::raise(SIGKILL) != 0;
  });
  EXPECT_FALSE(child.wait());
  {
    // Its lines are still there when the next one has the lock and has not written its own.
    const int descriptor = ::open(file().c_str(), O_RDWR);
    ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
    std::jthread opening([&] {
      std::this_thread::sleep_for(300ms);
      ::close(descriptor);
    });
    EXPECT_NO_THROW(CampaignLock(scratch_.path()).share());
  }
  EXPECT_TRUE(CampaignLock(scratch_.path()).alone());
}

TEST_F(CampaignLockTest, SaysWhichOtherMachineIsAtWork) {
  EXPECT_FALSE(holder_elsewhere(scratch_.path())) << "there is no file";
  {
    const CampaignLock here(scratch_.path());
    EXPECT_FALSE(holder_elsewhere(scratch_.path()));
  }
  EXPECT_FALSE(holder_elsewhere(scratch_.path())) << "the last one has gone";
  std::ofstream(file()) << "another-boot pid:[1]\nnode7\n" << ranks << "\n4711 12\n";
  const auto renewed = [&](std::chrono::seconds ago) {
    std::filesystem::last_write_time(file(), std::filesystem::file_time_type::clock::now() - ago);
  };
  renewed(30s);
  const auto holder = holder_elsewhere(scratch_.path());
  ASSERT_TRUE(holder);
  EXPECT_THAT(holder->text(),
              MatchesRegex("node7, a run over 4 ranks, Slurm job 123, last heartbeat (29|30|31) s ago"));
  renewed(2h);
  EXPECT_FALSE(holder_elsewhere(scratch_.path())) << "silent, and it has no lock";
  const int descriptor = ::open(file().c_str(), O_RDWR);
  ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
  EXPECT_TRUE(holder_elsewhere(scratch_.path())) << "silent, but the file system knows its lock";
  ::close(descriptor);
}

/// What is refused as a lock.
class ForeignLock : public CampaignLockTest {
 protected:
  void expect_refusal() const {
    const auto refused = Refuses(InputFault::unusable_file, file().string());
    EXPECT_LT(seconds([&] { EXPECT_THAT([&] { CampaignLock(scratch_.path()); }, refused); }), 5.0);
    EXPECT_LT(seconds([&] { EXPECT_THAT([&] { (void)holder_elsewhere(scratch_.path()); }, refused); }), 5.0);
  }
  [[nodiscard]] static std::string content(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(ForeignLock, ALinkIsNotFollowedAndItsTargetStays) {
  const ScratchDirectory elsewhere;
  const auto target = elsewhere.path() / "precious.txt";
  std::ofstream(target) << "precious\n";
  std::filesystem::create_symlink(target, file());
  expect_refusal();
  EXPECT_EQ(content(target), "precious\n");
  std::filesystem::remove(target);
  expect_refusal();
  EXPECT_FALSE(std::filesystem::exists(target)) << "made through a link";
  std::filesystem::remove(file());
  std::ofstream(target) << "";
  std::filesystem::create_hard_link(target, file());
  expect_refusal();
}

TEST_F(ForeignLock, AFifoOrADirectoryIsNoReasonToWait) {
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  expect_refusal();
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  expect_refusal();
}

TEST_F(ForeignLock, AFileOfOtherContentStays) {
  for (const std::string& text : {std::string("remember the milk\n"),
                                  std::string("\x7F"
                                              "ELF\1\2"),
                                  std::string(5000, 'a')}) {
    std::ofstream(file(), std::ios::trunc) << text;
    expect_refusal();
    EXPECT_EQ(content(file()), text);
  }
  for (const std::string& torn :
       {std::string(), std::string(60, '\0'), machine_identity().substr(0, 20), machine_identity()}) {
    std::ofstream(file(), std::ios::trunc) << torn;
    EXPECT_TRUE(CampaignLock(scratch_.path()).alone());
  }
}

TEST_F(CampaignLockTest, WhatCannotBeLockedIsRefused) {
  EXPECT_THAT([&] { CampaignLock(scratch_.path() / "missing"); },
              Refuses(InputFault::unusable_file, (scratch_.path() / "missing").string()));
}

}}  // namespace glassworks::testing
