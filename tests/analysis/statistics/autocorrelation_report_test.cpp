#include "analysis/statistics/autocorrelation_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/statistics/campaign_ensemble.hpp"
#include "tests/analysis/statistics/stored_fixture.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using TauCollection = testing::StoredCampaign;

const std::vector<std::string> observables = {"energy", "no_such_observable", "q_s"};

// Energies rise by one from round to round: series 1, 2, 3 and 2, 3 without their equilibration.
TEST_F(TauCollection, TakesTheEquilibratedRoundMeansOfEveryRealization) {
  commit(1, 4, -10.0, RealizationStatus::converged, 1);
  commit(3, 4, -20.0, RealizationStatus::equilibrating);
  commit(4, 1, -30.0, RealizationStatus::equilibrating);
  std::unique_ptr<TauCollector> collector;
  ReadingOptions options;
  options.also = [&](const SizeRow& size) {
    collector = std::make_unique<TauCollector>(size, Columns(size.observables, 3), observables);
    return [visitor = collector->visitor()](const RealizationRow& row, std::span<const RoundRow> rounds,
                                            const RealizationSummary&) { return visitor(row, rounds); };
  };
  (void)read_ensembles(*database_, options);
  const std::vector<ObservableTau> times = collector->times();
  ASSERT_EQ(times.size(), 4U);  // two observables at two slots
  EXPECT_EQ(times[1].observable, "energy");
  EXPECT_EQ(times[1].T, 0.5);
  EXPECT_EQ(times[1].measurements, 10);
  EXPECT_EQ(times[1].gamma.entries, 5U);
  EXPECT_EQ(times[1].gamma.series, 2U);
  const std::vector<TimeSeries> expected = {{-8.0, -7.0, -6.0}, {-17.0, -16.0}};
  EXPECT_DOUBLE_EQ(times[1].gamma.mean, gamma_method(expected).mean);
  EXPECT_DOUBLE_EQ(times[1].gamma.tau, gamma_method(expected).tau);
  EXPECT_DOUBLE_EQ(times[1].binning.tau, binning_method(expected).tau);

  const Table table = tau_table(times);
  ASSERT_EQ(table.rows.size(), 5U);
  for (const std::vector<std::string>& row : table.rows) EXPECT_EQ(row.size(), table.rows[0].size());
  EXPECT_THAT(table.rows[1][3], HasSubstr("(too short)"));
  EXPECT_THAT(table.rows[3][3], HasSubstr("no fluctuations"));
  const Figure figure = tau_figure(times, "energy", "e");
  ASSERT_EQ(figure.series.size(), 1U);
  ASSERT_EQ(figure.series[0].x.size(), 2U);
  EXPECT_DOUBLE_EQ(figure.series[0].y[0], 10.0 * times[0].gamma.tau);
}

TEST_F(TauCollection, HasNothingFromSingleRounds) {
  TauCollector collector({4, {0.25, 0.5}, testing::stored_names(), false}, Columns(testing::stored_names(), 3),
                         observables, 1);
  commit(0, 1, -10.0, RealizationStatus::equilibrating);
  (void)for_each_realization(*database_, 4, collector.visitor());
  EXPECT_TRUE(collector.times().empty());
}

}}  // namespace glassworks
