#include "analysis/series/campaign_series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_tables.hpp"
#include "analysis/series/series_text.hpp"
#include "analysis/series/series_verdict.hpp"
#include "tests/analysis/series/series_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::axis_names;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::made_series;
using ::testing::Not;
using testing::StoredCourse;

class StoredSeries : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "glassworks_series_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  Database written(const std::string& name, const StoredCourse& stored) {
    fs::create_directory(root_ / name);
    testing::write_stored_course(root_ / name / database_file_name, stored);
    return Database::open(root_ / name / database_file_name, DatabaseAccess::read_only);
  }

  static StoredCourse course(int realizations, int first = 0, int sweeps = 100) {
    return {
        .text = fmt::format("model.type = ising\nmodel.L = 4\nmodel.couplings = bimodal\ndisorder.realizations = {}\n"
                            "disorder.first = {}\nladder.temperatures = 0.7, 1.1\ncourse.sweeps = {}\n"
                            "course.times = 2, 10, 100\ncourse.waiting_times = 5\ncourse.longest_round = 30\n",
                            realizations, first, sweeps),
        .names = {"energy", "correlation(5)"},
        .value = [](std::uint32_t r, std::uint64_t t, int slot, const std::string& name) {
          return name == "energy" ? 1000.0 * r + static_cast<double>(t) + 0.5 * slot : -1.0;
        }};
  }

  fs::path root_;
};

TEST_F(StoredSeries, AreReadAtTheTimesOfTheCourse) {
  StoredCourse stored = course(3);
  // Rounds end at 2, 5, 10, 32 or so (30 at most), ...: the second realization has only the first two times.
  stored.rounds = [](std::uint32_t r) { return r == 1 ? 2U : 1000U; };
  const Database database = written("a", stored);
  const CampaignSeries campaign = read_series(database);
  ASSERT_EQ(campaign.sizes.size(), 1U);
  const SizeSeries& series = campaign.sizes[0];
  EXPECT_THAT(series.times, ElementsAre(2, 5, 10, 100));
  EXPECT_EQ(series.end, 100U);
  EXPECT_EQ(series.total, 3);
  EXPECT_EQ(series.complete, 2);
  EXPECT_EQ(series.realizations[1].reached, 5U);
  EXPECT_THAT((std::vector<int>{series.count(0), series.count(1), series.count(2), series.count(3)}),
              ElementsAre(3, 3, 2, 2));
  EXPECT_EQ(series.row(2, 3, 1)[0], 2100.5);
  EXPECT_EQ(series.temperature[3], (std::vector<double>{0.7, 1.1}));
  EXPECT_THAT(waiting_times(series), ElementsAre(5));
  EXPECT_THAT(reference_times(series), ElementsAre(0, 5));
}

TEST_F(StoredSeries, OfSeveralCampaignsAreOneEvenIfSomeAreLonger) {
  const Database one = written("a", course(2)), other = written("b", course(2, 2));
  const CampaignSeries campaign = read_series(CampaignSet({&one, &other}));
  ASSERT_EQ(campaign.sizes.size(), 1U);
  EXPECT_EQ(campaign.sizes[0].total, 4);
  EXPECT_EQ(campaign.sizes[0].row(3, 0, 0)[0], 3002.0);
}

TEST_F(StoredSeries, FollowTemperaturesThatChange) {
  StoredCourse stored = course(1);
  stored.text =
      "model.type = ising\nmodel.L = 4\nmodel.couplings = bimodal\ndisorder.realizations = 1\n"
      "course.sweeps = 100\ncourse.segments = 10 at 2, 40 from 1.5 to 0.5 stair 20, at 0.7\ncourse.times = 5, 60\n";
  const Database database = written("a", stored);
  const CampaignSeries campaign = read_series(database);
  const SizeSeries& series = campaign.sizes[0];
  EXPECT_THAT(series.times, ElementsAre(5, 10, 50, 60));
  std::vector<double> T;
  for (const auto& of_time : series.temperature) T.push_back(of_time[0]);
  EXPECT_THAT(T, ElementsAre(2.0, 2.0, 0.5, 0.7));
  EXPECT_FALSE(series.is_constant());
  EXPECT_EQ(temperature_words(series, 0), "T = 2, 0.5, 0.7");
}

TEST_F(StoredSeries, NameDamage) {
  StoredCourse stored = course(2);
  stored.measurements_of_pauses = 1;  // rounds that end between the times would be measured
  const Database wrong = written("a", stored);
  EXPECT_THAT([&] { static_cast<void>(read_series(wrong)); }, Fails());
  stored = course(2);
  stored.value = [](std::uint32_t r, std::uint64_t t, int slot, const std::string&) {
    return r == 1 && t == 10 && slot == 1 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  };
  const Database not_finite = written("b", stored);
  EXPECT_THAT([&] { static_cast<void>(read_series(not_finite)); }, Fails());
}

TEST_F(StoredSeries, OfRealizationsThatHaveNotBegunAreASentence) {
  StoredCourse stored = course(2);
  stored.rounds = [](std::uint32_t) { return 0U; };
  const Database database = written("a", stored);
  const CourseAnalysis analysis = analyze_course(read_series(database));
  EXPECT_THAT(series_text(analysis),
              HasSubstr("L = 4: 0 of 2 realizations are complete (t = 100), none has measured anything yet."));
}

/// xi_12 of C(r) = q^r, about (1 + q)/(1 - q), which grows with t, with noise of 1 %.
CourseAnalysis growing(int L, int realizations, double scatter = 1e-3) {
  CampaignSeries campaign;
  std::vector<std::string> names = axis_names(L / 2 + 1);
  names.insert(names.begin(), {"energy", "correlation(4)"});
  campaign.sizes = {made_series(
      L, {1, 2, 4, 8, 16, 32}, names, realizations, [scatter](auto r, auto t, int, const std::string& name) {
        if (name == "energy") return -1.0 + 0.01 * r;
        if (name.starts_with("corr")) return t < 4 ? 0.0 : 0.5 + 0.01 * r;
        const double xi = 1.2 * std::sqrt(static_cast<double>(t)), q = (xi - 1.0) / (xi + 1.0);
        const int distance = std::stoi(name.substr(name.find('(') + 1));
        const int sign = (distance * 7 + static_cast<int>(r) * 3) % 5 - 2;
        return std::pow(q, distance) + scatter * sign;
      })};
  return analyze_course(std::move(campaign));
}

TEST(SeriesVerdict, WarnsFromTheTimeAtWhichTheLatticeIsTooSmall) {
  const CourseAnalysis small = growing(24, 5), large = growing(64, 5);
  // 24 < 7 x 1.2 sqrt(t) from t = 16 on.
  EXPECT_EQ(first_too_long(small.series.sizes[0], small.sizes[0].slots[0]), 4U);
  EXPECT_THAT(series_verdict(small.sizes[0]), Contains(HasSubstr("WARNING at T = 0.7: L < 7 ξ_{12} from t = 16 on")));
  EXPECT_EQ(first_too_long(large.series.sizes[0], large.sizes[0].slots[0]), std::nullopt);
  EXPECT_THAT(series_verdict(large.sizes[0]), Contains("L ≥ 7 ξ_{12} at all times and temperatures"));
  EXPECT_THAT(series_verdict(large.sizes[0]), Contains("all 5 realizations are complete, up to t = 32"));
}

TEST(SeriesVerdict, SaysWhatErrorsAndNoiseAreWorth) {
  const std::vector<std::string> few = series_verdict(growing(64, 3).sizes[0]);
  EXPECT_THAT(few, Contains(HasSubstr("errors from 3 realizations at the last time are rough")));
  EXPECT_THAT(series_verdict(growing(64, 4).sizes[0]), Not(Contains(HasSubstr("rough"))));
  EXPECT_THAT(few, Contains(HasSubstr("C_{4} is above its noise up to r = ")));
  EXPECT_THAT(series_verdict(growing(64, 5, 1e-2).sizes[0]),
              Contains(AllOf(HasSubstr("WARNING"), HasSubstr("beyond"))));
}

TEST(SeriesVerdict, WarnsWhereRealizationsShareRandomWords) {
  CourseAnalysis analysis = growing(24, 5);
  EXPECT_THAT(course_verdict(analysis), Not(Contains(HasSubstr("random words"))));
  analysis.series.config.model.spins.kind = ModelKind::ising;
  analysis.series.config.protocol.multispin = MultispinRule::heat_bath;
  ASSERT_GT(analysis.series.config.realizations_per_group(), 1U);
  EXPECT_THAT(course_verdict(analysis), Contains(HasSubstr("realizations share random words")));
}

TEST(SeriesText, ShowsAThinnedTableAndAgingAndTheRowsOfTheCsv) {
  const CourseAnalysis analysis = growing(24, 5);
  const std::string text = series_text(analysis), csv = series_csv(analysis);
  EXPECT_THAT(text, HasSubstr("L = 24, T = 0.7\n"));
  EXPECT_THAT(text, HasSubstr("C(t_w + t, t_w):"));
  EXPECT_THAT(csv, HasSubstr("24,0,0.7,8,energy,-0.97999"));
  EXPECT_THAT(csv, HasSubstr("24,0,0.7,4,correlation(4),"));
  EXPECT_THAT(csv, Not(HasSubstr("24,0,0.7,2,correlation(4),")));
  EXPECT_THAT(csv, HasSubstr("24,0,0.7,8,xi_12,"));
}

TEST(ThinnedTimes, KeepTheEndsAndEqualRatios) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t t = 1; t <= 1000; ++t) times.push_back(t);
  const std::vector<std::size_t> places = thinned_times(times, 4);
  EXPECT_THAT(places, ElementsAre(0, 9, 99, 999));
  EXPECT_EQ(thinned_times({1, 5}, 4).size(), 2U);
}

}}  // namespace glassworks
