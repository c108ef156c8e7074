#pragma once

#include <cstddef>
#include <string>

#include "analysis/report/figure.hpp"
#include "analysis/report/plot_range.hpp"

namespace glassworks { inline namespace analysis {

/// The name under which gnuplot finds a series of a figure; `figure` distinguishes the panels of a page.
[[nodiscard]] std::string gnuplot_data_name(const std::string& figure, std::size_t series);

/// The series of a figure as data blocks of gnuplot: x y y_low y_high x_low x_high. The last four are NaN without an
/// error and end at the axes. A number that cannot be had makes an empty line, which interrupts lines and bands.
[[nodiscard]] std::string gnuplot_data(const Figure& figure, const PlotRanges& ranges, const std::string& name);

}}  // namespace glassworks::analysis
