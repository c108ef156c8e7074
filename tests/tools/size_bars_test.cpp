#include "tools/glassworks/size_bars.hpp"

#include <gmock/gmock.h>

#include <string>

namespace glassworks { namespace {

using ::testing::ElementsAre;

std::vector<std::string> whole_lines(const std::vector<BarLine>& lines) {
  std::vector<std::string> texts;
  for (const BarLine& line : lines) texts.push_back(line.begin + line.full + line.rest);
  return texts;
}

const std::vector<SizeProgress> sizes = {
    {.L = 4, .realizations = 8, .converged = 8, .done = 8, .whole = 8},
    {.L = 12, .realizations = 8, .converged = 2, .failed = 1, .done = 3, .whole = 8}};

TEST(SizeBars, StandBelowEachOther) {
  EXPECT_THAT(whole_lines(size_bars(sizes, 0, 0, "converged")),
              ElementsAre("L = 4   [########################] 8/8 converged",
                          "L = 12  [#########...............] 2/8 converged, 1 failed"));
}

TEST(SizeBars, FillTheColumnsAndNoMore) {
  for (const int columns : {41, 45, 60, 80, 200}) {
    std::size_t longest = 0;
    for (const std::string& line : whole_lines(size_bars(sizes, columns, 0, "converged"))) {
      EXPECT_LT(line.size(), static_cast<std::size_t>(columns));
      longest = std::max(longest, line.size());
    }
    EXPECT_EQ(longest, static_cast<std::size_t>(std::min(columns - 1, 60 + 34))) << columns;
  }
  EXPECT_THAT(whole_lines(size_bars(sizes, 36, 0, "converged")),
              ElementsAre("L = 4   8/8 converged", "L = 12  2/8 converged, 1 failed"));
  EXPECT_THAT(whole_lines(size_bars(sizes, 12, 0, "converged")), ElementsAre("L = 4   8/8", "L = 12  2/8"));
}

TEST(SizeBars, OfMoreSizesThanRowsThoseThatRunComeFirst) {
  std::vector<SizeProgress> many;
  for (const int L : {4, 6, 8, 10}) many.push_back({.L = L, .realizations = 1, .done = L == 6 ? 1.0 : 0.0, .whole = 1});
  std::vector<std::string> shown;
  for (const std::string& line : whole_lines(size_bars(many, 0, 5, "complete"))) shown.push_back(line.substr(0, 6));
  EXPECT_THAT(shown, ElementsAre("L = 4 ", "L = 8 ", "L = 10"));
  EXPECT_TRUE(size_bars(many, 0, 1, "complete").empty());
}

TEST(SizeBars, OfCoursesShowSweeps) {
  const std::vector<SizeProgress> course = {{.L = 64, .realizations = 4, .done = 1800, .whole = 4000}};
  EXPECT_THAT(whole_lines(size_bars(course, 0, 0, "complete")),
              ElementsAre("L = 64  [##########..............] 0/4 complete"));
}

}}  // namespace glassworks
