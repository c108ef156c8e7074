#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analysis/observables/observable.hpp"
#include "base/text.hpp"

namespace glassworks { namespace {

TEST(Observables, HaveOneRowForEachNameAndSayWhatTheyAre) {
  std::set<std::string> names;
  for (const Observable& row : observables()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " has two rows";
    EXPECT_FALSE(row.units.empty() || row.equation.empty()) << row.name;
    EXPECT_EQ(find_observable(row.name), &row);
  }
  EXPECT_EQ(find_observable("nothing of this kind"), nullptr);
}

TEST(Observables, HavePlacesOfTheirOwnInTheReportAndInTables) {
  std::set<int> figures, columns;
  for (const Observable& row : observables()) {
    if (row.figure.place > 0) {
      EXPECT_TRUE(figures.insert(row.figure.place).second) << row.name;
      EXPECT_FALSE(row.figure.label.empty() || row.figure.title.empty() || row.figure.caption.empty()) << row.name;
      EXPECT_TRUE(row.estimator) << row.name << " is drawn, and has no value";
    }
    if (row.column.place > 0) {
      EXPECT_TRUE(columns.insert(row.column.place).second) << row.name;
      EXPECT_FALSE(row.column.heading.empty()) << row.name;
      EXPECT_TRUE(row.estimator) << row.name << " is tabulated, and has no value";
    }
  }
  EXPECT_EQ(figures.size(), 40U);
  EXPECT_EQ(columns.size(), 21U);
}

TEST(Observables, PageHasARowForEach) {
  const std::string page = observables_page();
  for (const Observable& row : observables()) {
    EXPECT_NE(page.find("| `" + row.name + "` | "), std::string::npos) << row.name;
    EXPECT_NE(page.find("`" + markdown_cell(row.equation) + "`"), std::string::npos) << row.name;
  }
}

TEST(MarkdownCell, EscapesWhatEndsIt) { EXPECT_EQ(markdown_cell("a|b"), "a\\|b"); }

}}  // namespace glassworks
