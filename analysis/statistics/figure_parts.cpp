#include "analysis/statistics/figure_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

namespace glassworks { inline namespace analysis {

Series make_series(const std::string& name, SeriesStyle style) {
  Series series;
  series.name = name;
  series.style = style;
  return series;
}

void add_point(Series& series, double x, const Estimate& y) {
  if (!std::isfinite(y.mean)) return;
  series.x.push_back(x);
  series.y.push_back(y.mean);
  series.y_error.push_back(y.error);
}

void add_point(Series& series, double x, double y, double error) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  const bool known = std::isfinite(error) && series.y_error.size() == series.x.size();
  if (known) {
    series.y_error.push_back(error);
  } else {
    series.y_error.clear();
  }
  series.x.push_back(x);
  series.y.push_back(y);
}

void add_series(Figure& figure, Series series) {
  if (!series.x.empty()) figure.series.push_back(std::move(series));
}

Guide horizontal_guide(double at, const std::string& label) { return {Guide::Direction::horizontal, at, 0.0, label}; }

std::string temperature_label(double T) { return fmt::format("T = {:.4g}", T); }

std::string size_label(int L) { return fmt::format("L = {}", L); }

std::vector<std::size_t> shown_slots(std::size_t slots) {
  if (slots == 0) return {};
  const std::set<std::size_t> shown = {0, (slots - 1) / 2, slots - 1};
  return {shown.begin(), shown.end()};
}

}}  // namespace glassworks::analysis
