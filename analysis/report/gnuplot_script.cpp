#include <fmt/format.h>

#include <stdexcept>

#include "analysis/report/gnuplot_figure.hpp"
#include "analysis/report/print_figure.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string terminal(const PrintOptions& options, double height) {
  const double width = options.width, size = options.font_size;
  const std::string font = options.font.empty() ? "Sans" : options.font;
  switch (options.format) {
    case PrintFormat::pdf:
    case PrintFormat::eps:
      // These terminals draw 8 points as 10.7 unless they are scaled.
      return fmt::format(
          "set terminal {} enhanced color size {:.2f}cm,{:.2f}cm font '{},{:g}' fontscale 0.75 linewidth 0.8 "
          "rounded\n",
          options.format == PrintFormat::eps ? "epscairo" : "pdfcairo", width, height, font, size);
    case PrintFormat::svg:
      return fmt::format(
          "set terminal svg enhanced size {:.0f},{:.0f} font '{},{:.4g}' linewidth 1 background "
          "'#ffffff'\n",
          width / 2.54 * 96.0, height / 2.54 * 96.0,
          options.font.empty() ? "Nimbus Sans,Helvetica,Arial,Liberation Sans,DejaVu Sans" : font, size * 96.0 / 72.0);
    case PrintFormat::png:
      return fmt::format(
          "set terminal pngcairo enhanced color size {:.0f},{:.0f} font '{},{:g}' fontscale {:.3f} linewidth 2.5 "
          "pointscale 3 rounded\n",
          width / 2.54 * 300.0, height / 2.54 * 300.0, font, size, 300.0 / 96.0);
  }
  return {};
}

std::string script(const PrintOptions& options, double height, const std::string& output,
                   const GnuplotCommands& commands) {
  std::string text;
  if (!output.empty()) {
    text = fmt::format("# gnuplot 5.4 draws {} from this file: change it and run gnuplot again.\n\n", output);
  }
  text += terminal(options, height);
  if (!output.empty()) text += fmt::format("set output '{}'\n", output);
  if (commands.plots == 1) return text + commands.text;
  return text + "set multiplot\n" + commands.text + "unset multiplot\n";
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const PrintOptions& options, const std::string& output) {
  const double height = options.height > 0.0 ? options.height : 0.75 * options.width;
  return script(options, height, output,
                gnuplot_commands(
                    figure, options,
                    {.paper_width = options.width, .paper_height = height, .area = {0.0, 0.0, options.width, height}}));
}

std::string gnuplot_panels(std::span<const Figure> figures, const PanelGrid& grid, const PrintOptions& options,
                           const std::string& output) {
  if (figures.empty() ||
      figures.size() > static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns)) {
    throw std::invalid_argument("gnuplot_panels: other figures than panels");
  }
  const double width = options.width / grid.columns;
  const double height = options.height > 0.0 ? options.height : 0.75 * width * grid.rows;
  GnuplotCommands all;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const int row = static_cast<int>(i) / grid.columns, column = static_cast<int>(i) % grid.columns;
    const char letter = static_cast<char>('a' + i);
    const FigurePlace place{
        .paper_width = options.width,
        .paper_height = height,
        .area = {column * width, height - (row + 1) * height / grid.rows, width, height / grid.rows},
        .panel = true,
        .label = fmt::format("({})", letter),
        .name = fmt::format("{}_", letter)};
    all.text += gnuplot_commands(figures[i], options, place).text;
  }
  all.plots = 2;  // also with one panel
  return script(options, height, output, all);
}

}}  // namespace glassworks::analysis
