#include "analysis/report/svg_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "analysis/report/document.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/report/series_look.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double width = 420.0, height = 250.0, top = 8.0, right = 12.0, bottom = 22.0;
constexpr double letter = 6.3;  ///< width of a digit at the size of the ticks
constexpr std::array dashes = {"", "6 4", "2 3", "8 3 2 3"};

struct Tick {
  double at = 0.0;
  std::string text;
};

std::vector<Tick> linear_ticks(const PlotRange& range, double most) {
  const double span = range.high - range.low;
  if (!(span > 0.0) || !std::isfinite(span)) return {};
  double step = std::pow(10.0, std::floor(std::log10(span / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (span / (step * factor) > most) continue;
    step *= factor;
    break;
  }
  std::vector<Tick> ticks;
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * span; ++i) {
    ticks.push_back({i * step, fmt::format("{:.6g}", i == 0.0 ? 0.0 : i * step)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(const PlotRange& range, double most) {
  const double first = std::floor(std::log10(range.low)), last = std::ceil(std::log10(range.high));
  const double decades = std::log10(range.high / range.low), every = std::max(1.0, std::ceil(decades / most));
  std::vector<Tick> ticks;
  for (double power = first; power <= last; power += every) {
    for (const double digit : decades < 1.5 ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0}) {
      const double at = digit * std::pow(10.0, power);
      if (at >= range.low * (1 - 1e-9) && at <= range.high * (1 + 1e-9)) ticks.push_back({at, fmt::format("{:g}", at)});
    }
  }
  return ticks;
}

std::vector<Tick> ticks_of(const PlotRange& range, double most) {
  return range.logarithmic ? logarithmic_ticks(range, most) : linear_ticks(range, most);
}

/// A marker of unit size around (x, y).
std::string marker(int symbol, double x, double y, bool open) {
  const std::string fill = open ? "class=\"open\" stroke=\"currentColor\"" : "fill=\"currentColor\"";
  constexpr double r = 3.0;
  switch (symbol % 5) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}/>", x, y, r, fill);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" {}/>", x - 2.7, y - 2.7, 5.4, 5.4,
                         fill);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l3.6 3.6l-3.6 3.6l-3.6 -3.6z\" {}/>", x, y - 3.6, fill);
    case 3:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l3.5 6l-7 0z\" {}/>", x, y - 3.8, fill);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l3.5 -6l-7 0z\" {}/>", x, y + 3.8, fill);
  }
}

/// The drawing of one figure.
class Drawing {
 public:
  explicit Drawing(const Figure& figure)
      : figure_(figure), ranges_(plot_ranges(figure)), looks_(figure_looks(figure)) {}

  std::string text() {
    axes();
    for (const Guide& one : figure_.guides) guide(one);
    for (std::size_t i = 0; i < figure_.series.size(); ++i) series(figure_.series[i], looks_.series[i]);
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", width, height,
                       html_text(plain_label(figure_.title)), svg_);
  }

  std::string legend() const {
    std::set<std::string> known;
    std::string entries;
    for (const SeriesLook& look : looks_.series) {
      if (look.legend.empty() || !known.insert(look.legend).second) continue;
      entries += fmt::format(
          "<li><svg class=\"c{}\" viewBox=\"0 0 22 12\" aria-hidden=\"true\"><path d=\"M1 6h20\" "
          "stroke=\"currentColor\"{}/>{}</svg>{}</li>",
          look.colour, dash(look), marker(look.symbol, 11.0, 6.0, look.open), html_label(look.legend));
    }
    return known.size() < 2 && figure_.sizes.size() < 2 ? "" : "<ul class=\"legend\">" + entries + "</ul>\n";
  }

 private:
  static std::string dash(const SeriesLook& look) {
    const char* pattern = dashes[static_cast<std::size_t>(look.dash) % dashes.size()];
    return *pattern == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", pattern);
  }

  double x(double value) const { return left_ + ranges_.x.place(value) * (width - left_ - right); }
  double y(double value) const { return top + (1.0 - ranges_.y.place(value)) * (height - top - bottom); }

  void axes() {
    const std::vector<Tick> of_y = ticks_of(ranges_.y, 6.0);
    std::size_t longest = 1;
    for (const Tick& tick : of_y) longest = std::max(longest, tick.text.size());
    left_ = 10.0 + letter * static_cast<double>(longest);
    for (const Tick& tick : of_y) {
      svg_ += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" "
          "text-anchor=\"end\">{}</text>\n",
          left_, y(tick.at), width - right, left_ - 5.0, y(tick.at) + 4.0, tick.text);
    }
    for (const Tick& tick : ticks_of(ranges_.x, 6.0)) {
      svg_ += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {}V{}\"/><text x=\"{:.1f}\" y=\"{}\" "
          "text-anchor=\"middle\">{}</text>\n",
          x(tick.at), top, height - bottom, x(tick.at), height - bottom + 15.0, tick.text);
    }
    svg_ += fmt::format("<path class=\"axis\" d=\"M{:.1f} {}V{}H{}\"/>\n", left_, top, height - bottom, width - right);
  }

  void guide(const Guide& one) {
    const bool vertical = one.direction == Guide::Direction::vertical;
    svg_ += vertical
                ? fmt::format("<path class=\"guide\" d=\"M{:.1f} {}V{}\"/>\n", x(one.at), top, height - bottom)
                : fmt::format("<path class=\"guide\" d=\"M{:.1f} {:.1f}H{}\"/>\n", left_, y(one.at), width - right);
  }

  void series(const Series& one, const SeriesLook& look) {
    std::string line, marks;
    bool joined = false;
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      const double u = x(one.x[i]), v = y(one.y[i]);
      if (!std::isfinite(u) || !std::isfinite(v)) {
        joined = false;
        continue;
      }
      line += fmt::format("{}{:.1f} {:.1f}", joined ? 'L' : 'M', u, v);
      joined = true;
      if (!has_points(one)) continue;
      const double error = i < one.y_error.size() ? one.y_error[i] : 0.0;
      if (error > 0.0 && std::isfinite(y(one.y[i] - error)) && std::isfinite(y(one.y[i] + error))) {
        marks += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}m-3 0h6M{3:.1f} {1:.1f}h6\" stroke=\"currentColor\"/>",
                             u, y(one.y[i] - error), y(one.y[i] + error), u - 3.0);
      }
      marks += marker(look.symbol, u, v, look.open);
    }
    svg_ += fmt::format("<g class=\"c{}\">", look.colour);
    if (one.style != SeriesStyle::points) {
      svg_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"{}/>", line,
                          dash(look));
    }
    svg_ += marks + "</g>\n";
  }

  const Figure& figure_;
  PlotRanges ranges_;
  FigureLooks looks_;
  double left_ = 40.0;
  std::string svg_;
};

}  // namespace

std::string svg_figure(const Figure& figure) {
  check_figure(figure);
  Drawing drawing(figure);
  const std::string id = file_stem(figure.id);
  return fmt::format(
      "<figure id=\"figure-{}\">\n<h3>{}</h3>\n<p class=\"label\">{}</p>\n{}<p class=\"label x\">{}</p>\n{}"
      "<figcaption>{}</figcaption>\n</figure>\n",
      id, html_label(figure.title), html_label(figure.y.label), drawing.text(), html_label(figure.x.label),
      drawing.legend(), html_label(figure.caption));
}

}}  // namespace glassworks::analysis
