#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/document.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/html_parts.hpp"
#include "analysis/report/safe_text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t most_sentences = 7, most_figures = 8, figures_of_sheet = 4, most_rows = 16, most_facts = 6;

/// The sentences that fit, and how many there are more.
std::vector<std::string> first_sentences(const std::vector<std::string>& all) {
  std::vector<std::string> shown(all.begin(),
                                 all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most_sentences)));
  if (all.size() > shown.size()) {
    shown.push_back(fmt::format("{} more sentences are on the whole page.", all.size() - shown.size()));
  }
  return shown;
}

Table first_rows(Table table) {
  if (table.rows.size() > most_rows + 1) table.rows.resize(most_rows + 1);
  return table;
}

std::string facts(const Document& document) {
  std::string text;
  for (std::size_t i = 0; i < document.provenance.size() && i < most_facts; ++i) {
    const std::vector<std::string>& row = document.provenance[i];
    if (row.size() > 1) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", row[0], row[1]);
  }
  return "<p class=\"facts\">" + html_text(text) + "</p>\n";
}

std::string figures(ItemWriter& writer, std::span<const Figure> pictures) {
  if (pictures.empty()) return {};
  std::string html = "<div class=\"figures\">\n";
  for (const Figure& picture : pictures) html += writer.figure(picture);
  return html + "</div>\n";
}

}  // namespace

std::string html_brief_page(const Document& document) {
  check_document(document);
  std::vector<Figure> pictures;
  const Table* table = nullptr;
  for (const Section& section : document.sections) {
    if (section.folded) continue;
    for (const Item& item : section.items) {
      if (const auto* picture = std::get_if<Figure>(&item)) {
        if (pictures.size() < most_figures) pictures.push_back(*picture);
      } else if (table == nullptr) {
        table = &std::get<Table>(item);
      }
    }
  }
  const std::span<const Figure> all(pictures);
  const std::size_t first = std::min(figures_of_sheet, (all.size() + 3) / 4 * 2);
  ItemWriter writer(ItemWriter::Captions::titles);
  std::string html = html_head(document, "brief") + "<main>\n<div class=\"sheet\">\n" + html_header(document) +
                     html_verdict(first_rows(document.verdict_table), first_sentences(document.verdict));
  html += figures(writer, all.first(std::min(first, all.size())));
  html += "</div>\n<div class=\"sheet\">\n";
  if (table != nullptr) html += writer.table(first_rows(*table));
  html += figures(writer, all.subspan(std::min(first, all.size())));
  return html + facts(document) + "</div>\n</main>\n" + html_end();
}

}}  // namespace glassworks::analysis
