#pragma once

#include <string>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// A figure as HTML with a drawing in SVG, without a script: title, label of the y axis, drawing, label of the x axis,
/// legend, caption. For small pages that are written again and again; series look as in the report (series_look.hpp).
/// The style of the page sets --c0 ... --c7 and the classes svg text, .grid, .axis. Throws std::invalid_argument
/// (check_figure).
[[nodiscard]] std::string svg_figure(const Figure& figure);

}}  // namespace glassworks::analysis
