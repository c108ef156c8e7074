#pragma once

#include <array>
#include <string>

/// Colours and markers of all figures: of the page, of `plot`, and of the figures of the documentation. The only list.
namespace glassworks { inline namespace analysis {

/// After Okabe and Ito, told apart with any kind of colour vision; the last one is the neutral grey.
inline constexpr std::array palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#333333", "#777777"};
/// The same on dark ground.
inline constexpr std::array dark_palette = {"#4ba3dd", "#f0803c", "#2dc79a", "#e39bc4",
                                            "#f2b632", "#8fd0f5", "#d0d0d0", "#9a9a95"};

struct Marker {
  const char* page;  ///< symbol of plotly.js; open ones end with "-open"
  int filled, open;  ///< point types of gnuplot's cairo and svg terminals
};
inline constexpr std::array markers = {Marker{"circle", 7, 6},          Marker{"square", 5, 4},
                                       Marker{"diamond", 13, 12},       Marker{"triangle-up", 9, 8},
                                       Marker{"triangle-down", 11, 10}, Marker{"pentagon", 15, 14}};

/// For page.js: {"light": [...], "dark": [...], "symbols": [...]}.
[[nodiscard]] std::string look_json();

/// For a page whose figures are drawn beforehand: a style for each colour, .c0, .c1, ...
[[nodiscard]] std::string palette_style();

/// docs/figures/look.gp, which the scripts of the documentation's figures load: the words of `colours` and `points`.
[[nodiscard]] std::string gnuplot_look();

}}  // namespace glassworks::analysis
