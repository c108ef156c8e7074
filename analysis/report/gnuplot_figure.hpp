#pragma once

#include <string>

#include "analysis/report/figure.hpp"
#include "analysis/report/print_figure.hpp"

namespace glassworks { inline namespace analysis {

/// A rectangle on the paper, cm from its lower left corner.
struct PaperArea {
  double left = 0.0, bottom = 0.0, width = 0.0, height = 0.0;
};

/// Where a figure is drawn.
struct FigurePlace {
  double paper_width = 0.0, paper_height = 0.0;  ///< cm
  PaperArea area = {};                           ///< of a panel, with its labels
  bool panel = false;                            ///< one of several on the paper
  std::string label = {};                        ///< of a panel: "(a)"
  std::string name = {};                         ///< prefix of its data, letters and _
};

struct GnuplotCommands {
  std::string text;
  int plots = 0;  ///< two with an inset
};

/// All commands of a figure but the terminal: it begins with a reset where several plots share the paper.
[[nodiscard]] GnuplotCommands gnuplot_commands(const Figure& figure, const PrintOptions& options,
                                               const FigurePlace& place);

}}  // namespace glassworks::analysis
