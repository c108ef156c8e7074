#include "analysis/campaign/observable_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Those with a figure, in the order of the report. One that a campaign does not have is left out.
const std::vector<const Observable*>& drawn() {
  static const std::vector<const Observable*> rows =
      observables_by_place([](const Observable& row) { return row.figure.place; });
  return rows;
}

Series at_slots(const Curve& curve) {
  Series series{.name = size_label(curve.L), .style = SeriesStyle::points};
  for (std::size_t t = 0; t < curve.temperatures.size(); ++t) {
    series.x.push_back(curve.temperatures[t]);
    series.y.push_back(curve.value[t]);
    series.y_error.push_back(curve.error(t));
  }
  return series;
}

/// At most 121 points of the curve between the slots: it is smooth, and pages stay small.
Series between_slots(const Curve& curve, Continuation how) {
  const char* made = how == Continuation::reweighted ? "reweighted" : "interpolated";
  Series series{.name = size_label(curve.L) + ", " + made, .style = SeriesStyle::band};
  series.group = series.legend = size_label(curve.L);
  const std::size_t stride = (curve.temperatures.size() + 119) / 120, last = curve.temperatures.size() - 1;
  for (std::size_t t = 0; t < last + stride; t += stride) {
    const std::size_t at = std::min(t, last);
    series.x.push_back(curve.temperatures[at]);
    series.y.push_back(curve.value[at]);
    series.y_error.push_back(curve.error(at));
  }
  return series;
}

Series reference_series(const ReferencePoints& points) {
  Series series{.name = size_label(points.L) + ", reference", .style = SeriesStyle::points};
  series.x = points.temperatures;
  series.y = points.mean;
  series.y_error = points.error;
  return series;
}

/// Whether there is a value somewhere, with an error if there can be one.
bool is_finite_somewhere(const Curve& curve) {
  for (std::size_t t = 0; t < curve.value.size(); ++t) {
    if (std::isfinite(curve.value[t]) && (std::isfinite(curve.error(t)) || curve.at(t).independent() < 2)) return true;
  }
  return false;
}

Figure observable_figure(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference,
                         const Observable& o) {
  Figure figure{.id = o.name,
                .title = o.figure.title,
                .caption = o.figure.caption,
                .x = {"T"},
                .y = {o.figure.label, o.figure.logarithmic}};
  for (const SizeAnalysis& size : analysis.sizes) {
    const Curve* points = find_curve(size.at_slots, o.name);
    if (points == nullptr || !is_finite_somewhere(*points)) continue;
    figure.series.push_back(at_slots(*points));
    const Curve* between = find_curve(size.between, o.name);
    if (between != nullptr) figure.series.push_back(between_slots(*between, size.continuation));
  }
  if (figure.series.empty()) return figure;
  for (const ReferencePoints& points : reference) {
    if (points.observable == o.name) figure.series.push_back(reference_series(points));
  }
  if (o.figure.vanishes) figure.guides.push_back({Guide::Direction::horizontal, 0.0, 0.0, "equilibrium"});
  return figure;
}

Table size_table(const OfflineAnalysis& analysis, const SizeAnalysis& size) {
  Table table{
      .id = fmt::format("averages_L{}", size.L),
      .title = fmt::format("Averages of L = {}", size.L),
      .caption = is_one_system(analysis.averages.config)
                     ? "Averages over independent runs; errors of the last digits in parentheses."
                     : "Disorder averages at the temperatures of the ladder; errors of the last digits in parentheses.",
      .rows = {{"T"}}};
  std::vector<const Curve*> curves;
  for (const Observable* o : drawn()) {
    const Curve* curve = find_curve(size.at_slots, o->name);
    if (curve == nullptr || !is_finite_somewhere(*curve) || !o->is_shown(analysis.averages.config)) continue;
    curves.push_back(curve);
    table.rows.front().emplace_back(o->figure.label);
  }
  if (curves.empty()) return table;
  for (std::size_t t = 0; t < curves.front()->temperatures.size(); ++t) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(fmt::format("{:.5g}", curves.front()->temperatures[t]));
    for (const Curve* curve : curves) row.push_back(format_value(curve->value[t], curve->error(t)));
  }
  return table;
}

/// Both errors at the temperatures of the ladder, in the columns of size_table.
Table errors_table(const OfflineAnalysis& analysis, const SizeResult& size) {
  Table table{.id = fmt::format("errors_L{}", size.L),
              .title = fmt::format("Errors of L = {}", size.L),
              .caption = fmt::format("Standard errors over realizations / over {}, which count.", size.groups.unit()),
              .rows = {{"T"}}};
  for (const double T : size.temperatures) table.rows.push_back({fmt::format("{:.5g}", T)});
  for (const Observable* o : drawn()) {
    const ObservableResult* observable = size.find(o->name);
    if (observable == nullptr || !o->is_shown(analysis.averages.config)) continue;
    table.rows.front().emplace_back(o->figure.label);
    for (std::size_t t = 0; t < size.temperatures.size(); ++t) {
      table.rows[t + 1].push_back(both_errors(*observable, t));
    }
  }
  return table;
}

std::string realizations_sentence(const OfflineAnalysis& analysis) {
  const bool runs = is_one_system(analysis.averages.config);
  std::string text = "Averages over ";
  for (std::size_t i = 0; i < analysis.sizes.size(); ++i) {
    const SizeAnalysis& size = analysis.sizes[i];
    text += fmt::format("{}{} {} of L = {}", i == 0 ? "" : ", ", size.at_slots.front().realizations,
                        runs ? "independent runs" : "realizations", size.L);
  }
  return text +
         "; errors by the jackknife over realizations, which hold the whole covariance between temperatures and "
         "observables.";
}

}  // namespace

Section observable_section(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference) {
  Section section{.id = "observables", .title = "Observables", .paragraphs = {}, .items = {}};
  if (analysis.sizes.empty()) return section;
  section.paragraphs.push_back(realizations_sentence(analysis));
  for (const SizeAnalysis& size : analysis.sizes) {
    if (size.groups.state == GroupState::none) continue;
    section.paragraphs.push_back(fmt::format("L = {}: {}", size.L, size.groups.sentence()));
  }
  for (const SizeAnalysis& size : analysis.sizes) {
    if (!size.continuation_remark.empty()) section.paragraphs.push_back(size.continuation_remark);
  }
  for (const Observable* o : drawn()) {
    if (!o->is_shown(analysis.averages.config)) continue;
    Figure figure = observable_figure(analysis, reference, *o);
    if (!figure.series.empty()) section.items.emplace_back(std::move(figure));
  }
  for (const SizeAnalysis& size : analysis.sizes) section.items.emplace_back(size_table(analysis, size));
  for (const SizeResult& size : analysis.averages.sizes) {
    if (size.groups.state == GroupState::correlated) section.items.emplace_back(errors_table(analysis, size));
  }
  return section;
}

}}  // namespace glassworks::analysis
