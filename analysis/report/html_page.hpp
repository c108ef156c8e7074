#pragma once

#include <string>

#include "analysis/report/figure.hpp"

namespace glassworks::inline analysis {

/// The report as one HTML file that needs nothing else, no network either: the verdict, a table of contents, sections
/// with figures that can be zoomed, read off and downloaded, tables, provenance, configuration. Figures are drawn when
/// they come into view, all of them before printing and if the address ends in #all. Titles, captions, paragraphs and
/// cells may hold the markup of labels. Throws std::invalid_argument (check_document).
[[nodiscard]] std::string html_page(const Document& document);

/// What the page holds of one figure: JSON with the rows of figure_csv as text, so that the numbers drawn and the
/// numbers downloaded are the same. Safe inside <script>.
[[nodiscard]] std::string figure_json(const Figure& figure);

}  // namespace glassworks::inline analysis
