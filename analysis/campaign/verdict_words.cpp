#include "analysis/campaign/verdict_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/averages/report_text.hpp"
#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/report/label.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string listed(const std::vector<int>& sizes) {
  std::string text = "L = ";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", sizes[i]);
  return text;
}

struct StateWords {
  Equilibration state;
  Undecided reason;
  const char* text;
};

/// What the table says of a size.
constexpr StateWords words_of_states[] = {
    {Equilibration::not_equilibrated, Undecided::no,
     "not equilibrated by more than chance explains: averages at low temperature are not to be used"},
    {Equilibration::undecided, Undecided::none_converged, "undecided: no realization has converged"},
    {Equilibration::undecided, Undecided::tau_unresolved,
     "undecided: histories are too short to know their autocorrelation time"},
    {Equilibration::undecided, Undecided::few_converged, "undecided: fewer than half have converged"},
    {Equilibration::undecided, Undecided::tests_fail,
     "undecided: more realizations have bins or copies that disagree than chance explains"},
    {Equilibration::undecided, Undecided::nothing_moves,
     "undecided: nothing has moved in any realization at some temperature"},
    {Equilibration::undecided, Undecided::few_realizations, "undecided: too few realizations"},
    {Equilibration::undecided, Undecided::few_rounds, "undecided: too few rounds"},
    {Equilibration::equilibrated_on_average, Undecided::no, "equilibrated on average"},
    {Equilibration::equilibrated, Undecided::no, "equilibrated"}};

std::string state_words(const SizeResult& size) {
  if (size.counts.used == 0) return "none: no realization is used";
  for (const StateWords& words : words_of_states) {
    if (words.state == size.verdict.state && words.reason == size.verdict.reason) return words.text;
  }
  return to_string(size.verdict.state);
}

/// One sentence, the first of the verdict: the criteria that realizations of each size miss.
std::vector<std::string> not_reached(const AnalysisResult& averages) {
  std::vector<std::string> clauses;
  for (const SizeResult& size : averages.sizes) {
    const std::string what = size.counts.unconverged_used > 0 ? size.unmet.text() : "";
    if (!what.empty()) {
      clauses.push_back(fmt::format("at L = {}: {}", size.L, what));
    } else if (size.counts.used > 0 && 2 * size.unmet.unresolved > size.counts.used) {
      clauses.push_back(fmt::format("at L = {}: tau is not resolved in {}", size.L, size.unmet.unresolved));
    }
  }
  if (clauses.empty()) return {};
  return {fmt::format("Not reached {}.", fmt::join(clauses, "; "))};
}

/// One for each size: each has a p of its own.
std::vector<std::string> correlated_groups(const AnalysisResult& averages) {
  std::vector<std::string> sentences;
  for (const SizeResult& size : averages.sizes) {
    if (size.groups.state != GroupState::correlated) continue;
    sentences.push_back(
        fmt::format("Realizations of L = {} that share random numbers (multi-spin coding) are correlated (p = {:.2g}, "
                    "level {:.2g}): errors are those over groups.",
                    size.L, size.groups.p_value, size.groups.level));
  }
  return sentences;
}

/// What keeps averages from being used beyond the state of a size; each sentence names all sizes that it is about.
std::vector<std::string> warnings(const AnalysisResult& averages) {
  std::vector<std::string> sentences;
  const auto add = [&](const char* text, const auto& belongs) {
    std::vector<int> sizes;
    for (const SizeResult& size : averages.sizes) {
      if (belongs(size)) sizes.push_back(size.L);
    }
    if (!sizes.empty()) sentences.push_back(fmt::format(fmt::runtime(text), listed(sizes)));
  };
  add("Independent runs of one system disagree: {}. None of their averages are to be used.",
      [](const SizeResult& size) { return size.verdict.runs_disagree && size.counts.used > 0; });
  add("Copies of one realization disagree: {}. None of their averages are to be used.",
      [](const SizeResult& size) { return size.verdict.copies_disagree && size.counts.used > 0; });
  for (std::string& sentence : correlated_groups(averages)) sentences.push_back(std::move(sentence));
  add("Realizations that have not converged are left out of {}, which biases the averages.",
      [](const SizeResult& size) { return size.counts.left_out > 0; });
  const bool unfinished = std::ranges::any_of(
      averages.sizes, [](const SizeResult& size) { return size.counts.running + size.counts.not_started > 0; });
  if (unfinished) sentences.emplace_back("The campaign is not finished, so these numbers are preliminary.");
  return sentences;
}

/// "0.130(4) (0.124 to 0.136 over 12 fits; 0.12 to 0.14 with unconverged realizations at their worst)".
std::string with_limits(const SampledNumber& x, const ValueRange& spread, int fits, const ValueRange& worst) {
  const double error = x.error();
  std::string text = format_value(x.value, error);
  std::vector<std::string> limits;
  if (fits > 1) limits.push_back(fmt::format("{} over {} fits", spread.text(error), fits));
  if (worst.known())
    limits.push_back(fmt::format("{} with unconverged realizations at their worst", worst.text(error)));
  return limits.empty() ? text : fmt::format("{} ({})", text, fmt::join(limits, "; "));
}

std::string with_limits(const CriticalNumber& x) { return with_limits(x.number, x.spread, x.fits, x.worst); }

/// Sizes of the fit whose averages may be off.
std::vector<std::string> doubtful_sizes(const std::vector<int>& sizes, const AnalysisResult& averages) {
  std::vector<std::string> clauses;
  for (const Equilibration state : {Equilibration::not_equilibrated, Equilibration::undecided}) {
    std::vector<int> found;
    for (const SizeResult& size : averages.sizes) {
      const bool used = std::ranges::find(sizes, size.L) != sizes.end();
      if (used && size.verdict.state == state) found.push_back(size.L);
    }
    if (found.empty()) continue;
    clauses.push_back(fmt::format("{} {} {}", listed(found), found.size() == 1 ? "is" : "are", to_string(state)));
  }
  return clauses;
}

/// Of neighbouring sizes; those of all pairs are in the table.
std::string crossings(const ObservableScaling& scaling) {
  std::vector<std::string> found;
  bool any = false;
  for (std::size_t i = 0; i < scaling.pairs.size(); ++i) {
    const PairCrossings& pair = scaling.pairs[i];
    const Crossing* best = pair.best();
    if (best == nullptr) continue;
    any = true;
    const bool neighbours = i == 0 || scaling.pairs[i - 1].L_small != pair.L_small;
    if (!neighbours) continue;
    found.push_back(fmt::format("{} and {} at T = {}", pair.L_small, pair.L_large,
                                with_limits(best->T, best->spread, best->forms, best->worst)));
  }
  if (!any) return fmt::format("No curves of {} are seen to cross within the temperatures.", scaling.label);
  if (found.empty()) return fmt::format("Curves of {} of neighbouring sizes are not seen to cross.", scaling.label);
  return fmt::format("Curves of {} of neighbouring sizes cross: L = {}.", scaling.label, fmt::join(found, ", "));
}

/// Of the correlation lengths; the Binder cumulants are left to the section on critical parameters.
std::vector<std::string> transition_lines(const ScalingResult& result) {
  std::vector<std::string> sentences;
  for (const ObservableScaling& o : result.observables) {
    if (!o.observable.starts_with("xi_") || is_length_in_field(o.observable)) continue;
    if (o.claim.holds()) {
      sentences.push_back(fmt::format("{}: a joint fit of L = {} to {} gives T_{{c}} = {}, ν = {}{}.", o.label,
                                      o.claim.sizes.front(), o.claim.sizes.back(), with_limits(o.claim.T_c),
                                      with_limits(o.claim.nu),
                                      o.claim.eta.known() ? ", η = " + with_limits(o.claim.eta) : ""));
      continue;
    }
    const std::string seen = o.curves.size() < 2 ? "" : " " + crossings(o);
    sentences.push_back(
        fmt::format("{}: no critical temperature is given: {}.{}", o.label, fmt::join(o.claim.obstacles, "; "), seen));
  }
  if (sentences.empty()) {
    sentences.emplace_back("No critical temperature can be given from these data; the section on scaling says why.");
  }
  return sentences;
}

/// What the connected correlation length of each pair of sizes says.
std::vector<std::string> in_a_field(std::span<const SizeComparison> comparisons) {
  std::vector<std::string> sentences;
  for (const SizeComparison& c : comparisons) {
    const char* chirality = c.observable == "xi_chiral_field_over_L"        ? ", chirality along k_{min}"
                            : c.observable == "xi_chiral_perp_field_over_L" ? ", chirality perpendicular to k_{min}"
                                                                            : "";
    if (c.observable != comparisons.front().observable && *chirality == '\0') continue;
    sentences.push_back(fmt::format("In the field{}, L = {} and {}: {}", chirality, c.small, c.large, c.statement));
  }
  if (sentences.empty()) {
    sentences.emplace_back(
        "Nothing can be said about a transition in the field: that needs four copies and two sizes.");
  }
  return sentences;
}

}  // namespace

void add_doubts(ScalingResult& result, const AnalysisResult& averages) {
  for (ObservableScaling& o : result.observables) {
    std::ranges::move(doubtful_sizes(o.claim.sizes, averages), std::back_inserter(o.claim.obstacles));
  }
}

Table equilibration_table(const AnalysisResult& averages) {
  Table table{.id = "verdict",
              .title = "Verdict",
              .caption = {},
              .rows = {{"L", is_one_system(averages.config) ? "runs" : "realizations", "converged", "verdict"}}};
  for (const SizeResult& size : averages.sizes) {
    const RealizationCounts& counts = size.counts;
    std::string converged = std::to_string(counts.converged);
    for (const auto& [n, what] : {std::pair{counts.running, "running"}, {counts.not_started, "not started"}}) {
      if (n > 0) converged += fmt::format(", {} {}", n, what);
    }
    table.rows.push_back({std::to_string(size.L), std::to_string(counts.total), converged, state_words(size)});
  }
  return table;
}

std::vector<std::string> verdict_words(const OfflineAnalysis& analysis) {
  std::vector<std::string> sentences = not_reached(analysis.averages);
  if (const std::string left_out = left_out_sentence(analysis.averages.config); !left_out.empty()) {
    sentences.push_back(left_out);
  }
  std::ranges::move(warnings(analysis.averages), std::back_inserter(sentences));
  const Config& config = analysis.averages.config;
  const bool field = measures_field_response(config);
  std::vector<std::string> transition =
      field ? in_a_field(analysis.field_comparisons) : transition_lines(analysis.scaling);
  for (std::string& sentence : transition) sentences.push_back(std::move(sentence));
  return sentences;
}

std::string verdict_text(const Document& document) {
  std::vector<std::vector<std::string>> rows = document.verdict_table.rows;
  for (std::vector<std::string>& row : rows) {
    for (std::string& cell : row) cell = plain_label(cell);
  }
  std::string text = format_table(rows);
  for (const std::string& sentence : document.verdict) text += plain_label(sentence) + '\n';
  return text;
}

}}  // namespace glassworks::analysis
