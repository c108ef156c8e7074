#include "analysis/statistics/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/analysis/fake_campaign.hpp"
#include "tests/bin_places.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

constexpr RealizationKey key{4, 7};

TEST(History, EquilibratedPartIsTheLastHalfWhereNothingWasJudged) {
  EXPECT_EQ(equilibrated_part(1, 0), (RoundRange{0, 1}));
  EXPECT_EQ(equilibrated_part(2, 0), (RoundRange{1, 2}));
  EXPECT_EQ(equilibrated_part(5, 0), (RoundRange{2, 5}));
  EXPECT_EQ(equilibrated_part(16, 0), (RoundRange{8, 16}));
}

TEST(History, EquilibratedPartFollowsTheJudgement) {
  EXPECT_EQ(equilibrated_part(16, 2), (RoundRange{2, 16}));
  EXPECT_EQ(equilibrated_part(16, 15), (RoundRange{15, 16}));
  EXPECT_EQ(equilibrated_part(16, 16), (RoundRange{8, 16})) << "nothing would be left";
}

TEST(History, LogarithmicBinsHalveDownToTheFirstRound) {
  using Bins = std::vector<RoundRange>;
  EXPECT_EQ(logarithmic_bins(0), Bins{});
  EXPECT_EQ(logarithmic_bins(1), (Bins{{0, 1}}));
  EXPECT_EQ(logarithmic_bins(8), (Bins{{4, 8}, {2, 4}, {1, 2}, {0, 1}}));
  EXPECT_EQ(logarithmic_bins(11), (Bins{{5, 11}, {2, 5}, {1, 2}, {0, 1}}));
}

TEST(History, AveragesTheLastHalfAndEveryLogarithmicBin) {
  const Columns columns(testing::stored_names(), 3);
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < 5; ++n) {
    rounds.push_back(testing::fake_round(n, 2, [n](int slot, const std::string& name) {
      if (name == "energy") return 100.0 * slot + n * n;
      if (name == "overlap_k(0,0,0)") return 0.5 * n;
      return 0.0;
    }));
  }
  const RealizationSummary summary = summarize(key, rounds, columns, 2);
  EXPECT_EQ(summary.key, key);
  EXPECT_EQ(summary.rounds, 5U);
  ASSERT_EQ(summary.mean.size(), 2 * columns.size());
  EXPECT_DOUBLE_EQ(summary.mean[columns["energy"]], (4.0 + 9.0 + 16.0) / 3.0);
  EXPECT_DOUBLE_EQ(summary.mean[columns.size() + columns["energy"]], 100.0 + (4.0 + 9.0 + 16.0) / 3.0);
  // [2,5), [1,2), [0,1); energy and |q|^2 at slot 0, then at slot 1
  ASSERT_EQ(summary.log_bin.size(), 3U);
  EXPECT_EQ(summary.log_bin[0], (std::vector<double>{29.0 / 3.0, 1.5, 329.0 / 3.0, 1.5}));
  EXPECT_EQ(summary.log_bin[1], (std::vector<double>{1.0, 0.5, 101.0, 0.5}));
  EXPECT_EQ(summary.log_bin[2], (std::vector<double>{0.0, 0.0, 100.0, 0.0}));

  const RealizationSummary judged = summarize(key, rounds, columns, 2, 1);
  EXPECT_DOUBLE_EQ(judged.mean[columns["energy"]], (1.0 + 4.0 + 9.0 + 16.0) / 4.0);
  EXPECT_EQ(judged.log_bin, summary.log_bin) << "bins are those of the whole history";
}

TEST(History, MultipliesMeanEnergiesOfDifferentCopiesOnly) {
  const Columns columns(testing::stored_names(3, 4), 3);
  const auto rounds = {testing::fake_round(
      0, 1,
      [](int, const std::string& name) {
        if (name == "energy_of_copy_1") return 2.0;
        if (name == "energy_of_copy_2") return 3.0;
        if (name == "energy_of_copy_3") return 5.0;
        if (name == "energy_of_copy_4") return 7.0;
        return 0.0;
      },
      3, 4)};
  const RealizationSummary summary = summarize(key, rounds, columns, 1);
  EXPECT_DOUBLE_EQ(summary.mean[columns[Columns::energy_product]], (6.0 + 10.0 + 14.0 + 15.0 + 21.0 + 35.0) / 6.0);
}

TEST(History, CountsExchangesAndWalkersOfTheLastHalfAndRoundTripsOfAll) {
  const Columns columns(testing::stored_names(), 3);
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < 2; ++n) {
    RoundRow row = testing::fake_round(n, 2, [](int, const std::string&) { return 0.0; });
    row.record.exchange_attempts = {40 + n};
    row.record.exchange_accepted = {10 + n};
    row.record.walk_up = {15 + n, 6};
    row.record.walk_down = {5, 14};
    row.record.round_trips = {1, 0, 2, n};
    rounds.push_back(row);
  }
  const RealizationSummary summary = summarize(key, rounds, columns, 2);
  EXPECT_DOUBLE_EQ(summary.mean[columns[Columns::attempts]], 4.1);
  EXPECT_DOUBLE_EQ(summary.mean[columns[Columns::accepted]], 1.1);
  EXPECT_DOUBLE_EQ(summary.mean[columns[Columns::walkers_up]], 1.6);
  EXPECT_DOUBLE_EQ(summary.mean[columns.size() + columns[Columns::walkers_down]], 1.4);
  EXPECT_EQ(summary.mean[columns.size() + columns[Columns::attempts]], 0.0);
  EXPECT_EQ(summary.round_trips, 7U);
}

TEST(History, RefusesRoundsOfAnotherShapeAndNumbersThatAreNotFinite) {
  const Columns columns(testing::stored_names(), 3);
  const auto zero = [](int, const std::string&) { return 0.0; };
  const std::vector<RoundRow> three_slots = {testing::fake_round(0, 3, zero)};
  EXPECT_THAT([&] { (void)summarize(key, three_slots, columns, 2); }, Fails());
  std::vector<RoundRow> short_bin = {testing::fake_round(0, 2, zero)};
  short_bin[0].record.mean.pop_back();
  EXPECT_THAT([&] { (void)summarize(key, short_bin, columns, 2); }, Fails());
  const std::vector<RoundRow> infinite = {testing::fake_round(0, 2, [](int slot, const std::string& name) {
    return slot == 1 && name == "q_s" ? std::numeric_limits<double>::infinity() : 0.0;
  })};
  EXPECT_THAT([&] { (void)summarize(key, infinite, columns, 2); }, Fails());
}

TEST(Columns, FindWaveVectorsOfEveryDimension) {
  for (int dim = 1; dim <= 4; ++dim) {
    const BinLayout layout(SpinModel{}, dim, 4);
    const Columns columns(testing::stored_names(dim, 4), dim);
    EXPECT_EQ(columns.modes("overlap_k", 0),
              std::vector<std::size_t>{static_cast<std::size_t>(layout.at(BinQuantity::overlap_k, 0))});
    const std::vector<std::size_t> kmin = columns.modes("chi_2", 1), twice = columns.modes("overlap_k", 1, 2);
    ASSERT_EQ(kmin.size(), static_cast<std::size_t>(dim));
    for (int axis = 0; axis < dim; ++axis) {
      EXPECT_EQ(kmin[static_cast<std::size_t>(axis)], static_cast<std::size_t>(layout.at(chi_term(2), 1 + axis)));
      EXPECT_EQ(twice[static_cast<std::size_t>(axis)],
                static_cast<std::size_t>(layout.at(BinQuantity::overlap_k, 1 + dim + axis)));
    }
    EXPECT_EQ(columns.modes("overlap_k", 2).size(), static_cast<std::size_t>(dim * (dim - 1) / 2));
    EXPECT_EQ(columns["link_overlap"], static_cast<std::size_t>(test::Tensors::link_overlap));
    EXPECT_EQ(columns.energy_of_copy().size(), 4U);
  }
}

TEST(Columns, SayWhatACampaignDoesNotHold) {
  EXPECT_THAT([] { (void)Columns({"energy"}, 3); }, Fails());
  const Columns columns(testing::stored_names(), 3);
  EXPECT_THAT([&] { (void)columns["spin"]; }, Fails());
}

}}  // namespace glassworks
