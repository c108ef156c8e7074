#include "analysis/field/field_section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/field/field_figures.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string search_summary(std::span<const SizeComparison> comparisons) {
  int crossing = 0, none = 0, open = 0;
  for (const SizeComparison& c : comparisons) {
    if (c.state == CrossingState::crossing) {
      ++crossing;
    } else if (c.state == CrossingState::always_below || c.state == CrossingState::always_above) {
      ++none;
    } else {
      ++open;
    }
  }
  return fmt::format(
      "Search for a de Almeida-Thouless line: of {} comparisons (pairs of sizes and quantities) {} show a crossing, {} "
      "exclude one in the temperatures simulated, {} are undecided; each at 95 %. Crossings of small sizes need not "
      "last as L grows: only crossings of all quantities at temperatures that settle as L grows speak for a "
      "transition.",
      comparisons.size(), crossing, none, open);
}

}  // namespace

std::vector<SizeComparison> search_transition(std::span<const FieldCurves> sizes, double confidence) {
  std::vector<SizeComparison> comparisons;
  const auto compare = [&](const auto& curve_of) {
    if (!sizes.empty() && curve_of(sizes.front()).temperatures.empty()) return;
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      for (std::size_t b = a + 1; b < sizes.size(); ++b) {
        comparisons.push_back(compare_sizes(curve_of(sizes[a]), curve_of(sizes[b]), confidence));
      }
    }
  };
  compare([](const FieldCurves& c) -> const Curve& { return c.xi_over_L; });
  compare([](const FieldCurves& c) -> const Curve& { return c.small_k.xi_over_L; });
  compare([](const FieldCurves& c) -> const Curve& { return c.r_12; });
  compare([](const FieldCurves& c) -> const Curve& { return c.xi_chiral_over_L; });
  compare([](const FieldCurves& c) -> const Curve& { return c.xi_chiral_perp_over_L; });
  return comparisons;
}

std::optional<Section> field_section(const Config& config, std::span<const FieldCurves> sizes,
                                     std::span<const SizeComparison> comparisons) {
  if (!measures_field_response(config)) return std::nullopt;
  Section section{"field", "In a field", {}, {}};
  if (config.replicas.copies != 4) {
    section.paragraphs.emplace_back(
        "The connected susceptibility chi_1 - 2 chi_2 + chi_3 and its correlation length need four copies of each "
        "realization, and this campaign has two; run one with replicas.copies = 4.");
    return section;
  }
  if (sizes.empty()) {
    section.paragraphs.emplace_back("No realization has a finished round yet, so there is nothing to show.");
    return section;
  }
  const int n = order_parameter_components(config.model.spins);
  section.paragraphs.push_back(fmt::format(
      "Connected correlations: χ_{{SG}}(k) = N [χ_{{1}} - 2χ_{{2}} + χ_{{3}}], the terms from copies (1,1,2,2), "
      "(1,1,3,4) "
      "and (1,2,3,4), averaged over all permutations of the four copies. Without field this is {}the χ_{{SG}} of two "
      "copies.",
      n == 1 ? std::string() : fmt::format("1/{} of ", n)));
  section.paragraphs.push_back(sizes.size() > 1 ? search_summary(comparisons)
                                                : "One size only: a search for a transition compares sizes.");
  for (Figure& f : field_observable_figures(sizes)) section.items.emplace_back(std::move(f));
  section.items.emplace_back(inverse_susceptibility_figure(sizes));
  section.items.emplace_back(small_k_table(sizes));
  if (sizes.size() > 1) {
    for (Figure& f : difference_figures(comparisons)) section.items.emplace_back(std::move(f));
    section.items.emplace_back(comparison_table(comparisons));
  }
  for (Figure& f : field_check_figures(sizes)) section.items.emplace_back(std::move(f));
  return section;
}

}}  // namespace glassworks::analysis
