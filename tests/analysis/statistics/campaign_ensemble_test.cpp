#include "analysis/statistics/campaign_ensemble.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "analysis/statistics/estimator_curves.hpp"
#include "tests/analysis/statistics/stored_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

class ForEachRealization : public testing::StoredCampaign {
 protected:
  /// Realizations in the order of their Keep, with their numbers of rounds.
  std::vector<std::pair<std::uint32_t, std::size_t>> visit(const PassOptions& options) {
    std::vector<std::pair<std::uint32_t, std::size_t>> seen;
    rows_ = for_each_realization(
        *database_, 4,
        [&](const RealizationRow& row, std::span<const RoundRow> rounds) -> Keep {
          // The first ones take longest, so that threads finish out of order.
          std::this_thread::sleep_for(std::chrono::milliseconds(row.key.realization < 2 ? 20 : 0));
          return [&seen, &row, rounds] {
            EXPECT_EQ(rounds.back().round + 1, rounds.size());
            seen.emplace_back(row.key.realization, rounds.size());
          };
        },
        options);
    return seen;
  }
  std::vector<RealizationRow> rows_;
};

TEST_F(ForEachRealization, KeepsResultsInOrderWithAnyNumberOfThreads) {
  for (std::uint32_t r = 0; r < realizations; ++r) {
    if (r != 5) commit(r, 1 + r % 3, -1.0, RealizationStatus::equilibrating);
  }
  const auto one = visit({.threads = 1, .wanted = {}, .progress = {}});
  ASSERT_EQ(one.size(), 11U);
  for (std::size_t i = 1; i < one.size(); ++i) EXPECT_LT(one[i - 1].first, one[i].first);
  EXPECT_EQ(one[3].second, 1U);
  for (const int threads : {0, 2, 3, 20}) {
    EXPECT_EQ(visit({.threads = threads, .wanted = {}, .progress = {}}), one) << threads;
  }
  EXPECT_EQ(rows_.size(), static_cast<std::size_t>(realizations));
}

TEST_F(ForEachRealization, ReadsOnlyWhatIsWantedAndShowsProgressOfAll) {
  for (std::uint32_t r = 0; r < 6; ++r) commit(r, 1, -1.0, RealizationStatus::converged);
  std::vector<int> progress;
  const auto seen = visit({.threads = 2,
                           .wanted = [](const RealizationRow& row) { return row.key.realization % 2 == 0; },
                           .progress = [&](int, int done, int total) { progress.push_back(100 * total + done); }});
  EXPECT_THAT(seen, ElementsAre(std::pair(0U, 1U), std::pair(2U, 1U), std::pair(4U, 1U)));
  ASSERT_EQ(progress.size(), static_cast<std::size_t>(realizations));
  for (int i = 0; i < realizations; ++i) EXPECT_EQ(progress[static_cast<std::size_t>(i)], 100 * realizations + i + 1);
}

TEST_F(ForEachRealization, LeavesOutWhatIsCommittedMeanwhile) {
  for (std::uint32_t r = 0; r < realizations; ++r) commit(r, 2, -1.0, RealizationStatus::equilibrating);
  std::vector<std::size_t> lengths;
  const RealizationVisitor visitor = [&](const RealizationRow&, std::span<const RoundRow> rounds) -> Keep {
    return [&, n = rounds.size()] {
      if (lengths.empty()) commit(realizations - 1, 1, -1.0, RealizationStatus::converged);
      lengths.push_back(n);
    };
  };
  (void)for_each_realization(*database_, 4, visitor, {.threads = 1, .wanted = {}, .progress = {}});
  EXPECT_EQ(lengths, std::vector<std::size_t>(realizations, 2));
}

TEST_F(ForEachRealization, ThrowsWhatComesFirst) {
  for (std::uint32_t r = 0; r < realizations; ++r) commit(r, 1, -1.0, RealizationStatus::equilibrating);
  std::atomic<int> kept = 0;
  const auto run = [&] {
    kept = 0;
    (void)for_each_realization(*database_, 4,
                               [&](const RealizationRow& row, std::span<const RoundRow>) -> Keep {
                                 if (row.key.realization == 3) {
                                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                   throw std::runtime_error("third");
                                 }
                                 if (row.key.realization > 3) throw std::runtime_error("later");
                                 return [&] { ++kept; };
                               },
                               {.threads = 4, .wanted = {}, .progress = {}});
  };
  EXPECT_THAT(run, ThrowsMessage<std::runtime_error>("third"));
  EXPECT_EQ(kept, 3);
  EXPECT_THAT(
      [&] {
        (void)for_each_realization(*database_, 4, [](const RealizationRow&, std::span<const RoundRow>) -> Keep {
          return [] { throw std::runtime_error("kept"); };
        });
      },
      ThrowsMessage<std::runtime_error>("kept"));
}

TEST_F(ForEachRealization, HoldsThreeHistoriesForEachThread) {
  for (std::uint32_t r = 0; r < realizations; ++r) commit(r, 1, -1.0, RealizationStatus::equilibrating);
  for (const int threads : {1, 2}) {
    std::atomic<int> held = 0, most = 0;
    const RealizationVisitor visitor = [&](const RealizationRow&, std::span<const RoundRow>) -> Keep {
      most = std::max<int>(most, ++held);
      return [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --held;
      };
    };
    (void)for_each_realization(*database_, 4, visitor, {.threads = threads, .wanted = {}, .progress = {}});
    EXPECT_GT(most, 1);
    EXPECT_LE(most, 3 * threads);
  }
}

TEST_F(ForEachRealization, NamesDamage) {
  for (std::uint32_t r = 0; r < 4; ++r) commit(r, 2, -1.0, RealizationStatus::equilibrating);
  SQLite::Database(database_->file().string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE rounds SET means = zeroblob(length(means)) WHERE realization = 2 AND round = 1");
  EXPECT_THAT([&] { (void)read_ensembles(*database_); }, Fails());
}

using CampaignEnsemble = testing::StoredCampaign;

TEST_F(CampaignEnsemble, HoldsEquilibratedAveragesOfAllColumns) {
  commit(0, 4, -10.0, RealizationStatus::converged, 1);   // rounds 1, 2, 3
  commit(3, 4, -20.0, RealizationStatus::equilibrating);  // rounds 2, 3
  commit(7, 1, -30.0, RealizationStatus::failed);
  int others = 0;
  ReadingOptions options;
  options.also = [&](const SizeRow& size) {
    EXPECT_EQ(size.L, 4);
    return [&](const RealizationRow&, std::span<const RoundRow> rounds, const RealizationSummary&) -> Keep {
      return [&others, n = rounds.size()] { others += static_cast<int>(n); };
    };
  };
  const CampaignEnsembles campaign = read_ensembles(*database_, options);
  EXPECT_EQ(others, 9);
  ASSERT_EQ(campaign.sizes.size(), 1U);
  const SizeEnsemble& size = campaign.sizes[0];
  const Ensemble& e = size.ensemble;
  const Columns columns(testing::stored_names(), 3);
  EXPECT_EQ(e.L, 4);
  EXPECT_THAT(e.realizations, ElementsAre(0U, 3U, 7U));
  EXPECT_THAT(size.converged, ElementsAre(true, false, false));
  EXPECT_THAT(e.temperatures, ElementsAre(0.25, 0.5));
  ASSERT_EQ(e.columns.size(), columns.size());
  EXPECT_EQ(e.columns[columns["energy"]], "energy");
  EXPECT_EQ(e.columns[columns[Columns::accepted]], "accepted");
  ASSERT_EQ(e.values.size(), 3 * 2 * columns.size());
  EXPECT_DOUBLE_EQ(e.at(0, 0)[columns["energy"]], -8.0);
  EXPECT_DOUBLE_EQ(e.at(0, 1)[columns["energy"]], -7.0);
  EXPECT_DOUBLE_EQ(e.at(1, 0)[columns["energy"]], -17.5);
  EXPECT_DOUBLE_EQ(e.at(2, 1)[columns["energy"]], -29.0);
  EXPECT_DOUBLE_EQ(e.at(1, 0)[columns[Columns::accepted]], 3.0);

  const Ensemble part = select(e, size.converged);
  EXPECT_THAT(part.realizations, ElementsAre(0U));
  EXPECT_DOUBLE_EQ(part.at(0, 1)[columns["energy"]], -7.0);
  EXPECT_EQ(part.values.size(), 2 * columns.size());
}

TEST_F(CampaignEnsemble, CurvesAreAllEstimatorsWithTheErrorsOfTheTables) {
  for (std::uint32_t r = 0; r < 6; ++r) commit(r, 2, -10.0 - r * r, RealizationStatus::converged);
  const CampaignEnsembles campaign = read_ensembles(*database_);
  const SizeEnsemble& size = campaign.sizes[0];
  const Columns columns(size.size.observables, 3);
  const std::vector<Curve> curves =
      make_curves(campaign.config, columns, size.ensemble, ResampledAverages(size.ensemble, {}));
  const SizeResult table = analyze(*database_).sizes.at(0);
  ASSERT_EQ(curves.size(), table.observables.size());
  for (const ObservableResult& observable : table.observables) {
    const Curve* curve = find_curve(curves, observable.name);
    ASSERT_NE(curve, nullptr) << observable.name;
    ASSERT_EQ(curve->temperatures.size(), observable.at_slot.size()) << observable.name;
  }
  std::vector<double> energies;
  for (std::uint32_t r = 0; r < 6; ++r) energies.push_back(-9.0 - r * r);
  const Estimate expected = mean_over_realizations(energies);  // an independent jackknife
  EXPECT_NEAR(find_curve(curves, "energy")->value[0], expected.mean, 1e-12);
  EXPECT_NEAR(find_curve(curves, "energy")->error(0), expected.error, 1e-12);
  EXPECT_NEAR(find_curve(curves, "energy")->covariance(0, *find_curve(curves, "energy"), 1),
              expected.error * expected.error, 1e-10);
  EXPECT_EQ(find_curve(curves, "acceptance")->temperatures, std::vector<double>{0.25});
  EXPECT_NEAR(find_curve(curves, "acceptance")->value[0], 0.3, 1e-12);
  EXPECT_NEAR(find_curve(curves, "xi_over_L")->value[1], 0.5, 1e-12);
  EXPECT_EQ(find_curve(curves, "none"), nullptr);
}

TEST_F(CampaignEnsemble, CurvesOfFewColumnsAreThoseThatNeedNoOthers) {
  commit(0, 2, -10.0, RealizationStatus::converged);
  commit(1, 2, -11.0, RealizationStatus::converged);
  const CampaignEnsembles campaign = read_ensembles(*database_);
  const Ensemble& all = campaign.sizes[0].ensemble;
  const Columns columns(campaign.sizes[0].size.observables, 3);
  Ensemble few{.L = 4,
               .temperatures = {0.3},
               .columns = {"overlap_kmin", "energy", "overlap_2"},
               .realizations = all.realizations,
               .values = {}};
  const double s = 2.0 * std::sin(std::numbers::pi / 4), mass = 0.5;
  for (int r = 0; r < 2; ++r) {
    for (const double x : {1.0 / (mass * mass + s * s), -1.0, 1.0 / (mass * mass)}) few.values.push_back(x);
  }
  const std::vector<Curve> curves = make_curves(campaign.config, columns, few, ResampledAverages(few, {}));
  ASSERT_NE(find_curve(curves, "xi_over_L"), nullptr);
  EXPECT_NEAR(find_curve(curves, "xi_over_L")->value.at(0), 0.5, 1e-12);
  EXPECT_EQ(find_curve(curves, "energy")->value.at(0), -1.0);
  EXPECT_NEAR(find_curve(curves, "chi_sg")->value.at(0), 64.0 * 4.0, 1e-9);
  for (const char* missing : {"specific_heat", "binder", "acceptance", "chi_cg", "chi_sg_110"}) {
    EXPECT_EQ(find_curve(curves, missing), nullptr) << missing;
  }
}

TEST_F(CampaignEnsemble, SaysThatThereIsNothing) {
  EXPECT_THAT([&] { (void)read_ensembles(*database_); }, Fails());
}

}}  // namespace glassworks
