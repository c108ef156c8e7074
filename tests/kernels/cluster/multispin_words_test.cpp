#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/core/addresses.hpp"
#include "kernels/models/multispin.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"
#include "tests/refusals.hpp"

/// Multi-spin coding: the random words of lanes and sites, the thresholds of the rules, and what is refused.
namespace glassworks { namespace {

using test::multispin_protocol;

TEST(Multispin, LanesOfAWordSeeEvenlySpacedNumbers) {
  for (const std::uint32_t word : {0U, 1U, 31U, 0x12345678U, 0xFFFFFFFFU}) {
    for (std::uint32_t first = 0; first < 128; first += 32) {
      std::set<std::uint32_t> positions;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t seen = multispin_word(word, 256 + first + lane);
        positions.insert(seen >> 27);
        EXPECT_EQ(seen & 0x7FFFFFFU, word >> 5);
      }
      EXPECT_EQ(positions.size(), 32U);
    }
  }
}

TEST(Multispin, EverySiteOfAHalfSweepHasAWordOfItsOwn) {
  for (const Lattice lattice :
       {Lattice{1, 10}, Lattice{2, 6}, Lattice{2, 8}, Lattice{3, 4}, Lattice{3, 10}, Lattice{4, 6}}) {
    for (const int parity : {0, 1}) {
      std::set<std::uint32_t> seen;
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        if (lattice.parity(i) != parity) continue;
        const WordAddress a = multispin_address(lattice, lattice.coordinates(i));
        EXPECT_LT(a.block, multispin_blocks(lattice));
        EXPECT_TRUE(seen.insert(4 * a.block + a.word).second)
            << "d " << lattice.dim << " L " << lattice.L << " site " << i;
      }
    }
  }
}

TEST(Multispin, ThresholdsAreTheProbabilitiesOfTheRules) {
  for (const int z : {2, 4, 6, 8}) {
    const float beta = 0.7F, J = 1.5F;
    const auto metropolis = multispin_thresholds(MultispinRule::metropolis, beta, J, z);
    const auto heat_bath = multispin_thresholds(MultispinRule::heat_bath, beta, J, z);
    ASSERT_EQ(metropolis.size(), static_cast<std::size_t>(2 * z + 1));
    for (int m = 0; m <= 2 * z; ++m) {
      const double cost = 2.0 * static_cast<double>(beta) * static_cast<double>(J) * (z - m);
      const auto flips = [](std::uint32_t threshold) { return 1.0 - threshold * 0x1p-32; };
      EXPECT_NEAR(flips(metropolis[static_cast<std::size_t>(m)]), std::min(1.0, std::exp(-cost)), 1e-9);
      EXPECT_NEAR(flips(heat_bath[static_cast<std::size_t>(m)]), 1.0 / (1.0 + std::exp(cost)), 1e-9);
    }
  }
}

TEST(Multispin, ThresholdsInAFieldAreTheProbabilitiesOfTheRules) {
  const float beta = 0.7F, J = 1.5F, H = 0.4F;
  const int z = 6;
  for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
    const auto threshold = multispin_thresholds_in_field(rule, beta, J, z, H);
    ASSERT_EQ(threshold.size(), static_cast<std::size_t>(2 * (2 * z + 1)));
    for (const int spin : {+1, -1}) {
      for (int m = 0; m <= 2 * z; ++m) {
        const double cost =
            static_cast<double>(beta) * (2.0 * static_cast<double>(J) * (z - m) + 2.0 * static_cast<double>(H) * spin);
        const std::size_t at = static_cast<std::size_t>(m + (spin < 0 ? 2 * z + 1 : 0));
        const double expected =
            rule == MultispinRule::metropolis ? std::min(1.0, std::exp(-cost)) : 1.0 / (1.0 + std::exp(cost));
        EXPECT_NEAR(1.0 - threshold[at] * 0x1p-32, expected, 1e-9) << spin << " " << m;
      }
    }
  }
}

TEST(Multispin, RefusesWhatItDoesNotKnow) {
  const Lattice lattice{2, 4};
  const auto running = [&](const SpinModel& model, Protocol protocol, const Disorder& disorder) {
    const Chain chain = test::cluster_chain(model, lattice, 1, {0.5F}, protocol, 1);
    return outcome_of([&] {
      ChainState state = initial_state(chain, 0);
      static_cast<void>(test::run_one_round(*test::fast_backend(), chain, disorder, 0, state));
    });
  };
  const Protocol protocol = multispin_protocol(MultispinRule::metropolis);
  Disorder two_moduli = test::bimodal(lattice, 1);
  two_moduli.couplings[3] = 0.5F;
  EXPECT_THAT(running(test::ising(), protocol, two_moduli), Fails());
  Disorder two_fields = test::in_field(lattice, test::bimodal(lattice, 1), 0.5F);
  two_fields.fields[3] = 0.25F;
  EXPECT_THAT(running(test::ising(), protocol, two_fields), Fails());
  EXPECT_THAT(running(test::potts(3), protocol, test::pure(lattice)), Fails());
  Protocol clusters = protocol;
  clusters.kind = ProtocolKind::swendsen_wang;
  clusters.cluster_sweeps = 1;
  EXPECT_THAT(running(test::ising(), clusters, test::pure(lattice)), Fails());
}

}}  // namespace glassworks
