#include "analysis/campaign/main_sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "analysis/basics/value_format.hpp"
#include "analysis/scaling/scaling_figures.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr const char* nothing = "–";

std::string number(const SampledNumber* x) {
  return x == nullptr || !std::isfinite(x->value) ? nothing : format_value(x->value, x->error());
}

std::string worst_of(const ValueRange& worst, double error) { return worst.known() ? worst.text(error) : nothing; }

/// Without the realizations that have not converged; with the error of all.
std::string without_of(const ValueRange& worst, double without, double error) {
  if (!worst.known()) return nothing;
  return std::isfinite(without) ? format_value(without, error) : "none";
}

std::vector<std::vector<std::string>> rows_of(const ObservableScaling& scaling) {
  std::vector<std::vector<std::string>> rows;
  const CriticalClaim& claim = scaling.claim;
  const std::pair<const char*, const CriticalNumber*> numbers[] = {
      {"T_c", &claim.T_c}, {"nu", &claim.nu}, {"eta", &claim.eta}};
  for (const auto& [name, x] : numbers) {
    if (!x->known()) continue;
    const double error = x->number.error();
    rows.push_back({scaling.label, name, fmt::format("{}–{}", claim.sizes.front(), claim.sizes.back()),
                    number(&x->number), x->spread.text(error), std::to_string(x->fits), worst_of(x->worst, error),
                    without_of(x->worst, x->without, error)});
  }
  return rows;
}

std::vector<std::vector<std::string>> crossing_rows(const ObservableScaling& scaling) {
  std::vector<std::vector<std::string>> rows;
  for (const PairCrossings& pair : scaling.pairs) {
    for (const Crossing& crossing : pair.crossings) {
      if (!crossing.established) continue;
      const double error = crossing.T.error();
      rows.push_back({scaling.label, std::to_string(pair.L_small), std::to_string(pair.L_large), number(&crossing.T),
                      number(&crossing.R), crossing.spread.text(error), std::to_string(crossing.forms),
                      worst_of(crossing.worst, error), without_of(crossing.worst, crossing.without, error)});
    }
  }
  return rows;
}

/// How the numbers of an observable came about, or why there are none.
std::string claim_sentence(const ObservableScaling& scaling) {
  const CriticalClaim& claim = scaling.claim;
  if (!claim.holds()) {
    return fmt::format("{}: no critical temperature, because {}.", scaling.label, fmt::join(claim.obstacles, "; "));
  }
  const Scan& scan = scaling.fit() == &scaling.correlated.best ? scaling.correlated : scaling.uncorrelated;
  return fmt::format("{}: {}", scaling.label, scan.sentence);
}

std::optional<Figure> take(std::vector<Section>& sections, const std::string& id) {
  for (Section& section : sections) {
    const auto found = std::find_if(section.items.begin(), section.items.end(), [&](const Item& item) {
      const auto* figure = std::get_if<Figure>(&item);
      return figure != nullptr && figure->id == id;
    });
    if (found == section.items.end()) continue;
    Figure figure = std::move(std::get<Figure>(*found));
    section.items.erase(found);
    return figure;
  }
  return std::nullopt;
}

/// T_c of the joint fit, with its error as a band, where it may be quoted.
std::optional<Guide> transition(const ObservableScaling& scaling) {
  if (!scaling.claim.holds()) return std::nullopt;
  const SampledNumber& T_c = scaling.claim.T_c.number;
  return Guide{Guide::Direction::vertical, T_c.value, T_c.error(), "T_{c} = " + number(&T_c)};
}

}  // namespace

Section main_figures(const OfflineAnalysis& analysis, std::vector<Section>& others) {
  Section section{.id = "figures", .title = "Figures", .paragraphs = {}, .items = {}};
  std::set<std::string> added;
  const auto add = [&](const std::string& id, const ObservableScaling* of = nullptr) {
    if (!added.insert(id).second) return;  // another section may have a figure of the same name
    std::optional<Figure> figure = take(others, id);
    if (!figure) return;
    if (const std::optional<Guide> guide = of == nullptr ? std::nullopt : transition(*of)) {
      figure->guides.push_back(*guide);
      figure->caption += " Dashed: T_{c} of the joint fit.";
    }
    if (of != nullptr) enlarge_crossing(*of, *figure);
    section.items.emplace_back(std::move(*figure));
  };
  const auto add_ratios = [&](bool lengths) {
    for (const ObservableScaling& scaling : analysis.scaling.observables) {
      if (scaling.observable.starts_with("xi_") != lengths) continue;
      add(scaling.observable, &scaling);
      const std::string id = "scaling_" + scaling.observable;
      if (scaling.claim.holds()) add(id + "_collapse");          // one that is no result stays in a folded section
      if (!section.items.empty()) take(others, id + "_curves");  // the same curves as the first figure
    }
  };
  for (const char* connected :
       {"xi_field_over_L", "xi_chiral_field_over_L", "xi_chiral_perp_field_over_L", "chi_sg_field", "chi_cg_field"}) {
    add(connected);  // in a field the others are not
  }
  add_ratios(true);
  for (const ObservableScaling& scaling : analysis.scaling.observables) add(scaling.susceptibility);
  add_ratios(false);
  add("energy");
  add("log_binning_overlap_2");
  return section;
}

Section critical_section(const ScalingResult& scaling) {
  Section section{.id = "critical", .title = "Critical parameters", .paragraphs = {}, .items = {}};
  Table parameters{.id = "critical_parameters",
                   .title = "Critical parameters",
                   .caption =
                       "Of the joint fit, with its statistical error. Over fits: what all fits that describe the data "
                       "give, with other smallest sizes, windows, orders, weights and corrections. Worst case: the "
                       "realizations that have not converged replaced by those that move the curves farthest; without: "
                       "these realizations left out.",
                   .rows = {{"from", "quantity", "L", "value", "over fits", "fits", "worst case", "without"}},
                   .csv_heading = {},
                   .shown = {{"T_c", "T_{c}"}, {"nu", "ν"}, {"eta", "η"}}};
  Table crossings{.id = "headline_crossings",
                  .title = "Crossings",
                  .caption =
                      "Where the curves of two sizes cross, which both differ by 1.96 standard errors on either side. "
                      "Crossings move with L until corrections to scaling are small. Over fits: T_{x} from the "
                      "curves interpolated by cubics and by straight lines, and from parabolas and cubics fitted to "
                      "their difference within 15 % and 30 % of T_{x}. Worst case and without: as for critical "
                      "parameters, of T_{x}.",
                  .rows = {{"from", "L", "L'", "T_{x}", "R_{x}", "over fits", "fits", "worst case", "without"}}};
  for (const ObservableScaling& one : scaling.observables) {
    if (one.curves.size() < 2) continue;
    // The verdict says already why there is no critical temperature from a correlation length.
    const bool in_verdict = one.observable.starts_with("xi_") && !is_length_in_field(one.observable);
    if (one.claim.holds() || !in_verdict) section.paragraphs.push_back(claim_sentence(one));
    if (one.claim.holds()) std::ranges::move(rows_of(one), std::back_inserter(parameters.rows));
    std::ranges::move(crossing_rows(one), std::back_inserter(crossings.rows));
  }
  if (parameters.rows.size() > 1) section.items.emplace_back(std::move(parameters));
  if (crossings.rows.size() > 1) section.items.emplace_back(std::move(crossings));
  const bool compared =
      std::ranges::any_of(scaling.observables, [](const ObservableScaling& one) { return one.curves.size() > 1; });
  if (!compared) {
    section.paragraphs.emplace_back("Critical parameters need at least two sizes with curves of one ratio.");
  } else if (section.items.empty()) {
    section.paragraphs.emplace_back("No two curves are seen to cross within the temperatures simulated.");
  }
  return section;
}

}}  // namespace glassworks::analysis
