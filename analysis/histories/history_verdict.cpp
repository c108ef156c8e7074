#include "analysis/histories/history_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/basics/test_family.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string what_of(const PartComparison& comparison) {
  return comparison.part == CampaignPart::fivefold ? "histories of five times the length"
                                                   : "second histories with " + comparison.start + " start";
}

void judge(Verdict& verdict, const PartComparison& comparison, const PairedHistories& size, std::size_t sizes) {
  const auto larger = [](const PairedObservable& o) { return std::abs(o.sigma); };
  const PairedObservable& largest = *std::ranges::max_element(size.observables, {}, larger);
  const std::string what = what_of(comparison);
  const double sigma = std::abs(largest.sigma);
  const bool differs = sigma > size.limit;
  const double p = TestFamily::of_smallest(chance_of(sigma, size.pairs), size.observables.size() * sizes);
  if (differs) {
    if (verdict.state != Equilibration::not_equilibrated && !verdict.lines.empty()) {
      verdict.lines.front() =
          fmt::format("{}: {} differ from those of the campaign (p = {:.2g} for all observables and sizes, level {:g})",
                      to_string(Equilibration::not_equilibrated), what, p, family::further_histories.level);
    }
    verdict.state = Equilibration::not_equilibrated;
    verdict.reason = Undecided::no;
  }
  verdict.lines.push_back(fmt::format(
      "{} {}: {} by {:.2f} standard errors over all temperatures (limit {:.1f}), {} pairs; p = {:.2g} for all "
      "observables and sizes, level {:g}",
      what, differs ? "differ" : "agree, largest difference", largest.name, sigma, size.limit, size.pairs, p,
      family::further_histories.level));
}

}  // namespace

void judge_by_histories(AnalysisResult& averages, std::span<const PartComparison> comparisons) {
  for (const PartComparison& comparison : comparisons) {
    if (comparison.part == CampaignPart::other_generator) continue;
    for (const PairedHistories& size : comparison.sizes) {
      const auto judged = std::ranges::find(averages.sizes, size.L, &SizeResult::L);
      if (judged == averages.sizes.end() || size.observables.empty()) continue;
      judge(judged->verdict, comparison, size, std::max<std::size_t>(1, averages.config.model.L.size()));
    }
  }
}

}}  // namespace glassworks::analysis
