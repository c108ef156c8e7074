#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// An empty series.
[[nodiscard]] Series make_series(const std::string& name, SeriesStyle style);

/// Adds a point with an error bar; one whose value is not finite is left out.
void add_point(Series& series, double x, const Estimate& y);

/// Adds a point unless it is not finite. Error bars are left out of a series as soon as one of them is not known.
void add_point(Series& series, double x, double y, double error);

/// Adds a series; an empty one is left out.
void add_series(Figure& figure, Series series);

/// Points value(slot) at temperatures, those of the lowest slots.
template <class Value>
[[nodiscard]] Series against_temperatures(const std::string& name, std::span<const double> temperatures,
                                          const Value& value) {
  Series series = make_series(name, SeriesStyle::points_and_line);
  for (std::size_t slot = 0; slot < temperatures.size(); ++slot) add_point(series, temperatures[slot], value(slot));
  return series;
}

/// A labelled straight line across a figure.
[[nodiscard]] Guide horizontal_guide(double at, const std::string& label);

/// "T = 0.12"
[[nodiscard]] std::string temperature_label(double T);
/// "L = 8": the name of a size in every figure; series_looks() gives each size its colour and marker by it.
[[nodiscard]] std::string size_label(int L);

/// Slots of a ladder that are shown where all would be too many: lowest, middle, highest. Ascending, each once.
[[nodiscard]] std::vector<std::size_t> shown_slots(std::size_t slots);

}}  // namespace glassworks::analysis
