#include "analysis/averages/log_binning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace glassworks { namespace {

RealizationSummary with_bins(std::vector<std::vector<double>> bins) {
  RealizationSummary summary;
  summary.log_bin = std::move(bins);
  return summary;
}

TEST(LogBinning, PairsConsecutiveBinsWithinEachRealization) {
  // One slot: {energy, |q|^2}. The realizations are far apart; their differences are not.
  const std::vector<RealizationSummary> realizations = {with_bins({{-10.0, 0.5}, {-9.0, 0.4}, {-5.0, 0.1}}),
                                                        with_bins({{-100.0, 0.9}, {-97.0, 0.6}, {-90.0, 0.2}}),
                                                        with_bins({{-50.0, 0.7}, {-48.0, 0.5}})};
  const std::vector<LogBinStep> steps = log_bin_steps(realizations, 1);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].bin, 0);
  const Estimate& energy = steps[0].difference[0].at(0);
  EXPECT_NEAR(energy.mean, -2.0, 1e-13);
  EXPECT_NEAR(energy.error, std::sqrt(1.0 / 3.0), 1e-13);  // of -1, -3, -2
  EXPECT_EQ(energy.realizations, 3);
  EXPECT_NEAR(steps[0].difference[1].at(0).mean, 0.2, 1e-13);
  EXPECT_NEAR(steps[1].difference[0].at(0).mean, -5.5, 1e-13);
  EXPECT_EQ(steps[1].difference[0].at(0).realizations, 2);
}

TEST(LogBinning, ErrorsAreOverGroupsWhereTheseAreGiven) {
  std::vector<RealizationSummary> realizations;
  std::vector<double> differences;
  for (std::uint32_t r = 0; r < 6; ++r) {
    const double later = std::pow(r + 1.0, 2);
    realizations.push_back(with_bins({{later, 0.0}, {0.0, 0.0}}));
    realizations.back().key.realization = 2 * r;  // groups of 4: {0, 2}, {4, 6}, {8, 10}
    differences.push_back(later);
  }
  const Estimate energy = log_bin_steps(realizations, 1, 4).at(0).difference[0].at(0);
  EXPECT_NEAR(energy.error, mean_over_groups(differences, std::vector<std::size_t>{0, 2, 4, 6}).error, 1e-13);
  EXPECT_EQ(energy.independent(), 3);
}

TEST(LogBinning, NamesBinsByTheirPartOfTheHistory) {
  EXPECT_EQ(log_bin_name(0), "1/2");
  EXPECT_EQ(log_bin_name(2), "1/8");
}

TEST(LogBinning, SignificanceIsInUnitsOfTheError) {
  EXPECT_EQ(significance({-3.0, 1.5, 10}), 2.0);
  EXPECT_EQ(significance({0.0, 0.0, 10}), 0.0);
  EXPECT_TRUE(std::isinf(significance({1.0, 0.0, 10})));
  EXPECT_TRUE(std::isnan(significance({1.0, std::numeric_limits<double>::quiet_NaN(), 1})));
}

}}  // namespace glassworks
