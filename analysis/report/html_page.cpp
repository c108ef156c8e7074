#include "analysis/report/html_page.hpp"

#include <fmt/format.h>

#include "analysis/report/document.hpp"
#include "analysis/report/html_parts.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/safe_text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// The whole page in the order in which it is read.
class Page {
 public:
  explicit Page(const Document& document) : document_(document) {}

  std::string text() {
    html_ = html_head(document_, "whole") + "<div class=\"page\">\n";
    contents();
    html_ += "<main>\n" + html_header(document_) + html_verdict(document_.verdict_table, document_.verdict) +
             "<noscript><p class=\"notice\">The figures are drawn by the script in this file, which is switched off "
             "here. Texts and tables are complete.</p></noscript>\n";
    for (const Section& part : document_.sections) section(part);
    provenance();
    return html_ + "</main>\n</div>\n" + html_end();
  }

 private:
  void contents() {
    html_ += "<nav aria-label=\"Contents\"><details class=\"contents\" open><summary>Contents</summary>\n<ol>\n";
    for (const Section& part : document_.sections) {
      html_ += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", file_stem(part.id), html_label(part.title));
    }
    if (!document_.provenance.empty()) html_ += "<li><a href=\"#provenance\">Provenance</a></li>\n";
    if (!document_.configuration.empty()) html_ += "<li><a href=\"#configuration\">Configuration</a></li>\n";
    html_ += "</ol></details></nav>\n";
  }

  void begin(const std::string& id, const std::string& title, bool folded) {
    const std::string heading = fmt::format("<h2 id=\"{}\">{}</h2>", id, title);
    html_ += fmt::format("<section aria-labelledby=\"{}\">\n", id);
    html_ += folded ? fmt::format("<details class=\"folded\"><summary>{}</summary>\n", heading) : heading + '\n';
  }

  void end(bool folded) { html_ += folded ? "</details>\n</section>\n" : "</section>\n"; }

  void section(const Section& part) {
    begin("section-" + file_stem(part.id), html_label(part.title), part.folded);
    for (const std::string& sentence : part.paragraphs) html_ += "<p>" + html_label(sentence) + "</p>\n";
    html_ += items_.items(part.items);
    end(part.folded);
  }

  void provenance() {
    if (!document_.provenance.empty()) {
      begin("provenance", "Provenance", true);
      html_ += "<dl class=\"provenance\">\n";
      for (const std::vector<std::string>& row : document_.provenance) {
        for (std::size_t i = 0; i < row.size(); ++i) {
          const char* tag = i == 0 ? "dt" : "dd";
          html_ += fmt::format("<{0}>{1}</{0}>", tag, html_text(row[i]));
        }
        html_ += '\n';
      }
      html_ += "</dl>\n";
      end(true);
    }
    if (!document_.configuration.empty()) {
      begin("configuration", "Configuration", true);
      html_ += "<pre>" + html_text(document_.configuration) + "</pre>\n";
      end(true);
    }
  }

  const Document& document_;
  std::string html_;
  ItemWriter items_{ItemWriter::Captions::whole};
};

}  // namespace

std::string html_page(const Document& document) {
  check_document(document);
  return Page(document).text();
}

}}  // namespace glassworks::analysis
