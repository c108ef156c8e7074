#include "analysis/campaign/statistics_section.hpp"

#include <fmt/format.h>

#include <string>

#include "analysis/observables/observable_formulas.hpp"
#include "analysis/statistics/control_variate.hpp"

namespace glassworks { inline namespace analysis {
namespace {

Section reweighting_section(const OfflineAnalysis& analysis) {
  Section section{
      .id = "reweighting", .title = "Between the temperatures of the ladder", .paragraphs = {}, .items = {}};
  std::vector<ReweightingSummary> summaries;
  for (const SizeAnalysis& size : analysis.sizes) {
    if (!size.continuation_remark.empty()) section.paragraphs.push_back(size.continuation_remark);
    if (!size.reweighting) continue;
    summaries.push_back(*size.reweighting);
    if (size.continuation != Continuation::reweighted) continue;
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
    Figure figure = control_figure(size.at_slots, size.controlled, observables);
    Table table = control_table(size.at_slots, size.controlled);
    for (std::string* id : {&figure.id, &table.id}) *id += fmt::format("_L{}", size.L);
    for (std::string* title : {&figure.title, &table.title}) *title += fmt::format(", L = {}", size.L);
    section.items.emplace_back(std::move(figure));
    section.items.emplace_back(std::move(table));
  }
  return section;
}

Section autocorrelation_section(const OfflineAnalysis& analysis) {
  Section section{
      .id = "autocorrelation",
      .title = "Autocorrelation of the observables",
      .paragraphs =
          {"Integrated autocorrelation times of round means, all realizations together, by the Γ method with "
           "automatic windowing (Wolff 2004) and by binning. Errors of this report do not depend on them: they "
           "come from the spread over realizations."},
      .items = {}};
  std::vector<ObservableTau> times;
  for (const SizeAnalysis& size : analysis.sizes) {
    times.insert(times.end(), size.autocorrelation.begin(), size.autocorrelation.end());
  }
  if (times.empty()) {
    section.paragraphs.emplace_back("No history has two rounds after its equilibration yet.");
    return section;
  }
  if (times.front().entries == TauEntries::measurements) {
    section.paragraphs = {
        "Integrated autocorrelation times of single measurements, all realizations together, by the Γ method with "
        "automatic windowing (Wolff 2004) and by binning. Errors of this report do not depend on them: they come from "
        "the spread over realizations."};
  }
  const std::pair<const char*, const char*> figures[] = {{"energy", "e"},
                                                         {"magnetization_abs", "|m|"},
                                                         {"magnetization_2", "m^{2}"},
                                                         {"overlap_2", "|q|^{2}"},
                                                         {"chiral_zero", "|q_{c}|^{2}"}};
  for (const auto& [name, label] : figures) {
    Figure figure = tau_figure(times, name, label);
    if (!figure.series.empty()) section.items.emplace_back(std::move(figure));
  }
  section.items.emplace_back(tau_table(times));
  return section;
}

}  // namespace

std::vector<Section> statistics_sections(const OfflineAnalysis& analysis) {
  const Config& config = analysis.averages.config;
  if (is_one_system(config)) {  // no disorder to control
    return {reweighting_section(analysis), autocorrelation_section(analysis)};
  }
  return {reweighting_section(analysis), control_section(analysis), autocorrelation_section(analysis)};
}

}}  // namespace glassworks::analysis
