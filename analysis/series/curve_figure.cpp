#include "analysis/series/curve_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_verdict.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Adds the points of a quantity of a slot.
void add_points(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name, Series& drawn) {
  const TimeCurve* const curve = slot.find(name);
  const auto column = column_of(series, name);
  for (std::size_t k = 0; k < series.times.size(); ++k) {
    const auto t = static_cast<double>(series.times[k]);
    if (curve != nullptr) add_point(drawn, t, curve->value[k], curve->error[k]);
    if (curve == nullptr && column)
      add_point(drawn, t, slot.averages[k][*column].mean, slot.averages[k][*column].error);
  }
}

}  // namespace

std::string curve_label(const CourseAnalysis& analysis, const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
  const bool sizes = analysis.sizes.size() > 1, slots = size.slots.size() > 1;
  const std::string T = temperature_words(*size.series, slot.slot);
  if (sizes && slots) return T + ", " + size_label(size.series->L);
  return sizes ? size_label(size.series->L) : T;
}

void for_each_slot(const CourseAnalysis& analysis,
                   const std::function<void(const SizeAnalysisInTime&, const SlotAnalysis&)>& use) {
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    for (const SlotAnalysis& slot : size.slots) use(size, slot);
  }
}

Figure figure_against_time(const CourseAnalysis& analysis, Figure frame, const std::string& name,
                           const std::vector<std::pair<std::string, std::string>>& more) {
  frame.x = {"t [sweeps]", true};
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    Series drawn{.name = curve_label(analysis, size, slot), .style = SeriesStyle::points_and_line};
    add_points(*size.series, slot, name, drawn);
    for (const auto& [other, kind] : more) {
      Series further{.name = fmt::format("{}, {}", drawn.name, kind), .style = SeriesStyle::points_and_line};
      add_points(*size.series, slot, other, further);
      add_series(frame, std::move(further));
    }
    add_series(frame, std::move(drawn));
  });
  return frame;
}

void add_references(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references,
                    const std::string& name, Figure& figure) {
  for (const ReferenceSeries& reference : references) {
    if (reference.observable != name) continue;
    bool fits = false;
    for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
      fits = fits || is_reference_of(reference, *size.series, slot.slot);
    });
    if (!fits) continue;
    std::string label = "reference";
    if (reference.L) label += fmt::format(", L = {}", *reference.L);
    if (reference.T) label += fmt::format(", T = {}", *reference.T);
    Series drawn{.name = label, .style = SeriesStyle::points};
    for (std::size_t i = 0; i < reference.t.size(); ++i) {
      add_point(drawn, reference.t[i], reference.value[i], reference.error[i]);
    }
    figure.series.push_back(std::move(drawn));
  }
}

void append_figure(Figure figure, std::vector<Item>& items) {
  const bool drawn = std::ranges::any_of(figure.series, [](const Series& series) { return !series.x.empty(); });
  if (drawn) items.emplace_back(std::move(figure));
}

}}  // namespace glassworks::analysis
