#include "analysis/campaign/verdict_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string listed(const std::vector<int>& sizes) {
  std::string text = "L = ";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", sizes[i]);
  return text;
}

struct Sentence {
  Equilibration state;
  Undecided reason;
  const char* text;
};

/// The worst state of any size comes first. {0}: the sizes, {1}: "have", {2}: "show", in the right number.
constexpr Sentence sentences_in_order[] = {
    {Equilibration::not_equilibrated, Undecided::no,
     "Not equilibrated: {} by more than chance explains; averages at low temperature are not to be used."},
    {Equilibration::undecided, Undecided::none_converged,
     "Undecided: of {} not one realization used has converged, so nothing shows that they are equilibrated."},
    {Equilibration::undecided, Undecided::tau_unresolved,
     "Undecided: histories of {} are too short to know their autocorrelation time, so nothing shows that they are "
     "equilibrated."},
    {Equilibration::undecided, Undecided::few_converged,
     "Undecided: of {} fewer than half of the realizations used have converged."},
    {Equilibration::undecided, Undecided::tests_fail,
     "Undecided: of {} more realizations have bins or copies that disagree than chance explains."},
    {Equilibration::undecided, Undecided::nothing_moves,
     "Undecided: nothing has moved in any realization of {} at some temperature, so nothing shows equilibrium."},
    {Equilibration::undecided, Undecided::few_realizations,
     "Undecided: {} {} too few realizations to tell whether they are equilibrated."},
    {Equilibration::undecided, Undecided::few_rounds,
     "Undecided: {} {} too few rounds to tell whether they are equilibrated."},
    {Equilibration::equilibrated_on_average, Undecided::no,
     "Equilibrated on average: {0} {2} no significant deviation, but not every realization has converged."},
    {Equilibration::equilibrated, Undecided::no,
     "Equilibrated: {0} {2} no significant deviation, and every realization used has converged."}};

/// One sentence, the first of the verdict: the criteria that realizations miss, for each size with unconverged ones.
std::vector<std::string> not_reached(const AnalysisResult& averages) {
  std::vector<std::string> clauses;
  for (const SizeResult& size : averages.sizes) {
    const RealizationCounts& counts = size.counts;
    const std::string what = size.unmet.text();
    if (counts.unconverged_used > 0) {
      clauses.push_back(fmt::format("at L = {}: {} of {} realizations used {} not converged{}", size.L,
                                    counts.unconverged_used, counts.used, counts.unconverged_used == 1 ? "has" : "have",
                                    what.empty() ? "" : " (" + what + ")"));
    } else if (counts.used > 0 && 2 * size.unmet.unresolved > counts.used) {
      clauses.push_back(fmt::format("at L = {}: tau is not resolved in {} of {} realizations used", size.L,
                                    size.unmet.unresolved, counts.used));
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

/// One sentence for each state, which names all sizes in it.
std::vector<std::string> equilibration(const AnalysisResult& averages) {
  std::vector<std::string> sentences;
  const auto add = [&](const char* text, const auto& belongs) {
    std::vector<int> sizes;
    for (const SizeResult& size : averages.sizes) {
      if (belongs(size)) sizes.push_back(size.L);
    }
    if (sizes.empty()) return;
    const bool one = sizes.size() == 1;
    sentences.push_back(fmt::format(fmt::runtime(text), listed(sizes), one ? "has" : "have", one ? "shows" : "show"));
  };
  for (const Sentence& sentence : sentences_in_order) {
    add(sentence.text, [&](const SizeResult& size) {
      return size.counts.used > 0 && size.verdict.state == sentence.state && size.verdict.reason == sentence.reason;
    });
  }
  add("Independent runs of one system disagree: {}. None of their averages are to be used.",
      [](const SizeResult& size) { return size.verdict.runs_disagree && size.counts.used > 0; });
  add("Copies of one realization disagree: {}. None of their averages are to be used.",
      [](const SizeResult& size) { return size.verdict.copies_disagree && size.counts.used > 0; });
  for (std::string& sentence : correlated_groups(averages)) sentences.push_back(std::move(sentence));
  add("Realizations that have not converged are left out of {}, which biases the averages.",
      [](const SizeResult& size) { return size.counts.left_out > 0; });
  add("No verdict for {}: no realization is used.", [](const SizeResult& size) { return size.counts.used == 0; });
  return sentences;
}

std::string convergence(const AnalysisResult& averages) {
  int total = 0, converged = 0, running = 0;
  for (const SizeResult& size : averages.sizes) {
    total += size.counts.total;
    converged += size.counts.converged;
    running += size.counts.running + size.counts.not_started;
  }
  std::string text = fmt::format("{} of {} realizations have converged", converged, total);
  if (running > 0) text += fmt::format("; {} are not finished, so these numbers are preliminary", running);
  return text + ".";
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
    if (!o.observable.starts_with("xi_") || o.observable == "xi_field_over_L") continue;
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
    if (c.observable != comparisons.front().observable) continue;
    sentences.push_back(fmt::format("In the field, L = {} and {}: {}", c.small, c.large, c.statement));
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

std::vector<std::string> verdict_words(const OfflineAnalysis& analysis) {
  std::vector<std::string> sentences = not_reached(analysis.averages);
  std::ranges::move(equilibration(analysis.averages), std::back_inserter(sentences));
  sentences.push_back(convergence(analysis.averages));
  const Config& config = analysis.averages.config;
  const bool field = measures_field_response(config);
  std::vector<std::string> transition =
      field ? in_a_field(analysis.field_comparisons) : transition_lines(analysis.scaling);
  for (std::string& sentence : transition) sentences.push_back(std::move(sentence));
  return sentences;
}

}}  // namespace glassworks::analysis
