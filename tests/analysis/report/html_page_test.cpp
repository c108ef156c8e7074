#include "analysis/report/html_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/report/assets.hpp"
#include "tests/report/demo_document.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(HtmlPage, HoldsItsScriptsAndStyles) {
  EXPECT_GT(plotly_script().size(), 1000000U);
  EXPECT_THAT(std::string(plotly_script().substr(0, 100)), HasSubstr("plotly.js (basic"));
  EXPECT_TRUE(page_script().ends_with("})();\n"));
  EXPECT_TRUE(page_style().starts_with(":root"));
  const std::string page = html_page(testing::demo_document());
  EXPECT_THAT(page, HasSubstr(std::string(page_script())));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(HtmlPage, ScriptsEndOnlyWhereThePageEndsThem) {
  const Document document = testing::demo_document();
  const std::string page = html_page(document);
  std::size_t items = 0;
  for (const Section& section : document.sections) items += section.items.size();
  EXPECT_EQ(count(page, "</script"), items + 2) << "plotly.js and page.js";
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_EQ(count(page, "Edges &amp; &lt;corners&gt;"), 2U) << "contents and heading";
  EXPECT_THAT(page, Not(HasSubstr("\xFF")));
}

TEST(HtmlPage, VerdictComesFirstAndContentsLinkEverySection) {
  const std::string page = html_page(testing::demo_document());
  const std::size_t verdict = page.find("id=\"verdict\""), first = page.find("id=\"section-scaling\"");
  ASSERT_NE(verdict, std::string::npos);
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(verdict, first);
  for (const char* id : {"section-scaling", "section-equilibrium", "section-edges", "provenance", "configuration"}) {
    EXPECT_EQ(count(page, "href=\"#" + std::string(id) + '"'), 1U) << id;
    EXPECT_EQ(count(page, "id=\"" + std::string(id) + '"'), 1U) << id;
  }
}

TEST(HtmlPage, FiguresAndTablesAreNumberedInOrder) {
  const std::string page = html_page(testing::demo_document());
  std::size_t before = 0;
  for (int i = 1; i <= 12; ++i) {
    const std::size_t at = page.find("<b>Figure " + std::to_string(i) + ".</b>");
    ASSERT_NE(at, std::string::npos) << i;
    EXPECT_GT(at, before);
    before = at;
  }
  EXPECT_THAT(page, HasSubstr("<b>Table 3.</b>"));
  EXPECT_THAT(page, HasSubstr("ξ<sub>L</sub>/L.</span>"));
}

TEST(HtmlPage, NumbersStandRightAndTextLeft) {
  Document document{.title = "t", .verdict = {}, .sections = {}, .provenance = {}, .configuration = ""};
  const Table table{.id = "t",
                    .title = "",
                    .caption = "",
                    .rows = {{"T", "why", "n"}, {"−0.11(3)", "4 of them", "98 %"}, {"nan", "none", "–"}, {"1"}}};
  document.sections = {{"s", "S", {}, {table}}};
  const std::string page = html_page(document);
  EXPECT_THAT(
      page,
      HasSubstr("<th scope=\"col\" class=\"n\">T</th><th scope=\"col\">why</th><th scope=\"col\" class=\"n\">n</th>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"n\">1</td><td></td><td class=\"n\"></td>")) << "short rows are filled up";
}

TEST(HtmlPage, NumbersHaveTrueMinusAndPowersOfTen) {
  Document document;
  const Table table{
      .id = "t", .title = "", .caption = "", .rows = {{"x"}, {"-0.11(3)"}, {"-1.500(30)e-09"}, {"2e+12"}, {"-0.31"}}};
  document.sections = {{"s", "S", {}, {table}}};
  const std::string page = html_page(document);
  for (const char* cell :
       {">−0.11(3)<", ">−1.500(30) · 10<sup>−9</sup><", ">2 · 10<sup>12</sup><", "<td class=\"n\">−0.31<"}) {
    EXPECT_THAT(page, HasSubstr(cell));
  }
  EXPECT_THAT(page, HasSubstr("-1.500(30)e-09\\n")) << "the CSV file keeps them as they are";
}

TEST(HtmlPage, SymbolsStandForNamesOnThePageOnly) {
  Document document;
  Table table{.id = "t", .title = "", .caption = "", .rows = {{"nu", "observable"}, {"1", "xi_over_L"}}};
  table.rows[0][0] = "ν";
  table.csv_heading = {"nu", "observable"};
  table.shown = {{"xi_over_L", "ξ_{L}/L"}};
  document.sections = {{"s", "S", {}, {table}}};
  const std::string page = html_page(document);
  EXPECT_THAT(page, HasSubstr("<td>ξ<sub>L</sub>/L</td>"));
  EXPECT_THAT(page, HasSubstr(">ν</th>"));
  EXPECT_THAT(page, HasSubstr("nu,observable\\n1,xi_over_L\\n"));
}

TEST(HtmlPage, HeadlineStandsBetweenTitleAndVerdict) {
  const std::string page = html_page(testing::demo_document());
  const std::size_t line = page.find("<p class=\"headline\">Heisenberg model in 3D, L = 4, 6, 8, 12");
  ASSERT_NE(line, std::string::npos);
  EXPECT_GT(line, page.find("</h1>"));
  EXPECT_LT(line, page.find("id=\"verdict\""));
  EXPECT_THAT(page, HasSubstr("3.2 × 10<sup>13</sup> spin updates"));
}

TEST(HtmlPage, OnlyFoldedSectionsProvenanceAndConfigurationAreClosed) {
  const std::string page = html_page(testing::demo_document());
  EXPECT_EQ(count(page, "<details class=\"folded\"><summary><h2 id=\"section-equilibrium\">"), 1U);
  EXPECT_EQ(count(page, "<details class=\"folded\">"), 3U);
}

TEST(HtmlPage, BriefPageHasMainFiguresAndOneTable) {
  const std::string page = html_brief_page(testing::demo_document());
  EXPECT_EQ(count(page, "<div class=\"sheet\">"), 2U);
  EXPECT_EQ(count(page, "<figure class=\"plot\""), 8U);
  EXPECT_EQ(count(page, "<figure class=\"table"), 1U);
  EXPECT_THAT(page, Not(HasSubstr("id=\"figure-identity\""))) << "of a folded section";
  EXPECT_THAT(page, HasSubstr("id=\"table-exponents\""));
  Document wordy = testing::demo_document();
  wordy.verdict.assign(40, "One more.");
  EXPECT_THAT(html_brief_page(wordy), HasSubstr("33 more sentences are on the whole page."));
}

TEST(HtmlPage, TheTableOfTheVerdictStandsAboveItsSentences) {
  Document document = testing::demo_document();
  document.verdict_table.rows = {{"L", "realizations", "converged", "verdict"}, {"4", "16", "16", "equilibrated"}};
  for (const std::string& page : {html_page(document), html_brief_page(document)}) {
    const std::size_t table = page.find(">equilibrated</td>");
    ASSERT_NE(table, std::string::npos);
    EXPECT_GT(table, page.find("id=\"verdict\""));
    EXPECT_LT(table, page.find("Spin-glass order below"));
  }
}

TEST(HtmlPage, ColumnsWithoutAnythingAreLeftOut) {
  Document document;
  const Table table{.id = "t",
                    .title = "",
                    .caption = "",
                    .rows = {{"T", "worst", "without", "p"}, {"1", "–", "none", "nan"}, {"2", "–", "none", "0.5"}}};
  document.sections = {{"s", "S", {}, {table}}};
  const std::string page = html_page(document);
  EXPECT_THAT(page, Not(HasSubstr("worst</th>")));
  EXPECT_THAT(page, HasSubstr("without</th>"));
  EXPECT_THAT(page, HasSubstr("p</th>"));
  EXPECT_THAT(page, HasSubstr("T,worst,without,p\\n")) << "the CSV file keeps them";
}

TEST(HtmlPage, InsetGoesIntoAnEmptyCorner) {
  Figure figure{.id = "f", .x = {.label = "T"}, .y = {.label = "R"}};
  figure.series = {{.name = "L = 4", .style = SeriesStyle::line, .x = {0, 0.3, 1}, .y = {1, 0.1, 0}}};
  EXPECT_THAT(figure_json(figure), Not(HasSubstr("inset")));
  figure.inset = Inset{0.2, 0.4, 0.0, 0.4};
  EXPECT_THAT(figure_json(figure),
              HasSubstr("\"inset\":{\"x\":[0.2,0.4],\"y\":[0.0,0.4],\"right\":true,\"top\":true}"));
  figure.series.push_back({.name = "L = 6", .style = SeriesStyle::line, .x = {0, 1, 0, 1}, .y = {0, 1, 1, 0}});
  figure.series.push_back({.name = "L = 8", .style = SeriesStyle::points, .x = {0.9}, .y = {0.9}});
  EXPECT_THAT(figure_json(figure), Not(HasSubstr("inset"))) << "no room";
}

TEST(HtmlPage, EmptyDocumentIsAPage) {
  const std::string page =
      html_page({.title = "", .verdict = {}, .sections = {}, .provenance = {}, .configuration = ""});
  EXPECT_THAT(page, Not(HasSubstr("id=\"verdict\"")));
  EXPECT_THAT(page, Not(HasSubstr("Provenance")));
  EXPECT_THAT(html_brief_page({}), HasSubstr("</html>"));
}

}}  // namespace glassworks
