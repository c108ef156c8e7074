#pragma once

#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// An empty series.
[[nodiscard]] Series make_series(const std::string& name, SeriesStyle style);

/// Adds a point with an error bar; one whose value is not finite is left out.
void add_point(Series& series, double x, const Estimate& y);

/// A labelled straight line across a figure.
[[nodiscard]] Guide horizontal_guide(double at, const std::string& label);

/// "T = 0.12"
[[nodiscard]] std::string temperature_label(double T);
/// "L = 8"
[[nodiscard]] std::string size_label(int L);

/// Slots of a ladder that are shown where all would be too many: lowest, middle, highest. Ascending, each once.
[[nodiscard]] std::vector<std::size_t> shown_slots(std::size_t slots);

}}  // namespace glassworks::analysis
