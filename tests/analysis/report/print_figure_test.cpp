#include "analysis/report/print_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/report/document.hpp"
#include "analysis/report/plot_range.hpp"
#include "tests/refusals.hpp"
#include "tests/report/demo_document.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Figure> demo_figures() {
  std::vector<Figure> figures;
  for (const Section& section : testing::demo_document().sections) {
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) figures.push_back(*figure);
    }
  }
  return figures;
}

/// An empty directory that goes with the test; PATH is as before after it.
class PrintFigure : public ::testing::Test {
 protected:
  PrintFigure() : path_(std::getenv("PATH")) {
    std::string pattern = (fs::temp_directory_path() / "glassworks_print_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~PrintFigure() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(directory_);
  }
  /// The only gnuplot that can be found from now on.
  void install_gnuplot(const std::string& script) {
    const fs::path program = directory_ / "gnuplot";
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(program, fs::perms::owner_all);
    setenv("PATH", directory_.c_str(), 1);
  }
  static void draw(const Figure& figure, const fs::path& file, const PrintOptions& options = {}) {
    const std::string drawing = print_figure(figure, options);
    std::ofstream(file, std::ios::binary) << drawing;
  }
  std::string path_;
  fs::path directory_;
};

TEST_F(PrintFigure, EveryFigureInEveryFormat) {
  for (const Figure& figure : demo_figures()) {
    const fs::path file = directory_ / "a picture's file";
    draw(figure, file);
    EXPECT_THAT(bytes_of(file), ::testing::StartsWith("%PDF-")) << figure.id;
    draw(figure, file, {.format = PrintFormat::svg});
    EXPECT_THAT(bytes_of(file), HasSubstr("</svg>")) << figure.id;
  }
  draw(demo_figures()[0], directory_ / "a.png", {.format = PrintFormat::png});
  EXPECT_THAT(bytes_of(directory_ / "a.png"), HasSubstr("PNG"));
}

TEST_F(PrintFigure, PostScriptHasItsSizeAndNoPixels) {
  draw(demo_figures()[0], directory_ / "a.eps", {.format = PrintFormat::eps, .width = 10, .height = 5});
  const std::string eps = bytes_of(directory_ / "a.eps");
  EXPECT_THAT(eps, ::testing::StartsWith("%!PS-Adobe-3.0 EPSF"));
  int left = 0, bottom = 0, right = 0, top = 0;
  const std::size_t box = eps.find("%%BoundingBox:");
  ASSERT_NE(box, std::string::npos);
  ASSERT_EQ(std::sscanf(eps.c_str() + box, "%%%%BoundingBox: %d %d %d %d", &left, &bottom, &right, &top), 4);
  EXPECT_NEAR(right - left, 10 / 2.54 * 72, 12) << "what is drawn ends a little inside";
  EXPECT_NEAR(top - bottom, 5 / 2.54 * 72, 12);
  EXPECT_THAT(eps, Not(HasSubstr("/ImageType"))) << "a band that cairo has made into pixels";
}

/// Poppler's pdftotext gives the boxes of words in points; DejaVu Sans has lines of 1.164 times its size.
TEST_F(PrintFigure, LettersHaveTheSizeAskedFor) {
  Figure figure{.id = "f", .x = {.label = "word"}};
  figure.series = {{.name = "", .x = {1, 2}, .y = {1, 2}}};
  for (const double size : {8.0, 14.0}) {
    draw(figure, directory_ / "f.pdf", {.font = "DejaVu Sans", .font_size = size});
    const std::string boxes = (directory_ / "boxes").string();
    const std::string command = "pdftotext -bbox " + (directory_ / "f.pdf").string() + " " + boxes;
    if (std::system(command.c_str()) != 0) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
    const std::string text = bytes_of(boxes);
    const std::size_t word = text.rfind("<word", text.find(">word<"));
    ASSERT_NE(word, std::string::npos);
    double left = 0, top = 0, right = 0, bottom = 0;
    ASSERT_EQ(std::sscanf(text.c_str() + word, "<word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\"", &left, &top,
                          &right, &bottom),
              4);
    EXPECT_NEAR((bottom - top) / 1.164, size, 0.08 * size);
  }
}

TEST_F(PrintFigure, SavedScriptDrawsTheSameFigure) {
  const PrintOptions options{.format = PrintFormat::svg, .font = "DejaVu Serif", .font_size = 12};
  const Figure figure = demo_figures()[0];
  draw(figure, directory_ / "drawn.svg", options);
  std::ofstream(directory_ / "f.gp") << gnuplot_script(figure, options, "f.svg");
  ASSERT_EQ(std::system(("cd " + directory_.string() + " && gnuplot -d f.gp").c_str()), 0);
  EXPECT_EQ(bytes_of(directory_ / "f.svg"), bytes_of(directory_ / "drawn.svg"));
  EXPECT_THAT(bytes_of(directory_ / "f.svg"), HasSubstr("DejaVu Serif"));
}

TEST_F(PrintFigure, RangesAreThoseGiven) {
  const std::string script = gnuplot_script(demo_figures()[0], {.x = {0.1, 0.2}, .y = {.high = 0.7}});
  EXPECT_THAT(script, HasSubstr("set xrange [0.1:0.2]"));
  EXPECT_THAT(script, ::testing::ContainsRegex("set yrange \\[[^:]*:0.7\\]"));
  EXPECT_THAT(gnuplot_script(demo_figures()[0], {.x = {0.2, 0.3}}), Not(HasSubstr("set arrow"))) << "T_c is outside";
  EXPECT_THAT(gnuplot_script(demo_figures()[0], {.x = {0.1, 0.2}}), HasSubstr("set arrow"));
  EXPECT_THAT([] { (void)gnuplot_script(demo_figures()[2], {.y = {.low = 0.0}}); },
              Refuses(InputFault::out_of_range, "y axis of figure chi_sg"));
  EXPECT_THAT([] { (void)gnuplot_script(demo_figures()[0], {.x = {.low = 7.0}}); },
              Refuses(InputFault::out_of_range, "x axis of figure xi_over_L"));
}

TEST_F(PrintFigure, InsetIsASecondPlot) {
  Figure figure{.id = "f", .x = {.label = "T"}, .y = {.label = "R"}};
  figure.series = {{.name = "L = 4", .style = SeriesStyle::line, .x = {0, 0.3, 1}, .y = {1, 0.1, 0}}};
  figure.inset = inset_around(figure, 0.2, 0.4);
  ASSERT_TRUE(figure.inset.has_value());
  const std::string script = gnuplot_script(figure);
  EXPECT_THAT(script, HasSubstr("set multiplot"));
  EXPECT_THAT(script, HasSubstr("$inset_series0"));
  EXPECT_THAT(script, HasSubstr("set xrange [0.2:0.4]"));
  draw(figure, directory_ / "f.svg", {.format = PrintFormat::svg});
  EXPECT_THAT(bytes_of(directory_ / "f.svg"), HasSubstr("</svg>"));
  EXPECT_FALSE(inset_around(figure, 2.0, 3.0).has_value());
}

TEST_F(PrintFigure, PanelsHaveLettersAndTheirPlaces) {
  const std::vector<Figure> all = demo_figures(), three(all.begin(), all.begin() + 3);
  const PrintOptions options{.format = PrintFormat::svg, .width = 17.8};
  const std::string svg = draw_script(gnuplot_panels(three, {2, 2}, options), "panels");
  for (const char* label : {"(a)", "(b)", "(c)"}) EXPECT_THAT(svg, HasSubstr(label));
  EXPECT_THAT(svg, Not(HasSubstr("(d)")));
  EXPECT_THAT(svg, HasSubstr("height=\"505\"")) << "two rows of three quarters of 8.9 cm";
  EXPECT_THROW((void)gnuplot_panels(three, {1, 2}), std::invalid_argument);
}

TEST_F(PrintFigure, NamesAreNoCommands) {
  const fs::path planted = directory_ / "planted";
  const std::string command = "touch " + planted.string();
  Figure figure{.id = "f", .x = {.label = "'\nsystem('" + command + "')\n'"}, .y = {.label = "`" + command + "`"}};
  figure.series = {
      {.name = "', 1 with lines; !" + command + "\n!" + command, .x = {1, 2}, .y = {1, 2}},
      {.name = "\\\nEND_OF_DATA\n" + command + "\n\".system(\"" + command + "\").\"", .x = {1, 2}, .y = {1, 2}}};
  figure.guides = {{.at = 1.5, .label = "\"`" + command + "`\"@x"}};
  draw(figure, directory_ / "f.svg", {.format = PrintFormat::svg});
  EXPECT_FALSE(fs::exists(planted));
  EXPECT_THAT(bytes_of(directory_ / "f.svg"), HasSubstr("system("));
}

TEST_F(PrintFigure, LabelsAreInThePicture) {
  const fs::path file = directory_ / "f.svg";
  Figure figure = demo_figures()[0];
  figure.y.label = "a_b@c~d{e}&f";
  draw(figure, file, {.format = PrintFormat::svg});
  const std::string svg = bytes_of(file);
  EXPECT_THAT(svg, HasSubstr("a_b@c~d{e}&amp;f"));
  for (const char* name : {"L = 4", "L = 12"}) EXPECT_THAT(svg, HasSubstr(name));
}

TEST_F(PrintFigure, WithoutGnuplotOneSentence) {
  setenv("PATH", directory_.c_str(), 1);
  EXPECT_THAT([] { static_cast<void>(print_figure({.id = "xi"})); }, Fails());
}

TEST_F(PrintFigure, FailingGnuplotIsASentence) {
  const auto draw_xi = [] { static_cast<void>(print_figure({.id = "xi"})); };
  install_gnuplot("echo drawing; echo 'plot x' >&2; echo '      ^' >&2; echo 'line 3: no memory' >&2; exit 1");
  EXPECT_THAT(draw_xi, Fails());
  install_gnuplot("exit 0");
  EXPECT_THAT(draw_xi, Fails());
  install_gnuplot("kill -9 $$");
  EXPECT_THAT(draw_xi, Fails());
}

TEST(PlotRange, HoldsPointsErrorsAndGuides) {
  Figure figure{.id = "f"};
  figure.series = {{.name = "a", .x = {1, 2, std::nan("")}, .y = {1, 3, 100}, .y_error = {0.5, 1, 1}}};
  figure.guides = {{.direction = Guide::Direction::vertical, .at = 4, .error = 1}};
  const PlotRanges ranges = plot_ranges(figure);
  EXPECT_NEAR(ranges.x.low, 1 - 0.04 * 4, 1e-12);
  EXPECT_NEAR(ranges.x.high, 5 + 0.04 * 4, 1e-12);
  EXPECT_NEAR(ranges.y.low, 0.5 - 0.06 * 3.5, 1e-12);
  EXPECT_NEAR(ranges.y.high, 4 + 0.06 * 3.5, 1e-12);
}

TEST(PlotRange, LogarithmicOnlyWithPositiveNumbers) {
  Figure figure{.id = "f", .x = {.label = "", .logarithmic = true}, .y = {.label = "", .logarithmic = true}};
  figure.series = {{.name = "a", .x = {-1, 10, 1000}, .y = {-1, -2, -3}}};
  const PlotRanges ranges = plot_ranges(figure);
  EXPECT_TRUE(ranges.x.logarithmic);
  EXPECT_FALSE(ranges.y.logarithmic);
  EXPECT_NEAR(ranges.x.low, std::pow(10.0, 1 - 0.08), 1e-9);
  EXPECT_NEAR(ranges.x.place(100), 0.5, 1e-12);
  EXPECT_FALSE(std::isfinite(ranges.x.place(-1)));
}

TEST(PlotRange, LegendGoesWhereNothingIs) {
  Figure figure{.id = "f"};
  figure.series = {{.name = "falling", .style = SeriesStyle::line, .x = {0, 1}, .y = {1, 0}}};
  EXPECT_EQ(emptiest_corner(figure, plot_ranges(figure), 0.3, 0.3), LegendPlace::top_right);
  figure.series[0].y = {0, 1};
  EXPECT_EQ(emptiest_corner(figure, plot_ranges(figure), 0.3, 0.3), LegendPlace::top_left);
  figure.guides = {{.direction = Guide::Direction::vertical, .at = 0, .label = "0"}};
  EXPECT_EQ(emptiest_corner(figure, plot_ranges(figure), 0.3, 0.3), LegendPlace::bottom_right);
  figure.series.push_back({.name = "falling", .style = SeriesStyle::line, .x = {0, 1}, .y = {1, 0}});
  EXPECT_EQ(emptiest_corner(figure, plot_ranges(figure), 0.3, 0.3), LegendPlace::above);
  Figure labelled{.id = "f"};  // a long label that reaches into the corner at the top right
  labelled.series = {{.name = "falling", .style = SeriesStyle::line, .x = {0, 1}, .y = {1, 0}}};
  labelled.guides = {{.direction = Guide::Direction::vertical, .at = 0.4, .label = "T_{c} of the joint fit"}};
  EXPECT_EQ(emptiest_corner(labelled, plot_ranges(labelled), 0.3, 0.3, 0.001), LegendPlace::top_right);
  EXPECT_EQ(emptiest_corner(labelled, plot_ranges(labelled), 0.3, 0.3, 0.03), LegendPlace::bottom_left);
  Figure corner{.id = "f"};  // a line through the corner at the top right, with both ends outside of it
  corner.series = {{.name = "origin", .x = {0}, .y = {0}},
                   {.name = "line", .style = SeriesStyle::line, .x = {0.5, 1.0}, .y = {1.0, 0.5}}};
  EXPECT_EQ(emptiest_corner(corner, plot_ranges(corner), 0.4, 0.4), LegendPlace::top_left);
}

}}  // namespace glassworks
