#include "analysis/series/series_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/report/document.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/print_figure.hpp"
#include "tests/analysis/series/series_fixture.hpp"

namespace glassworks { namespace {

double correlation_at(const std::string& name, std::uint64_t t, double zero) {
  const double xi = 1.2 * std::pow(static_cast<double>(t), 0.2), q = (xi - 1.0) / (xi + 1.0);
  return zero * std::pow(q, std::stoi(name.substr(name.find('(') + 1)));
}

CourseAnalysis vectors() {
  std::vector<std::string> names = {"energy",    "magnetization(1)", "magnetization(2)", "magnetization(3)",
                                    "overlap_2", "overlap_kmin",     "correlation(4)",   "link_correlation(4)"};
  for (const char* family : {"c4_axis", "chiral_axis_parallel", "chiral_axis_perpendicular"}) {
    for (std::string& name : testing::axis_names(17, family)) names.push_back(std::move(name));
  }
  CampaignSeries campaign;
  campaign.config.model.field = FieldKind::constant;
  campaign.config.model.field_strength = 0.5;
  campaign.config.model.field_direction = {0.0, 0.0, 1.0};
  campaign.sizes = {testing::made_series(
      32, {1, 2, 4, 8, 16, 32, 64}, names, 5, [](std::uint32_t r, std::uint64_t t, int, const std::string& name) {
        const double factor = 1.0 + 1e-3 * r;
        if (name == "magnetization(3)") return factor * 0.1 * std::log(2.0 * static_cast<double>(t));
        if (name.starts_with("magnetization")) return 7.0;  // across the field
        if (name == "energy") return -factor;
        if (name == "overlap_2") return 0.2 * factor;
        if (name == "overlap_kmin") return 0.1 * factor;
        if (name.starts_with("corr") || name.starts_with("link")) return t < 4 ? 0.0 : 0.5 * factor;
        return correlation_at(name, t, name.starts_with("chiral") ? 0.01 : 1.0) + 1e-6 * r;
      })};
  return analyze_course(std::move(campaign));
}

std::vector<Figure> figures_of(const std::vector<Section>& sections) {
  std::vector<Figure> figures;
  for (const Section& section : sections) {
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) figures.push_back(*figure);
    }
  }
  return figures;
}

const Figure* find(const std::vector<Figure>& figures, const std::string& id) {
  const auto found = std::ranges::find(figures, id, &Figure::id);
  return found == figures.end() ? nullptr : &*found;
}

TEST(SeriesFigures, ShowAllThatACampaignMeasures) {
  const CourseAnalysis analysis = vectors();
  ReferenceSeries reference;
  reference.t = {1.0, 10.0};
  reference.value = {1.0, 2.0};
  reference.error = {0.1, 0.0};
  const std::vector<Section> sections = series_sections(analysis, {reference});
  const std::vector<Figure> figures = figures_of(sections);
  for (const char* id :
       {"xi_12", "z", "xi_ratio", "c4_L32_slot0", "correlation_L32_slot0", "link_correlation_L32_slot0", "energy",
        "overlap_2", "response", "relaxation_rate", "xi_c12", "z_c", "chiral_L32_slot0"}) {
    ASSERT_NE(find(figures, id), nullptr) << id;
    EXPECT_FALSE(find(figures, id)->series.empty()) << id;
    EXPECT_FALSE(gnuplot_script(*find(figures, id)).empty()) << id;
  }
  const Figure& xi = *find(figures, "xi_12");
  EXPECT_TRUE(xi.x.logarithmic && xi.y.logarithmic);
  EXPECT_DOUBLE_EQ(xi.guides.at(0).at, 32.0 / 7.0);
  EXPECT_EQ(xi.series.back().name, "reference");
  EXPECT_EQ(find(figures, "xi_c12")->series.size(), 2U);
  const Series& aging = find(figures, "correlation_L32_slot0")->series.at(0);
  EXPECT_EQ(aging.x, (std::vector<double>{1.0, 3.0, 7.0, 15.0}));  // (t - t_w)/t_w after t_w
  Document document;
  document.title = "test";
  document.sections = sections;
  EXPECT_NO_THROW(check_document(document));
  EXPECT_FALSE(html_page(document).empty());
}

TEST(SeriesFigures, LeaveOutWhatIsNotMeasured) {
  CampaignSeries campaign;
  campaign.sizes = {testing::made_series(8, {1, 2, 4}, {"energy"}, 2, [](auto...) { return -1.0; })};
  const CourseAnalysis analysis = analyze_course(std::move(campaign));
  const std::vector<Figure> figures = figures_of(series_sections(analysis, {}));
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].id, "energy");
}

TEST(SeriesFigures, OfAGraphWithPositionsShowTheLengthFromKmin) {
  CampaignSeries campaign;
  campaign.sizes = {testing::made_series(
      8, {1, 2, 4}, {"energy", "overlap_2", "overlap_kmin"}, 4,
      [](auto r, auto, int, const std::string& name) { return (name == "overlap_2" ? 0.5 : 0.2) + 0.01 * r; })};
  const std::vector<Figure> figures = figures_of(series_sections(analyze_course(std::move(campaign)), {}));
  ASSERT_NE(find(figures, "xi_kmin"), nullptr);
  EXPECT_EQ(find(figures, "xi_12"), nullptr);
  EXPECT_EQ(find(figures, "z"), nullptr);
}

TEST(SeriesAnalysis, ResponseIsAlongTheFieldAndItsRateALogarithmicSlope) {
  const CourseAnalysis analysis = vectors();
  const SlotAnalysis& slot = analysis.sizes[0].slots[0];
  const TimeCurve* const response = slot.find("response");
  const TimeCurve* const rate = slot.find("relaxation_rate");
  ASSERT_NE(rate, nullptr);
  EXPECT_NEAR(response->value[2], 1.002 * 0.2 * std::log(8.0), 1e-12);
  for (std::size_t k = 1; k + 1 < rate->value.size(); ++k) EXPECT_NEAR(rate->value[k], 1.002 * 0.2, 1e-12);
}

TEST(SeriesAnalysis, SecondMomentLength) {
  const CourseAnalysis analysis = vectors();
  const TimeCurve* const found = analysis.sizes[0].slots[0].find("xi_kmin");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->value[0], 1.0 / (2.0 * std::sin(std::numbers::pi / 32.0)), 1e-12);  // sqrt(2 - 1)
}

/// The columns of Potts spins hold the square of the magnetization alone, so that there is nothing to respond to a
/// field.
TEST(SeriesFigures, OfPottsSpinsInAFieldHaveNoResponse) {
  CampaignSeries campaign;
  campaign.config.model.field = FieldKind::constant;
  campaign.config.model.field_strength = 0.5;
  campaign.sizes = {
      testing::made_series(16, {1, 2, 4}, {"energy", "magnetization_2", "overlap_2"}, 5,
                           [](std::uint32_t r, std::uint64_t, int, const std::string&) { return 1.0 + r; })};
  const CourseAnalysis analysis = analyze_course(std::move(campaign));
  EXPECT_EQ(analysis.sizes.front().slots.front().find("response"), nullptr);
}

}}  // namespace glassworks
