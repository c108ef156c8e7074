#include "analysis/report/palette.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "analysis/report/series_look.hpp"

namespace glassworks { namespace {

/// With GLASSWORKS_WRITE_GOLDEN in the environment the file is written instead; then draw the figures again.
TEST(Palette, ScriptsOfTheDocumentationHaveTheSame) {
  const char* file = GLASSWORKS_SOURCE_DIR "/docs/figures/look.gp";
  if (std::getenv("GLASSWORKS_WRITE_GOLDEN") != nullptr) {
    std::ofstream(file) << gnuplot_look();
    GTEST_SKIP() << "wrote " << file;
  }
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), gnuplot_look());
}

TEST(Palette, HasTheColoursOfAllLooks) {
  EXPECT_EQ(palette.size(), static_cast<std::size_t>(neutral_colour) + 1);
  EXPECT_EQ(dark_palette.size(), palette.size());
}

}}  // namespace glassworks
