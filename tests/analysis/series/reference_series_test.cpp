#include "analysis/series/reference_series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/analysis/series/series_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;

class SeriesReference : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<ReferenceSeries> read(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return read_reference_series(file_);
  }
  auto reading(const std::string& text) const {
    return [=, this] { static_cast<void>(read(text)); };
  }
  auto refuses(InputFault fault) const { return Refuses(fault, file_.string()); }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("glassworks-series-" + std::to_string(::getpid()) + ".csv");
};

TEST_F(SeriesReference, IsTwoOrThreeColumnsOrTheTableOfAnalyze) {
  const auto two = read("t,xi12\n4,1.5\n# a comment\n1.00001, 1.1\n");
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].observable, "xi_12");
  EXPECT_THAT(two[0].t, ElementsAre(1.00001, 4.0));
  EXPECT_THAT(two[0].value, ElementsAre(1.1, 1.5));
  EXPECT_THAT(read("t,xi12,err\n4,1.5,0.25\n")[0].error, ElementsAre(0.25));
  EXPECT_EQ(read("t,xi_12_cut,err\n4,1.5,0.25\n")[0].observable, "xi_12_cut");
  EXPECT_EQ(read("t,energy\n4,-1.5\n")[0].observable, "energy");
  auto table = read(
      "L,slot,T,t,observable,mean,error,realizations\n64,0,0.7,10,energy,-1.5,0.1,8\n64,0,0.7,20,energy,nan,nan,1\n"
      "64,0,0.7,10,\"c22_axis(1,3)\",2.5,nan,1\n");
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].observable, "c22_axis(1,3)");
  std::swap(table[0], table[1]);
  EXPECT_EQ(table[0].observable, "energy");
  EXPECT_EQ(table[0].L, 64);
  EXPECT_EQ(table[0].T, 0.7);
  EXPECT_EQ(table[0].t.size(), 1U);
  EXPECT_EQ(table[1].error[0], 0.0);
}

TEST_F(SeriesReference, IsRefusedInASentence) {
  EXPECT_THAT(reading(""), refuses(InputFault::missing));
  EXPECT_THAT(reading("r,C\n1,2\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading("t,a,b,c\n1,2,3,4\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading("t,t\n1,2\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("t,value\n0,2\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("t,value\n1,x\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("t,value,error\n1,2,-1\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("t,value\n1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("t,value,L\n1,2,6.5\n"), refuses(InputFault::malformed));
}

TEST(SeriesComparisons, InterpolateInTheLogarithmOfTime) {
  const std::vector<std::uint64_t> times = {1, 10, 100, 1000};
  const std::vector<double> values = {1.0, 2.0, 3.0, std::nan("")};
  ReferenceSeries reference;
  reference.t = {0.5, 1.00001, 31.6227766016838, 100.0, 500.0};
  reference.value = {9.0, 1.0, 2.0, 3.3, 9.0};  // the first and the last lie outside
  const SeriesComparison found = compare_series(times, values, reference);
  EXPECT_EQ(found.points, 3U);
  EXPECT_NEAR(found.largest_ratio, 1.25, 1e-9);
  EXPECT_EQ(found.t, 31.6227766016838);
}

TEST(SeriesComparisons, NameWhatWasCompared) {
  CampaignSeries campaign;
  campaign.sizes = {testing::made_series(16, {1, 10}, {"energy", "c4_axis(0)"}, 2, [](auto...) { return -1.5; })};
  const CourseAnalysis analysis = analyze_course(std::move(campaign));
  ReferenceSeries reference;
  reference.observable = "energy";
  reference.t = {10.0};
  reference.value = {-1.0};
  EXPECT_THAT(comparison_lines(analysis, {reference}),
              ElementsAre("energy, L = 16, T = 0.7: 1 point compared with the reference, largest ratio 1.5 at t = 10"));
  reference.T = 0.8;
  EXPECT_THAT(comparison_lines(analysis, {reference}),
              ElementsAre("the reference has no point that this campaign has measured"));
  EXPECT_TRUE(comparison_lines(analysis, {}).empty());
}

}}  // namespace glassworks
