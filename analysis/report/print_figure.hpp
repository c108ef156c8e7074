#pragma once

#include <filesystem>
#include <string>

#include "analysis/report/figure.hpp"

namespace glassworks::inline analysis {

enum class PrintFormat { pdf, svg, png };

struct PrintOptions {
  PrintFormat format = PrintFormat::pdf;
  double width = 8.6;  ///< cm: one column of a journal; 17.8 for two
};

/// The figure as a script for gnuplot 5.4 with its numbers inside, which draws on standard output: error bars, bands,
/// guides, the colours and markers of the page, the legend in the emptiest corner or, if there are many entries or no
/// empty corner, above the figure. No name in the figure can become a command. Throws std::invalid_argument
/// (check_figure).
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const PrintOptions& options = {});

/// Draws the figure into a file by calling gnuplot; the file is whole, or what was there before stays. Throws
/// std::runtime_error with one sentence if gnuplot is missing or fails.
void write_print_figure(const Figure& figure, const std::filesystem::path& file, const PrintOptions& options = {});

}  // namespace glassworks::inline analysis
