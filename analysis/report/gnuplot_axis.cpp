#include "analysis/report/gnuplot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/label.hpp"
#include "analysis/report/safe_text.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Powers of ten, at most seven with a number.
std::string tics_of_decades(char name, double decades) {
  std::string text = fmt::format("set format {0} '10^{{%T}}'\nset {0}tics {1}\n", name,
                                 std::pow(10.0, std::clamp(std::ceil(decades / 7.0), 1.0, 300.0)));
  if (decades < 8.0) text += fmt::format("set m{}tics 10\n", name);
  return text;
}

/// Of an axis of less than two decades: 1, 2, 5 with their values.
std::string tics_within_decades(char name, const PlotRange& range, double decades) {
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
  return tics.empty() ? "" : fmt::format("set {}tics ({})\n", name, tics);
}

/// The distance of numbers along x; empty where gnuplot's choice fits.
std::string fitting_tics(const PlotRange& range, double room, double letter) {
  const double span = range.high - range.low;
  const double largest = std::max({std::abs(range.low), std::abs(range.high), 1.0});
  if (!(span > 0.0) || !std::isfinite(span)) return {};
  bool crowded = false;
  for (double power = std::pow(10.0, std::floor(std::log10(span)) - 1.0); power <= span; power *= 10.0) {
    for (const double step : {power, 2.0 * power, 5.0 * power}) {
      if (span / step > 10.0) continue;
      const double decimals = std::max(0.0, -std::floor(std::log10(power) + 1e-9));
      const double length = std::floor(std::log10(largest)) + 2.0 + decimals;
      const bool fits = span / step * (letter * length + 0.2) <= room;
      if (decimals < 3.0 && !crowded && fits) return {};
      crowded = true;
      if (!fits) continue;
      return fmt::format("set xtics {}\n", shortest(step));
    }
  }
  return {};
}

}  // namespace

std::string gnuplot_axis(char name, const Axis& axis, const PlotRange& range, double room, double letter) {
  std::string text = fmt::format("set {}label {}{}\nset {}range [{}:{}]\n", name, gnuplot_label(axis.label),
                                 name == 'x' ? " offset 0,0.3" : "", name, range.low, range.high);
  if (!range.logarithmic) {
    text += fmt::format("set m{}tics 2\n", name);
    return name == 'x' ? text + fitting_tics(range, room, letter) : text;
  }
  text += fmt::format("set logscale {}\n", name);
  const double decades = std::log10(range.high) - std::log10(range.low);
  return text + (decades > 2.0 ? tics_of_decades(name, decades) : tics_within_decades(name, range, decades));
}

}}  // namespace glassworks::analysis
