#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "tools/tune/recommendation.hpp"

namespace glassworks { namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Not;

/// A figure whose ratio to another one of this kind has about the standard error `error` sqrt(2). The parts of
/// different protocols are unrelated, by `phase`.
LogFigure figure(double value, double error, int phase) {
  constexpr int realizations = 64;
  LogFigure f{.value = std::log(value)};
  for (int r = 0; r < realizations; ++r) {
    const double wave = std::cos(2.0 * 3.14159265358979 * (phase + 1) * (r + 0.5) / realizations);
    f.without.push_back(f.value + error * std::sqrt(2.0) * wave / std::sqrt(realizations - 1.0));
  }
  return f;
}

struct Measured {
  int n_M;
  double walk, chi_sg, chi_cg;  ///< [ms per tau], [1e-7 s], [1e-5 s]
};

/// One H200, L = 8, heat bath n_B = 1, even-odd exchange after each n_M over-relaxations, 110 sweeps a measurement.
/// The walk of n_M = 0 was not measured: it is taken as fast as that of 1.
const std::vector<Measured> table{{20, 0.88, 8.2, 2.6}, {10, 0.52, 8.9, 2.7}, {5, 0.33, 8.5, 2.8}, {3, 0.27, 8.6, 2.9},
                                  {2, 0.25, 10.4, 3.6}, {1, 0.24, 13.7, 4.4}, {0, 0.24, 26, 10}};

/// The table with the configured protocol first.
std::vector<Measured> from(int configured) {
  std::vector<Measured> rows = table;
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Measured& m) { return m.n_M == configured; });
  std::rotate(rows.begin(), at, at + 1);
  return rows;
}

std::vector<ProtocolFigures> figures(const std::vector<Measured>& rows, double error) {
  std::vector<ProtocolFigures> all;
  for (const Measured& m : rows) {
    ProtocolFigures f{.errors = {figure(m.chi_sg, error, m.n_M), figure(m.chi_cg, error, m.n_M)},
                      .walk = figure(m.walk, 0.01, m.n_M)};
    f.tau_in_run = 30.0;
    all.push_back(std::move(f));
  }
  return all;
}

int recommended(int configured, double error) {
  const std::vector<Measured> rows = from(configured);
  return rows[recommend(figures(rows, error)).chosen].n_M;
}

TEST(Recommend, IsNotFooledByAFastWalkAlone) {
  for (const double error : {0.005, 0.01, 0.02, 0.03}) {
    for (const int configured : {10, 5, 3, 2, 1, 0}) {
      EXPECT_THAT(recommended(configured, error), AnyOf(10, 5, 3)) << configured << " " << error;
    }
  }
  // Slightly smaller errors do not keep a slow walk, unless pilots are too short to say that they are only slightly so.
  EXPECT_THAT(recommended(20, 0.01), AnyOf(10, 5, 3));
  EXPECT_THAT(recommended(20, 0.03), AnyOf(20, 10, 5, 3));
}

TEST(Recommend, LetsTheWalkDecideWhereErrorsAgree) {
  EXPECT_EQ(recommended(10, 0.02), 3);
  const std::vector<Measured> rows = from(10);
  const Recommendation r = recommend(figures(rows, 0.02));
  EXPECT_EQ(r.verdict, TuneVerdict::faster_walk);
  EXPECT_NEAR(std::exp(r.walk->value), 0.27 / 0.52, 1e-9);
  EXPECT_NEAR(std::exp(r.error.value), std::sqrt(8.6 / 8.9 * 2.9 / 2.7), 1e-9);
}

TEST(Recommend, KeepsTheConfiguredProtocolWhereNothingCanBeToldApart) {
  for (const int configured : {20, 10, 5, 3}) EXPECT_EQ(recommended(configured, 0.3), configured);
  const Recommendation r = recommend(figures(from(10), 0.3));
  EXPECT_EQ(r.verdict, TuneVerdict::keep);
  EXPECT_THAT(r.unclear, Contains(3U));       // n_M = 3
  EXPECT_THAT(r.unclear, Not(Contains(6U)));  // n_M = 0 is worse beyond doubt
  EXPECT_TRUE(r.alike.empty());
}

TEST(Recommend, DoesNotTakeASlowWalkForSlightlySmallerErrors) {
  std::vector<Measured> rows{{10, 0.5, 9.0, 2.7}, {20, 0.9, 7.2, 2.2}};
  EXPECT_EQ(recommend(figures(rows, 0.005)).chosen, 0U);
  rows[1].walk = 0.6;  // within the factor
  const Recommendation r = recommend(figures(rows, 0.005));
  EXPECT_EQ(r.chosen, 1U);
  EXPECT_EQ(r.verdict, TuneVerdict::fewer_errors);
}

TEST(Recommend, DoesNotTradeOneObservableForAnother) {
  EXPECT_EQ(recommend(figures({{10, 0.5, 9.0, 2.7}, {5, 0.3, 5.0, 4.5}}, 0.01)).chosen, 0U);
  EXPECT_EQ(recommend(figures({{10, 0.5, 9.0, 2.7}, {5, 0.3, 8.9, 2.75}}, 0.01)).chosen, 1U);
}

TEST(Recommend, SaysNothingFromRunsOfAFewTau) {
  std::vector<ProtocolFigures> all = figures(from(10), 0.01);
  all[0].tau_in_run = 5.0;
  EXPECT_EQ(recommend(all).verdict, TuneVerdict::too_short);
  EXPECT_EQ(recommend(all).chosen, 0U);
  all[0].tau_in_run = 30.0;
  all[3].tau_in_run = 5.0;  // n_M = 3 is left out, n_M = 5 is next
  EXPECT_EQ(from(10)[recommend(all).chosen].n_M, 5);
}

TEST(Recommend, ComparesErrorsAloneWhereNothingWalks) {
  std::vector<ProtocolFigures> all = figures({{10, 0.5, 9.0, 2.7}, {5, 0.3, 6.0, 2.0}, {3, 0.1, 8.9, 2.7}}, 0.01);
  for (ProtocolFigures& f : all) f.walk.reset();
  EXPECT_EQ(recommend(all).chosen, 1U);
}

}}  // namespace glassworks
