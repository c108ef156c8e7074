#include "analysis/reweighting/reweighted_ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/analysis/reweighting/gaussian_samples.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<double> slot_temperatures = {0.5, 0.55, 0.6, 0.7};
const std::vector<double> wanted = {0.5, 0.52, 0.58, 0.6, 0.65, 0.7};

ReweightedEnsemble make(std::vector<std::uint32_t> realizations) {
  return {8, testing::GaussianModel::quantities(), slot_temperatures, wanted, std::move(realizations)};
}

/// Realizations differ by their seed.
JointSamples samples_of(std::uint32_t realization, double s = 3.0, std::size_t count = 100) {
  return testing::GaussianModel{s}.sample(slot_temperatures, count, realization);
}

TEST(ReweightedEnsemble, IsTheSameForAnyOrderAndAnyThreads) {
  const std::vector<std::uint32_t> ids = {2, 3, 5, 7, 11, 13};
  ReweightedEnsemble forward = make(ids), threaded = make(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) forward.add(i, samples_of(ids[i]));
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 3; ++first) {
    threads.emplace_back([&, first] {
      for (std::size_t i = ids.size() - 1 - first; i < ids.size(); i -= 3) threaded.add(i, samples_of(ids[i]));
    });
  }
  for (std::thread& thread : threads) thread.join();

  const Ensemble a = forward.ensemble(), b = threaded.ensemble();
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.L, 8);
  EXPECT_EQ(a.realizations, ids);
  EXPECT_EQ(a.temperatures, wanted);
  EXPECT_THAT(a.columns,
              ElementsAre("energy_of_copy_1", "energy_of_copy_2", "u", "energy", "energy_squared", "energy_product"));
  const Reweighted third = reweight(samples_of(5), testing::GaussianModel::quantities(), wanted);
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    for (std::size_t c = 0; c < a.columns.size(); ++c) EXPECT_EQ(a.at(2, t)[c], third.values[t * 6 + c]);
  }
}

TEST(ReweightedEnsemble, PassesTheFullAveragesOn) {
  ReweightedEnsemble ensemble = make({1});
  const SlotAverages full{slot_temperatures, {"u"}, {1.0, 2.0, 3.0, 4.0}};
  ensemble.add(0, samples_of(1), &full);
  EXPECT_NEAR(ensemble.ensemble().at(0, 3)[2], 3.0, 1e-12);  // T = 0.6
}

TEST(ReweightedEnsemble, SummarizesOverRealizations) {
  ReweightedEnsemble ensemble = make({1, 2, 3, 4});
  for (std::uint32_t i = 0; i < 4; ++i) ensemble.add(i, samples_of(i + 1, 3.0, i == 2 ? 3 : 100 + i));
  const ReweightingSummary summary = ensemble.summary();
  EXPECT_EQ(summary.realizations, 4U);
  EXPECT_TRUE(summary.refused.empty());
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    EXPECT_LT(summary.smallest_samples[t], 12.1);  // of the realization with 12 samples
    EXPECT_GT(summary.median_samples[t], 90.0);
    EXPECT_EQ(summary.flagged[t], summary.smallest_samples[t] < 10.0 ? 1U : 0U);
  }
  EXPECT_THAT(summary.flagged, ::testing::Contains(1U));
  const Reweighted few = reweight(samples_of(3, 3.0, 3), testing::GaussianModel::quantities(), wanted);
  EXPECT_EQ(summary.smallest_samples, few.effective_samples);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(summary.smallest_overlap[k], summary.median_overlap[k]);
  ASSERT_EQ(summary.lines().size(), 1U);
  EXPECT_THAT(summary.lines()[0], HasSubstr("rest on less than 10 effective samples in some realization"));

  const Figure samples = effective_samples_figure(std::span(&summary, 1));
  ASSERT_EQ(samples.series.size(), 2U);
  EXPECT_EQ(samples.series[0].y, summary.median_samples);
  EXPECT_EQ(samples.series[1].y, summary.smallest_samples);
  EXPECT_EQ(samples.series[1].x, wanted);
  const Figure overlap = overlap_figure(std::span(&summary, 1));
  EXPECT_THAT(overlap.series[1].x, ElementsAre(0.5, 0.55, 0.6));
  EXPECT_EQ(overlap.series[1].y, summary.smallest_overlap);
  EXPECT_EQ(overlap.guides[0].at, smallest_overlap);
  const Table table = reweighting_table(std::span(&summary, 1));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].size(), table.rows[0].size());
  EXPECT_THAT(table.rows[1], ::testing::IsSupersetOf({"8", "4", "6"}));
}

TEST(ReweightedEnsemble, LeavesOutTemperaturesThatSomeRealizationRefuses) {
  ReweightedEnsemble ensemble = make({10, 20, 30});
  ensemble.add(0, samples_of(10));
  ensemble.add(1, samples_of(20, 30.0));  // D/s' = 7.7, 6.4 and 10: no pair overlaps
  ensemble.add(2, samples_of(30));
  const Ensemble kept = ensemble.ensemble();
  EXPECT_THAT(kept.temperatures, ElementsAre(0.5, 0.6, 0.7));
  for (const double value : kept.values) EXPECT_TRUE(std::isfinite(value));
  const Reweighted third = reweight(samples_of(30), testing::GaussianModel::quantities(), kept.temperatures);
  EXPECT_EQ(kept.at(2, 1)[0], third.values[6]);

  const ReweightingSummary summary = ensemble.summary();
  ASSERT_EQ(summary.refused.size(), 3U);
  EXPECT_EQ(summary.refused[1].lowest, 0.55);
  EXPECT_EQ(summary.refused[1].highest, 0.6);
  EXPECT_EQ(summary.refused[1].realizations, 1U);
  EXPECT_THAT(summary.lines()[1],
              HasSubstr("L = 8: no averages between T = 0.55 and 0.6 (in 1 of 3 realizations their energies overlap"));
  // Nothing was measured there, and a logarithmic axis has no zero.
  const Figure figure = effective_samples_figure(std::span(&summary, 1));
  EXPECT_EQ(figure.series[1].x, kept.temperatures);
}

TEST(ReweightedEnsemble, RefusesWhatItCannotDoInOneSentence) {
  EXPECT_THAT([] { make({}); }, Fails());
  EXPECT_THAT([] { ReweightedEnsemble(8, testing::GaussianModel::quantities(), slot_temperatures, {0.4}, {1}); },
              Fails());
  ReweightedEnsemble ensemble = make({1, 2});
  JointSamples bad = samples_of(2);
  bad.values[1] = NAN;
  EXPECT_THAT([&] { ensemble.add(1, bad); }, Fails());
  EXPECT_THAT([&] { ensemble.add(1, testing::GaussianModel{3.0}.sample({0.5, 0.7}, 10, 1)); }, Fails());
  ensemble.add(0, samples_of(1));
  EXPECT_THROW((void)ensemble.ensemble(), std::logic_error);

  ReweightedEnsemble nothing(8, testing::GaussianModel::quantities(), slot_temperatures, {0.52, 0.65}, {1});
  nothing.add(0, samples_of(1, 30.0));
  EXPECT_THAT([&] { (void)nothing.ensemble(); }, Fails());
}

}}  // namespace glassworks
