#include "tools/glassworks/verb_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/analysis/synthetic_campaign.hpp"
#include "tests/refusals.hpp"
#include "tools/glassworks/campaign_view.hpp"
#include "tools/glassworks/live_figures.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A small campaign that is written once.
class VerbReport : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_verb_XXXXXX").string();
    scratch_ = mkdtemp(pattern.data());
    testing::SyntheticModel model;
    model.L = {4, 6};
    model.realizations = 24;
    for (int slot = 0; slot < 16; ++slot) model.temperatures.push_back(0.12 * std::pow(1.1, slot));
    fs::create_directory(campaign());
    testing::write_synthetic_campaign(campaign() / database_file_name, model);
  }
  static void TearDownTestSuite() { fs::remove_all(scratch_); }
  static fs::path campaign() { return scratch_ / "synthetic"; }

  static inline fs::path scratch_;
};

TEST_F(VerbReport, ReportWritesPageAndNumbers) {
  const fs::path page = scratch_ / "page.html", numbers = scratch_ / "numbers";
  EXPECT_EQ(write_report({campaign().string(), "--out", page.string(), "--csv", numbers.string(), "--blocks", "12",
                          "--temperatures=50"}),
            0);
  EXPECT_THAT(contents(page), AllOf(HasSubstr("Campaign synthetic"), HasSubstr("L = 6, reweighted"),
                                    HasSubstr("disorder.realizations = 24")));
  EXPECT_THAT(contents(numbers / "xi_over_L.csv"), HasSubstr("series,x,y,y_error,x_error\nL = 4,0.12,"));
  EXPECT_TRUE(fs::exists(numbers / "averages_L4.csv"));
}

TEST_F(VerbReport, BriefPageGoesIntoAFileOfItsOwn) {
  EXPECT_EQ(write_report({campaign().string(), "--brief", "--blocks=6", "--temperatures=20"}), 0);
  EXPECT_FALSE(fs::exists(campaign() / "report.html"));
  const std::string page = contents(campaign() / "brief.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<body class=\"brief\" "), HasSubstr("Heisenberg model in 3D, L = 4, 6"),
                          HasSubstr("id=\"table-headline_crossings\""), Not(HasSubstr("id=\"table-averages_L4\""))));
}

TEST_F(VerbReport, ReferenceValuesAreShownBesideTheCampaign) {
  const fs::path reference = scratch_ / "reference.csv", numbers = scratch_ / "with_reference";
  std::ofstream(reference) << "# source\nL,T,observable,mean,error\n4,0.2,xi_over_L,0.375,0.125\n";
  EXPECT_EQ(write_report({campaign().string(), "--out", (scratch_ / "reference.html").string(), "--csv",
                          numbers.string(), "--reference", reference.string(), "--temperatures=0", "--blocks=6"}),
            0);
  EXPECT_THAT(contents(numbers / "xi_over_L.csv"), HasSubstr("\"L = 4, reference\",0.2,0.375,0.125"));
  EXPECT_THAT(contents(numbers / "energy.csv"), Not(HasSubstr("reference")));
}

TEST_F(VerbReport, PlotDrawsTheFiguresAskedFor) {
  const fs::path out = scratch_ / "figures";
  EXPECT_EQ(plot_figures({campaign().string(), "--figures", "chi_sg,xi_over_L", "--format=svg", "--out", out.string(),
                          "--blocks=6", "--temperatures=20"}),
            0);
  EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 4);
  EXPECT_THAT(contents(out / "xi_over_L.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(contents(out / "xi_over_L.gp"), AllOf(HasSubstr("set output 'xi_over_L.svg'"), HasSubstr("$series0 <<")));
}

TEST_F(VerbReport, PlotTakesRangesFontAndSize) {
  const fs::path out = scratch_ / "styled";
  EXPECT_EQ(plot_figures({campaign().string(), "--figures=xi_over_L", "--format=eps", "--out", out.string(),
                          "--blocks=6", "--temperatures=20", "--x-range=0.15:0.3", "--y-range", ":0.9",
                          "--font=DejaVu Serif", "--font-size=10", "--width=12", "--height=6"}),
            0);
  EXPECT_THAT(contents(out / "xi_over_L.eps"), ::testing::StartsWith("%!PS"));
  EXPECT_THAT(contents(out / "xi_over_L.gp"),
              AllOf(HasSubstr("set xrange [0.15:0.3]"), HasSubstr(":0.9]"), HasSubstr("size 12.00cm,6.00cm"),
                    HasSubstr("font 'DejaVu Serif,10'")));
}

TEST_F(VerbReport, PlotListsFiguresAndWritesNothing) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(plot_figures({campaign().string(), "--list", "--blocks=6", "--temperatures=0"}), 0);
  flush_output();
  const std::string list = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(list, ::testing::ContainsRegex("\nenergy  +Energy per site\n"));
  EXPECT_FALSE(fs::exists(campaign() / "figures"));
}

TEST_F(VerbReport, PlotArrangesPanelsOfSomeSizes) {
  const fs::path out = scratch_ / "panels";
  EXPECT_EQ(
      plot_figures({campaign().string(), "--figures=xi_over_L,energy", "--panels=1x2", "--L=4", "--style=prl-wide",
                    "--inset=0.2:0.3", "--format=svg", "--out", out.string(), "--blocks=6", "--temperatures=20"}),
      0);
  EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 2);
  const std::string script = contents(out / "panels.gp");
  EXPECT_THAT(script, AllOf(HasSubstr("set output 'panels.svg'"), HasSubstr("'(a)'"), HasSubstr("'(b)'"),
                            HasSubstr("$a_series0"), HasSubstr("L = 4"), HasSubstr("size 673,")));
  EXPECT_THAT(script, Not(HasSubstr("L = 6")));
  EXPECT_THAT(contents(out / "panels.svg"), HasSubstr("(b)"));
}

TEST_F(VerbReport, PlotDrawsDistributionsAtTheTemperaturesAskedFor) {
  const fs::path out = scratch_ / "distributions";
  EXPECT_EQ(
      plot_figures({campaign().string(), "--figures=distribution_overlap_0,distribution_overlap_1", "--T=0.15,0.3",
                    "--symmetrize", "--format=svg", "--out", out.string(), "--blocks=6", "--temperatures=0"}),
      0);
  EXPECT_THAT(contents(out / "distribution_overlap_0.svg"), HasSubstr("T = 0.1452")) << "0.12 x 1.1^2";
  EXPECT_THAT(contents(out / "distribution_overlap_1.svg"), HasSubstr("T = 0.3112"));
}

TEST_F(VerbReport, BadInputIsOneSentence) {
  const auto plotting = [&](const char* option) {
    return [=] {
      plot_figures({campaign().string(), option, "--out=" + (scratch_ / "out").string(), "--temperatures=0"});
    };
  };
  EXPECT_THAT(plotting("--format=gif"), Refuses(InputFault::unknown, "--format"));
  EXPECT_THAT(plotting("--x-range=0.1"), Refuses(InputFault::malformed, "--x-range"));
  EXPECT_THAT(plotting("--x-range=0.3:0.1"), Refuses(InputFault::out_of_range, "--x-range"));
  EXPECT_THAT(plotting("--y-range=:"), Refuses(InputFault::missing, "--y-range"));
  EXPECT_THAT(plotting("--y-range=a:1"), Refuses(InputFault::malformed, "--y-range"));
  EXPECT_THAT(plotting("--y-range=0:1"), Refuses(InputFault::out_of_range, "y axis of figure chi_sg"));
  EXPECT_THAT(plotting("--font=a'b"), Refuses(InputFault::malformed, "--font"));
  EXPECT_THAT(plotting("--font-size=0"), Refuses(InputFault::out_of_range, "--font-size"));
  EXPECT_THAT(plotting("--height=1"), Refuses(InputFault::out_of_range, "--height"));
  for (const char* width : {"--width=0", "--width=nan", "--width=8.6cm", "--width="}) {
    EXPECT_THAT(plotting(width), Refuses(InputFault::out_of_range, "--width"));
  }
  EXPECT_THAT(plotting("--blocks=1"), Refuses(InputFault::out_of_range, "--blocks"));
  EXPECT_THAT(plotting("--reference=/nowhere.csv"), Refuses(InputFault::missing, "/nowhere.csv"));
  EXPECT_THAT(plotting("--style=prb"), Refuses(InputFault::unknown, "--style"));
  EXPECT_THAT(plotting("--L=5"), Refuses(InputFault::unknown, "--L"));
  EXPECT_THAT(plotting("--T=7"), Refuses(InputFault::out_of_range, "--T"));
  EXPECT_THAT(plotting("--panels=0x2"), Refuses(InputFault::malformed, "--panels"));
  EXPECT_THAT(plotting("--panels=2x2"), Refuses(InputFault::conflict, "--panels"));
  EXPECT_THAT(plotting("--inset=0.2:"), Refuses(InputFault::missing, "--inset"));
  EXPECT_THAT(plotting("--inset=70:80"), Refuses(InputFault::out_of_range, "--inset"));
  EXPECT_THAT(plotting("--figures=xi_over_L,nonsense"), Refuses(InputFault::unknown, "nonsense"));
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
  EXPECT_THAT([] { write_report({"/nowhere"}); }, Refuses(InputFault::missing, "/nowhere/campaign.sqlite"));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines of the whole table that the selection keeps, to the byte.
TEST_F(VerbReport, AnalyzeOfSomeSizesAndObservablesHasTheNumbersOfTheWhole) {
  const fs::path all = scratch_ / "all.csv", some = scratch_ / "some.csv";
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(analyze_campaign({campaign().string(), "--csv", all.string()}), 0);
  flush_output();
  static_cast<void>(::testing::internal::GetCapturedStdout());
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(
      analyze_campaign({campaign().string(), "--L=6", "--observables=link_overlap,energy", "--csv", some.string()}), 0);
  flush_output();
  const std::string text = ::testing::internal::GetCapturedStdout();
  std::string wanted = lines_of(contents(all)).front() + '\n';
  for (const std::string& line : lines_of(contents(all))) {
    const bool chosen = line.find(",energy,") != line.npos || line.find(",link_overlap,") != line.npos;
    if (line.starts_with("6,") && chosen) wanted += line + '\n';
  }
  EXPECT_EQ(contents(some), wanted);
  EXPECT_THAT(text, AllOf(HasSubstr("L = 6: 24 of 24 realizations used"), Not(HasSubstr("L = 4:")),
                          HasSubstr("link_overlap"), Not(HasSubstr("against T"))));
  EXPECT_THROW(static_cast<void>(analyze_campaign({campaign().string(), "--L=5"})), InputError);
  EXPECT_THROW(static_cast<void>(analyze_campaign({campaign().string(), "--L=six"})), InputError);
  EXPECT_THROW(static_cast<void>(analyze_campaign({campaign().string(), "--observables=enrgy"})), InputError);
}

TEST_F(VerbReport, SeriesOfARealizationAreItsBins) {
  const fs::path out = scratch_ / "series";
  EXPECT_EQ(export_files({campaign().string(), "--series", "--L=4", "--realization=3", "--out", out.string()}), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(out / "series"), {}), 1);
  const std::vector<std::string> lines = lines_of(contents(out / "series" / "L004-r000003.csv"));
  const Database database = Database::open(campaign() / database_file_name, DatabaseAccess::read_only);
  const SizeRow size = database.sizes().front();
  ASSERT_THAT(lines.front(), ::testing::StartsWith("round,slot,T,measurements,acceptance,"));
  std::size_t at = 1;
  for (const RoundRow& round : database.rounds({4, 3})) {
    for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
      ASSERT_LT(at, lines.size());
      std::vector<double> cells;
      std::istringstream in(lines[at++]);
      for (std::string cell; std::getline(in, cell, ',');) cells.push_back(std::stod(cell));
      ASSERT_EQ(cells.size(), 5 + size.observables.size());
      EXPECT_EQ(cells[0], round.round);
      EXPECT_EQ(cells[1], slot);
      EXPECT_EQ(cells[2], size.temperatures[slot]);
      EXPECT_THAT(cells[4], slot + 1 == size.temperatures.size() ? ::testing::Matcher<double>(::testing::IsNan())
                                                                 : ::testing::Matcher<double>(0.3));
      for (std::size_t i = 0; i < size.observables.size(); ++i) {
        ASSERT_EQ(cells[5 + i], round.record.mean[slot * size.observables.size() + i]) << size.observables[i];
      }
    }
  }
  EXPECT_EQ(at, lines.size());
  const std::string other = (scratch_ / "no_series").string();
  EXPECT_THROW(static_cast<void>(export_files({campaign().string(), "--series", "--realization=24", "--out", other})),
               InputError);
  EXPECT_THROW(static_cast<void>(export_files({campaign().string(), "--realization=3", "--out", other})), InputError);
  EXPECT_FALSE(fs::exists(other));
}

/// Each look reads a few more rounds; the figure is that of the model within five errors.
TEST_F(VerbReport, LooksAtARunningCampaignGiveXiOverL) {
  CampaignView view(campaign(), LookDepth::figures);
  CampaignState state = view.look();
  EXPECT_EQ(state.sizes[0].latest.size(), 12U);
  state = view.look();
  EXPECT_EQ(state.sizes[1].latest.size(), 24U);
  const std::vector<Figure> figures = live_figures(state);
  ASSERT_EQ(figures.front().id, "xi_over_L");
  const testing::SyntheticModel model;
  for (std::size_t i = 0; i < 2; ++i) {
    const Series& series = figures.front().series[i];
    ASSERT_EQ(series.x.size(), 16U);
    for (std::size_t slot = 5; slot < 10; ++slot) {
      EXPECT_NEAR(series.y[slot], model.xi_over_L(state.sizes[i].L, series.x[slot]), 5.0 * series.y_error[slot]);
      EXPECT_LT(series.y_error[slot], 0.2 * series.y[slot]);
    }
  }
  EXPECT_TRUE(CampaignView(campaign()).look().sizes[0].latest.empty());
}

}}  // namespace glassworks
