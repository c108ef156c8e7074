#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>

#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "base/output_file.hpp"
#include "tests/report/demo_document.hpp"

/// report_demo DIR: demo.html, its brief page and that of a longer verdict, large.html (60 figures, 5 MB), and the CSV
/// files of the first below csv/.
int main(int argc, char** argv) {
  using namespace glassworks;
  if (argc != 2) {
    fmt::print(stderr, "Usage: report_demo DIR\n");
    return 2;
  }
  try {
    const std::filesystem::path directory = argv[1];
    make_directory(directory);
    Document document = testing::demo_document();
    write_output(directory / "demo.html", html_page(document), Existing::replace);
    write_output(directory / "brief.html", html_brief_page(document), Existing::replace);
    write_figures_csv(directory / "csv", document, Existing::replace);
    write_output(directory / "large.html", html_page(testing::large_document(60)), Existing::replace);
    write_output(directory / "large_brief.html", html_brief_page(testing::large_document(60)), Existing::replace);
    document.sections.clear();
    document.verdict.assign(40, document.verdict[1]);
    write_output(directory / "words_brief.html", html_brief_page(document), Existing::replace);
  } catch (const std::exception& error) {
    fmt::print(stderr, "report_demo: {}\n", error.what());
    return 1;
  }
}
