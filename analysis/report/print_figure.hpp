#pragma once

#include <span>
#include <string>

#include "analysis/report/figure.hpp"
#include "analysis/report/plot_range.hpp"

namespace glassworks { inline namespace analysis {

enum class PrintFormat { pdf, svg, png, eps };

struct PrintOptions {
  PrintFormat format = PrintFormat::pdf;
  double width = 8.6;      ///< cm: one column of a journal; 17.8 for two
  double height = 0.0;     ///< cm; 0: three quarters of the width
  std::string font = {};   ///< a name that fontconfig or the viewer knows, without ' and "; empty: sans serif
  double font_size = 8.0;  ///< points
  GivenRange x = {}, y = {};
};

/// The figure as a script for gnuplot 5.4 with its numbers inside: error bars, bands, guides, the colours and markers
/// of the page, the legend in the emptiest corner or, if there are many entries or no empty corner, above the figure,
/// and its inset where a corner has room for it.
/// It draws on standard output, or into the file `output` (letters, digits, '.', '-', '_') of the working directory if
/// one is named. No name in the figure can become a command. Throws std::invalid_argument (check_figure), InputError
/// for a range that has no place on an axis.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const PrintOptions& options = {},
                                         const std::string& output = {});

/// Rows and columns of panels in one drawing, at most 26 of them.
struct PanelGrid {
  int rows = 1, columns = 1;
};

/// Several figures as panels of one drawing, row by row, with the labels (a), (b), ... above their axes. The options
/// are those of the whole drawing; a height of 0 gives panels three quarters as high as wide. No more figures than
/// panels.
[[nodiscard]] std::string gnuplot_panels(std::span<const Figure> figures, const PanelGrid& grid,
                                         const PrintOptions& options = {}, const std::string& output = {});

/// What gnuplot draws from a script. `what`: for the message. Throws std::runtime_error with one sentence if gnuplot is
/// missing or fails.
[[nodiscard]] std::string draw_script(const std::string& script, const std::string& what);

/// The bytes of the figure as gnuplot draws it. Throws std::runtime_error with one sentence if gnuplot is missing or
/// fails.
[[nodiscard]] std::string print_figure(const Figure& figure, const PrintOptions& options = {});

}}  // namespace glassworks::analysis
