#include "scheduler/ranks/node_share.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <numeric>
#include <set>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Read by RapidCheck at its first property.
const int fixed_seed = ::setenv("RC_PARAMS", "seed=20240229", 0);

std::vector<int> range(int first, int end) {
  std::vector<int> numbers(static_cast<std::size_t>(end - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

RankPlace place(const std::string& node, std::vector<int> processors, std::vector<std::string> devices = {},
                int processors_of_node = 8) {
  return {node, std::move(processors), processors_of_node, std::move(devices)};
}

Config config_with(BackendKind kind) {
  Config config;
  config.backend.options.kind = kind;
  return config;
}
const Config automatic = config_with(BackendKind::automatic), cuda = config_with(BackendKind::cuda),
             processors_only = config_with(BackendKind::cpu);

std::vector<RankShare> shares_of(const std::vector<RankPlace>& places, const Config& config = automatic,
                                 RootRole root = RootRole::simulates) {
  return share_nodes(places, config, root);
}

TEST(NodeShare, ProcessorsThatTheLauncherHasDividedStayWithTheirRanks) {
  const auto shares = shares_of({place("n1", {0, 1, 2}), place("n1", {4}), place("n2", range(0, 8))});
  EXPECT_EQ(shares[0], (RankShare{true, 3, {}, 2}));
  EXPECT_EQ(shares[1], (RankShare{true, 1, {}, 2}));
  EXPECT_EQ(shares[2], (RankShare{true, 8, {}, 1}));
}

TEST(NodeShare, ProcessorsThatAllSeeAreDividedEqually) {
  const auto shares = shares_of({place("n", range(0, 8)), place("n", range(0, 8)), place("n", range(0, 8))});
  EXPECT_EQ(shares[0].threads, 3);
  EXPECT_EQ(shares[1].threads, 3);
  EXPECT_EQ(shares[2].threads, 2);
}

TEST(NodeShare, AJobUsesNoMoreProcessorsThanItWasGiven) {
  const auto shares = shares_of(std::vector(2, place("n", range(0, 64), {}, 8)));
  EXPECT_EQ(shares[0].threads, 4);
  EXPECT_EQ(shares[1].threads, 4);
  EXPECT_EQ(shares_of({place("n", range(0, 64), {}, 0)})[0].threads, 64);  // it was not told
  EXPECT_EQ(shares_of(std::vector(3, place("n", range(0, 64), {}, 2)))[2].threads, 1);
}

TEST(NodeShare, EveryRankHasAThread) {
  for (const RankShare& share : shares_of({place("n", {0}), place("n", {0}), place("n", {})})) {
    EXPECT_EQ(share.threads, 1);
    EXPECT_EQ(share.sharers, 3);
  }
}

TEST(NodeShare, DevicesThatAllSeeAreDealtOut) {
  const std::vector<std::string> all{"a", "b", "c", "d"};
  const auto shares = shares_of({place("n", range(0, 8), all), place("n", range(0, 8), all)});
  EXPECT_EQ(shares[0], (RankShare{true, 4, {0, 2}, 8}));
  EXPECT_EQ(shares[1], (RankShare{true, 4, {1, 3}, 8}));
}

/// Under srun --gpus-per-task every rank calls its own device number 0.
TEST(NodeShare, DevicesThatTheLauncherHasDividedStayWithTheirRanks) {
  const auto shares = shares_of({place("n", {0}, {"a"}), place("n", {1}, {"b"}), place("m", {0}, {"a", "b"})});
  EXPECT_THAT(shares[0].devices, ElementsAre(0));
  EXPECT_THAT(shares[1].devices, ElementsAre(0));
  EXPECT_THAT(shares[2].devices, ElementsAre(0, 1));
}

TEST(NodeShare, ARankThatSeesFewDevicesGetsThemFirst) {
  const auto shares = shares_of({place("n", {0}, {"a", "b"}), place("n", {1}, {"a"})});
  EXPECT_THAT(shares[0].devices, ElementsAre(1));
  EXPECT_THAT(shares[1].devices, ElementsAre(0));
}

TEST(NodeShare, WithoutADeviceOnANodeThatHasSomeARankTakesNoPart) {
  for (const Config& config : {automatic, cuda}) {
    const auto places = std::vector(4, place("n", range(0, 8), {"a", "b"}));
    const auto shares = shares_of(places, config);
    EXPECT_FALSE(shares[0].simulates);  // it has the coordinating to do
    EXPECT_EQ(shares[1], (RankShare{true, 4, {0}, 4}));
    EXPECT_EQ(shares[2], (RankShare{true, 4, {1}, 4}));
    EXPECT_FALSE(shares[3].simulates);
    EXPECT_EQ(describe_ranks(places, shares),
              "4 ranks on 1 node. n: 1 rank which only coordinates, 2 ranks with 1 CUDA device and 4 threads, 1 rank "
              "without a part.");
    EXPECT_THAT(share_notes(places, shares, config),
                ElementsAre("n: 2 CUDA devices for 4 ranks, so 1 of them takes no part (only ranks with a device "
                            "simulate where there are some). Start as many ranks as there are devices."));
  }
}

TEST(NodeShare, ProcessorsAloneIgnoreDevices) {
  const auto shares = shares_of(std::vector(2, place("n", range(0, 8), {"a"})), processors_only);
  EXPECT_EQ(shares[0], (RankShare{true, 4, {}, 2}));
  EXPECT_EQ(shares[1], (RankShare{true, 4, {}, 2}));
}

TEST(NodeShare, NodesMayDiffer) {
  const auto shares = shares_of({place("cpu", range(0, 8)), place("gpu", range(0, 8), {"a"})});
  EXPECT_EQ(shares[0], (RankShare{true, 8, {}, 1}));
  EXPECT_EQ(shares[1], (RankShare{true, 8, {0}, 2}));
  // Where CUDA is asked for, rank 0 may do without, but no other rank.
  const auto with_cuda = shares_of({place("cpu", range(0, 8)), place("gpu", range(0, 8), {"a"})}, cuda);
  EXPECT_FALSE(with_cuda[0].simulates);
  EXPECT_TRUE(with_cuda[1].simulates);
  EXPECT_THAT(
      [&] {
        return shares_of({place("gpu", {0}, {"a"}), place("cpu", {0})}, cuda);
      },
      Refuses(InputFault::unsupported, "backend.kind"));
  EXPECT_THAT([&] { return shares_of({place("cpu", {0})}, cuda); }, Refuses(InputFault::unsupported, "backend.kind"));
}

TEST(NodeShare, ACoordinatorLeavesTheNodeToTheOthers) {
  const std::vector places(3, place("n", range(0, 8), {"a", "b"}));
  const auto shares = shares_of(places, automatic, RootRole::coordinates);
  EXPECT_FALSE(shares[0].simulates);
  EXPECT_EQ(shares[1], (RankShare{true, 4, {0}, 4}));
  EXPECT_EQ(shares[2], (RankShare{true, 4, {1}, 4}));
  EXPECT_THAT(share_notes(places, shares, automatic), IsEmpty());
}

TEST(NodeShare, TheConfigurationChoosesAmongDevices) {
  Config config = automatic;
  config.backend.devices = {1, 3};
  const std::vector<std::string> all{"a", "b", "c", "d"};
  const auto shares = shares_of({place("n", {0}, all), place("n", {1}, all)}, config);
  EXPECT_THAT(shares[0].devices, ElementsAre(1));
  EXPECT_THAT(shares[1].devices, ElementsAre(3));
  EXPECT_THAT([&] { return shares_of({place("n", {0}, {"a"})}, config); },
              Refuses(InputFault::unknown, "backend.devices"));
  EXPECT_THAT([&] { return shares_of({place("n", {0})}, config); },
              Refuses(InputFault::unsupported, "backend.devices"));
}

TEST(NodeShare, GivenThreadsAreThoseOfEachRank) {
  Config config = automatic;
  config.backend.options.threads = 3;
  const std::vector places(2, place("n", {0, 1}));
  const auto shares = shares_of(places, config);
  EXPECT_EQ(shares[0].threads, 3);
  EXPECT_EQ(shares[1].threads, 3);
  EXPECT_THAT(share_notes(places, shares, config), ElementsAre(HasSubstr("n: 6 threads share 2 of 8 processors")));
}

TEST(NodeShare, BoundRanksAreNoted) {
  const std::vector places{place("n", {0}, {}, 16), place("n", {1}, {}, 16), place("m", {0, 1}, {}, 16)};
  EXPECT_THAT(share_notes(places, shares_of(places), automatic),
              ElementsAre("n, m: the ranks use 2 of 16 processors (the launcher binds them to these). Have more given "
                          "to them by `srun --cpus-per-task=C` or `mpirun --bind-to none`."));
  const std::vector whole(2, place("n", range(0, 8)));
  EXPECT_THAT(share_notes(whole, shares_of(whole), automatic), IsEmpty());
}

TEST(NodeShare, EqualNodesAreDescribedTogether) {
  std::vector<RankPlace> places;
  for (int node = 1; node <= 6; ++node) {
    for (int rank = 0; rank < 2; ++rank) places.push_back(place(fmt::format("n{}", node), range(0, 8), {"a", "b"}));
  }
  places.push_back(place("big", range(0, 16), {}, 16));
  EXPECT_EQ(describe_ranks(places, shares_of(places)),
            "13 ranks on 7 nodes. n1, n2, n3 and 3 more: 2 ranks with 1 CUDA device and 4 threads; big: 1 rank with 16 "
            "threads.");
}

TEST(NodeShare, TheConfigurationOfARank) {
  const Config with_devices = config_of_rank(automatic, {true, 4, {1, 3}, 4});
  EXPECT_EQ(with_devices.backend.options.kind, BackendKind::cuda);
  EXPECT_THAT(with_devices.backend.devices, ElementsAre(1, 3));
  EXPECT_EQ(with_devices.backend.options.threads, 4);
  EXPECT_EQ(config_of_rank(automatic, {true, 4, {}, 4}).backend.options.kind, BackendKind::cpu);
}

TEST(NodeShare, ThisProcessHasAPlace) {
  const RankPlace here = place_of_this_process({});
  EXPECT_FALSE(here.node.empty());
  EXPECT_FALSE(here.processors.empty());
  EXPECT_LE(here.processors.size(), static_cast<std::size_t>(here.processors_of_node));
  const RankPlace in_slurm = place_of_this_process({{"SLURMD_NODENAME", "n7"}, {"SLURM_CPUS_ON_NODE", "5"}});
  EXPECT_EQ(in_slurm.node, "n7");
  EXPECT_EQ(in_slurm.processors_of_node, 5);
}

/// Whatever ranks see: nothing is given to two ranks of a node, everything that a simulating rank sees is given to one,
/// and only to those that see it.
RC_GTEST_PROP(NodeShare, EveryDeviceGoesToOneOfThoseThatSeeIt, ()) {
  const int ranks = *rc::gen::inRange(1, 7);
  std::vector<RankPlace> places;
  for (int rank = 0; rank < ranks; ++rank) {
    RankPlace one = place(*rc::gen::element<std::string>("n", "m"), range(0, 4));
    for (const char* device : {"a", "b", "c"}) {
      if (*rc::gen::arbitrary<bool>()) one.devices.push_back(one.node + device);
    }
    places.push_back(one);
  }
  const auto shares = shares_of(places);
  std::set<std::string> seen, given;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    seen.insert(places[rank].devices.begin(), places[rank].devices.end());
    for (const int device : shares[rank].devices) {
      RC_ASSERT(given.insert(places[rank].devices.at(static_cast<std::size_t>(device))).second);
    }
  }
  RC_ASSERT(seen == given);
}

}}  // namespace glassworks
