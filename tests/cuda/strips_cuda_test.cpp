#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/strips/strip_updates.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/reference/reference_cluster_replica.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/message_of.hpp"

namespace glassworks { namespace {

constexpr std::uint32_t realization = 3;

Chain chain_of(const SpinModel& model, int L, unsigned open, float beta) {
  return test::cluster_chain(model, {2, L, open}, 1, {beta}, test::protocol_of(ProtocolKind::swendsen_wang, 1), 1, 17);
}

/// Couplings 1, 0 beyond open ends.
Disorder ferromagnet(const Lattice& lattice) {
  std::vector<float> couplings(static_cast<std::size_t>(lattice.bond_places()));
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int axis = 0; axis < 2; ++axis) {
      const bool has = lattice.has_bond(lattice.coordinates(site), axis, +1);
      couplings[static_cast<std::size_t>(2 * site + axis)] = has ? 1.0F : 0.0F;
    }
  }
  return test::with_scale(lattice, std::move(couplings));
}

StripChain strip_chain(const Chain& chain) {
  return {chain.model, chain.lattice, chain.beta[0], chain.key, realization, 0};
}

/// Sums of states on the host.
StripSums sums_of(const Lattice& lattice, const std::vector<std::uint8_t>& states, int q) {
  StripSums sums;
  sums.states.assign(static_cast<std::size_t>(q), 0);
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    const Lattice::Coordinates c = lattice.coordinates(site);
    const std::uint8_t own = states[static_cast<std::size_t>(site)];
    ++sums.states[own];
    for (int axis = 0; axis < 2; ++axis) {
      const bool equal = own == states[static_cast<std::size_t>(lattice.neighbour(c, axis, +1))];
      if (equal && lattice.has_bond(c, axis, +1)) ++sums.satisfied;
    }
  }
  return sums;
}

class ClusterStrips : public test::OnDevice {
 protected:
  /// From the first state on, after every update, on the devices of each list and with each number of strips.
  static void expect_the_bits_of_the_reference(const Chain& chain, const std::vector<std::vector<int>>& devices,
                                               const std::vector<int>& counts) {
    constexpr int updates = 4;
    const int q = chain.model.kind == ModelKind::ising ? 2 : chain.model.states;
    const Disorder disorder = ferromagnet(chain.lattice);
    ChainState state = initial_state(chain, realization);
    const ClusterSystem system(chain, disorder, realization);
    std::vector<std::vector<std::uint8_t>> expected{state.states};
    const auto replica = make_reference_cluster_replica(system, 0, state);
    for (int update = 0; update < updates; ++update) {
      test::make_step(system, *replica, static_cast<std::uint64_t>(update), 0);
      expected.emplace_back(state.states.size());
      for (std::size_t i = 0; i < state.states.size(); ++i) expected.back()[i] = replica->states()[i];
    }
    for (const std::vector<int>& list : devices) {
      for (const int count : counts) {
        if (count != 0 && count < static_cast<int>(list.size())) continue;
        const auto strips = make_strip_updates(strip_chain(chain), list, count);
        std::vector<std::uint8_t> found(state.states.size());
        strips->start(StripStart::random);
        for (int update = 0; update <= updates; ++update) {
          const auto& wanted = expected[static_cast<std::size_t>(update)];
          const std::string when = "L = " + std::to_string(chain.lattice.L) + ", q = " + std::to_string(q) + ", open " +
                                   std::to_string(chain.lattice.open) + ", " + std::to_string(list.size()) +
                                   " devices, " + std::to_string(count) + " strips, after " + std::to_string(update) +
                                   " updates";
          strips->get_states(found);
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != wanted[i] ? 1 : 0;
          ASSERT_EQ(wrong, 0U) << when;
          const StripSums sums = strips->sums(), on_host = sums_of(chain.lattice, wanted, q);
          ASSERT_EQ(sums.satisfied, on_host.satisfied) << when;
          ASSERT_EQ(sums.states, on_host.states) << when;
          strips->enqueue(static_cast<std::uint64_t>(update));
        }
      }
    }
  }
  static std::vector<std::vector<int>> device_lists() {
    std::vector<std::vector<int>> lists{{0}, {0, 0}};
    if (cuda_devices().size() > 1) lists.push_back({0, 1});
    if (cuda_devices().size() > 3) lists.push_back({3, 1, 0, 2});
    return lists;
  }
};

TEST_F(ClusterStrips, OfIsingHaveTheBitsOfTheReference) {
  constexpr float critical = 0.4406868F;
  struct Case {
    int L;
    unsigned open;
    float beta;
    std::vector<int> counts;
  };
  for (const Case& c : std::vector<Case>{{32, 0, critical, {1, 2, 3, 5, 16}},
                                         {32, 0, 0.3F, {1, 5}},
                                         {32, 0, 0.7F, {2, 3}},
                                         {96, 0, critical, {1, 2, 3, 5}},
                                         {96, 1, critical, {1, 3}},
                                         {96, 2, critical, {1, 2, 5}},
                                         {96, 3, critical, {3}},
                                         {160, 0, critical, {0, 5}}}) {
    expect_the_bits_of_the_reference(chain_of(test::ising(), c.L, c.open, c.beta), device_lists(), c.counts);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ClusterStrips, OfPottsHaveTheBitsOfTheReference) {
  for (const int q : {2, 3, 4, 7, 20}) {
    const auto beta = static_cast<float>(std::log(1.0 + std::sqrt(q)));
    expect_the_bits_of_the_reference(chain_of(test::potts(q), 96, 0, beta), device_lists(), {1, 3});
    if (q == 3) expect_the_bits_of_the_reference(chain_of(test::potts(q), 96, 3, beta), device_lists(), {2, 5});
    if (HasFatalFailure()) return;
  }
}

/// Tiles that are whole, against the update of one lattice on one device; and the digest, which large lattices have.
TEST_F(ClusterStrips, OfALargerLatticeHaveTheBitsOfTheUpdateInOnePiece) {
  constexpr int L = 1024, updates = 20;
  const Chain chain = chain_of(test::ising(), L, 0, 0.4406868F);
  const auto whole = make_ising_updates(chain.lattice, 1);
  whole->set_systems(std::vector<IsingSystem>{{realization, 0, bond_threshold(2.0, chain.beta[0], 1.0F), 0}});
  std::vector<std::uint8_t> states(static_cast<std::size_t>(chain.lattice.sites()), 1), found(states.size());
  whole->set_states(states);
  for (std::uint64_t sweep = 0; sweep < updates; ++sweep) {
    whole->enqueue(chain.key, sweep, nullptr, [](const char*) {});
  }
  whole->get_states(states);
  std::vector<std::uint64_t> digests;
  for (const std::vector<int>& list : device_lists()) {
    for (const int count : {0, 7}) {
      const auto strips = make_strip_updates(strip_chain(chain), list, count);
      strips->start(StripStart::ordered);
      for (std::uint64_t sweep = 0; sweep < updates; ++sweep) strips->enqueue(sweep);
      strips->get_states(found);
      ASSERT_TRUE(found == states) << list.size() << " devices, " << count << " strips";
      digests.push_back(strips->sums().digest);
      found[12345] ^= 1;
      strips->set_states(found);
      EXPECT_NE(strips->sums().digest, digests.back());
    }
  }
  EXPECT_EQ(std::count(digests.begin(), digests.end(), digests.front()), std::ssize(digests));
}

TEST_F(ClusterStrips, RefuseWhatDoesNotFit) {
  StripChain chain{test::ising(), {2, 1048576}, 0.4F, {1, 2}};
  const std::vector<int> one{0};
  EXPECT_THAT(message_of([&] { (void)make_strip_updates(chain, one); }), testing::HasSubstr("does not fit (device"));
  chain.lattice = {3, 64};
  EXPECT_THAT(message_of([&] { (void)make_strip_updates(chain, one); }), testing::HasSubstr("Use d = 2."));
  chain.lattice = {2, 64};
  EXPECT_THAT(message_of([&] { (void)make_strip_updates(chain, std::vector<int>{99}); }),
              testing::HasSubstr("CUDA device 99 cannot be used"));
}

/// 131072^2 on two devices of 139 GiB, and on one: no device is needed to tell.
TEST(StripMemory, IsSixAndThreeQuartersBytesASiteOfIsing) {
  const auto gib = [](int devices, int L, int states) {
    const auto strips = plan_strips(static_cast<std::uint64_t>(L), static_cast<std::uint64_t>(L), devices);
    const std::vector<double> bytes = strip_bytes(strips, static_cast<std::uint32_t>(L), states);
    EXPECT_EQ(bytes.size(), static_cast<std::size_t>(devices));
    return *std::max_element(bytes.begin(), bytes.end()) / 0x1p30;
  };
  EXPECT_NEAR(gib(2, 131072, 2), 0.5 * 6.75 * 16.0, 0.5);
  EXPECT_NEAR(gib(1, 131072, 2), 6.75 * 16.0, 1.0);
  EXPECT_NEAR(gib(1, 65536, 3), 7.0 * 4.0, 0.5);
  EXPECT_LT(gib(4, 262144, 2), 130.0);
}

}}  // namespace glassworks
