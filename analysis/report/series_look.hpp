#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

inline constexpr int colours = 7;         ///< of the page and of print, after Okabe and Ito
inline constexpr int neutral_colour = 7;  ///< grey: what belongs to no size, in a figure of sizes

inline constexpr std::size_t longest_in_legend = 44;  ///< characters of a name

/// Name of the series of crossings, which belong to pairs of sizes.
inline constexpr const char* crossings_name = "crossings";

/// Whether it has markers.
[[nodiscard]] bool has_points(const Series& series);

/// How a series is drawn; the page and the figures for print follow it.
struct SeriesLook {
  int colour = 0;  ///< below `colours`, or neutral_colour
  int symbol = 0;  ///< kind of marker, from 0
  bool open = false;
  int dash = 0;  ///< of lines, 0: solid
  std::string legend = {};
};

/// An entry of the legend for a kind of series that several sizes have: "median".
struct LegendKind {
  std::string text;
  bool points = false;  ///< markers, not lines
  bool open = false;
  int dash = 0;
};

struct FigureLooks {
  std::vector<SeriesLook> series;
  std::vector<LegendKind> kinds;
};

/// A size has the colour and the marker of its place in Figure::sizes, so it looks the same in every figure of a
/// document and in black and white. Series of one size that differ in kind ("L = 8, median" and "L = 8, smallest") have
/// open markers or dashes; the legend then holds each size once and each kind once, unless there are more than three
/// kinds. In figures without sizes, groups have colours in the order in which they appear.
[[nodiscard]] FigureLooks figure_looks(const Figure& figure);

/// L of "L = 8" and of "L = 8, something"; nothing of other names.
[[nodiscard]] std::optional<int> size_of_label(std::string_view label);

/// Gives every figure the sizes of all figures of the document.
void share_sizes(Document& document);

}}  // namespace glassworks::analysis
