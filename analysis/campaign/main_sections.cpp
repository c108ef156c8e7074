#include "analysis/campaign/main_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "analysis/value_format.hpp"

namespace glassworks::inline analysis {
namespace {

constexpr const char* nothing = "–";

std::string number(const SampledNumber* x) {
  return x == nullptr || !std::isfinite(x->value) ? nothing : format_value(x->value, x->error());
}

std::string nu_of(const SampledNumber* inverse_nu) {
  if (inverse_nu == nullptr) return nothing;
  const SampledNumber nu = transformed(*inverse_nu, [](double x) { return 1.0 / x; });
  return number(&nu);
}

std::string eta_of(const ObservableScaling& scaling) {
  const Scan& scan = scaling.susceptibility_scan;
  const SampledNumber* exponent = scan.chosen ? scan.best.find("2 - eta") : nullptr;
  if (exponent == nullptr) return nothing;
  const SampledNumber eta = transformed(*exponent, [](double x) { return 2.0 - x; });
  return number(&eta);
}

std::string range_of(const std::vector<int>& sizes) {
  return sizes.empty() ? nothing : fmt::format("{}–{}", sizes.front(), sizes.back());
}

std::vector<std::vector<std::string>> rows_of(const ObservableScaling& scaling) {
  std::vector<std::vector<std::string>> rows;
  if (const ScalingFit* fit = scaling.fit()) {
    rows.push_back({scaling.label, "joint fit", range_of(fit->sizes), number(fit->find("T_c")),
                    nu_of(fit->find("1/nu")), eta_of(scaling), fmt::format("{:.1f}/{}", fit->chi2, fit->dof),
                    fmt::format("{:.2g}", fit->p_value)});
  } else {
    rows.push_back({scaling.label, "no fit accepted", nothing, nothing, nothing, nothing, nothing, nothing});
  }
  const Collapse& collapse = scaling.gaussian;
  if (collapse.ok() && !collapse.parameters.empty()) {
    rows.push_back({scaling.label, "Gaussian process", range_of(collapse.sizes), number(collapse.find("T_c")),
                    nu_of(collapse.find("1/nu")), nothing, nothing, fmt::format("{:.2g}", collapse.p_value)});
  }
  for (const Extrapolation& e : scaling.extrapolations) {
    if (!e.problem.empty()) continue;
    rows.push_back({scaling.label, fmt::format("crossings of L and {:.3g} L", e.ratio), nothing, number(&e.T_c),
                    nothing, nothing, fmt::format("{:.1f}/{}", e.chi2, e.dof), fmt::format("{:.2g}", e.p_value)});
  }
  return rows;
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

/// T_c of the joint fit, with its error as a band, where data lie around it.
std::optional<Guide> transition(const ObservableScaling& scaling) {
  const ScalingFit* fit = scaling.fit();
  const SampledNumber* T_c = fit == nullptr ? nullptr : fit->find("T_c");
  if (T_c == nullptr || !std::isfinite(T_c->value)) return std::nullopt;
  const double error = T_c->error();
  return Guide{Guide::Direction::vertical, T_c->value, std::isfinite(error) ? error : 0.0, "T_{c} = " + number(T_c)};
}

}  // namespace

Section main_figures(const OfflineAnalysis& analysis, std::vector<Section>& others) {
  Section section{.id = "figures", .title = "Figures", .paragraphs = {}, .items = {}};
  std::set<std::string> added;
  const auto add = [&](const std::string& id, const std::optional<Guide>& guide = {}) {
    if (!added.insert(id).second) return;  // another section may have a figure of the same name
    std::optional<Figure> figure = take(others, id);
    if (!figure) return;
    if (guide) {
      figure->guides.push_back(*guide);
      figure->caption += " Dashed: T_{c} of the joint fit.";
    }
    section.items.emplace_back(std::move(*figure));
  };
  const auto add_ratios = [&](bool lengths) {
    for (const ObservableScaling& scaling : analysis.scaling.observables) {
      if (scaling.observable.starts_with("xi_") != lengths) continue;
      add(scaling.observable, transition(scaling));
      const std::string id = "scaling_" + scaling.observable;
      add(id + "_collapse");
      if (!section.items.empty()) take(others, id + "_curves");  // the same curves as the first figure
    }
  };
  for (const char* connected : {"xi_field_over_L", "chi_sg_field"}) add(connected);  // in a field the others are not
  add_ratios(true);
  for (const ObservableScaling& scaling : analysis.scaling.observables) add(scaling.susceptibility);
  add_ratios(false);
  add("energy");
  add("log_binning_overlap_2");
  return section;
}

Section critical_section(const ScalingResult& scaling) {
  Section section{.id = "critical", .title = "Critical parameters", .paragraphs = {}, .items = {}};
  Table table{.id = "critical_parameters",
              .title = "Critical parameters",
              .caption =
                  "Errors of the last digits in parentheses, statistical only: corrections to scaling come on "
                  "top. How the fits were chosen is in the section on finite-size scaling.",
              .rows = {{"from", "method", "L", "T_{c}", "ν", "η", "χ^{2}/dof", "p"}},
              .csv_heading = {"from", "method", "L", "T_c", "nu", "eta", "chi2/dof", "p"}};
  for (const ObservableScaling& one : scaling.observables) {
    if (one.curves.size() < 2) continue;
    for (std::vector<std::string>& row : rows_of(one)) table.rows.push_back(std::move(row));
  }
  if (table.rows.size() > 1) section.items.emplace_back(std::move(table));
  if (section.items.empty()) {
    section.paragraphs.emplace_back("Critical parameters need at least two sizes with curves of one ratio.");
  }
  return section;
}

}  // namespace glassworks::inline analysis
