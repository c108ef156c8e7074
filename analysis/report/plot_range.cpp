#include "analysis/report/plot_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/report/label.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Collects what an axis has to show.
class Extent {
 public:
  explicit Extent(bool logarithmic) : logarithmic_(logarithmic) {}

  void add(double value, double error) {
    if (!std::isfinite(value)) return;
    for (const double end : {value, value - error, value + error}) {
      if (!std::isfinite(end)) continue;
      const double at = logarithmic_ ? std::log10(end) : end;
      if (!std::isfinite(at)) continue;
      low_ = std::min(low_, at);
      high_ = std::max(high_, at);
    }
  }

  [[nodiscard]] PlotRange range(double room) const {
    double low = low_, high = high_;
    if (low > high) {
      low = 0.0;
      high = 1.0;
    } else if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
      const double around = logarithmic_ || low == 0.0 ? 0.5 : 0.1 * std::abs(low);
      low -= around;
      high += around;
    } else {
      const double more = room * (high - low);
      low -= more;
      high += more;
    }
    if (!logarithmic_) return {low, high, false};
    return {std::pow(10.0, std::max(low, -307.0)), std::pow(10.0, std::min(high, 308.0)), true};
  }

 private:
  bool logarithmic_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

double at_or_zero(const std::vector<double>& errors, std::size_t i) { return errors.empty() ? 0.0 : errors[i]; }

bool any_positive(const Figure& figure, std::vector<double> Series::*numbers) {
  return std::any_of(figure.series.begin(), figure.series.end(), [&](const Series& series) {
    return std::any_of((series.*numbers).begin(), (series.*numbers).end(),
                       [](double value) { return value > 0.0 && std::isfinite(value); });
  });
}

bool has_error_bars(SeriesStyle style) { return style != SeriesStyle::line; }

/// Half the distance of neighbouring bars.
double half_bar(const Series& series) {
  double width = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < series.x.size(); ++i) {
    const double distance = std::abs(series.x[i] - series.x[i - 1]);
    if (distance > 0.0) width = std::min(width, distance);
  }
  return std::isfinite(width) ? 0.5 * width : 0.0;
}

}  // namespace

double PlotRange::place(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

PlotRange GivenRange::applied(PlotRange range, const std::string& axis) const {
  if (low) range.low = *low;
  if (high) range.high = *high;
  if (range.logarithmic && !(range.low > 0.0)) {
    throw InputError(InputFault::out_of_range, axis,
                     fmt::format("the {} cannot begin at {} (it is logarithmic). Begin above 0.", axis, range.low));
  }
  if (!(range.low < range.high)) {
    throw InputError(
        InputFault::out_of_range, axis,
        fmt::format("the {} cannot go from {} to {} (its end has to lie above its beginning). Give another "
                    "range, or leave it out.",
                    axis, range.low, range.high));
  }
  return range;
}

PlotRanges plot_ranges(const Figure& figure) {
  Extent x(figure.x.logarithmic && any_positive(figure, &Series::x));
  Extent y(figure.y.logarithmic && any_positive(figure, &Series::y));
  bool bars = false;
  for (const Series& series : figure.series) {
    const double half = series.style == SeriesStyle::bars ? half_bar(series) : 0.0;
    if (series.style == SeriesStyle::bars) {
      bars = true;
      y.add(0.0, 0.0);
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.x[i]) || !std::isfinite(series.y[i])) continue;
      x.add(series.x[i], std::max(half, has_error_bars(series.style) ? at_or_zero(series.x_error, i) : 0.0));
      y.add(series.y[i], has_error_bars(series.style) ? at_or_zero(series.y_error, i) : 0.0);
    }
  }
  for (const Guide& guide : figure.guides) {
    (guide.direction == Guide::Direction::vertical ? x : y).add(guide.at, guide.error);
  }
  PlotRanges ranges{x.range(0.04), y.range(0.06)};
  if (bars && !ranges.y.logarithmic && ranges.y.low < 0.0 && ranges.y.low > -0.07 * ranges.y.high) ranges.y.low = 0.0;
  return ranges;
}

LegendPlace emptiest_corner(const Figure& figure, const PlotRanges& ranges, double width, double height,
                            double letter) {
  constexpr std::array corners = {LegendPlace::top_right, LegendPlace::bottom_left, LegendPlace::top_left,
                                  LegendPlace::bottom_right};
  std::array<int, corners.size()> inside{};
  const auto look = [&](double u, double v) {
    if (!(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.1)) return;  // outside of a given range
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const bool right = is_right(corners[c]), top = is_top(corners[c]);
      if ((right ? u > 1.0 - width : u < width) && (top ? v > 1.0 - height : v < height)) ++inside[c];
    }
  };
  for (const Series& series : figure.series) {
    double u_before = std::numeric_limits<double>::quiet_NaN(), v_before = u_before;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const double u = ranges.x.place(series.x[i]), v = ranges.y.place(series.y[i]);
      if (!std::isfinite(u) || !std::isfinite(v)) {
        u_before = u;
        continue;
      }
      const double error = at_or_zero(series.y_error, i);
      for (const double end : {series.y[i] - error, series.y[i], series.y[i] + error}) look(u, ranges.y.place(end));
      const bool down = series.style == SeriesStyle::bars, joined = series.style != SeriesStyle::points;
      for (int step = 0; step < 16 && (down || (joined && std::isfinite(u_before))); ++step) {
        const double part = step / 16.0;
        if (down) {
          look(u, v * part);
        } else {
          look(u_before + part * (u - u_before), v_before + part * (v - v_before));
        }
      }
      u_before = u;
      v_before = v;
    }
  }
  for (const Guide& guide : figure.guides) {  // their labels
    if (guide.label.empty()) continue;
    const bool vertical = guide.direction == Guide::Direction::vertical;
    const double at = (vertical ? ranges.x : ranges.y).place(guide.at);
    const bool leftwards = !vertical || at > 0.8;
    const double begin = vertical ? at : 0.98, length = letter * static_cast<double>(label_length(guide.label));
    for (double part = 0.0; part <= 1.0; part += 0.1) {
      look(begin + (leftwards ? -part : part) * length, vertical ? 0.93 : at + 0.03);
    }
  }
  const auto least = std::min_element(inside.begin(), inside.end());
  return *least > 0 ? LegendPlace::above : corners[static_cast<std::size_t>(least - inside.begin())];
}

std::optional<Inset> inset_around(const Figure& figure, double x_low, double x_high) {
  Extent y(false);
  bool any = false;
  for (const Series& series : figure.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!(series.x[i] >= x_low && series.x[i] <= x_high) || !std::isfinite(series.y[i])) continue;
      y.add(series.y[i], at_or_zero(series.y_error, i));
      any = true;
    }
  }
  if (!any) return std::nullopt;
  const PlotRange range = y.range(0.05);
  return Inset{x_low, x_high, range.low, range.high};
}

std::optional<LegendPlace> inset_place(const Figure& figure, const PlotRanges& ranges) {
  if (!figure.inset || ranges.x.logarithmic || ranges.y.logarithmic) return std::nullopt;
  Figure bare = figure;  // labels of guides move to the other end
  for (Guide& guide : bare.guides) guide.label.clear();
  const LegendPlace place = emptiest_corner(bare, ranges, inset_width, inset_height);
  return place == LegendPlace::above ? std::nullopt : std::optional(place);
}

Figure with_inset_covered(const Figure& figure, const PlotRanges& ranges, LegendPlace corner) {
  constexpr int steps = 12;
  Figure result = figure;
  Series& taken = result.series.emplace_back();
  const bool right = is_right(corner), top = is_top(corner);
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= steps; ++k) {
      const double u = inset_width * i / steps, v = inset_height * k / steps;
      taken.x.push_back(ranges.x.low + (right ? 1.0 - u : u) * (ranges.x.high - ranges.x.low));
      taken.y.push_back(ranges.y.low + (top ? 1.0 - v : v) * (ranges.y.high - ranges.y.low));
    }
  }
  return result;
}

}}  // namespace glassworks::analysis
