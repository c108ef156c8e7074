#include "tools/glassworks/dry_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <regex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/loading/memory.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"
#include "tools/glassworks/round_timing.hpp"
#include "tools/glassworks/time_estimate.hpp"

namespace glassworks::testing { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DryRun : public SmallCampaign {
 protected:
  static std::string text(const Config& config, std::vector<WorkerBackend> backends) {
    ::testing::internal::CaptureStdout();
    print_dry_run(config, std::move(backends));
    return ::testing::internal::GetCapturedStdout();
  }
  static WorkerBackend processor() {
    WorkerBackend worker = fake_worker(0);
    worker.is_processor = true;
    return worker;
  }
  /// Hours and seconds here of "Together: at least H UNIT (S s here)", as they are printed.
  static std::string together(const std::string& text) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("Together: at least ([^,]*), at most"))) return "nothing";
    return found[1];
  }
};

TEST_F(DryRun, CountsHoursOfDevicesThatAreNoProcessors) {
  const std::string gpus = text(config("new"), list_of(fake_worker(0), fake_worker(1), fake_worker(0), fake_worker(1)));
  EXPECT_THAT(gpus, HasSubstr("Dry run with 2 devices: fake 0; fake 1"));
  EXPECT_THAT(together(gpus), HasSubstr("GPU-hours"));
  EXPECT_THAT(gpus, Not(HasSubstr("core-hours")));
  EXPECT_THAT(gpus, Not(HasSubstr("GPU-hours: not measured")));
}

TEST_F(DryRun, CountsCoreHoursOfTheProcessor) {
  const std::string cores = text(config("new"), list_of(processor()));
  EXPECT_THAT(together(cores), HasSubstr("core-hours"));
  EXPECT_THAT(cores, HasSubstr("GPU-hours: not measured"));
}

TEST_F(DryRun, TimesTheBatchThatADevicePrefers) {
  const std::string preferred = text(config("new"), list_of(fake_worker(0, {}, 4), fake_worker(0, {}, 4)));
  EXPECT_THAT(preferred, HasSubstr("(measured with 4 at once)"));
  EXPECT_THAT(preferred, HasSubstr("in batches of 4\n"));
}

TEST_F(DryRun, CreatesNothing) {
  (void)text(config("new"), list_of(fake_worker(0)));
  EXPECT_FALSE(std::filesystem::exists(config("new").campaign.directory));
}

TEST_F(DryRun, TellsTheMemoryOfARealizationAndOfTheMachine) {
  const std::string of_machine = text(config("new"), list_of(processor()));
  EXPECT_THAT(of_machine,
              ::testing::ContainsRegex("memory +[0-9.]+ [KM]iB a realization; [0-9.]+ GiB can be used here"));
}

TEST_F(DryRun, TimesASmallerLatticeWhereTheRealOneNeedsTooMuchMemory) {
  Config run = config("new");
  run.model.L = {16};
  const Chain chain = make_chain(run, 0);
  const auto backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  const RoundTiming real = time_round(run, chain, *backend, 1, 1e12);
  EXPECT_EQ(real.lattice, chain.lattice);
  const MemoryNeed need = batch_need(run, chain, *backend);
  const RoundTiming small = time_round(run, chain, *backend, 1, 0.5 * need.of(1.0));
  EXPECT_EQ(small.lattice.L, 8);
  EXPECT_GT(small.seconds, 0.1 * real.seconds) << "in proportion to the sites";
  EXPECT_LT(small.seconds, 10.0 * real.seconds);
}

/// Rounds take 40 ms, 1 us for each exchange and 2 ns for each spin.
class SlowStart final : public HostBackend {
 public:
  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl&) override {
    const double exchanges = 1.0 * chain.measurements * chain.protocol.exchanges_per_measurement;
    const double spins =
        static_cast<double>(chain.lattice.sites()) * chain.replicas() * static_cast<double>(batch.size());
    std::this_thread::sleep_for(std::chrono::duration<double>(0.04 + 1e-6 * exchanges + 2e-9 * spins));
    return RoundOutcome::finished;
  }
  std::string refusal(const Chain&) const override { return {}; }
  std::string description() const override { return "slow start"; }
};

/// As on a GPU, where a round of many realizations begins and ends with copies of their states.
TEST_F(DryRun, CountsOnceWhatARoundTakesWhateverItsLength) {
  Config run = config("new");
  run.model.L = {4};
  Chain chain = make_chain(run, 0);
  chain.measurements = 100;
  chain.protocol.exchanges_per_measurement = 1000;
  SlowStart backend;
  const RoundTiming timing = time_round(run, chain, backend, 4, 1e12);
  EXPECT_EQ(timing.lattice, chain.lattice);
  EXPECT_GT(4 * timing.seconds, 0.1) << "0.14 s";
  EXPECT_LT(4 * timing.seconds, 0.5) << "0.14 s";
}

/// 4 million spins take 50 ms.
TEST_F(DryRun, TimesTheRealLatticeWhereASmallerOneTakesHardlyLess) {
  Config run = config("new");
  run.model.L = {64};
  Chain chain = make_chain(run, 0);
  ASSERT_GT(static_cast<double>(chain.lattice.sites()) * chain.replicas(), 2.0e6);
  SlowStart backend;
  EXPECT_EQ(time_round(run, chain, backend, 1, 1e12).lattice, chain.lattice);
}

TEST(SmallerLattice, KeepsWhatTheChainNeeds) {
  Chain chain;
  chain.lattice = {2, 4096};
  EXPECT_EQ(smaller_lattice(chain)->L, 2048);
  chain.lattice.L = 18;
  EXPECT_EQ(smaller_lattice(chain)->L, 8) << "even";
  chain.lattice.L = 6;
  EXPECT_FALSE(smaller_lattice(chain));
  chain.lattice.L = 48;
  chain.protocol.tile = 8;
  EXPECT_EQ(smaller_lattice(chain)->L, 16) << "a multiple of two tiles";
  chain.protocol.tile = 0;
  chain.protocol.kind = ProtocolKind::few_cluster;
  chain.protocol.seed_tile = 12;
  EXPECT_EQ(smaller_lattice(chain)->L, 24);
  chain.lattice = {.dim = 3, .L = 3000, .lengths = {4, 4, 3000}};
  EXPECT_EQ(smaller_lattice(chain)->lengths[2], 1500);
  chain.lattice = {.dim = 3, .L = 4, .lengths = {4, 4, 4}};
  EXPECT_FALSE(smaller_lattice(chain));
}

TEST(TimeEstimate, TellsOfLongWorkAloneAndOnlyAfterATrial) {
  EXPECT_EQ(TimeEstimate::text("descents of L = 8", 1.9, 1, 1000), "");
  EXPECT_EQ(TimeEstimate::text("descents of L = 8", 3.0, 0, 1000), "");
  EXPECT_EQ(TimeEstimate::text("descents of L = 8", 3.0, 10, 190), "");
  EXPECT_EQ(TimeEstimate::text("descents of L = 8", 3.0, 1000, 1000), "");
  EXPECT_EQ(TimeEstimate::text("descents of L = 8", 3.0, 10, 210),
            "Note: descents of L = 8: 10 of 210 took 3 s; about 1 min 00 s left.");
}

TEST(ResourceWarnings, SayWhatIsTooSmall) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0, year = 365.25 * 86400.0;
  const ResourceNeeds enough{.checkpoints = 2 * gib,
                             .database_least = gib,
                             .database_most = 4 * gib,
                             .disk_free = 10 * gib,
                             .memory = gib,
                             .memory_of_machine = 8 * gib,
                             .seconds_least = 0.9 * year};
  EXPECT_EQ(resource_warnings(enough), "");
  ResourceNeeds needs = enough;
  needs.disk_free = 2 * gib;
  EXPECT_THAT(resource_warnings(needs),
              HasSubstr("disk is too small: at least 3.0 GiB are needed and 2.0 GiB are free"));
  needs.disk_free = 5 * gib;
  EXPECT_THAT(resource_warnings(needs),
              HasSubstr("disk may be too small: up to 6.0 GiB are needed and 5.0 GiB are free"));
  needs.disk_free = std::nullopt;
  EXPECT_EQ(resource_warnings(needs), "");
  needs = enough;
  needs.memory = 9 * gib;
  EXPECT_THAT(resource_warnings(needs),
              HasSubstr("memory is too small: 9.0 GiB are needed and this machine has 8.0 GiB"));
  needs = enough;
  needs.memory_free = 0.5 * gib;
  EXPECT_THAT(resource_warnings(needs), HasSubstr("memory is too small now: 1.0 GiB are needed and 512 MiB are free"));
  needs = enough;
  needs.seconds_least = 12.3 * year;
  EXPECT_THAT(resource_warnings(needs), HasSubstr("time is too long: at least 12 years on this machine"));
}

}}  // namespace glassworks::testing
