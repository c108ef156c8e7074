#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "tests/refusals.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class DeviceFailure : public SmallCampaign {
 protected:
  /// Collects what is shown; `shown_` happens with the first message.
  RunObserver observer() {
    return {[this](const CampaignProgress& progress) { last_ = progress; },
            [this](const std::string& backend, const std::string& message) {
              messages_.push_back(backend + ": " + message);
              shown_.happen();
            },
            [this](const std::string& text) { notes_.push_back(text); }};
  }
  /// Rounds that were leased but not committed. The lease has raised the attempt, and so has its end.
  static int given_up(const Config& config) {
    int sum = 0;
    for (const RealizationRow& row : read_campaign(config).realizations()) {
      sum += row.attempt - static_cast<int>(row.rounds);
    }
    EXPECT_EQ(sum % 2, 0);
    return sum / 2;
  }

  std::vector<std::string> messages_, notes_;
  Event shown_;
  CampaignProgress last_;
};

TEST_F(DeviceFailure, OthersTakeOverItsRealizations) {
  const std::string alone = expected();
  const Config run = config("run");
  std::size_t lost = 0;
  const RoundHook healthy = [&](const RoundStart&) { shown_.wait_for_it(); };
  const RoundHook failing = [&](const RoundStart& start) {
    EXPECT_LE(start.number, 2) << "nothing more is given to it";
    if (start.number < 2) return;
    lost = start.tasks.size();
    throw std::runtime_error("device 1 is lost (unplugged). Plug it in.");
  };
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0, healthy, 2), fake_worker(1, failing, 2)), observer()),
            RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
  EXPECT_THAT(messages_, ElementsAre("fake 1: device 1 is lost (unplugged). Plug it in."));
  EXPECT_EQ(last_.devices, 1);
  EXPECT_GT(lost, 0u);
  EXPECT_EQ(given_up(run), static_cast<int>(lost));
  EXPECT_EQ(checkpoint_files(run).size(), 12u);
}

TEST_F(DeviceFailure, EndsBothWorkersOfTheDeviceAndIsShownOnce) {
  const std::string alone = expected();
  const RoundHook healthy = [&](const RoundStart&) { shown_.wait_for_it(); };
  for (const bool second_fails_too : {false, true}) {
    const Config run = config(second_fails_too ? "both" : "one");
    messages_.clear();
    shown_.reset();
    std::atomic<int> rounds{0}, given{0};
    const RoundHook failing = [&](const RoundStart& start) {
      const bool first = rounds++ == 0;
      given += static_cast<int>(start.tasks.size());
      if (!first) shown_.wait_for_it();
      if (first || second_fails_too) throw std::runtime_error("out of memory");
      given -= static_cast<int>(start.tasks.size());
    };
    EXPECT_EQ(
        run_campaign(run, list_of(fake_worker(0, healthy, 1), fake_worker(1, failing, 1), fake_worker(1, failing, 1)),
                     observer()),
        RunOutcome::complete);
    EXPECT_LE(rounds, 2) << "the other worker of the device ends after its round";
    EXPECT_THAT(messages_, ElementsAre("fake 1: out of memory"));
    EXPECT_EQ(given_up(run), given);
    EXPECT_EQ(outcome(run), alone);
  }
}

TEST_F(DeviceFailure, OfAllDevicesEndsTheRunWithTheFirstMessage) {
  const std::string alone = expected();
  const Config run = config("run");
  const RoundHook first = [](const RoundStart& start) {
    if (start.number == 1) throw std::runtime_error("the first is lost");
  };
  const RoundHook second = [&](const RoundStart&) {
    shown_.wait_for_it();
    throw std::runtime_error("the second is lost");
  };
  EXPECT_THAT([&] { run_campaign(run, list_of(fake_worker(0, first, 2), fake_worker(1, second, 2)), observer()); },
              ThrowsMessage<std::runtime_error>("the first is lost"));
  EXPECT_THAT(messages_, ElementsAre("fake 0: the first is lost", "fake 1: the second is lost"));
  EXPECT_EQ(last_.rounds, 2u) << "one batch was committed";
  EXPECT_EQ(run_campaign(run), RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(DeviceFailure, OfTheOnlyDeviceIsThrownAndNotShownBeside) {
  const RoundHook failing = [](const RoundStart& start) {
    if (start.number == 1) throw std::runtime_error("it is lost");
  };
  for (const int workers : {1, 2}) {
    std::vector<WorkerBackend> list;
    for (int i = 0; i < workers; ++i) list.push_back(fake_worker(0, failing, 1));
    EXPECT_THAT([&] { run_campaign(config("run" + std::to_string(workers)), std::move(list), observer()); },
                ThrowsMessage<std::runtime_error>("it is lost"));
    EXPECT_THAT(messages_, IsEmpty());
  }
}

/// Fails before its first round.
class Unwilling : public FakeDevice {
 public:
  Unwilling() : FakeDevice("unwilling", {}, 0, BackendKind::cpu) {}
  [[nodiscard]] int preferred_batch(const Chain&) const override { throw std::runtime_error("it is busy"); }
};

TEST_F(DeviceFailure, BeforeTheFirstRound) {
  const std::string alone = expected();
  const Config run = config("run");
  const RoundHook wait = [&](const RoundStart&) { shown_.wait_for_it(); };
  EXPECT_EQ(
      run_campaign(run, list_of(fake_worker(0, wait), WorkerBackend{std::make_unique<Unwilling>(), 1}), observer()),
      RunOutcome::complete);
  EXPECT_THAT(messages_, ElementsAre("unwilling: it is busy"));
  EXPECT_EQ(outcome(run), alone);
}

TEST_F(DeviceFailure, MemoryOfTheHostIsNoneOfThem) {
  const Config run = config("run");
  const RoundHook exhausting = [](const RoundStart& start) {
    if (start.number == 1) throw std::bad_alloc();
  };
  EXPECT_THROW(run_campaign(run, list_of(fake_worker(0, exhausting, 2), fake_worker(1, exhausting, 2)), observer()),
               std::bad_alloc);
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(DeviceFailure, OfTheHostAbandonsTheRoundsOfAllWorkers) {
  const Config run = config("run");
  Campaign campaign = Campaign::create_or_continue(run);
  RoundControl control;
  Event begun;
  const RoundHook long_round = [&](const RoundStart&) {
    begun.happen();
    for (int i = 0; i < 4000 && !control.stop; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(control.stop);
  };
  const RoundHook exhausting = [&](const RoundStart&) {
    begun.wait_for_it();
    throw std::bad_alloc();
  };
  WorkerPool pool(campaign, list_of(fake_worker(0, long_round), fake_worker(1, exhausting)), {});
  EXPECT_THROW(pool.run(control, observer()), std::bad_alloc);
  EXPECT_EQ(last_.rounds, 0u);
}

/// A campaign after the first round of each realization, and the newest checkpoint of realization 0.
std::filesystem::path first_checkpoint(const Config& run) {
  run_campaign(run, 6);
  return run.campaign.directory / "checkpoints" / read_campaign(run).realization({4, 0}).checkpoint;
}

TEST_F(DeviceFailure, AFileThatMayBeGoodStopsAllWorkers) {
  Config run = config("run");
  run.backend.batch = 1;
  const std::filesystem::path file = first_checkpoint(run);
  const std::string before = outcome(run);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(8).put(99);  // format version
  const RoundHook endless = [](const RoundStart& start) { ASSERT_LT(start.number, 20); };
  EXPECT_THAT([&] { run_campaign(run, list_of(fake_worker(0, endless), fake_worker(1, endless)), observer()); },
              Refuses(FileFault::withheld));
  EXPECT_THAT(messages_, IsEmpty()) << "it is the fault of no device";
  EXPECT_LT(last_.converged + last_.failed, 6u);
}

TEST_F(DeviceFailure, ADamagedStateIsMadeAgainAndStopsNobody) {
  const std::string alone = expected();
  Config run = config("run");
  run.backend.batch = 1;
  std::filesystem::resize_file(first_checkpoint(run), 100);
  EXPECT_EQ(run_campaign(run, list_of(fake_worker(0), fake_worker(1)), observer()), RunOutcome::complete);
  EXPECT_EQ(outcome(run), alone);
  EXPECT_THAT(messages_, IsEmpty());
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("restored to the bit")));
}

}}  // namespace glassworks::testing
