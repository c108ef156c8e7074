#include "analysis/report/html_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/assets.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/palette.hpp"
#include "analysis/report/safe_text.hpp"
#include "base/json_writer.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t narrow_columns = 7, short_rows = 25;

std::string with_full_stop(std::string title) {
  if (!title.empty() && std::string_view(".!?").find(title.back()) == std::string_view::npos) title += '.';
  return title;
}

/// Description of a figure for screen readers.
std::string description(const Figure& picture) {
  std::string text = fmt::format("{}: {} against {}", plain_label(picture.title), plain_label(picture.y.label),
                                 plain_label(picture.x.label));
  for (std::size_t i = 0; i < picture.series.size() && i < 12; ++i) {
    text += fmt::format("{} {}", i == 0 ? ". Series:" : ",", plain_label(picture.series[i].name));
  }
  return text + ". The numbers are in the CSV file below.";
}

}  // namespace

std::string html_head(const Document& document, const std::string& body_class) {
  // The policy forbids every address but the page itself: it cannot fetch, and a name in it cannot make it do so.
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Glassworks\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      html_text(plain_label(document.title)) + "</title>\n<style>\n";
  html += page_style();
  return html +
         fmt::format("</style>\n</head>\n<body class=\"{}\" data-look=\"{}\">\n", body_class, html_text(look_json()));
}

std::string html_header(const Document& document) {
  std::string html = "<header>\n<h1>" + html_label(document.title) + "</h1>\n";
  if (!document.headline.empty()) html += "<p class=\"headline\">" + html_label(document.headline) + "</p>\n";
  return html + "</header>\n";
}

std::string html_verdict(const Table& table, std::span<const std::string> sentences) {
  if (sentences.empty() && table.rows.empty()) return {};
  std::string html = "<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Verdict</h2>\n";
  if (!table.rows.empty()) html += "<div class=\"scroll\"><table>\n" + html_rows(table) + "</table></div>\n";
  for (const std::string& sentence : sentences) html += "<p>" + html_label(sentence) + "</p>\n";
  return html + "</section>\n";
}

std::string html_end() {
  std::string html = "<script>";
  html += plotly_script();
  html += "</script>\n<script>";
  html += page_script();
  return html + "</script>\n</body>\n</html>\n";
}

std::string ItemWriter::caption(const std::string& kind, int number, const std::string& title, const std::string& text,
                                const std::string& id) const {
  std::string html =
      fmt::format("<b>{} {}.</b> <span class=\"title\">{}</span>", kind, number, html_label(with_full_stop(title)));
  if (captions_ == Captions::titles) return html;
  return html + fmt::format(" {} <span class=\"id\">{}</span>", html_label(text), html_text(id));
}

std::string ItemWriter::figure(const Figure& picture) {
  const std::string id = file_stem(picture.id);
  ++figures_;
  return fmt::format(
      "<figure class=\"plot\" id=\"figure-{}\" aria-labelledby=\"caption-{}\">\n"
      "<div class=\"canvas\" role=\"img\" aria-label=\"{}\"></div>\n<p class=\"note\" hidden></p>\n"
      "<div class=\"buttons\" role=\"group\" aria-label=\"Figure {}\"></div>\n"
      "<figcaption id=\"caption-{}\">{}</figcaption>\n<script type=\"application/json\">{}</script>\n</figure>\n",
      id, id, html_text(description(picture)), figures_, id,
      caption("Figure", figures_, picture.title, picture.caption, id), figure_json(picture));
}

std::string ItemWriter::table(const Table& grid) {
  const std::string id = file_stem(grid.id);
  ++tables_;
  const Table shown = without_empty_columns(grid);
  const std::size_t columns = columns_of(shown);
  std::string html = fmt::format(
      "<figure class=\"table{}{}\" id=\"table-{}\">\n<figcaption id=\"caption-table-{}\">{}</figcaption>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-table-{}\">\n<table>\n",
      columns > narrow_columns ? " wide" : "", grid.rows.size() > short_rows ? "" : " short", id, id,
      caption("Table", tables_, grid.title, grid.caption, id), id);
  html += html_rows(shown);
  return html + fmt::format(
                    "</table></div>\n<div class=\"buttons\" role=\"group\" aria-label=\"Table {}\"></div>\n"
                    "<script type=\"application/json\">{}</script>\n</figure>\n",
                    tables_,
                    JsonWriter().begin_object().field("file", id).field("csv", table_csv(grid)).end_object().script());
}

std::string ItemWriter::items(std::span<const Item> items) {
  std::string html;
  bool open = false;
  const auto set_open = [&](bool wanted) {
    if (wanted != open) html += wanted ? "<div class=\"figures\">\n" : "</div>\n";
    open = wanted;
  };
  for (const Item& one : items) {
    const auto* picture = std::get_if<Figure>(&one);
    set_open(picture != nullptr);
    html += picture != nullptr ? figure(*picture) : table(std::get<Table>(one));
  }
  set_open(false);
  return html;
}

}}  // namespace glassworks::analysis
