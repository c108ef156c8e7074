#include "tools/glassworks/verb_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "analysis/report/html_page.hpp"
#include "analysis/report/make_report.hpp"
#include "tests/message_of.hpp"
#include "tests/report/demo_document.hpp"

namespace glassworks {
namespace {

std::optional<ReportOptions> asked;  ///< of the last call of make_report

}  // namespace

/// In place of the analysis of a campaign.
Document make_report(const std::filesystem::path& directory, const ReportOptions& options) {
  EXPECT_EQ(directory, "campaigns/first");
  asked = options;
  return testing::demo_document();
}

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class VerbReport : public ::testing::Test {
 protected:
  VerbReport() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_verb_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    asked.reset();
  }
  ~VerbReport() override { fs::remove_all(directory_); }
  fs::path directory_;
};

TEST_F(VerbReport, ReportWritesPageAndNumbers) {
  const fs::path page = directory_ / "page.html", numbers = directory_ / "numbers";
  EXPECT_EQ(write_report({"campaigns/first", "--out", page.string(), "--csv", numbers.string(), "--blocks", "50",
                          "--temperatures=100", "--converged-only"}),
            0);
  EXPECT_EQ(contents(page), html_page(testing::demo_document()));
  EXPECT_THAT(contents(numbers / "xi_over_L.csv"), HasSubstr("series,x,y,y_error,x_error\nL = 4,"));
  EXPECT_EQ(asked->resampling.samples, 50);
  EXPECT_EQ(asked->temperatures, 100);
  EXPECT_EQ(asked->selection, Selection::converged_only);
}

TEST_F(VerbReport, PlotDrawsTheFiguresAskedFor) {
  const fs::path out = directory_ / "figures";
  EXPECT_EQ(plot_figures({"campaigns/first", "--figures", "chi_sg,crossings", "--format=svg", "--out", out.string()}),
            0);
  EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 2);
  EXPECT_THAT(contents(out / "crossings.svg"), HasSubstr("</svg>"));
  EXPECT_EQ(asked->resampling.samples, 200);
  EXPECT_EQ(asked->selection, Selection::all_with_data);
}

TEST_F(VerbReport, BadInputIsOneSentenceBeforeAnyWork) {
  const auto plot = [&](const char* option) {
    return message_of([&] { plot_figures({"campaigns/first", option, "--out=" + (directory_ / "out").string()}); });
  };
  EXPECT_THAT(plot("--format=eps"), HasSubstr("--format cannot be 'eps'"));
  for (const char* width : {"--width=0", "--width=nan", "--width=8.6cm", "--width="}) {
    EXPECT_NE(plot(width), "no error") << width;
  }
  EXPECT_THAT(plot("--blocks=1"), HasSubstr("--blocks cannot be 1 (it is a number from 2 to 100000)."));
  EXPECT_FALSE(asked) << "no analysis for nothing";
  EXPECT_THAT(plot("--figures=xi_over_L,nonsense"),
              HasSubstr("there is no figure 'nonsense'. This campaign has xi_over_L, "));
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

}  // namespace
}  // namespace glassworks
