#pragma once

#include <string>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// The report as one HTML file that needs nothing else, no network either: headline, verdict, a table of contents,
/// sections with figures that can be zoomed, read off and downloaded, and tables; provenance and configuration. Folded
/// sections open at a click, at a link into them, and for printing. Figures are drawn when they come into view, all of
/// them before printing and if the address ends in #all. Headline, titles, captions, paragraphs and cells may hold the
/// markup of labels. Throws std::invalid_argument (check_document).
[[nodiscard]] std::string html_page(const Document& document);

/// Two printed pages (A4): headline, verdict, the figures and the first table of the sections that are not folded,
/// eight figures at most. On a screen the same figures can be zoomed. Throws as html_page.
[[nodiscard]] std::string html_brief_page(const Document& document);

/// What the page holds of one figure: JSON with the rows of figure_csv as text, so that the numbers drawn and the
/// numbers downloaded are the same. Safe inside <script>.
[[nodiscard]] std::string figure_json(const Figure& figure);

}}  // namespace glassworks::analysis
