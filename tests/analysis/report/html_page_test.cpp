#include "analysis/report/html_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/report/assets.hpp"
#include "tests/report/demo_document.hpp"

namespace glassworks {
namespace {

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

TEST(HtmlPage, EmptyDocumentIsAPage) {
  const std::string page =
      html_page({.title = "", .verdict = {}, .sections = {}, .provenance = {}, .configuration = ""});
  EXPECT_THAT(page, Not(HasSubstr("id=\"verdict\"")));
  EXPECT_THAT(page, Not(HasSubstr("Provenance")));
}

}  // namespace
}  // namespace glassworks
