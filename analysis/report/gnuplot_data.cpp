#include "analysis/report/gnuplot_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace analysis {
namespace {

std::string ends(const PlotRange& range, double value, double error, SeriesStyle style) {
  const bool known = std::isfinite(error) && (error > 0.0 || style == SeriesStyle::band);
  const bool seen = value - error <= range.high && value + error >= range.low;
  if (!known || (!seen && style != SeriesStyle::band)) return "NaN NaN";
  return fmt::format("{} {}", std::clamp(value - error, range.low, range.high),
                     std::clamp(value + error, range.low, range.high));
}

}  // namespace

std::string gnuplot_data_name(const std::string& figure, std::size_t series) {
  return fmt::format("${}series{}", figure, series);
}

std::string gnuplot_data(const Figure& figure, const PlotRanges& ranges, const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    text += gnuplot_data_name(name, i) + " << END_OF_DATA\n";
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      const double error = series.y_error.empty() ? 0.0 : series.y_error[k];
      if (!std::isfinite(ranges.x.place(series.x[k])) || !std::isfinite(ranges.y.place(series.y[k])) ||
          (series.style == SeriesStyle::band && !std::isfinite(error))) {
        text += '\n';
        continue;
      }
      text += fmt::format("{} {} {} {}\n", series.x[k], series.y[k], ends(ranges.y, series.y[k], error, series.style),
                          ends(ranges.x, series.x[k], series.x_error.empty() ? 0.0 : series.x_error[k], series.style));
    }
    text += "END_OF_DATA\n";
  }
  return text + "$nothing << END_OF_DATA\nNaN NaN\nEND_OF_DATA\n";
}

}}  // namespace glassworks::analysis
