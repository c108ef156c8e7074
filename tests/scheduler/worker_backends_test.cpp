#include "scheduler/devices/worker_backends.hpp"

#include "engine/loading/memory.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Config config_of(BackendKind kind, std::vector<int> devices = {}) {
  Config config;
  config.backend.options.kind = kind;
  config.backend.devices = std::move(devices);
  return config;
}

TEST(ChosenDevices, AreAllOrThoseOfTheConfiguration) {
  for (const BackendKind kind : {BackendKind::automatic, BackendKind::cuda}) {
    EXPECT_THAT(chosen_devices(config_of(kind), 0, "why"), IsEmpty());
    EXPECT_THAT(chosen_devices(config_of(kind), 3, ""), ElementsAre(0, 1, 2));
    EXPECT_THAT(chosen_devices(config_of(kind, {2, 0}), 3, ""), ElementsAre(2, 0));
  }
  for (const BackendKind kind : {BackendKind::reference, BackendKind::cpu}) {
    EXPECT_THAT(chosen_devices(config_of(kind), 3, ""), IsEmpty());
  }
}

TEST(ChosenDevices, OneThatIsNotThereIsRefusedWithTheNumberOfThose) {
  const auto choose = [](int available) {
    return [available] {
      static_cast<void>(chosen_devices(config_of(BackendKind::automatic, {0, 3}), available, "this build has none"));
    };
  };
  EXPECT_THAT(choose(3), Refuses(InputFault::unknown, "backend.devices"));
  EXPECT_THAT(choose(1), Refuses(InputFault::unknown, "backend.devices"));
  EXPECT_THAT(choose(0), Refuses(InputFault::unsupported, "backend.devices"));
}

TEST(WorkerBackends, OneWorkerWithoutDevices) {
  EXPECT_EQ(make_worker_backends(config_of(BackendKind::cpu)).size(), 1u);
  EXPECT_EQ(make_worker_backends(config_of(BackendKind::reference)).size(), 1u);
}

TEST(WorkerBackends, TwoWorkersForEachDevice) {
  const std::size_t devices = cuda_devices().size();
  if (devices == 0) {
    EXPECT_EQ(make_worker_backends(config_of(BackendKind::automatic)).size(), 1u);
    EXPECT_THAT([] { static_cast<void>(make_worker_backends(config_of(BackendKind::cuda))); },
                Refuses(InputFault::unsupported, "backend.kind").in_any_words());
    return;
  }
  const auto all = make_worker_backends(config_of(BackendKind::automatic));
  ASSERT_EQ(all.size(), 2 * devices);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].device, static_cast<int>(i % devices));
}

TEST(WorkerBackends, DescriptionCountsDevicesAndNamesEachKindOnce) {
  EXPECT_EQ(describe(list_of(fake_worker(0), fake_worker(0))), "backend fake 0");
  EXPECT_EQ(describe(list_of(fake_worker(0), fake_worker(2), fake_worker(0), fake_worker(2))),
            "2 devices: fake 0; fake 2");
}

TEST(AutomaticBatch, FollowsThePreferenceAsFarAsItFits) {
  const Chain chain = make_chain(small_config("nowhere"), 0);
  const double one = realization_bytes(chain.lattice, chain.slots(), chain.copies);
  constexpr double plenty = 1e15;
  EXPECT_EQ(automatic_batch(chain, 528, 1.0, plenty, {one}), 528);
  EXPECT_EQ(automatic_batch(chain, 528, 1.0, 100.5 * one, {one}), 100);
  EXPECT_EQ(automatic_batch(chain, 3, 1e-3, plenty, {one}), 3);
  EXPECT_EQ(automatic_batch(chain, 3, 1e-3, 0.0, {one}), 1);
}

TEST(AutomaticBatch, WithoutPreferenceIsAboutThreeSeconds) {
  const Chain chain = make_chain(small_config("nowhere"), 0);
  const double one = realization_bytes(chain.lattice, chain.slots(), chain.copies);
  constexpr double plenty = 1e15;
  EXPECT_EQ(automatic_batch(chain, 0, 0.03125, plenty, {one}), 96);
  EXPECT_EQ(automatic_batch(chain, 0, 10.0, plenty, {one}), 8);
  EXPECT_EQ(automatic_batch(chain, 0, 1e-6, plenty, {one}), 256);
  EXPECT_EQ(automatic_batch(chain, 0, 0.0, plenty, {one}), 256) << "a guess from the number of updates";
  EXPECT_EQ(automatic_batch(chain, 0, 10.0, 2.5 * one, {one}), 2);
}

}}  // namespace glassworks::testing
