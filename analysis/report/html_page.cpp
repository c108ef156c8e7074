#include "analysis/report/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/report/assets.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/text.hpp"

namespace glassworks::inline analysis {
namespace {

/// The whole page in the order in which it is read.
class Page {
 public:
  explicit Page(const Document& document) : document_(document) {}

  std::string text() {
    head();
    html_ += "<main>\n<header>\n<h1>" + html_label(document_.title) + "</h1>\n</header>\n";
    verdict();
    html_ +=
        "<noscript><p class=\"notice\">The figures are drawn by the script in this file, which is switched off here. "
        "Texts and tables are complete.</p></noscript>\n";
    for (const Section& part : document_.sections) section(part);
    provenance();
    html_ += "</main>\n</div>\n<script>";
    html_ += plotly_script();
    html_ += "</script>\n<script>";
    html_ += page_script();
    html_ += "</script>\n</body>\n</html>\n";
    return std::move(html_);
  }

 private:
  void head() {
    // The policy forbids every address but the page itself: it cannot fetch, and a name in it cannot make it do so.
    html_ +=
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Glassworks\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>" +
        html_text(plain_label(document_.title)) + "</title>\n<style>\n";
    html_ += page_style();
    html_ += "</style>\n</head>\n<body>\n<div class=\"page\">\n";
    contents();
  }

  void contents() {
    html_ += "<nav aria-label=\"Contents\"><details class=\"contents\" open><summary>Contents</summary>\n<ol>\n";
    for (const Section& part : document_.sections) {
      html_ += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", file_stem(part.id), html_label(part.title));
    }
    if (!document_.provenance.empty()) html_ += "<li><a href=\"#provenance\">Provenance</a></li>\n";
    if (!document_.configuration.empty()) html_ += "<li><a href=\"#configuration\">Configuration</a></li>\n";
    html_ += "</ol></details></nav>\n";
  }

  void verdict() {
    if (document_.verdict.empty()) return;
    html_ += "<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Verdict</h2>\n";
    for (const std::string& sentence : document_.verdict) html_ += "<p>" + html_label(sentence) + "</p>\n";
    html_ += "</section>\n";
  }

  void section(const Section& part) {
    const std::string id = "section-" + file_stem(part.id);
    html_ += fmt::format("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n", id, id, html_label(part.title));
    for (const std::string& sentence : part.paragraphs) html_ += "<p>" + html_label(sentence) + "</p>\n";
    for (const Item& one : part.items) {
      if (const auto* picture = std::get_if<Figure>(&one)) {
        figure(*picture);
      } else {
        table(std::get<Table>(one));
      }
    }
    html_ += "</section>\n";
  }

  static std::string caption(const std::string& kind, int number, const std::string& title, const std::string& text) {
    return fmt::format("<b>{} {}.</b> <span class=\"title\">{}</span> {}", kind, number,
                       html_label(with_full_stop(title)), html_label(text));
  }

  static std::string with_full_stop(std::string title) {
    if (!title.empty() && std::string_view(".!?").find(title.back()) == std::string_view::npos) title += '.';
    return title;
  }

  void figure(const Figure& picture) {
    const std::string id = file_stem(picture.id);
    ++figures_;
    html_ += fmt::format(
        "<figure class=\"plot\" id=\"figure-{}\" aria-labelledby=\"caption-{}\">\n"
        "<div class=\"canvas\" role=\"img\" aria-label=\"{}\"></div>\n<p class=\"note\" hidden></p>\n"
        "<div class=\"buttons\" role=\"group\" aria-label=\"Figure {}\"></div>\n"
        "<figcaption id=\"caption-{}\">{}</figcaption>\n<script type=\"application/json\">{}</script>\n</figure>\n",
        id, id, html_text(description(picture)), figures_, id,
        caption("Figure", figures_, picture.title, picture.caption), figure_json(picture));
  }

  /// What a reader who does not see the picture is told.
  static std::string description(const Figure& picture) {
    std::string text = fmt::format("{}: {} against {}", plain_label(picture.title), plain_label(picture.y.label),
                                   plain_label(picture.x.label));
    for (std::size_t i = 0; i < picture.series.size() && i < 12; ++i) {
      text += fmt::format("{} {}", i == 0 ? ". Series:" : ",", plain_label(picture.series[i].name));
    }
    return text + ". The numbers are in the CSV file below.";
  }

  void table(const Table& grid) {
    const std::string id = file_stem(grid.id);
    ++tables_;
    std::size_t columns = 0;
    for (const auto& row : grid.rows) columns = std::max(columns, row.size());
    html_ += fmt::format(
        "<figure class=\"table{}{}\" id=\"table-{}\">\n<figcaption id=\"caption-table-{}\">{}</figcaption>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-table-{}\">\n<table>\n",
        columns > 7 ? " wide" : "", grid.rows.size() > 25 ? "" : " short", id, id,
        caption("Table", tables_, grid.title, grid.caption), id);
    rows(grid.rows, columns);
    html_ += fmt::format(
        "</table></div>\n<div class=\"buttons\" role=\"group\" aria-label=\"Table {}\"></div>\n"
        "<script type=\"application/json\">{{\"file\":{},\"csv\":{}}}</script>\n</figure>\n",
        tables_, json_text(id), json_text(table_csv(grid)));
  }

  void rows(const std::vector<std::vector<std::string>>& cells, std::size_t columns) {
    std::vector<bool> numeric(columns, true);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      for (std::size_t j = 0; j < cells[i].size(); ++j) numeric[j] = numeric[j] && is_number(cells[i][j]);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const char* begin = i == 0 ? "th scope=\"col\"" : "td";
      const char* end = i == 0 ? "th" : "td";
      html_ += i == 0 ? "<thead><tr>" : i == 1 ? "<tbody><tr>" : "<tr>";
      for (std::size_t j = 0; j < columns; ++j) {
        html_ += fmt::format("<{}{}>{}</{}>", begin, numeric[j] ? " class=\"n\"" : "",
                             html_label(j < cells[i].size() ? cells[i][j] : ""), end);
      }
      html_ += i == 0 ? "</tr></thead>\n" : "</tr>\n";
    }
    if (cells.size() > 1) html_ += "</tbody>";
  }

  /// Numbers with their errors and units of them stand right: "0.4504(75)", "-3.1", "98 %"; "nan" and dashes with them.
  static bool is_number(const std::string& cell) {
    if (cell.empty() || cell == "-" || cell == "nan" || cell == "–" || cell == "—") return true;
    const std::size_t first = cell[0] == '-' || cell[0] == '+' ? 1 : cell.starts_with("−") ? 3 : 0;
    return first < cell.size() && std::isdigit(static_cast<unsigned char>(cell[first])) != 0 &&
           std::count_if(cell.begin(), cell.end(), [](unsigned char c) { return std::isalpha(c) != 0; }) < 2;
  }

  void provenance() {
    if (!document_.provenance.empty()) {
      html_ +=
          "<section aria-labelledby=\"provenance\">\n<h2 id=\"provenance\">Provenance</h2>\n<dl "
          "class=\"provenance\">\n";
      for (const std::vector<std::string>& row : document_.provenance) {
        for (std::size_t i = 0; i < row.size(); ++i) {
          const char* tag = i == 0 ? "dt" : "dd";
          html_ += fmt::format("<{0}>{1}</{0}>", tag, html_text(row[i]));
        }
        html_ += '\n';
      }
      html_ += "</dl>\n</section>\n";
    }
    if (!document_.configuration.empty()) {
      html_ += "<section aria-labelledby=\"configuration\">\n<h2 id=\"configuration\">Configuration</h2>\n<pre>" +
               html_text(document_.configuration) + "</pre>\n</section>\n";
    }
  }

  const Document& document_;
  std::string html_;
  int figures_ = 0, tables_ = 0;
};

}  // namespace

std::string html_page(const Document& document) {
  check_document(document);
  return Page(document).text();
}

}  // namespace glassworks::inline analysis
