#include "analysis/report/label.hpp"

#include <gtest/gtest.h>

#include <string>

namespace glassworks { namespace {

TEST(ReportLabel, IndicesInEveryNotation) {
  EXPECT_EQ(html_label("ξ_{L}/L"), "ξ<sub>L</sub>/L");
  EXPECT_EQ(gnuplot_label("ξ_{L}/L"), "'ξ_{L}/L'");
  EXPECT_EQ(plain_label("ξ_{L}/L"), "ξ_L/L");
  EXPECT_EQ(html_label("L^{1/ν} χ_{SG}(k_{min})"), "L<sup>1/ν</sup> χ<sub>SG</sub>(k<sub>min</sub>)");
  EXPECT_EQ(plain_label("L^{1/ν} χ_{SG}(k_{min})"), "L^(1/ν) χ_SG(k_min)");
  EXPECT_EQ(html_label("x^{a_{i}}"), "x<sup>a<sub>i</sub></sup>");
  EXPECT_EQ(plain_label("x^{a_{i}}"), "x^(a_i)");
}

TEST(ReportLabel, OtherBracesAndMarksAreOrdinary) {
  for (const char* label : {"a_b", "x^2", "{1, 2}", "a}", "_{", "}_{", "^", ""}) {
    EXPECT_EQ(html_label(label), label);
    EXPECT_EQ(plain_label(label), label);
  }
  EXPECT_EQ(html_label("_{a{b}c}"), "<sub>a{b}c</sub>");
}

TEST(ReportLabel, DepthIsLimited) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "_{";
  deep += 'x';
  for (int i = 0; i < 100000; ++i) deep += '}';
  const std::string html = html_label(deep);
  std::size_t count = 0;
  for (std::size_t at = html.find("<sub>"); at != std::string::npos; at = html.find("<sub>", at + 1)) ++count;
  EXPECT_EQ(count, 4U);
  EXPECT_TRUE(html.ends_with("}</sub></sub></sub></sub>"));
}

TEST(ReportLabel, TagsAreText) { EXPECT_EQ(html_label("<i>_{<b>}"), "&lt;i&gt;<sub>&lt;b&gt;</sub>"); }

TEST(ReportLabel, GnuplotTakesEveryCharacterAsItIs) {
  EXPECT_EQ(gnuplot_label("it's"), "'it’s'");
  EXPECT_EQ(gnuplot_label("a_b^c@d&e~f{g}h\\i"), "'a\\_b\\^c\\@d\\&e\\~f\\{g\\}h\\\\i'");
  EXPECT_EQ(gnuplot_label("two\nlines"), "'two lines'");
}

TEST(ReportLabel, LongNamesAreCutBetweenCharacters) {
  EXPECT_EQ(label_length("ξ_{L}/L"), 5U);
  EXPECT_EQ(short_label("ξ_{L}/L", 5), "ξ_{L}/L");
  EXPECT_EQ(short_label("ξξξξξξ", 4), "ξξξ…");
  EXPECT_EQ(label_length(short_label(std::string(100, 'a'), 44)), 44U);
}

}}  // namespace glassworks
