#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "analysis/report/document.hpp"
#include "analysis/report/gnuplot_axis.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/print_figure.hpp"
#include "analysis/report/series_look.hpp"
#include "analysis/report/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

// As on the page: Okabe and Ito, and a grey. Point types of the cairo and svg terminals, filled and open.
constexpr std::array palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333", "#777777"};
static_assert(palette.size() == neutral_colour + 1);
constexpr std::array filled_types = {7, 5, 13, 9, 11, 15}, open_types = {6, 4, 12, 8, 10, 14};
constexpr int dash_types = 5;  ///< from 1, solid
constexpr const char* guide_colour = "#666666";

bool any_finite(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

/// The range of all points, with the ends that the options give.
PlotRanges shown_ranges(const Figure& figure, const PrintOptions& options) {
  PlotRanges ranges = plot_ranges(figure);
  ranges.x = options.x.applied(ranges.x, "x axis of figure " + figure.id);
  ranges.y = options.y.applied(ranges.y, "y axis of figure " + figure.id);
  return ranges;
}

class Script {
 public:
  Script(const Figure& figure, const PrintOptions& options)
      : figure_(figure),
        options_(options),
        height_(options.height > 0.0 ? options.height : 0.75 * options.width),
        scale_(options.font_size / PrintOptions().font_size),
        ranges_(shown_ranges(figure, options)),
        looks_(figure_looks(figure)) {}

  std::string text(const std::string& output) {
    if (!output.empty()) line("# gnuplot 5.4 draws {} from this file: change it and run gnuplot again.\n", output);
    terminal();
    if (!output.empty()) line("set output '{}'", output);
    legend();
    const double room = 0.8 * options_.width, letter = 0.17 * scale_;
    text_ += gnuplot_axis('x', figure_.x, ranges_.x, room, letter);
    text_ += gnuplot_axis('y', figure_.y, ranges_.y, room, letter);
    guides();
    data();
    plot();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  /// x y y_low y_high x_low x_high; the last four are NaN without an error and end at the axes. A number that cannot be
  /// had makes an empty line, which interrupts lines and bands.
  void data() {
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      const Series& series = figure_.series[i];
      line("$series{} << END_OF_DATA", i);
      for (std::size_t k = 0; k < series.x.size(); ++k) {
        const double error = series.y_error.empty() ? 0.0 : series.y_error[k];
        if (!std::isfinite(ranges_.x.place(series.x[k])) || !std::isfinite(ranges_.y.place(series.y[k])) ||
            (series.style == SeriesStyle::band && !std::isfinite(error))) {
          text_ += '\n';
          continue;
        }
        line("{} {} {} {}", series.x[k], series.y[k], ends(ranges_.y, series.y[k], error, series.style),
             ends(ranges_.x, series.x[k], series.x_error.empty() ? 0.0 : series.x_error[k], series.style));
      }
      line("END_OF_DATA");
    }
    line("$nothing << END_OF_DATA\nNaN NaN\nEND_OF_DATA");
  }

  static std::string ends(const PlotRange& range, double value, double error, SeriesStyle style) {
    const bool known = std::isfinite(error) && (error > 0.0 || style == SeriesStyle::band);
    const bool seen = value - error <= range.high && value + error >= range.low;
    if (!known || (!seen && style != SeriesStyle::band)) return "NaN NaN";
    return fmt::format("{} {}", std::clamp(value - error, range.low, range.high),
                       std::clamp(value + error, range.low, range.high));
  }

  void terminal() {
    const double width = options_.width, size = options_.font_size;
    const std::string font = options_.font.empty() ? "Sans" : options_.font;
    switch (options_.format) {
      case PrintFormat::pdf:
      case PrintFormat::eps:
        // These terminals draw 8 points as 10.7 unless they are scaled.
        line(
            "set terminal {} enhanced color size {:.2f}cm,{:.2f}cm font '{},{:g}' fontscale 0.75 linewidth 0.8 rounded",
            is_eps() ? "epscairo" : "pdfcairo", width, height_, font, size);
        break;
      case PrintFormat::svg:
        line("set terminal svg enhanced size {:.0f},{:.0f} font '{},{:.4g}' linewidth 1 background '#ffffff'",
             width / 2.54 * 96.0, height_ / 2.54 * 96.0,
             options_.font.empty() ? "Nimbus Sans,Helvetica,Arial,Liberation Sans,DejaVu Sans" : font,
             size * 96.0 / 72.0);
        break;
      case PrintFormat::png:
        line(
            "set terminal pngcairo enhanced color size {:.0f},{:.0f} font '{},{:g}' fontscale {:.3f} linewidth 2.5 "
            "pointscale 3 rounded",
            width / 2.54 * 300.0, height_ / 2.54 * 300.0, font, size, 300.0 / 96.0);
        break;
    }
    line("set encoding utf8");
    line("set minussign");
    line("set border linewidth 0.8");
    line("set tics scale 0.8,0.4 front");
    line("set style fill {} noborder", shade(0.22));
  }

  [[nodiscard]] bool is_eps() const { return options_.format == PrintFormat::eps; }

  /// PostScript knows no transparency; cairo would write a picture of pixels in its place.
  [[nodiscard]] std::string shade(double density) const {
    return fmt::format("{}solid {}", is_eps() ? "" : "transparent ", density);
  }

  void legend() {
    std::vector<std::string> names;
    std::size_t longest = 0;
    const auto add = [&](const std::string& name) {
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
      names.push_back(name);
      longest = std::max(longest, std::min(label_length(name), longest_in_legend));
    };
    for (const SeriesLook& look : looks_.series) add(look.legend);
    for (const LegendKind& kind : looks_.kinds) add(kind.text);
    if (names.empty()) {
      line("set key off");
      return;
    }
    // Letters of 8 points are about 0.16 cm wide and 0.36 cm apart; a sample with its gaps takes 1 cm.
    const double across = (1.0 + 0.16 * scale_ * static_cast<double>(longest)) / (0.8 * options_.width);
    const double down = (0.3 + 0.36 * scale_ * static_cast<double>(names.size())) / (0.8 * height_);
    LegendPlace place = LegendPlace::above;
    const double letter = 0.16 * scale_ / (0.8 * options_.width);
    if (across < 0.7 && down < 0.6) place = emptiest_corner(figure_, ranges_, across, down, letter);
    const char* where = "";
    switch (place) {
      case LegendPlace::top_left:
        where = "inside left top reverse Left";
        break;
      case LegendPlace::top_right:
        where = "inside right top";
        break;
      case LegendPlace::bottom_left:
        where = "inside left bottom reverse Left";
        break;
      case LegendPlace::bottom_right:
        where = "inside right bottom";
        break;
      case LegendPlace::above:
        where = "outside center top horizontal reverse Left";
        break;
    }
    line("set key {} samplen 1.6 spacing 1.05 noautotitle", where);
  }

  void guides() {
    int vertical_labels = 0;
    for (const Guide& guide : figure_.guides) {
      const bool vertical = guide.direction == Guide::Direction::vertical;
      const PlotRange& range = vertical ? ranges_.x : ranges_.y;
      const double place = range.place(guide.at);
      if (!(place >= 0.0 && place <= 1.0)) continue;
      const auto point = [&](double value, const char* other) {
        const std::string at = shortest(std::clamp(value, range.low, range.high));
        return vertical ? fmt::format("first {}, graph {}", at, other) : fmt::format("graph {}, first {}", other, at);
      };
      if (guide.error > 0.0 && std::isfinite(guide.error)) {
        line("set object rectangle from {} to {} behind fillcolor rgb '{}' fillstyle solid 0.15 noborder",
             point(guide.at - guide.error, "0"), point(guide.at + guide.error, "1"), guide_colour);
      }
      line("set arrow from {} to {} nohead back linecolor rgb '{}' linewidth 0.9 dashtype {}", point(guide.at, "0"),
           point(guide.at, "1"), guide_colour, 2);
      if (guide.label.empty()) continue;
      const bool right = place > 0.8;
      line("set label {} at {} {} offset {} textcolor rgb '{}' front", gnuplot_label(guide.label),
           vertical ? point(guide.at, fmt::format("{:.2f}", 0.95 - 0.07 * vertical_labels).c_str())
                    : point(guide.at, "0.98"),
           vertical && !right ? "left" : "right",
           vertical ? (right ? "-0.5,0" : "0.5,0") : (place > 0.9 ? "0,-0.6" : "0,0.5"), guide_colour);
      if (vertical) ++vertical_labels;
    }
  }

  void plot() {
    std::vector<std::string> parts;
    std::set<std::string> named;
    std::size_t bars = 0;
    for (const Series& series : figure_.series) bars += series.style == SeriesStyle::bars ? 1 : 0;
    for (const bool background : {true, false}) {  // bands and bars below everything else
      for (std::size_t i = 0; i < figure_.series.size(); ++i) {
        const Series& series = figure_.series[i];
        if (background != (series.style == SeriesStyle::band || series.style == SeriesStyle::bars)) continue;
        add(parts, i, bars);
      }
    }
    if (parts.empty()) parts.emplace_back("$nothing using 1:2 with points notitle");
    const auto name = [&](const std::string& look, const std::string& text) {
      parts.push_back(fmt::format("keyentry {} title {}", look, gnuplot_label(short_label(text, longest_in_legend))));
    };
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      const std::string& text = looks_.series[i].legend;
      if (!text.empty() && named.insert(text).second) name(entry(i), text);
    }
    for (const LegendKind& kind : looks_.kinds) {
      const SeriesLook look{.colour = neutral_colour, .open = kind.open, .dash = kind.dash};
      name(kind.points ? "with points " + point_look(look, 0) : "with lines " + line_look(look), kind.text);
    }
    text_ += "plot ";
    for (std::size_t i = 0; i < parts.size(); ++i) text_ += (i > 0 ? ", \\\n  " : "") + parts[i];
    text_ += '\n';
  }

  static const char* colour_of(const SeriesLook& look) { return palette[static_cast<std::size_t>(look.colour)]; }

  static std::string line_look(const SeriesLook& look) {
    return fmt::format("linecolor rgb '{}' linewidth 1.3 dashtype {}", colour_of(look), look.dash % dash_types + 1);
  }

  static std::string point_look(const SeriesLook& look, std::size_t points) {
    const auto symbol = static_cast<std::size_t>(look.symbol) % filled_types.size();
    return fmt::format("linecolor rgb '{}' pointtype {} pointsize {}", colour_of(look),
                       (look.open ? open_types : filled_types)[symbol],
                       points > 1000  ? 0.12
                       : points > 200 ? 0.25
                                      : 0.45);
  }

  [[nodiscard]] std::string bars_look(const SeriesLook& look, double density) const {
    return fmt::format("with boxes fillcolor rgb '{0}' fillstyle {1} border linecolor rgb '{0}'", colour_of(look),
                       shade(density));
  }

  /// What stands in the legend for all series of this text: the one with points if there is one.
  [[nodiscard]] std::string entry(std::size_t first) const {
    std::size_t i = first;
    for (std::size_t k = first; k < figure_.series.size(); ++k) {
      if (looks_.series[k].legend == looks_.series[first].legend && has_points(figure_.series[k])) {
        i = k;
        break;
      }
    }
    const SeriesLook& look = looks_.series[i];
    switch (figure_.series[i].style) {
      case SeriesStyle::bars:
        return bars_look(look, 0.35);
      case SeriesStyle::points:
        return "with points " + point_look(look, figure_.series[i].x.size());
      case SeriesStyle::points_and_line:
        return "with linespoints linewidth 1 " + point_look(look, figure_.series[i].x.size());
      default:
        return "with lines " + line_look(look);
    }
  }

  void add(std::vector<std::string>& parts, std::size_t i, std::size_t bars) const {
    const Series& series = figure_.series[i];
    if (!any_finite(series.x) || !any_finite(series.y)) return;
    const std::string data = fmt::format("$series{}", i);
    const SeriesLook& look = looks_.series[i];
    const char* colour = colour_of(look);
    const std::size_t points = series.x.size();
    const bool y_errors = any_finite(series.y_error), x_errors = any_finite(series.x_error);
    if (series.style == SeriesStyle::band) {
      parts.push_back(fmt::format("{} using 1:3:4 with filledcurves linecolor rgb '{}' notitle", data, colour));
    }
    if (series.style == SeriesStyle::bars) {
      parts.push_back(fmt::format("{} using 1:2 {} notitle", data, bars_look(look, bars > 1 ? 0.35 : 0.6)));
    }
    const bool drawn_with_errors = has_points(series) || series.style == SeriesStyle::bars;
    if (drawn_with_errors && (y_errors || x_errors)) {
      // Vectors with flat heads: the error bars of gnuplot 5.4 leave a white disc around each point.
      const auto bar = [&](const char* columns) {
        parts.push_back(
            fmt::format("{} using {} with vectors heads size {},90 fixed linecolor rgb '{}' linewidth 0.9 notitle",
                        data, columns, points > 200 ? "0" : "screen 0.006", colour));
      };
      if (y_errors) bar("1:3:(0):($4-$3)");
      if (x_errors) bar("5:2:($6-$5):(0)");
    }
    if (has_points(series)) {
      const bool joined = series.style == SeriesStyle::points_and_line;
      parts.push_back(fmt::format("{} using 1:2 with {} {} notitle", data,
                                  joined ? "linespoints linewidth 1" : "points", point_look(look, points)));
    } else if (series.style != SeriesStyle::bars) {
      parts.push_back(fmt::format("{} using 1:2 with lines {} notitle", data, line_look(look)));
    }
  }

  const Figure& figure_;
  PrintOptions options_;
  double height_, scale_;  ///< scale: letters over those of the default
  PlotRanges ranges_;
  FigureLooks looks_;
  std::string text_;
};

}  // namespace

std::string gnuplot_script(const Figure& figure, const PrintOptions& options, const std::string& output) {
  check_figure(figure);
  return Script(figure, options).text(output);
}

}}  // namespace glassworks::analysis
