#include "analysis/campaign/referee_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "analysis/diagnostics/diagnostics.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// "L = 4: ...; L = 6: ..." of the sizes with data.
std::string by_size(const AnalysisResult& averages, const std::function<std::string(const SizeResult&)>& words) {
  std::vector<std::string> parts;
  for (const SizeResult& size : averages.sizes) {
    if (size.counts.used > 0) parts.push_back(fmt::format("L = {}: {}", size.L, words(size)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

bool has_walk(const OfflineAnalysis& analysis) {
  return std::ranges::any_of(analysis.diagnostics, [](const SizeDiagnostics& size) { return size.size().has_walk(); });
}

std::string quantities(const AnalysisResult& averages) {
  std::string text = "The verdict compares logarithmic bins of the energy, of the order parameter at k = 0 and k_{min}";
  text += averages.config.measures(BinQuantity::chiral_zero) ? ", and of the chirality |q_{c}|^{2}."
                                                             : ". Chirality is not measured.";
  return text + " " + by_size(averages, [](const SizeResult& size) { return to_string(size.verdict.state); }) + ".";
}

std::string histories(const AnalysisResult& averages) {
  return "Histories in units of their own τ, shortest and median: " +
         by_size(averages,
                 [](const SizeResult& size) {
                   return size.median_history > 0.0
                              ? fmt::format("{:.3g} and {:.3g}", size.shortest_history, size.median_history)
                              : std::string("τ is not known");
                 }) +
         ". τ of a few functions is a lower bound of the relaxation time.";
}

std::string round_trips(const OfflineAnalysis& analysis) {
  if (!has_walk(analysis)) return "There is no walk through temperatures.";
  return "Fewest round trips of a realization, all its replicas together: " +
         by_size(analysis.averages, [](const SizeResult& size) { return fmt::format("{}", size.fewest_round_trips); }) +
         ".";
}

std::string unconverged(const AnalysisResult& averages) {
  const bool all = std::ranges::all_of(averages.sizes, [](const SizeResult& size) {
    return size.counts.unconverged_used == 0 && size.counts.left_out == 0;
  });
  if (all) return "Every realization used has converged.";
  return by_size(averages,
                 [](const SizeResult& size) {
                   return size.counts.left_out > 0
                              ? fmt::format("{} left out, which biases the averages", size.counts.left_out)
                              : fmt::format("{} of {} not converged", size.counts.unconverged_used, size.counts.used);
                 }) +
         ". They stay in the averages unless stated otherwise; their worst case stands beside each number.";
}

std::string scaling_answer(const ScalingResult& result) {
  std::vector<std::string> parts;
  for (const ObservableScaling& one : result.observables) {
    if (one.curves.size() < 2) continue;
    parts.push_back(one.claim.holds() ? fmt::format("{}: T_{{c}} from {} sizes, over {} fits", one.label,
                                                    one.claim.sizes.size(), one.claim.T_c.fits)
                                      : fmt::format("{}: no T_{{c}} is quoted", one.label));
  }
  if (parts.empty()) return "There are no two sizes with curves of one ratio.";
  return fmt::format("{}. Scans of L_{{min}}, fits with corrections and covariances are in the section on scaling.",
                     fmt::join(parts, "; "));
}

}  // namespace

Section referee_section(const OfflineAnalysis& analysis, const RefereeFacts& facts) {
  const AnalysisResult& averages = analysis.averages;
  Table table{.id = "referee",
              .title = "Questions of a referee",
              .caption = "What the data of this campaign show, and what they do not.",
              .rows = {{"question", "this campaign"},
                       {"Are chirality and k_{min} in equilibrium?", quantities(averages)},
                       {"Are histories long against the longest time?", histories(averages)},
                       {"Does stopping bias the averages?", facts.stopping_bias},
                       {"Does another start reach the same averages?", facts.starts},
                       {"Do the copies of a realization agree?", facts.copies},
                       {"Do replicas travel through all temperatures?", round_trips(analysis)},
                       {"What could unconverged realizations hide?", unconverged(averages)},
                       {"Does another generator give the same?", facts.generator},
                       {"Do scaling fits depend on the smallest size?", scaling_answer(analysis.scaling)}}};
  Section section{.id = "referee", .title = "Questions of a referee", .paragraphs = {}, .items = {}};
  section.items.emplace_back(std::move(table));
  return section;
}

}}  // namespace glassworks::analysis
