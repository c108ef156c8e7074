#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/config.hpp"

/// round.measurements: auto, one number, or one per size.
namespace glassworks { namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Config sizes(std::vector<int> L) {
  Config config;
  config.model.L = std::move(L);
  config.disorder.realizations = {2};
  config.campaign.directory = "campaign";
  config.ladder.T_min = 0.12;
  config.ladder.T_max = 0.6;
  return config;
}

TEST(RoundLength, AutoIsLongerForSmallLattices) {
  const Config config = settled(sizes({4, 6, 8, 12, 16, 64}));
  EXPECT_THAT(config.round.measurements_per_round, ElementsAre(1600, 400, 100, 100, 100, 100));
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    EXPECT_EQ(make_chain(config, i).measurements, config.round.measurements_per_round[i]);
    EXPECT_EQ(make_chain(sizes(config.model.L), i).measurements, config.round.measurements_per_round[i])
        << "not settled";
  }
}

TEST(RoundLength, AutoIsLongerWithMultispinCoding) {
  const std::string glass =
      "model.type = ising\nmodel.couplings = bimodal\nmodel.L = 4, 8, 12, 16\ndisorder.realizations = 2\n"
      "ladder.T_min = 1\nladder.T_max = 2\nladder.slots = 16\nprotocol.heatbath = 10\n";
  EXPECT_THAT(settled(parse_config(glass)).round.measurements_per_round, ElementsAre(1600, 200, 100, 100));
  EXPECT_THAT(settled(parse_config(glass + "protocol.multispin = metropolis\n")).round.measurements_per_round,
              ElementsAre(1600, 800, 200, 100));
}

TEST(RoundLength, WhatWasChosenIsStoredAndStays) {
  const Config stored = parse_config(canonical_text(settled(sizes({4, 8}))));
  EXPECT_THAT(stored.round.measurements_per_round, ElementsAre(1600, 100));
  EXPECT_THAT(campaign_changes(stored, sizes({4, 8})), IsEmpty());
  Config of_another_rule = stored;
  of_another_rule.round.measurements_per_round = {300, 200};
  EXPECT_THAT(campaign_changes(of_another_rule, sizes({4, 8})), IsEmpty()) << "auto goes on with what is stored";
  EXPECT_THAT(continued(of_another_rule, sizes({4, 8})).round.measurements_per_round, ElementsAre(300, 200));
  Config other = sizes({4, 8});
  other.round.measurements_per_round = {100};
  ASSERT_EQ(campaign_changes(stored, other).size(), 1U);
  EXPECT_EQ(campaign_changes(stored, other)[0].text(), "round.measurements: 1600, 100 -> 100");
}

TEST(RoundLength, ANewSizeHasItsOwn) {
  const Config stored = parse_config(canonical_text(settled(sizes({4, 8}))));
  const Config more = continued(stored, sizes({16, 8, 4}));
  EXPECT_THAT(more.model.L, ElementsAre(4, 8, 16));
  EXPECT_THAT(more.round.measurements_per_round, ElementsAre(1600, 100, measurements_of(sizes({16}), 0)));
}

TEST(RoundLength, OneNumberHoldsForAllSizes) {
  Config config = sizes({4, 8});
  config.round.measurements_per_round = {7};
  EXPECT_EQ(measurements_of(config, 0), 7);
  EXPECT_EQ(measurements_of_L(config, 8), 7);
  EXPECT_EQ(config.round.samples(), 5);
  config.round.measurements_per_round = {7, 3};
  EXPECT_EQ(measurements_of_L(config, 8), 3);
  EXPECT_EQ(config.round.samples(), 3) << "of the shortest rounds";
}

}}  // namespace glassworks
