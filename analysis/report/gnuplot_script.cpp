#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "analysis/report/document.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/print_figure.hpp"
#include "analysis/report/text.hpp"

namespace glassworks::inline analysis {
namespace {

// As on the page: Okabe and Ito. Point types of the cairo and svg terminals, filled ones first.
constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"};
constexpr std::array point_types = {7, 5, 13, 9, 11, 15, 6, 4, 12, 8, 10, 14};
constexpr std::array dash_types = {1, 2, 3, 4, 5};
constexpr std::size_t longest_name = 44;  ///< in the legend, in characters
constexpr const char* guide_colour = "#666666";

bool has_points(const Series& series) {
  return series.style == SeriesStyle::points || series.style == SeriesStyle::points_and_line;
}

bool any_finite(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

class Script {
 public:
  Script(const Figure& figure, const PrintOptions& options)
      : figure_(figure), options_(options), ranges_(plot_ranges(figure)), groups_(group_numbers(figure)) {
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
      if (has_points(figure.series[i])) marked_.insert(groups_[i]);
    }
  }

  std::string text() {
    data();
    terminal();
    legend();
    axis("x", figure_.x, ranges_.x);
    axis("y", figure_.y, ranges_.y);
    guides();
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
    if (!known) return "NaN NaN";
    return fmt::format("{} {}", std::max(value - error, range.low), std::min(value + error, range.high));
  }

  void terminal() {
    const double width = options_.width, height = 0.75 * width;
    const char* font = "Nimbus Sans,Helvetica,Arial,Liberation Sans,DejaVu Sans";
    switch (options_.format) {
      case PrintFormat::pdf:
        line("set terminal pdfcairo enhanced color size {:.2f}cm,{:.2f}cm font 'Sans,8' linewidth 0.8 rounded", width,
             height);
        break;
      case PrintFormat::svg:
        line("set terminal svg enhanced size {:.0f},{:.0f} font '{},11' linewidth 1 background '#ffffff'",
             width / 2.54 * 96.0, height / 2.54 * 96.0, font);
        break;
      case PrintFormat::png:
        line(
            "set terminal pngcairo enhanced color size {:.0f},{:.0f} font 'Sans,8' fontscale {:.3f} linewidth 2.5 "
            "pointscale 3 rounded",
            width / 2.54 * 300.0, height / 2.54 * 300.0, 300.0 / 72.0);
        break;
    }
    line("set encoding utf8");
    line("set minussign");
    line("set border linewidth 0.8");
    line("set tics scale 0.8,0.4 front");
    line("set style fill transparent solid 0.22 noborder");
  }

  void legend() {
    std::vector<std::string> names;
    std::size_t longest = 0;
    for (const Series& series : figure_.series) {
      if (series.name.empty() || std::find(names.begin(), names.end(), series.name) != names.end()) continue;
      names.push_back(series.name);
      longest = std::max(longest, std::min(label_length(series.name), longest_name));
    }
    if (names.empty()) {
      line("set key off");
      return;
    }
    // Letters are about 0.16 cm wide and 0.36 cm apart; a sample with its gaps takes 1 cm.
    const double across = (1.0 + 0.16 * static_cast<double>(longest)) / (0.8 * options_.width);
    const double down = (0.3 + 0.36 * static_cast<double>(names.size())) / (0.6 * options_.width);
    LegendPlace place = LegendPlace::above;
    if (across < 0.7 && down < 0.6) place = emptiest_corner(figure_, ranges_, across, down);
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

  void axis(const char* name, const Axis& axis, const PlotRange& range) {
    line("set {}label {}{}", name, gnuplot_label(axis.label), name[0] == 'x' ? " offset 0,0.3" : "");
    line("set {}range [{}:{}]", name, range.low, range.high);
    if (!range.logarithmic) {
      line("set m{}tics 2", name);
      if (name[0] == 'x') fit_tics(range);
      return;
    }
    line("set logscale {}", name);
    const double decades = std::log10(range.high) - std::log10(range.low);
    if (decades > 2.0) {
      line("set format {} '10^{{%T}}'", name);
      line("set {}tics {}", name, std::pow(10.0, std::clamp(std::ceil(decades / 7.0), 1.0, 300.0)));
      if (decades < 8.0) line("set m{}tics 10", name);
      return;
    }
    // Less than two decades: 1, 2, 5 with their values.
    std::string tics;
    for (double power = std::pow(10.0, std::floor(std::log10(range.low))); power < range.high; power *= 10.0) {
      for (const int digit : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        const double at = digit * power;
        if (at < range.low || at > range.high) continue;
        const bool labelled = digit == 1 || digit == 2 || digit == 5 || (decades < 0.7 && digit != 9 && digit != 7);
        tics += fmt::format("{}'{}' {:.6g} {}", tics.empty() ? "" : ", ", labelled ? fmt::format("{:.6g}", at) : "", at,
                            labelled ? 0 : 1);
      }
    }
    if (tics.empty()) return;
    line("set {}tics ({})", name, tics);
  }

  /// Fewer numbers along x where those of three decimals or more would run into each other.
  void fit_tics(const PlotRange& range) {
    const double span = range.high - range.low, room = 0.8 * options_.width;
    const double largest = std::max({std::abs(range.low), std::abs(range.high), 1.0});
    if (!(span > 0.0) || !std::isfinite(span)) return;
    bool crowded = false;
    for (double power = std::pow(10.0, std::floor(std::log10(span)) - 1.0); power <= span; power *= 10.0) {
      for (const double step : {power, 2.0 * power, 5.0 * power}) {
        if (span / step > 10.0) continue;
        const double decimals = std::max(0.0, -std::floor(std::log10(power) + 1e-9));
        const double length = std::floor(std::log10(largest)) + 2.0 + decimals;
        if (decimals < 3.0 && !crowded) return;
        crowded = true;
        if (span / step * (0.17 * length + 0.2) > room) continue;  // [cm]
        line("set xtics {}", shortest(step));
        return;
      }
    }
  }

  void guides() {
    int vertical_labels = 0;
    for (const Guide& guide : figure_.guides) {
      const bool vertical = guide.direction == Guide::Direction::vertical;
      const PlotRange& range = vertical ? ranges_.x : ranges_.y;
      if (!std::isfinite(range.place(guide.at))) continue;
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
      const bool right = range.place(guide.at) > 0.8;
      line("set label {} at {} {} offset {} textcolor rgb '{}' front", gnuplot_label(guide.label),
           vertical ? point(guide.at, fmt::format("{:.2f}", 0.95 - 0.07 * vertical_labels).c_str())
                    : point(guide.at, "0.98"),
           vertical && !right ? "left" : "right", vertical ? (right ? "-0.5,0" : "0.5,0") : "0,0.5", guide_colour);
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
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      const Series& series = figure_.series[i];
      if (series.name.empty() || !named.insert(series.name).second) continue;
      parts.push_back(
          fmt::format("keyentry {} title {}", entry(i), gnuplot_label(short_label(series.name, longest_name))));
    }
    text_ += "plot ";
    for (std::size_t i = 0; i < parts.size(); ++i) text_ += (i > 0 ? ", \\\n  " : "") + parts[i];
    text_ += '\n';
  }

  [[nodiscard]] std::string line_look(std::size_t i) const {
    const auto group = static_cast<std::size_t>(groups_[i]);
    const int dash = marked_.contains(groups_[i]) ? 1 : dash_types[group % dash_types.size()];
    return fmt::format("linecolor rgb '{}' linewidth 1.3 dashtype {}", colours[group % colours.size()], dash);
  }

  [[nodiscard]] std::string point_look(std::size_t i) const {
    const auto group = static_cast<std::size_t>(groups_[i]);
    const std::size_t points = figure_.series[i].x.size();
    return fmt::format("linecolor rgb '{}' pointtype {} pointsize {}", colours[group % colours.size()],
                       point_types[group % point_types.size()],
                       points > 1000  ? 0.12
                       : points > 200 ? 0.25
                                      : 0.45);
  }

  /// What stands in the legend for all series of this name: the one with points if there is one.
  [[nodiscard]] std::string entry(std::size_t first) const {
    std::size_t i = first;
    for (std::size_t k = first; k < figure_.series.size(); ++k) {
      if (figure_.series[k].name == figure_.series[first].name && has_points(figure_.series[k])) {
        i = k;
        break;
      }
    }
    const auto group = static_cast<std::size_t>(groups_[i]);
    switch (figure_.series[i].style) {
      case SeriesStyle::bars:
        return fmt::format("with boxes fillcolor rgb '{0}' fillstyle transparent solid 0.35 border linecolor rgb '{0}'",
                           colours[group % colours.size()]);
      case SeriesStyle::points:
        return "with points " + point_look(i);
      case SeriesStyle::points_and_line:
        return "with linespoints linewidth 1 " + point_look(i);
      default:
        return "with lines " + line_look(i);
    }
  }

  void add(std::vector<std::string>& parts, std::size_t i, std::size_t bars) const {
    const Series& series = figure_.series[i];
    if (!any_finite(series.x) || !any_finite(series.y)) return;
    const std::string data = fmt::format("$series{}", i);
    const auto group = static_cast<std::size_t>(groups_[i]);
    const char* colour = colours[group % colours.size()];
    const std::size_t points = series.x.size();
    const bool y_errors = any_finite(series.y_error), x_errors = any_finite(series.x_error);
    if (series.style == SeriesStyle::band) {
      parts.push_back(fmt::format("{} using 1:3:4 with filledcurves linecolor rgb '{}' notitle", data, colour));
    }
    if (series.style == SeriesStyle::bars) {
      parts.push_back(
          fmt::format("{0} using 1:2 with boxes fillcolor rgb '{1}' fillstyle transparent solid {2} border linecolor "
                      "rgb '{1}' notitle",
                      data, colour, bars > 1 ? 0.35 : 0.6));
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
                                  joined ? "linespoints linewidth 1" : "points", point_look(i)));
    } else if (series.style != SeriesStyle::bars) {
      parts.push_back(fmt::format("{} using 1:2 with lines {} notitle", data, line_look(i)));
    }
  }

  const Figure& figure_;
  PrintOptions options_;
  PlotRanges ranges_;
  std::vector<int> groups_;
  std::set<int> marked_;  ///< groups with points: lines of the others are told apart by dashes
  std::string text_;
};

}  // namespace

std::string gnuplot_script(const Figure& figure, const PrintOptions& options) {
  check_figure(figure);
  return Script(figure, options).text();
}

}  // namespace glassworks::inline analysis
