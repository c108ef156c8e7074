#pragma once

#include <string>

#include "analysis/report/figure.hpp"
#include "analysis/report/plot_range.hpp"

namespace glassworks { inline namespace analysis {

/// Lines of gnuplot for one axis: label, range, tics. Fewer numbers along x where those of three decimals or more would
/// run into each other.
///
/// name    'x' or 'y'
/// room    width of the axis [cm]
/// letter  width of a digit [cm]
[[nodiscard]] std::string gnuplot_axis(char name, const Axis& axis, const PlotRange& range, double room, double letter);

}}  // namespace glassworks::analysis
