#include "analysis/report/svg_figure.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Figure two_sizes() {
  Figure figure{"xi", "ξ_{L}/L <so far>", "Latest \"round\".", {"T", false}, {"ξ_{L}/L", false}};
  const double nan = std::nan("");
  figure.series = {{"L = 4", SeriesStyle::points_and_line, {1, 2, 3}, {0.5, 0.4, 0.3}, {0.01, 0.02, nan}},
                   {"L = 6", SeriesStyle::points_and_line, {1, 2, 3}, {0.6, nan, 0.2}, {}}};
  figure.sizes = {4, 6};
  return figure;
}

TEST(SvgFigure, HasAMarkerForEachNumberAndABarForEachError) {
  const std::string html = svg_figure(two_sizes());
  const std::string drawing = html.substr(html.find("<svg viewBox=\"0 0 420"), html.find("</svg>") - html.find("<svg"));
  EXPECT_EQ(count_of(drawing, "<circle"), 3U);
  EXPECT_EQ(count_of(drawing, "<rect"), 2U);
  EXPECT_EQ(count_of(drawing, "m-3 0h6"), 2U);
  EXPECT_THAT(drawing, Not(HasSubstr("nan")));
  EXPECT_THAT(html, HasSubstr("</svg>L = 4</li>"));
  EXPECT_THAT(html, HasSubstr("</svg>L = 6</li>"));
}

TEST(SvgFigure, EscapesTextsAndKnowsLabels) {
  const std::string html = svg_figure(two_sizes());
  EXPECT_THAT(html, HasSubstr("<h3>ξ<sub>L</sub>/L &lt;so far&gt;</h3>"));
  EXPECT_THAT(html, HasSubstr("aria-label=\"ξ_L/L &lt;so far&gt;\""));
  EXPECT_THAT(html, HasSubstr("Latest &#34;round&#34;."));
}

/// Where the ticks of the y axis and the points stand: a straight line through both.
TEST(SvgFigure, PointsStandWhereTheTicksSay) {
  Figure figure{"line", "line", "", {"x", false}, {"y", false}};
  figure.series = {{"one", SeriesStyle::points, {0, 10}, {0.2, 0.8}}};
  const std::string html = svg_figure(figure);
  const std::regex tick("y=\"([0-9.]+)\" text-anchor=\"end\">([0-9.]+)<"), point("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::vector<double> at, value, y;
  for (std::sregex_iterator i(html.begin(), html.end(), tick), end; i != end; ++i) {
    at.push_back(std::stod((*i)[1]) - 4.0);
    value.push_back(std::stod((*i)[2]));
  }
  for (std::sregex_iterator i(html.begin(), html.end(), point), end; i != end; ++i) y.push_back(std::stod((*i)[2]));
  ASSERT_GE(at.size(), 3U);
  ASSERT_GE(y.size(), 2U);
  const double slope = (at.back() - at.front()) / (value.back() - value.front());
  EXPECT_NEAR(y[0], at.front() + slope * (0.2 - value.front()), 0.3);
  EXPECT_NEAR(y[1], at.front() + slope * (0.8 - value.front()), 0.3);
  EXPECT_LT(y[1], y[0]);
}

TEST(SvgFigure, LogarithmicAxesHaveDecades) {
  Figure figure{"decades", "decades", "", {"t", true}, {"y", true}};
  figure.series = {{"one", SeriesStyle::line, {1, 10, 1000}, {0.001, 1, 5}}};
  const std::string html = svg_figure(figure);
  for (const char* text : {">1<", ">10<", ">100<", ">1000<", ">0.001<"}) EXPECT_THAT(html, HasSubstr(text));
}

TEST(SvgFigure, WithoutAnyNumberIsAnEmptyFrame) {
  Figure figure{"empty", "empty", "", {"x", false}, {"y", false}};
  figure.series = {{"one", SeriesStyle::line, {}, {}}, {"two", SeriesStyle::points, {1}, {std::nan("")}}};
  EXPECT_THAT(svg_figure(figure), Not(HasSubstr("nan")));
}

}}  // namespace glassworks
