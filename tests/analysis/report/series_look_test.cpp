#include "analysis/report/series_look.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace glassworks { namespace {

Series named(const std::string& name, SeriesStyle style = SeriesStyle::points) {
  return {.name = name, .style = style};
}

TEST(SeriesLook, SizesOfLabels) {
  EXPECT_EQ(size_of_label("L = 8"), 8);
  EXPECT_EQ(size_of_label("L = 12, median"), 12);
  for (const char* other :
       {"", "L = ", "L = x", "L = 4, 8", "L = 4,8", "L = 8 and 12", "L = -4", "T = 0.1", "l = 8", "L = 4."}) {
    EXPECT_EQ(size_of_label(other), std::nullopt) << other;
  }
}

TEST(SeriesLook, SizeHasOneColourAndMarkerInAllFigures) {
  Document document;
  Figure all{.id = "all", .series = {named("L = 4"), named("L = 6"), named("L = 8")}};
  Figure one{.id = "one", .series = {named("scaling function", SeriesStyle::band), named("L = 8"), named("L = 6")}};
  document.sections = {{"a", "A", {}, {all}}, {"b", "B", {}, {one}}};
  share_sizes(document);
  const FigureLooks first = figure_looks(std::get<Figure>(document.sections[0].items[0]));
  const FigureLooks second = figure_looks(std::get<Figure>(document.sections[1].items[0]));
  EXPECT_EQ(second.series[1].colour, first.series[2].colour);
  EXPECT_EQ(second.series[1].symbol, first.series[2].symbol);
  EXPECT_EQ(second.series[2].colour, first.series[1].colour);
  EXPECT_EQ(second.series[0].colour, neutral_colour);
  EXPECT_NE(first.series[0].colour, first.series[1].colour);
  EXPECT_NE(first.series[0].symbol, first.series[1].symbol);
}

TEST(SeriesLook, MoreSizesThanColoursHaveOpenMarkers) {
  Figure figure{.id = "f"};
  for (int L = 4; L <= 20; L += 2) figure.series.push_back(named("L = " + std::to_string(L)));
  const FigureLooks looks = figure_looks(figure);
  EXPECT_EQ(looks.series[7].colour, looks.series[0].colour);
  EXPECT_FALSE(looks.series[0].open);
  EXPECT_TRUE(looks.series[7].open);
}

TEST(SeriesLook, LegendHoldsEachSizeAndEachKindOnce) {
  Figure figure{.id = "f"};
  for (const char* L : {"L = 4", "L = 6"}) {
    figure.series.push_back(
        {.name = std::string(L) + ", reweighted", .style = SeriesStyle::band, .group = L, .legend = L});
    figure.series.push_back(named(L));
    figure.series.push_back(named(std::string(L) + ", reference"));
  }
  const FigureLooks looks = figure_looks(figure);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(looks.series[i].legend, i < 3 ? "L = 4" : "L = 6") << i;
  EXPECT_FALSE(looks.series[1].open);
  EXPECT_TRUE(looks.series[2].open);
  EXPECT_EQ(looks.series[2].colour, looks.series[1].colour);
  ASSERT_EQ(looks.kinds.size(), 1U);
  EXPECT_EQ(looks.kinds[0].text, "reference");
  EXPECT_TRUE(looks.kinds[0].open);
}

TEST(SeriesLook, KindsOfLinesAreDashes) {
  Figure figure{.id = "f"};
  for (const char* name : {"L = 4, median", "L = 4, smallest", "L = 6, median", "L = 6, smallest"}) {
    figure.series.push_back(named(name, SeriesStyle::line));
  }
  const FigureLooks looks = figure_looks(figure);
  EXPECT_EQ(looks.series[0].dash, 0);
  EXPECT_EQ(looks.series[3].dash, 1);
  EXPECT_EQ(looks.series[3].colour, looks.series[2].colour);
  ASSERT_EQ(looks.kinds.size(), 2U);
  EXPECT_EQ(looks.kinds[1].text, "smallest");
  EXPECT_FALSE(looks.kinds[1].points);
}

TEST(SeriesLook, ManyKindsKeepTheirNames) {
  Figure figure{.id = "f"};
  for (const char* T : {"0.1", "0.2", "0.3", "0.4"}) figure.series.push_back(named(std::string("L = 4, T = ") + T));
  const FigureLooks looks = figure_looks(figure);
  EXPECT_EQ(looks.series[3].legend, "L = 4, T = 0.4");
  EXPECT_TRUE(looks.kinds.empty());
}

TEST(SeriesLook, GroupsWithoutSizesHaveColoursInOrder) {
  Figure figure{.id = "f", .series = {named("a"), named("b"), {.name = "c", .style = SeriesStyle::line, .group = "a"}}};
  const FigureLooks looks = figure_looks(figure);
  EXPECT_EQ(looks.series[0].colour, 0);
  EXPECT_EQ(looks.series[1].colour, 1);
  EXPECT_EQ(looks.series[2].colour, 0);
  EXPECT_EQ(looks.series[2].dash, 0) << "a line through points is solid";
}

}}  // namespace glassworks
