#include "analysis/series/reference_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/basics/reference_table.hpp"
#include "analysis/basics/value_format.hpp"
#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_verdict.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Places of the columns of a reference file.
struct ReferenceColumns {
  std::size_t t = 0, value = 1;
  std::optional<std::size_t> error, observable, L, T;
  std::string named = "xi_12";  ///< what the values are of, where no column says it
};

/// Quantities that the heading of the values may name: "t,xi_12_cut".
constexpr std::array<std::string_view, 12> heading_quantities = {
    "xi_12_cut", "xi_23",           "xi_ratio", "xi_12_diagonal", "xi_kmin",  "xi_c12_parallel", "xi_c12_perpendicular",
    "response",  "relaxation_rate", "z",        "energy",         "overlap_2"};

ReferenceColumns columns_of_reference(const ReferenceTable& table) {
  ReferenceColumns columns;
  const auto value = table.column("mean") ? table.column("mean") : table.column("value");
  if (table.column("t") && value) {
    return {.t = *table.column("t"),
            .value = *value,
            .error = table.column("error"),
            .observable = table.column("observable"),
            .L = table.column("L"),
            .T = table.column("T")};
  }
  const std::size_t n = table.heading().size();
  if ((n != 2 && n != 3) || table.heading()[0] != "t") {
    table.fail(InputFault::missing, "has no columns 't' and 'value' (or 'mean')",
               "Its first line must be t,value or t,value,error, or one that `glassworks analyze --csv` writes for a "
               "campaign with a course");
  }
  if (n == 3) columns.error = 2;
  if (std::ranges::find(heading_quantities, table.heading()[1]) != heading_quantities.end()) {
    columns.named = table.heading()[1];
  }
  return columns;
}

/// Value of a curve at t, linear in ln t between its points; NaN outside.
double interpolated(const std::vector<std::uint64_t>& times, const std::vector<double>& values, double t) {
  constexpr double rounding = 1e-4;  // of times that were read from a figure
  std::optional<std::size_t> before, after;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    const auto time = static_cast<double>(times[k]);
    if (std::fabs(time - t) <= rounding * t) return values[k];
    if (time < t) before = k;
    if (time > t && !after) after = k;
  }
  if (!before || !after) return nan;
  const double from = std::log(static_cast<double>(times[*before])), to = std::log(static_cast<double>(times[*after]));
  const double x = (std::log(t) - from) / (to - from);
  return (1.0 - x) * values[*before] + x * values[*after];
}

/// Values of a column or a derived quantity against time; empty if the slot does not have it.
std::vector<double> values_of(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
  if (const TimeCurve* const curve = slot.find(name)) return curve->value;
  std::vector<double> values;
  const auto column = column_of(series, name);
  for (std::size_t k = 0; column && k < series.times.size(); ++k) values.push_back(slot.averages[k][*column].mean);
  return values;
}

}  // namespace

std::vector<ReferenceSeries> read_reference_series(const std::filesystem::path& file) {
  ReferenceTable table(file, "t,value or t,value,error");
  const ReferenceColumns columns = columns_of_reference(table);
  std::map<std::tuple<std::string, std::optional<double>, std::optional<double>>, std::vector<std::array<double, 3>>>
      found;
  while (table.next()) {
    const double t = table.number(columns.t);
    if (!(t > 0.0)) table.refuse(InputFault::out_of_range, columns.t, "it is not positive");
    const double value = table.number_or_nan(columns.value);
    const double error = columns.error ? table.number_or_nan(*columns.error) : 0.0;
    if (error < 0.0) table.refuse(InputFault::out_of_range, *columns.error, "it is negative");
    const std::optional<double> L = columns.L ? std::optional(table.number(*columns.L)) : std::nullopt;
    const std::optional<double> T = columns.T ? std::optional(table.number(*columns.T)) : std::nullopt;
    if (L && !(*L >= 1.0 && *L <= 1e6 && *L == std::floor(*L))) {
      table.refuse(InputFault::malformed, *columns.L, "it is not a whole number from 1");
    }
    if (std::isnan(value)) continue;
    found[{columns.observable ? table.cell(*columns.observable) : columns.named, L, T}].push_back(
        {t, value, std::isnan(error) ? 0.0 : error});
  }
  std::vector<ReferenceSeries> all;
  for (auto& [key, points] : found) {
    std::ranges::sort(points);
    ReferenceSeries& series = all.emplace_back();
    series.observable = std::get<0>(key);
    if (const auto L = std::get<1>(key)) series.L = static_cast<int>(*L);
    series.T = std::get<2>(key);
    for (const auto& [t, value, error] : points) {
      series.t.push_back(t);
      series.value.push_back(value);
      series.error.push_back(error);
    }
  }
  return all;
}

SeriesComparison compare_series(const std::vector<std::uint64_t>& times, const std::vector<double>& values,
                                const ReferenceSeries& reference) {
  SeriesComparison comparison;
  double largest = -1.0;
  for (std::size_t i = 0; i < reference.t.size(); ++i) {
    const double ratio = interpolated(times, values, reference.t[i]) / reference.value[i];
    if (!std::isfinite(ratio)) continue;
    ++comparison.points;
    const double distance = ratio > 0.0 ? std::fabs(std::log(ratio)) : std::fabs(ratio - 1.0);
    if (distance <= largest) continue;
    largest = distance;
    comparison.largest_ratio = ratio;
    comparison.t = reference.t[i];
  }
  return comparison;
}

bool is_reference_of(const ReferenceSeries& reference, const SizeSeries& series, std::size_t slot) {
  const double T = series.temperatures[slot];
  return reference.L.value_or(series.L) == series.L && std::fabs(reference.T.value_or(T) - T) <= 1e-6 * T;
}

std::vector<std::string> comparison_lines(const CourseAnalysis& analysis,
                                          const std::vector<ReferenceSeries>& references) {
  std::vector<std::string> lines;
  if (references.empty()) return lines;
  for (const ReferenceSeries& reference : references) {
    if (reference.observable.find('(') != std::string::npos) continue;  // of every r: a table of another run has many
    for (const SizeAnalysisInTime& size : analysis.sizes) {
      for (const SlotAnalysis& slot : size.slots) {
        if (!is_reference_of(reference, *size.series, slot.slot)) continue;
        const std::vector<double> values = values_of(*size.series, slot, reference.observable);
        if (values.empty()) continue;
        const SeriesComparison found = compare_series(size.series->times, values, reference);
        if (found.points == 0) continue;
        lines.push_back(
            fmt::format("{}, L = {}, {}: {} {} compared with the reference, largest ratio {:.4g} at t = {:g}",
                        reference.observable, size.series->L, temperature_words(*size.series, slot.slot), found.points,
                        found.points == 1 ? "point" : "points", found.largest_ratio, found.t));
      }
    }
  }
  if (lines.empty()) lines.emplace_back("the reference has no point that this campaign has measured");
  return lines;
}

}}  // namespace glassworks::analysis
