#include "tools/glassworks/new_start.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "kernels/rounds/round_control.hpp"
#include "kernels/series/series_measurer.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"
#include "tools/glassworks/campaign_part.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A campaign on fake devices that are watched.
class NewStart : public SmallCampaign {
 protected:
  void run(const Config& config, std::vector<WorkerBackend> devices) {
    const RunObserver observer{{},
                               [this](const std::string& backend, const std::string&) {
                                 failed_.push_back(backend + (watch_.is_consequence(backend) ? ", a consequence" : ""));
                                 shown_.happen();
                               },
                               {}};
    run_campaign(config, watch_.watched(std::move(devices)), observer);
  }
  /// Fails in its second round, after `event` if there is one.
  template <class Error>
  static RoundHook failing(Event* event = nullptr) {
    return [event](const RoundStart& start) {
      if (start.number < 1) return;
      if (event != nullptr) event->wait_for_it();
      throw Error("it has failed (test). Try another one.");
    };
  }

  DeviceWatch watch_;
  std::vector<std::string> failed_;
  Event shown_;
};

TEST_F(NewStart, OthersGoOnAfterOneWasLost) {
  const std::string alone = expected();
  const Config campaign = config("run");
  EXPECT_THROW(
      run(campaign, list_of(fake_worker(0, failing<DeviceLost>(&shown_), 1), fake_worker(3, failing<DeviceLost>(), 1),
                            fake_worker(5, failing<DeviceLost>(&shown_), 1))),
      DeviceLost);
  EXPECT_THAT(watch_.others(), ElementsAre(0, 5));
  EXPECT_EQ(failed_.size(), 3u);
  EXPECT_EQ(failed_.front(), "fake 3");
  EXPECT_THAT(std::vector(failed_.begin() + 1, failed_.end()),
              ::testing::UnorderedElementsAre("fake 0, a consequence", "fake 5, a consequence"));

  // Leases, lock and database are free at once for those who go on.
  EXPECT_TRUE(read_campaign(campaign).workers().empty());
  for (const RealizationRow& row : read_campaign(campaign).realizations())
    EXPECT_EQ(row.worker, 0) << row.key.realization;
  EXPECT_EQ(run_campaign(campaign, list_of(fake_worker(0), fake_worker(1))), RunOutcome::complete);
  EXPECT_EQ(outcome(campaign), alone);
}

TEST_F(NewStart, WhatFailedBeforeIsNotAmongTheOthers) {
  EXPECT_THROW(run(config("run"), list_of(fake_worker(0, failing<DeviceLost>(&shown_), 1),
                                          fake_worker(1, failing<std::runtime_error>(), 1))),
               std::runtime_error);
  EXPECT_THAT(failed_, ElementsAre("fake 1", "fake 0")) << "the first is no consequence";
  EXPECT_THAT(watch_.others(), IsEmpty());
}

TEST_F(NewStart, NeedsALostDevice) {
  EXPECT_THAT(watch_.others(), IsEmpty());
  EXPECT_THROW(run(config("run"), list_of(fake_worker(0, failing<std::runtime_error>(), 1),
                                          fake_worker(1, failing<std::runtime_error>(), 1))),
               std::runtime_error);
  EXPECT_THAT(watch_.others(), IsEmpty());
  EXPECT_FALSE(watch_.is_consequence("fake 0"));
}

TEST_F(NewStart, TheOnlyDeviceHasNoOthers) {
  EXPECT_THROW(
      run(config("run"), list_of(fake_worker(0, failing<DeviceLost>(), 1), fake_worker(0, failing<DeviceLost>(), 1))),
      DeviceLost);
  EXPECT_THAT(watch_.others(), IsEmpty());
}

TEST_F(NewStart, MemoryOfTheHostIsNoFailureOfADevice) {
  const RoundHook out_of_memory = [](const RoundStart&) { throw std::bad_alloc(); };
  EXPECT_THROW(run(config("run"), list_of(fake_worker(0, out_of_memory, 1), fake_worker(1, {}, 1))), std::bad_alloc);
  EXPECT_THAT(watch_.others(), IsEmpty());
}

/// Second histories run after the first ones have finished, in the same process.
TEST_F(NewStart, OthersGoOnAfterOneWasLostInSecondHistories) {
  Config campaign = config("run");
  campaign.campaign.second_start = SecondStart::ordered;
  ASSERT_EQ(run_campaign(campaign, list_of(fake_worker(0))), RunOutcome::complete);
  const ParsedArguments none;
  const RunRequest request = request_of(none, std::chrono::steady_clock::now());
  ::testing::internal::CaptureStdout();
  const auto devices = [&](const Config&) {
    return list_of(fake_worker(0, failing<DeviceLost>(&shown_), 1),
                   fake_worker(
                       3,
                       [this](const RoundStart& start) {
                         if (start.number < 1) return;
                         shown_.happen();
                         throw DeviceLost("it has failed (test). Try another one.");
                       },
                       1));
  };
  EXPECT_THROW(run_second_histories(campaign, request, watch_, devices), DeviceLost);
  EXPECT_TRUE(watch_.lost());
  EXPECT_EQ(watch_.others().size(), 1u) << "the one that was not lost";
  const auto one = [](const Config&) { return list_of(fake_worker(0)); };
  DeviceWatch again;
  EXPECT_EQ(run_second_histories(campaign, request, again, one), 0) << "in the new process";
  ::testing::internal::GetCapturedStdout();
}

TEST(DeviceWatch, LeavesTheProcessorAlone) {
  DeviceWatch watch;
  WorkerBackend processor = fake_worker(0);
  processor.is_processor = true;
  const Backend* const before = processor.backend.get();
  EXPECT_EQ(watch.watched(list_of(std::move(processor))).front().backend.get(), before);
}

/// A device that measures courses itself, and is lost while it does so.
class MeasuringBatch final : public HeldBatch, public SeriesMeasurer {
 public:
  RoundOutcome run_round(std::span<RoundRecord>, RoundControl&) override { return RoundOutcome::finished; }
  void set_conditions(const Conditions&, RoundLength) override {}
  [[nodiscard]] ChainState state(std::size_t) const override { return {}; }
  [[nodiscard]] SeriesMeasurer* series_measurer() override { return this; }
  [[nodiscard]] bool measure(std::size_t, const SeriesLayout&, std::span<const std::vector<KeptSpins>>, int,
                             std::span<double> rows) override {
    if (rows.empty()) throw DeviceLost("it has failed (test). Try another one.");
    return true;
  }
};

class MeasuringBackend final : public Backend {
 public:
  RoundOutcome run_round(const Chain&, std::span<const RoundTask>, RoundControl&) override {
    return RoundOutcome::finished;
  }
  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain&, std::vector<HeldTask>) override {
    return std::make_unique<MeasuringBatch>();
  }
  [[nodiscard]] std::string refusal(const Chain&) const override { return ""; }
  [[nodiscard]] std::string description() const override { return "measuring"; }
};

TEST(DeviceWatch, LetsDevicesMeasureCourses) {
  DeviceWatch watch;
  WorkerBackend worker = fake_worker(0);
  worker.backend = std::make_unique<MeasuringBackend>();
  const std::vector<WorkerBackend> watched = watch.watched(list_of(std::move(worker)));
  const std::unique_ptr<HeldBatch> held = watched.front().backend->hold({}, {});
  SeriesMeasurer* const measurer = held->series_measurer();
  ASSERT_NE(measurer, nullptr);
  const SeriesLayout layout({{}, Lattice{3, 4}, 2, 0, {}});
  std::vector<double> rows(1);
  EXPECT_TRUE(measurer->measure(0, layout, {}, 1, rows));
  EXPECT_THROW(static_cast<void>(measurer->measure(0, layout, {}, 1, {})), DeviceLost);
  EXPECT_TRUE(watch.lost());
}

TEST(DeviceWatch, KeepsDescriptionAndPreferredBatch) {
  DeviceWatch watch;
  const auto watched = watch.watched(list_of(fake_worker(4, {}, 7)));
  EXPECT_EQ(watched.front().device, 4);
  EXPECT_EQ(watched.front().backend->description(), "fake 4");
  EXPECT_EQ(watched.front().backend->preferred_batch(Chain{}), 7);
}

/// States that stay on a device, which is lost.
class BatchOfLostDevice final : public HeldBatch {
 public:
  RoundOutcome run_round(std::span<RoundRecord>, RoundControl&) override { throw DeviceLost("lost in a round"); }
  void set_conditions(const Conditions&, RoundLength) override { throw DeviceLost("lost before a piece of a course"); }
  [[nodiscard]] ChainState state(std::size_t) const override { throw DeviceLost("lost when a state was wanted"); }
  [[nodiscard]] std::vector<StateDigest> digests() const override { throw DeviceLost("lost when digests were made"); }
};

class HoldingDevice final : public Backend {
 public:
  RoundOutcome run_round(const Chain&, std::span<const RoundTask>, RoundControl&) override {
    throw std::logic_error("states were taken off the device");
  }
  [[nodiscard]] std::unique_ptr<HeldBatch> hold(const Chain&, std::vector<HeldTask>) override {
    return std::make_unique<BatchOfLostDevice>();
  }
  [[nodiscard]] std::string refusal(const Chain&) const override { return {}; }
  [[nodiscard]] std::string description() const override { return "holding"; }
};

TEST(DeviceWatch, LeavesStatesOnTheDevice) {
  const auto lost_by = [](const auto& use) {
    DeviceWatch watch;
    std::vector<WorkerBackend> devices;
    devices.push_back({std::make_unique<HoldingDevice>(), 6});
    const auto watched = watch.watched(std::move(devices));
    const Chain chain;
    const std::unique_ptr<HeldBatch> batch = watched.front().backend->hold(chain, {});
    EXPECT_THROW(use(*batch), DeviceLost);
    return watch.lost();
  };
  EXPECT_EQ(lost_by([](HeldBatch& batch) {
              RoundControl control;
              (void)batch.run_round({}, control);
            }),
            6);
  EXPECT_EQ(lost_by([](HeldBatch& batch) { batch.set_conditions({}, {}); }), 6);
  EXPECT_EQ(lost_by([](HeldBatch& batch) { (void)batch.state(0); }), 6);
  EXPECT_EQ(lost_by([](HeldBatch& batch) { (void)batch.digests(); }), 6);
}

TEST(ArgumentsOfNewStart, ChangeDevicesAndTimeOnly) {
  const Arguments given{"first.cfg", "--model.L=4",       "--backend.devices=0,1", "--time-limit",
                        "1h",        "--backend.batch=3", "--time-limit=2h",       "--campaign.directory=a b"};
  EXPECT_THAT(arguments_of_new_start(given, 2, 90.5),
              ElementsAre("first.cfg", "--model.L=4", "--backend.batch=3", "--campaign.directory=a b",
                          "--backend.devices=0,1", "--time-limit=90.500"));
  EXPECT_THAT(arguments_of_new_start({"first.cfg"}, 1, std::nullopt), ElementsAre("first.cfg", "--backend.devices=0"));
  EXPECT_THAT(arguments_of_new_start({"--backend.devices", "0,1", "first.cfg", "--model.L", "4"}, 1, std::nullopt),
              ElementsAre("first.cfg", "--model.L", "4", "--backend.devices=0"));
  EXPECT_THAT(arguments_of_new_start({"first.cfg"}, 1, 1e-9).back(), "--time-limit=0.001");
}

TEST(PlanOfNewStart, GivesEveryDeviceASecondChanceOnce) {
  // Three devices that are all lost: 1, 0, 2 and, after their second chance, 0, 2, 1.
  const auto first = plan_new_start({"GPU-0", "GPU-2"}, "GPU-1", "");
  EXPECT_THAT(first.devices, ElementsAre("GPU-0", "GPU-2"));
  const auto second = plan_new_start({"GPU-2"}, "GPU-0", first.left_out);
  EXPECT_THAT(second.devices, ElementsAre("GPU-2"));
  const auto third = plan_new_start({}, "GPU-2", second.left_out);
  EXPECT_THAT(third.devices, ElementsAre("GPU-1", "GPU-0")) << "the last one is at fault now";
  const auto fourth = plan_new_start({"GPU-2"}, "GPU-1", third.left_out);
  EXPECT_THAT(fourth.devices, ElementsAre("GPU-2"));
  EXPECT_THAT(plan_new_start({}, "GPU-2", fourth.left_out).devices, IsEmpty());
}

TEST(PlanOfNewStart, OneDeviceHasNothingToGoOnWith) { EXPECT_THAT(plan_new_start({}, "GPU-0", "").devices, IsEmpty()); }

TEST_F(NewStart, KnowsTheLostDevice) {
  EXPECT_FALSE(watch_.lost());
  EXPECT_THROW(run(config("run"), list_of(fake_worker(2, failing<DeviceLost>(), 1))), DeviceLost);
  EXPECT_EQ(watch_.lost(), 2);
}

constexpr const char* note_variable = "GLASSWORKS_TEST_NOTE";

/// Not a test by itself: what the new process of the next test does.
TEST(NewProcess, DISABLED_WritesWhatItSees) {
  std::ofstream note(std::getenv(note_variable));
  note << getpid() << ' ' << std::getenv("CUDA_VISIBLE_DEVICES") << ' ' << std::getenv(left_out_variable) << ' '
       << (access("/proc/self/fd/100", F_OK) == 0);
}

TEST(NewProcess, SeesItsDevicesAndNoOldFiles) {
  const ScratchDirectory scratch;
  const std::filesystem::path file = scratch.path() / "note";
  ChildProcess child([&] {
    setenv(note_variable, file.c_str(), 1);
    if (dup2(STDERR_FILENO, 100) != 100) return false;
    std::thread other([] { pause(); });  // a new start ends all threads
    restart_process("run", {"--gtest_filter=NewProcess.DISABLED_*", "--gtest_also_run_disabled_tests"},
                    {{"GPU-1", "GPU-7"}, "GPU-3"});
  });
  const pid_t pid = child.pid();
  EXPECT_TRUE(child.wait());
  std::ifstream note(file);
  std::string found;
  std::getline(note, found);
  EXPECT_EQ(found, std::to_string(pid) + " GPU-1,GPU-7 GPU-3 0");
}

}}  // namespace glassworks::testing
