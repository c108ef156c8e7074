#include "analysis/diagnostics/overlap_distributions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

std::shared_ptr<const DiagnosedSize> size_with(std::vector<std::string> samples, int copies = 2) {
  SizeRow row = testing::size_row({0.5, 1.0, 1.5, 2.0}, copies);
  row.samples = std::move(samples);
  return std::make_shared<const DiagnosedSize>(testing::diagnosed_config(copies), row);
}

/// Two samples of each quantity at each of four slots: value(slot, quantity).
RoundRow round_with(std::uint32_t n, std::size_t quantities, const std::function<double(int, std::size_t)>& value,
                    int copies = 2) {
  RoundRow row = testing::fake_round(
      n, 4, [](int, const std::string&) { return 0.0; }, 3, copies);
  row.record.samples_per_slot = 2;
  for (int slot = 0; slot < 4; ++slot) {
    for (int sample = 0; sample < 2; ++sample) {
      for (std::size_t q = 0; q < quantities; ++q) row.record.samples.push_back(static_cast<float>(value(slot, q)));
    }
  }
  return row;
}

/// Centre of the bin that holds everything.
double only_value(const OverlapHistogram& histogram) {
  const Density d = histogram.density(40);
  for (std::size_t bin = 0; bin < d.value.size(); ++bin) {
    if (d.value[bin].mean * d.width > 0.999) return d.centre(bin);
  }
  return std::nan("");
}

TEST(OverlapDistributions, TakesQuantitiesByNameAtTheShownTemperatures) {
  OverlapDistributions overlaps(size_with({"energy_of_copy_1", "chiral_zero", "overlap", "overlap_2"}));
  const auto value = [](int slot, std::size_t q) {
    const double values[] = {-1.5, 0.01, -0.1 - 0.1 * slot, 0.25};
    return values[q];
  };
  overlaps.add(testing::realization_row(0, 2),
               std::vector<RoundRow>{round_with(0, 4, [](int, std::size_t) { return 0.9; }), round_with(1, 4, value)});
  EXPECT_EQ(overlaps.slots(), (std::vector<std::size_t>{0, 1, 3}));
  const double half_bin = 0.5 / 40.0;
  EXPECT_NEAR(only_value(overlaps.histogram(OverlapDistributions::overlap, 0)), -0.1, half_bin)
      << "the first round is equilibration";
  EXPECT_NEAR(only_value(overlaps.histogram(OverlapDistributions::overlap, 2)), -0.4, half_bin);
  EXPECT_NEAR(only_value(overlaps.histogram(OverlapDistributions::modulus, 1)), 0.5, half_bin);
  EXPECT_NEAR(only_value(overlaps.histogram(OverlapDistributions::chiral, 1)), 0.1, half_bin);
  const OverlapDistributions* const sizes[] = {&overlaps};
  const Section section = overlap_section(sizes);
  ASSERT_EQ(section.items.size(), 9U);
  EXPECT_EQ(std::get<Figure>(section.items[0]).series[0].name, "L = 4, T = 0.5");
}

TEST(OverlapDistributions, EveryPairOfFourCopiesCounts) {
  const std::vector<std::string> names = {"overlap",    "overlap_12", "overlap_13", "overlap_14",
                                          "overlap_23", "overlap_24", "overlap_34"};
  OverlapDistributions overlaps(size_with(names, 4));
  overlaps.add(testing::realization_row(0, 1),
               std::vector<RoundRow>{round_with(
                   0, names.size(), [](int, std::size_t q) { return q < 6 ? 0.1 : 0.9; }, 4)});
  const Density d = overlaps.histogram(OverlapDistributions::overlap, 0).density(2);
  EXPECT_NEAR(d.value[1].mean * d.width, 1.0, 1e-12);
  const Density fine = overlaps.histogram(OverlapDistributions::overlap, 0).density(48);
  EXPECT_NEAR(fine.value.back().mean * fine.width, 1.0 / 6.0, 1e-12) << "the mean over pairs is none of them";
  EXPECT_FALSE(overlaps.has(OverlapDistributions::modulus));
}

TEST(OverlapDistributions, WithoutSamplesThereIsASentence) {
  OverlapDistributions overlaps(size_with({}));
  overlaps.add(testing::realization_row(0, 1),
               std::vector<RoundRow>{testing::fake_round(0, 4, [](int, const std::string&) { return 0.0; })});
  EXPECT_FALSE(overlaps.has(OverlapDistributions::overlap));
  const OverlapDistributions* const sizes[] = {&overlaps};
  const Section section = overlap_section(sizes);
  EXPECT_TRUE(section.items.empty());
  ASSERT_EQ(section.paragraphs.size(), 1U);
  EXPECT_THAT(section.paragraphs[0], HasSubstr("did not keep"));
}

TEST(OverlapDistributions, RefusesSamplesOfAnotherShape) {
  OverlapDistributions overlaps(size_with({"overlap"}));
  const std::vector<RoundRow> rounds = {round_with(0, 2, [](int, std::size_t) { return 0.0; })};
  EXPECT_THAT([&] { overlaps.add(testing::realization_row(7, 1), rounds); }, Fails());
}

}}  // namespace glassworks
