#include "analysis/campaign/verdict_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "analysis/observables/formulas.hpp"
#include "analysis/value_format.hpp"

namespace glassworks::inline analysis {
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

/// Sizes of equal state, or of another kind, are named together.
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
  add("Realizations of {} that share random numbers (multi-spin coding) are correlated: errors are those over groups.",
      [](const SizeResult& size) { return size.groups.state == GroupState::correlated; });
  add("Realizations that have not converged are left out of {}, which biases the averages.",
      [](const SizeResult& size) { return size.counts.left_out > 0; });
  add("Nothing is known of {}: no realization of them is used.",
      [](const SizeResult& size) { return size.counts.used == 0; });
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

/// Whether data lie on both sides of T_c, two standard errors away from it.
bool is_inside(const SampledNumber& T_c, const std::vector<ScalingCurve>& curves) {
  double coldest = std::numeric_limits<double>::infinity(), hottest = 0.0;
  for (const ScalingCurve& curve : curves) {
    coldest = std::min(coldest, curve.T[0]);
    hottest = std::max(hottest, curve.T[curve.points() - 1]);
  }
  return T_c.value - 2.0 * T_c.error() > coldest && T_c.value + 2.0 * T_c.error() < hottest;
}

/// Of the correlation lengths; the Binder cumulants are left to the section on scaling.
std::vector<std::string> scaling(const ScalingResult& result) {
  std::vector<std::string> sentences, outside;
  for (const ObservableScaling& o : result.observables) {
    const ScalingFit* fit = o.fit();
    if (fit == nullptr || !o.observable.starts_with("xi_") || o.observable == "xi_field_over_L") continue;
    const SampledNumber *T_c = fit->find("T_c"), *inverse_nu = fit->find("1/nu");
    if (T_c == nullptr || inverse_nu == nullptr) continue;
    if (!is_inside(*T_c, o.curves)) {
      outside.push_back(
          fmt::format("{}: no critical temperature is given, because that of the joint fit, {}, is not two standard "
                      "errors inside the temperatures simulated.",
                      o.label, format_value(T_c->value, T_c->error())));
      continue;
    }
    sentences.push_back(fmt::format(
        "{}: joint fit of {} sizes up to L = {} gives T_{{c}} = {}, 1/ν = {} (p = {:.2g}), errors statistical only.",
        o.label, fit->sizes.size(), fit->sizes.back(), format_value(T_c->value, T_c->error()),
        format_value(inverse_nu->value, inverse_nu->error()), fit->p_value));
  }
  if (sentences.empty()) sentences = outside;
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

std::vector<std::string> verdict_words(const OfflineAnalysis& analysis) {
  std::vector<std::string> sentences = equilibration(analysis.averages);
  sentences.push_back(convergence(analysis.averages));
  const Config& config = analysis.averages.config;
  const bool field = measures_field_response(config);
  std::vector<std::string> transition = field ? in_a_field(analysis.field_comparisons) : scaling(analysis.scaling);
  for (std::string& sentence : transition) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace glassworks::inline analysis
