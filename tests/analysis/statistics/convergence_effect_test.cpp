#include "analysis/statistics/convergence_effect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

/// One temperature; energies as given, propagator of a mass of its own for each; those not in `converged` are not.
SizeEnsemble size_of(const std::vector<double>& energies, const std::vector<bool>& converged) {
  const Columns columns(testing::stored_names(), 3);
  SizeEnsemble size;
  size.size = {4, {0.5}, testing::stored_names(), false};
  for (std::size_t r = 0; r < energies.size(); ++r) {
    const RealizationKey key{4, static_cast<std::uint32_t>(r)};
    const std::vector<RoundRow> rounds = {testing::fake_round(0, 1, [&](int, const std::string& name) {
      return name == "energy" ? energies[r] : testing::propagator_bin(0.5 + 0.1 * static_cast<double>(r), 4, name);
    })};
    size.summaries.push_back(summarize(key, rounds, columns, 1));
    RealizationRow row;
    row.key = key;
    row.rounds = 1;
    row.status = converged[r] ? RealizationStatus::converged : RealizationStatus::failed;
    row.judgement.tau = 10.0 * static_cast<double>(r);
    if (!converged[r]) row.reason = "planted";
    size.rows.push_back(row);
  }
  size.converged = converged;
  size.ensemble = make_ensemble(4, size.size.temperatures, columns, size.summaries);
  return size;
}

ConvergenceEffect find(const ConvergenceEffects& effects, const std::string& name) {
  for (const ConvergenceEffect& effect : effects.effects) {
    if (effect.observable == name) return effect;
  }
  throw std::runtime_error("no " + name);
}

TEST(ConvergenceEffect, BracketsAMeanByTheExtremesSeen) {
  const SizeEnsemble size = size_of({-1.0, -2.0, -3.0, -6.0, -1.5}, {true, true, true, false, false});
  const ConvergenceEffects effects = convergence_effects(testing::fake_config(), size);
  EXPECT_EQ(effects.used, 5U);
  ASSERT_EQ(effects.unconverged.size(), 2U);
  const ConvergenceEffect energy = find(effects, "energy");
  EXPECT_DOUBLE_EQ(energy.all[0].mean, -2.7);
  EXPECT_DOUBLE_EQ(energy.converged[0].mean, -2.0);
  EXPECT_NEAR(energy.converged[0].error, std::sqrt(1.0 / 3.0), 1e-12);
  EXPECT_DOUBLE_EQ(energy.lowest[0], (-1.0 - 2.0 - 3.0 - 2 * 6.0) / 5.0);
  EXPECT_DOUBLE_EQ(energy.highest[0], (-1.0 - 2.0 - 3.0 - 2 * 1.0) / 5.0);
}

// xi_L/L of averages with one realization replaced, written out for each candidate.
TEST(ConvergenceEffect, BracketsADerivedObservableWithWholeRealizations) {
  const SizeEnsemble size = size_of({-1.0, -1.0, -1.0, -1.0}, {true, false, true, true});
  const ConvergenceEffect xi = find(convergence_effects(testing::fake_config(), size), "xi_over_L");
  const double s = 2.0 * std::sin(std::numbers::pi / 4);
  double lowest = 1e9, highest = -1e9;
  for (const double other : {0.5, 0.6, 0.7, 0.8}) {
    double zero = 0.0, kmin = 0.0;
    for (const double mass : {0.5, other, 0.7, 0.8}) {
      zero += 1.0 / (mass * mass);
      kmin += 1.0 / (mass * mass + s * s);
    }
    const double value = std::sqrt(zero / kmin - 1.0) / s / 4.0;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  EXPECT_NEAR(xi.lowest[0], lowest, 1e-12);
  EXPECT_NEAR(xi.highest[0], highest, 1e-12);
  EXPECT_LT(xi.lowest[0], xi.all[0].mean);
  EXPECT_GT(xi.highest[0], xi.all[0].mean);
}

TEST(ConvergenceEffect, IsShownAsTablesFiguresAndWords) {
  const std::vector<ConvergenceEffects> sizes = {convergence_effects(
      testing::fake_config(), size_of({-1.0, -2.0, -3.0, -6.0, -1.5}, {true, true, true, false, false}))};
  const Table list = unconverged_table(sizes);
  ASSERT_EQ(list.rows.size(), 3U);
  EXPECT_EQ(list.rows[1], (std::vector<std::string>{"4", "4", "failed", "1", "0", "40", "planted"}))
      << "the longest tau comes first";
  EXPECT_EQ(unconverged_table(sizes, 1).rows.size(), 2U);
  EXPECT_THAT(unconverged_table(sizes, 1).caption, HasSubstr("the 1 with the longest tau of 2"));
  const Table table = convergence_table(sizes);
  for (const std::vector<std::string>& row : table.rows) EXPECT_EQ(row.size(), table.rows[0].size());
  const Figure figure = convergence_figure(sizes, "energy", "e");
  ASSERT_EQ(figure.series.size(), 3U);
  EXPECT_DOUBLE_EQ(figure.series[0].y[0] - figure.series[0].y_error[0], -3.6);
  EXPECT_DOUBLE_EQ(figure.series[0].y[0] + figure.series[0].y_error[0], -1.6);
  const std::pair<std::string, std::string> figures[] = {{"energy", "e"}, {"no_such_observable", "x"}};
  const Section section = convergence_section(sizes, figures);
  EXPECT_EQ(section.items.size(), 3U);
  ASSERT_EQ(section.paragraphs.size(), 1U);
  EXPECT_THAT(section.paragraphs[0], HasSubstr("L = 4: 2 of 5 realizations used have not converged; leaving them out"));
}

TEST(ConvergenceEffect, IsNothingWhereAllHaveConverged) {
  const std::vector<ConvergenceEffects> sizes = {
      convergence_effects(testing::fake_config(), size_of({-1.0, -2.0}, {true, true}))};
  EXPECT_TRUE(sizes[0].effects.empty());
  const Section section = convergence_section(sizes, {});
  EXPECT_TRUE(section.items.empty());
  EXPECT_THAT(section.paragraphs.at(0), HasSubstr("all 2 realizations used have converged"));
}

// Read with Selection::converged_only: what is left out of the averages has no effect on them.
TEST(ConvergenceEffect, IsOfTheRealizationsUsed) {
  SizeEnsemble size = size_of({-1.0, -2.0, -3.0}, {true, true, false});
  size.ensemble = select(size.ensemble, size.converged);
  size.converged = {true, true};
  const ConvergenceEffects effects = convergence_effects(testing::fake_config(), size);
  EXPECT_EQ(effects.used, 2U);
  EXPECT_TRUE(effects.unconverged.empty());
  EXPECT_TRUE(effects.effects.empty());
}

TEST(ConvergenceEffect, HasNothingToCompareWithWhereNoneHasConverged) {
  const ConvergenceEffects effects =
      convergence_effects(testing::fake_config(), size_of({-1.0, -2.0, -3.0}, {false, false, false}));
  const ConvergenceEffect energy = find(effects, "energy");
  EXPECT_TRUE(std::isnan(energy.converged[0].mean));
  EXPECT_DOUBLE_EQ(energy.lowest[0], -3.0);
  EXPECT_DOUBLE_EQ(energy.highest[0], -1.0);
  const std::vector<ConvergenceEffects> sizes = {effects};
  EXPECT_FALSE(convergence_section(sizes, {}).items.empty());
}

}}  // namespace glassworks
