#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// What an axis shows: from `low` to `high`, both positive on a logarithmic axis.
struct PlotRange {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;

  /// 0 at low, 1 at high; NaN for what has no place on the axis.
  [[nodiscard]] double place(double value) const;
};

struct PlotRanges {
  PlotRange x, y;
};

/// Range requested for an axis; an end that is not given stays as it is.
struct GivenRange {
  std::optional<double> low = {}, high = {};

  /// The range with these ends. Throws InputError if they are in the wrong order or have no place on a logarithmic
  /// axis.
  ///
  /// axis  in words, for the message
  [[nodiscard]] PlotRange applied(PlotRange range, const std::string& axis) const;
};

/// All points with their errors and the guides, and a little room around them; an axis is logarithmic only if some
/// number on it is positive. Bars stand on 0.
[[nodiscard]] PlotRanges plot_ranges(const Figure& figure);

enum class LegendPlace { top_left, top_right, bottom_left, bottom_right, above };

/// Which sides meet in a corner.
[[nodiscard]] constexpr bool is_right(LegendPlace corner) {
  return corner == LegendPlace::top_right || corner == LegendPlace::bottom_right;
}
[[nodiscard]] constexpr bool is_top(LegendPlace corner) {
  return corner == LegendPlace::top_right || corner == LegendPlace::top_left;
}

/// The corner of the given size (in parts of the axes) that holds no point, no line and no label of a guide; `above` if
/// every corner does.
///
/// letter  width of a letter in the labels, in parts of the x axis
[[nodiscard]] LegendPlace emptiest_corner(const Figure& figure, const PlotRanges& ranges, double width, double height,
                                          double letter = 0.02);

/// Parts of the axes that an inset takes, with the numbers at its own axes.
inline constexpr double inset_width = 0.46, inset_height = 0.44;

/// The inset that shows all series from x_low to x_high, with their errors; none if they have no point there.
[[nodiscard]] std::optional<Inset> inset_around(const Figure& figure, double x_low, double x_high);

/// Where the inset of a figure goes: the emptiest corner; none if the figure has no inset, or no room for it.
[[nodiscard]] std::optional<LegendPlace> inset_place(const Figure& figure, const PlotRanges& ranges);

/// The figure with points all over the corner of its inset, which no legend may then take.
[[nodiscard]] Figure with_inset_covered(const Figure& figure, const PlotRanges& ranges, LegendPlace corner);

}}  // namespace glassworks::analysis
