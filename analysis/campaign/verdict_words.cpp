#include "analysis/campaign/verdict_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/value_format.hpp"

namespace glassworks {
namespace {

/// Of a critical temperature that is worth a sentence at the top.
constexpr double worst_relative_error = 0.25;

std::string listed(const std::vector<int>& sizes) {
  std::string text = "L = ";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", sizes[i]);
  return text;
}

/// The worst state of any size comes first; sizes of equal state are named together.
std::vector<std::string> equilibration(const AnalysisResult& averages) {
  constexpr std::pair<Equilibration, const char*> order[] = {
      {Equilibration::not_equilibrated,
       "Not equilibrated: {} deviate from equilibrium by more than chance explains; their averages at low temperature "
       "are "
       "not to be used."},
      {Equilibration::undecided,
       "Undecided: {} have too few realizations or rounds to tell whether they are equilibrated."},
      {Equilibration::equilibrated_on_average,
       "Equilibrated on average: {} show no significant deviation, but not every realization has converged."},
      {Equilibration::equilibrated,
       "Equilibrated: {} show no significant deviation, and every realization used has converged."}};
  std::vector<std::string> sentences;
  for (const auto& [state, text] : order) {
    std::vector<int> sizes;
    for (const SizeResult& size : averages.sizes) {
      if (size.counts.used > 0 && size.verdict.state == state) sizes.push_back(size.L);
    }
    if (!sizes.empty()) sentences.push_back(fmt::format(fmt::runtime(text), listed(sizes)));
  }
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

std::vector<std::string> scaling(const ScalingResult& result) {
  std::vector<std::string> sentences;
  for (const ObservableScaling& o : result.observables) {
    const ScalingFit* fit = o.fit();
    if (fit == nullptr) continue;
    const SampledNumber *T_c = fit->find("T_c"), *inverse_nu = fit->find("1/nu");
    if (T_c == nullptr || inverse_nu == nullptr) continue;
    if (!(T_c->error() < worst_relative_error * T_c->value)) continue;  // the section on scaling says so
    sentences.push_back(fmt::format("{}: joint fit of {} sizes gives T_{{c}} = {}, 1/ν = {} (p = {:.2g}).", o.label,
                                    fit->sizes.size(), format_value(T_c->value, T_c->error()),
                                    format_value(inverse_nu->value, inverse_nu->error()), fit->p_value));
    for (const std::string& caveat : o.caveats) sentences.push_back(fmt::format("{}: {}", o.label, caveat));
  }
  if (sentences.empty()) {
    sentences.emplace_back("No critical temperature can be given from these data; the section on scaling says why.");
  }
  return sentences;
}

}  // namespace

std::vector<std::string> verdict_words(const OfflineAnalysis& analysis) {
  std::vector<std::string> sentences = equilibration(analysis.averages);
  sentences.push_back(convergence(analysis.averages));
  for (std::string& sentence : scaling(analysis.scaling)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace glassworks
