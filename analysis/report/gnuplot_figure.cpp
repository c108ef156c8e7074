#include "analysis/report/gnuplot_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "analysis/report/document.hpp"
#include "analysis/report/gnuplot_axis.hpp"
#include "analysis/report/gnuplot_data.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/palette.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/print_figure.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/report/series_look.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

static_assert(palette.size() == neutral_colour + 1);
constexpr int dash_types = 5;  ///< from 1, solid
constexpr const char* guide_colour = "#666666";

bool any_finite(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

/// What the axes show: the inset, or all points with the ends that the options give.
PlotRanges shown_ranges(const Figure& figure, const PrintOptions& options, bool inset) {
  if (inset) {
    const Inset& part = *figure.inset;
    return {{part.x_low, part.x_high, false}, {part.y_low, part.y_high, false}};
  }
  PlotRanges ranges = plot_ranges(figure);
  ranges.x = options.x.applied(ranges.x, "x axis of figure " + figure.id);
  ranges.y = options.y.applied(ranges.y, "y axis of figure " + figure.id);
  return ranges;
}

/// Characters of the numbers at an axis.
double tic_letters(const PlotRange& range) {
  if (range.logarithmic) return 4.0;
  const double span = range.high - range.low, largest = std::max(std::abs(range.low), std::abs(range.high));
  const double decimals = std::clamp(-std::floor(std::log10(span / 5.0)), 0.0, 6.0);
  const double digits = std::max(1.0, std::floor(std::log10(std::max(largest, 1e-300))) + 1.0);
  return digits + (decimals > 0.0 ? decimals + 1.0 : 0.0) + (range.low < 0.0 ? 1.0 : 0.0);
}

/// Distance of at most so many numbers and one at an axis: 1, 2 or 5 times a power of ten.
double tic_distance(const PlotRange& range, double numbers) {
  const double rough = (range.high - range.low) / numbers, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= 0.999 * rough) return step * power;
  }
  return 10.0 * power;
}

/// PostScript knows no transparency; cairo would write a picture of pixels in its place.
std::string shade(PrintFormat format, double density) {
  return fmt::format("{}solid {}", format == PrintFormat::eps ? "" : "transparent ", density);
}

/// Of every plot: they go with a reset.
std::string gnuplot_settings(const PrintOptions& options) {
  return fmt::format(
      "set encoding utf8\nset minussign\nset border linewidth 0.8\nset tics scale 0.8,0.4 front\n"
      "set style fill {} noborder\n",
      shade(options.format, 0.22));
}

class Script {
 public:
  enum class Part { whole, inset };

  Script(const Figure& figure, const PrintOptions& options, const FigurePlace& place, Part part = Part::whole)
      : figure_(figure),
        options_(options),
        place_(place),
        part_(part),
        scale_(options.font_size / PrintOptions().font_size),
        ranges_(shown_ranges(figure, options, part == Part::inset)),
        looks_(figure_looks(figure)),
        axes_{0.0, 0.0, 0.8 * place.paper_width, 0.8 * place.paper_height} {
    if (part == Part::inset) {
      axes_ = place.area;
      return;
    }
    inset_ = inset_place(figure, ranges_);
    if (fixed_margins()) {
      const double left = (1.15 + 0.17 * tic_letters(ranges_.y)) * scale_, right = 0.35 * scale_, bottom = scale_;
      const double top = (place.label.empty() ? 0.25 : 0.55) * scale_;
      axes_ = {place.area.left + left, place.area.bottom + bottom, place.area.width - left - right,
               place.area.height - bottom - top};
    }
    choose_legend();
    if (fixed_margins() && !legend_.empty() && legend_place_ == LegendPlace::above) {
      axes_.height -= 0.42 * scale_ * std::ceil(static_cast<double>(legend_.size()) / columns_above());
    }
  }

  std::string text() {
    if (fixed_margins()) {
      const double W = place_.paper_width, H = place_.paper_height;
      line("set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}", axes_.left / W,
           (axes_.left + axes_.width) / W);
      line("set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}", axes_.bottom / H,
           (axes_.bottom + axes_.height) / H);
    }
    legend();
    if (part_ == Part::inset) {
      line("set tics font ',{:g}'", 0.8 * options_.font_size);
      const double letters = 0.15 * scale_ * (tic_letters(ranges_.x) + 1.0);
      const auto axis = [&](char name, const PlotRange& range, double numbers) {
        line("set {0}range [{1}:{2}]\nset {0}tics {3}", name, range.low, range.high,
             shortest(tic_distance(range, numbers)));
      };
      axis('x', ranges_.x, std::clamp(axes_.width / letters, 1.0, 3.0));
      axis('y', ranges_.y, 3.0);
      line("set xtics offset 0,0.3\nset ytics offset 0.5,0");
    } else {
      const double letter = 0.17 * scale_;
      text_ += gnuplot_axis('x', figure_.x, ranges_.x, axes_.width, letter);
      text_ += gnuplot_axis('y', figure_.y, ranges_.y, axes_.width, letter);
    }
    if (!place_.label.empty() && part_ == Part::whole) {
      line("set label {} at graph 0, graph 1 offset 0,0.6 left front", gnuplot_label(place_.label));
    }
    guides();
    text_ += gnuplot_data(figure_, ranges_, place_.name);
    plot();
    return std::move(text_);
  }

  /// Where its inset is drawn; none if there is none.
  [[nodiscard]] std::optional<FigurePlace> inset() const {
    if (!inset_) return std::nullopt;
    const bool right = is_right(*inset_), top = is_top(*inset_);
    const Inset& part = *figure_.inset;
    const double numbers = 0.3 + 0.14 * scale_ * (tic_letters({part.y_low, part.y_high, false}) + 1.0);
    const double below = 0.5 * scale_, gap = 0.15;
    FigurePlace place = place_;
    place.label.clear();
    place.name += "inset_";
    place.area.width = inset_width * axes_.width - numbers - gap;
    place.area.height = inset_height * axes_.height - below - gap;
    place.area.left = axes_.left + (right ? axes_.width - gap - place.area.width : numbers);
    place.area.bottom = axes_.bottom + (top ? axes_.height - gap - place.area.height : below);
    return place;
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  /// Whether the axes have a place of their own; otherwise gnuplot finds one.
  [[nodiscard]] bool fixed_margins() const { return place_.panel || inset_ || part_ == Part::inset; }

  void choose_legend() {
    std::size_t longest = 0;
    const auto add = [&](const std::string& name) {
      if (name.empty() || std::find(legend_.begin(), legend_.end(), name) != legend_.end()) return;
      legend_.push_back(name);
      longest = std::max(longest, std::min(label_length(name), longest_in_legend));
    };
    for (const SeriesLook& look : looks_.series) add(look.legend);
    for (const LegendKind& kind : looks_.kinds) add(kind.text);
    // Letters of 8 points are about 0.16 cm wide and 0.36 cm apart; a sample with its gaps takes 1 cm.
    const double across = (1.0 + 0.16 * scale_ * static_cast<double>(longest)) / axes_.width;
    const double down = (0.3 + 0.36 * scale_ * static_cast<double>(legend_.size())) / axes_.height;
    const double letter = 0.16 * scale_ / axes_.width;
    if (!(across < 0.7 && down < 0.6)) return;
    legend_place_ = emptiest_corner(inset_ ? with_inset_covered(figure_, ranges_, *inset_) : figure_, ranges_, across,
                                    down, letter);
  }

  /// Entries in a line of a legend above the axes.
  [[nodiscard]] double columns_above() const {
    std::size_t longest = 0;
    for (const std::string& name : legend_)
      longest = std::max(longest, std::min(label_length(name), longest_in_legend));
    return std::max(1.0, std::floor(axes_.width / (1.4 + 0.16 * scale_ * static_cast<double>(longest))));
  }

  /// gnuplot's place outside is that of the whole paper.
  [[nodiscard]] std::string above() const {
    if (!fixed_margins()) return "outside center top horizontal reverse Left";
    const double gap = (place_.label.empty() ? 0.1 : 0.45) * scale_;
    return fmt::format("at screen {:.4f}, screen {:.4f} center bottom horizontal maxcols {:.0f} reverse Left",
                       (axes_.left + 0.5 * axes_.width) / place_.paper_width,
                       (axes_.bottom + axes_.height + gap) / place_.paper_height, columns_above());
  }

  void legend() {
    if (legend_.empty()) {
      line("set key off");
      return;
    }
    std::string where;
    switch (legend_place_) {
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
        where = above();
        break;
    }
    line("set key {} samplen 1.6 spacing 1.05 noautotitle", where);
  }

  /// Of a vertical guide: at the top, or at the bottom below an inset.
  [[nodiscard]] std::string label_height(int labels) const {
    const bool low = inset_ && is_top(*inset_);
    return fmt::format("{:.2f}", low ? 0.06 + 0.07 * labels : 0.95 - 0.07 * labels);
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
      if (guide.label.empty() || part_ == Part::inset) continue;
      const bool right = place > 0.8;
      line("set label {} at {} {} offset {} textcolor rgb '{}' front", gnuplot_label(guide.label),
           vertical ? point(guide.at, label_height(vertical_labels).c_str()) : point(guide.at, "0.98"),
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
    const Marker& marker = markers[static_cast<std::size_t>(look.symbol) % markers.size()];
    return fmt::format("linecolor rgb '{}' pointtype {} pointsize {}", colour_of(look),
                       look.open ? marker.open : marker.filled,
                       points > 1000  ? 0.12
                       : points > 200 ? 0.25
                                      : 0.45);
  }

  [[nodiscard]] std::string bars_look(const SeriesLook& look, double density) const {
    return fmt::format("with boxes fillcolor rgb '{0}' fillstyle {1} border linecolor rgb '{0}'", colour_of(look),
                       shade(options_.format, density));
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
    const std::string data = gnuplot_data_name(place_.name, i);
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
  const PrintOptions& options_;
  FigurePlace place_;
  Part part_;
  double scale_;  ///< letters over those of the default
  PlotRanges ranges_;
  FigureLooks looks_;
  PaperArea axes_;
  std::optional<LegendPlace> inset_ = {};
  std::vector<std::string> legend_ = {};
  LegendPlace legend_place_ = LegendPlace::above;
  std::string text_;
};

}  // namespace

GnuplotCommands gnuplot_commands(const Figure& figure, const PrintOptions& options, const FigurePlace& place) {
  check_figure(figure);
  Script whole(figure, options, place);
  const std::optional<FigurePlace> inset = whole.inset();
  const std::string start = gnuplot_settings(options);
  GnuplotCommands commands{.text = (place.panel ? "reset\n" : "") + start + whole.text(), .plots = 1};
  if (!inset) return commands;
  commands.text += "reset\n" + start + Script(figure, options, *inset, Script::Part::inset).text();
  commands.plots = 2;
  return commands;
}

}}  // namespace glassworks::analysis
