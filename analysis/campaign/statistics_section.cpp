#include "analysis/campaign/statistics_section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>

#include "analysis/campaign/observable_section.hpp"
#include "analysis/statistics/control_variate.hpp"
#include "analysis/value_format.hpp"

namespace glassworks {
namespace {

Section reweighting_section(const OfflineAnalysis& analysis) {
  Section section{
      .id = "reweighting", .title = "Between the temperatures of the ladder", .paragraphs = {}, .items = {}};
  std::vector<ReweightingSummary> summaries;
  for (const SizeAnalysis& size : analysis.sizes) {
    if (!size.continuation_remark.empty()) section.paragraphs.push_back(size.continuation_remark);
    if (!size.reweighting) continue;
    summaries.push_back(*size.reweighting);
    for (const std::string& line : size.reweighting->lines()) section.paragraphs.push_back(line);
  }
  if (summaries.empty()) return section;
  section.paragraphs.insert(
      section.paragraphs.begin(),
      "Curves between the slots come from multi-histogram reweighting of the energies of each realization, anchored at "
      "its averages at the slots. Their errors are those over realizations.");
  section.items.emplace_back(effective_samples_figure(summaries));
  section.items.emplace_back(overlap_figure(summaries));
  section.items.emplace_back(reweighting_table(summaries));
  return section;
}

Section control_section(const OfflineAnalysis& analysis) {
  Section section{
      .id = "control_variates",
      .title = "Control variates of the disorder",
      .paragraphs = {"The disorder averages of Σ J^{2} and Σ J (and Σ H^{2} of Gaussian fields) are known exactly, so "
                     "what an observable shares with their fluctuations can be taken away. All other numbers of this "
                     "report are without control variates."},
      .items = {}};
  const std::vector<std::string> observables = {"energy",        "identity_difference", "link_overlap",
                                                "specific_heat", "xi_over_L",           "chi_sg"};
  for (const SizeAnalysis& size : analysis.sizes) {
    section.paragraphs.push_back(size.control);
    if (size.controlled.empty()) continue;
    section.items.emplace_back(control_figure(size.at_slots, size.controlled, observables));
    section.items.emplace_back(control_table(size.at_slots, size.controlled));
  }
  return section;
}

Series tau_series(const SizeAnalysis& size, const std::string& observable) {
  Series series{.name = fmt::format("L = {}", size.L), .style = SeriesStyle::points_and_line};
  for (const ObservedAutocorrelation& a : size.autocorrelation) {
    if (a.observable != observable || !a.gamma || !std::isfinite(a.gamma->tau)) continue;
    series.x.push_back(a.T);
    series.y.push_back(a.gamma->tau * a.measurements_of_round);
    series.y_error.push_back(a.gamma->tau_error * a.measurements_of_round);
  }
  return series;
}

std::string tau_cell(const std::optional<Autocorrelation>& a) {
  if (!a) return "-";
  return format_value(a->tau, a->tau_error) + (a->reliable ? "" : " (history short)");
}

Section autocorrelation_section(const OfflineAnalysis& analysis) {
  Section section{
      .id = "autocorrelation",
      .title = "Autocorrelation of the observables",
      .paragraphs =
          {"Integrated autocorrelation times τ_{int} = 1/2 + Σ_{t} Γ(t)/Γ(0) of round means, all realizations "
           "together, by the Γ method with automatic windowing (Wolff 2004) and by binning. In rounds; 1/2 "
           "means that rounds are independent, and then τ of single measurements is shorter than a round. "
           "Errors of this report do not depend on these times: they come from the spread over realizations."},
      .items = {}};
  std::set<std::string> observables;
  for (const SizeAnalysis& size : analysis.sizes) {
    for (const ObservedAutocorrelation& a : size.autocorrelation) observables.insert(a.observable);
  }
  for (const std::string& observable : observables) {
    Figure figure{.id = "tau_" + observable,
                  .title = "Autocorrelation time of " + observable,
                  .caption =
                      "Γ method on round means, times the measurements of a round: an upper bound where it is no "
                      "longer than a round.",
                  .x = {"T"},
                  .y = {"τ_{int} [measurements]", true}};
    for (const SizeAnalysis& size : analysis.sizes) {
      Series series = tau_series(size, observable);
      if (!series.x.empty()) figure.series.push_back(std::move(series));
    }
    if (!figure.series.empty()) section.items.emplace_back(std::move(figure));
  }
  Table table{.id = "autocorrelation_times",
              .title = "Autocorrelation times in rounds",
              .caption = "",
              .rows = {{"L", "observable", "T", "Γ method", "binning", "window", "rounds"}}};
  for (const SizeAnalysis& size : analysis.sizes) {
    for (const ObservedAutocorrelation& a : size.autocorrelation) {
      if (!a.gamma) continue;
      table.rows.push_back({fmt::format("{}", size.L), a.observable, fmt::format("{:.5g}", a.T), tau_cell(a.gamma),
                            tau_cell(a.binning), fmt::format("{}", a.gamma->window),
                            fmt::format("{}", a.gamma->entries)});
    }
  }
  if (table.rows.size() > 1) {
    section.items.emplace_back(std::move(table));
  } else {
    section.paragraphs.emplace_back("No history has two rounds after its equilibration yet.");
  }
  return section;
}

}  // namespace

std::vector<Section> statistics_sections(const OfflineAnalysis& analysis) {
  return {reweighting_section(analysis), control_section(analysis), autocorrelation_section(analysis)};
}

}  // namespace glassworks
