#include <gtest/gtest.h>

#include "tools/glassworks/dry_run.hpp"

namespace glassworks { namespace {

RealizationRow row(std::uint32_t realization, RealizationStatus status, std::uint32_t rounds, std::uint32_t expected) {
  RealizationRow r;
  r.key = {8, realization};
  r.status = status;
  r.rounds = rounds;
  r.judgement.expected_rounds = expected;
  return r;
}

Config ten_realizations() {
  Config config;
  config.disorder.realizations = {10};
  config.model.L = {8};
  config.convergence.min_rounds = 16;
  config.convergence.max_rounds = 100;
  return config;
}

TEST(RoundsLeft, OfANewCampaignLieBetweenMinimumAndMaximum) {
  const RoundsLeft left = rounds_left(ten_realizations(), 0, {}, 24.0);
  EXPECT_EQ(left.least, 160 + 24);
  EXPECT_EQ(left.expected, 160 + 24);
  EXPECT_EQ(left.most, 1000 + 24);
  EXPECT_EQ(left.judged, 0U);
}

TEST(RoundsLeft, UseWhatIsCommittedAndExpected) {
  using S = RealizationStatus;
  std::vector<RealizationRow> rows = {row(0, S::converged, 16, 16), row(1, S::failed, 100, 100),
                                      row(2, S::quarantined, 3, 0), row(3, S::equilibrating, 20, 64)};
  for (std::uint32_t r = 4; r < 9; ++r) rows.push_back(row(r, S::equilibrating, 10, 0));
  const RoundsLeft left = rounds_left(ten_realizations(), 0, rows, 0.0);  // and one that was added
  EXPECT_EQ(left.least, 5 * 6 + 16);
  EXPECT_EQ(left.most, 80 + 5 * 90 + 100);
  EXPECT_EQ(left.judged, 3U) << "finished ones show what similar ones take";
  // Not judged yet: as many in all as the mean of those that are known, (16 + 100 + 64) / 3 = 60.
  EXPECT_DOUBLE_EQ(left.expected, 44 + 5 * 50 + 60);
}

TEST(RoundsLeft, OfACourseAreKnown) {
  Config config = ten_realizations();
  config.convergence.min_rounds = 1;
  config.convergence.lengths = Lengths::course;
  const RoundsLeft left = rounds_left(config, 0, {row(0, RealizationStatus::converged, 100, 0)}, 0.0);
  EXPECT_EQ(left.least, 900);
  EXPECT_EQ(left.expected, 900);
  EXPECT_EQ(left.most, 900);
}

TEST(DatabaseBytesPerRound, AreThoseOfTheReadme) {
  Chain chain;
  chain.lattice = {3, 8};
  chain.copies = 2;
  chain.beta.assign(30, 1.0F);
  EXPECT_DOUBLE_EQ(database_bytes_per_round(chain), 1.1 * (8 * 30 * 36 + 24 * 30 + 28 * 60));
  chain.samples = 5;
  EXPECT_DOUBLE_EQ(database_bytes_per_round(chain), 1.1 * (8 * 30 * 36 + 24 * 30 + 28 * 60 + 4 * 30 * 5 * 17));
}

}}  // namespace glassworks
