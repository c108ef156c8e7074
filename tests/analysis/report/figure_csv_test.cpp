#include "analysis/report/figure_csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "analysis/report/document.hpp"
#include "tests/refusals.hpp"
#include "tests/report/demo_document.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

Figure two_series() {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  Figure figure{.id = "f"};
  figure.series = {{.name = "χ_{SG}, \"2\"", .x = {0.1, 1.0 / 3.0}, .y = {1e-300, nan}, .y_error = {0.5, infinity}},
                   {.name = "b", .style = SeriesStyle::line, .x = {1}, .y = {2}, .x_error = {0.25}}};
  figure.guides = {{.direction = Guide::Direction::vertical, .at = 0.129, .error = 0.004, .label = "T_{c}"},
                   {.direction = Guide::Direction::horizontal, .at = 2.0}};
  return figure;
}

TEST(FigureCsv, EveryNumberSeriesBySeries) {
  EXPECT_EQ(figure_csv(two_series()),
            "series,x,y,y_error,x_error\n"
            "\"χ_SG, \"\"2\"\"\",0.1,1e-300,0.5,\n"
            "\"χ_SG, \"\"2\"\"\",0.3333333333333333,nan,inf,\n"
            "b,1,2,,0.25\n"
            "T_c,0.129,,,0.004\n"
            ",,2,,\n");
}

TEST(FigureCsv, ListsOfDifferentLengthsAreRefused) {
  for (auto list : {&Series::x, &Series::y, &Series::y_error, &Series::x_error}) {
    Figure figure = two_series();
    (figure.series[0].*list).push_back(1.0);
    EXPECT_THROW((void)figure_csv(figure), std::invalid_argument);
  }
}

TEST(FigureCsv, TableWithoutMarkup) {
  EXPECT_EQ(table_csv({.id = "t", .title = "", .caption = "", .rows = {{"L_{min}", "T"}, {"4", "a,b"}}}),
            "L_min,T\n4,\"a,b\"\n");
}

TEST(FigureCsv, PartsOfADocumentHaveTheirOwnNames) {
  Document document = testing::demo_document();
  EXPECT_NO_THROW(check_document(document));
  Figure twin{.id = "xi/over L"};  // the same name of file as xi_over_L
  document.sections.back().items.emplace_back(twin);
  EXPECT_THROW(check_document(document), std::invalid_argument);
  EXPECT_EQ(file_stem("../a b.c"), "___a_b_c");
  EXPECT_EQ(file_stem(""), "_");
}

TEST(FigureCsv, OneFileForEveryFigureAndTable) {
  std::string pattern = (fs::temp_directory_path() / "glassworks_figures_XXXXXX").string();
  const fs::path directory = mkdtemp(pattern.data());
  const Document document = testing::demo_document();
  write_figures_csv(directory / "a" / "b", document, Existing::refuse);
  std::set<std::string> expected, found;
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      expected.insert(std::visit([](const auto& part) { return file_stem(part.id); }, item) + ".csv");
    }
  }
  for (const auto& entry : fs::directory_iterator(directory / "a" / "b")) found.insert(entry.path().filename());
  EXPECT_EQ(found, expected);
  std::ifstream in(directory / "a" / "b" / "xi_over_L.csv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, figure_csv(std::get<Figure>(document.sections[0].items[0])));
  EXPECT_THAT([&] { write_figures_csv(directory / "a" / "b", document, Existing::refuse); },
              Refuses(InputFault::unusable_file, (directory / "a" / "b" / "xi_over_L.csv").string()));
  const fs::path below_a_file = directory / "a" / "b" / "xi_over_L.csv" / "c";
  EXPECT_THAT([&] { make_directory(below_a_file); }, Refuses(InputFault::unusable_file, below_a_file.string()));
  fs::remove_all(directory);
}

}}  // namespace glassworks
