#include "analysis/series/series_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/series/series_text.hpp"
#include "tests/analysis/series/series_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::cut_short;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::made_series;
using ::testing::Not;

/// Four realizations of which one is on its way, with a correlation function whose length grows.
CourseAnalysis unfinished() {
  std::vector<std::string> names = testing::axis_names(9);
  names.insert(names.begin(), {"energy", "correlation(4)"});
  SizeSeries series = made_series(16, {1, 2, 4, 8}, names, 5, [](auto r, auto t, int, const std::string& name) {
    const double own = 0.02 * ((r * 7 + t * 3) % 5) + 0.01 * r;
    if (name == "energy") return -1.0 + own;
    if (name.starts_with("corr")) return t < 4 ? 0.0 : 0.5 + own;
    return std::pow(0.4 + 0.1 * own, std::stoi(name.substr(8)));
  });
  cut_short(series, 1, 2);
  CampaignSeries campaign;
  campaign.sizes = {std::move(series)};
  return analyze_course(std::move(campaign));
}

TEST(SeriesTables, SelectByNamesWithCommasInside) {
  EXPECT_THAT(parse_selection("energy, c22_axis(10,2),xi_12").names, ElementsAre("energy", "c22_axis(10,2)", "xi_12"));
  const CourseAnalysis analysis = unfinished();
  EXPECT_NO_THROW(require_quantities(parse_selection("xi_12,c4_axis(3)"), analysis));
  EXPECT_THAT([&] { require_quantities(parse_selection("xi_21"), analysis); }, Refuses(InputFault::unknown, "xi_21"));
  const std::string csv = series_csv(analysis, parse_selection("c4_axis(3)"));
  EXPECT_THAT(csv, HasSubstr("16,0,0.7,2,c4_axis(3),"));
  EXPECT_THAT(csv, Not(HasSubstr("energy")));
}

/// Copies that are compared without C_4(r): sites without positions, or with a smallest wave vector.
CourseAnalysis of_graph(bool positions) {
  std::vector<std::string> names{"energy", "overlap_2", "correlation(4)"};
  if (positions) names.emplace_back("overlap_kmin");
  CampaignSeries campaign;
  campaign.sizes = {made_series(16, {1, 2, 4, 8}, names, 5, [](auto r, auto t, int, const std::string& name) {
    if (name.starts_with("corr") && t < 4) return 0.0;
    return (name == "overlap_kmin" ? 0.2 : 0.5) + 0.01 * r;
  })};
  return analyze_course(std::move(campaign));
}

TEST(SeriesTables, SayWhyAGraphHasNoLengths) {
  const CourseAnalysis without = of_graph(false), with = of_graph(true);
  for (const char* name : {"xi_12", "c4_axis(3)", "overlap_kmin", "xi_kmin"}) {
    EXPECT_THAT([&] { require_quantities(parse_selection(name), without); }, Refuses(InputFault::unknown, name));
  }
  EXPECT_THAT([&] { require_quantities(parse_selection("c22_axis(4,1)"), with); },
              Refuses(InputFault::unknown, "c22_axis(4,1)"));
  EXPECT_THAT([&] { require_quantities(parse_selection("correlation(5)"), without); },
              Refuses(InputFault::unknown, "correlation(5)"));
  EXPECT_NO_THROW(require_quantities(parse_selection("xi_kmin"), with));
  EXPECT_THAT(series_text(without), HasSubstr("no ξ_12 (sites of this graph have no positions)"));
  EXPECT_THAT(series_text(without), Not(HasSubstr("xi_")));
  EXPECT_THAT(series_text(with), HasSubstr("no ξ_12 (sites of this graph are no grid)"));
  EXPECT_THAT(series_text(with), HasSubstr("xi_kmin"));
  EXPECT_THAT(series_text(unfinished()), Not(HasSubstr("this graph")));
}

/// Covariances are those of the rows over n, of columns and of functions of averages alike.
TEST(SeriesTables, RowsOfRealizationsGiveErrorsAndCovariances) {
  const CourseAnalysis analysis = unfinished();
  const SizeSeries& series = analysis.series.sizes[0];
  const SlotAnalysis& slot = analysis.sizes[0].slots[0];
  for (const char* name : {"energy", "xi_12", "xi_ratio"}) {
    const auto rows = realization_rows(series, slot, name);
    const TimeCurve curve = curve_of(series, slot, name);
    const auto covariance = time_covariance(series, curve);
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_TRUE(std::isnan(rows[1][2]) && std::isfinite(rows[1][1]));
    const auto of = [&](std::size_t a, std::size_t b) {  // a and b within the first two times, which all have
      double mean_a = 0.0, mean_b = 0.0, sum = 0.0;
      for (const auto& row : rows) mean_a += row[a] / 5.0;
      for (const auto& row : rows) mean_b += row[b] / 5.0;
      for (const auto& row : rows) sum += (row[a] - mean_a) * (row[b] - mean_b) / 20.0;
      return sum;
    };
    EXPECT_NEAR(covariance[0][1], of(0, 1), 1e-12) << name;
    EXPECT_NEAR(curve.error[1], std::sqrt(of(1, 1)), 1e-12) << name;
  }
  EXPECT_EQ(realization_rows(series, slot, "energy")[3][2], series.row(3, 2, 0)[0]);
}

TEST(SeriesTables, LeaveOutTimesBeforeTheWaitingTimeAndFunctionsOfR) {
  const CourseAnalysis analysis = unfinished();
  const std::string covariance = covariance_csv(analysis), rows = realizations_csv(analysis);
  EXPECT_THAT(covariance, HasSubstr("L,slot,T,observable,t,t_other,covariance\n16,0,0.7,energy,1,1,"));
  EXPECT_THAT(covariance, HasSubstr("16,0,0.7,correlation(4),4,8,"));
  EXPECT_THAT(covariance, Not(HasSubstr("correlation(4),2,")));
  EXPECT_THAT(covariance, Not(HasSubstr("c4_axis")));
  EXPECT_THAT(covariance_csv(analysis, parse_selection("c4_axis(2)")), HasSubstr("16,0,0.7,c4_axis(2),1,8,"));
  EXPECT_THAT(rows, HasSubstr("L,slot,T,t,observable,realization,value\n16,0,0.7,1,energy,0,-0.9"));
  EXPECT_THAT(rows, HasSubstr("\n16,0,0.7,2,xi_12,1,"));
  EXPECT_THAT(rows, Not(HasSubstr("\n16,0,0.7,4,xi_12,1,")));
  EXPECT_THAT(rows, Not(HasSubstr("\n16,0,0.7,2,correlation(4),")));
}

}}  // namespace glassworks
