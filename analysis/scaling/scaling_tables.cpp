#include <fmt/format.h>

#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/scaling/scaling_figures.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string cell(const SampledNumber& x) { return std::isfinite(x.value) ? format_value(x.value, x.error()) : "none"; }

std::string cell(const SampledNumber* x) { return x == nullptr ? "" : cell(*x); }

std::string in_brackets(double error) { return std::isfinite(error) ? fmt::format(" [{:.2g}]", error) : ""; }

/// A parameter of a fit with the error of the fit itself in brackets.
std::string with_fit_error(const ScalingFit& fit, const std::string& name) {
  for (std::size_t k = 0; k < fit.parameters.size(); ++k) {
    if (fit.parameters[k].name != name) continue;
    const auto at = static_cast<Eigen::Index>(k);
    return cell(fit.parameters[k].number) + in_brackets(std::sqrt(fit.covariance(at, at)));
  }
  return "";
}

std::vector<std::string> fit_row(const std::string& what, const ScalingFit& fit) {
  const SampledNumber* inverse_nu = fit.find("1/nu");
  const SampledNumber* exponent = fit.find("2 - eta");
  return {what,
          fmt::format("{} to {}", fit.sizes.front(), fit.sizes.back()),
          with_fit_error(fit, "T_c"),
          with_fit_error(fit, "1/nu"),
          inverse_nu == nullptr ? "" : cell(transformed(*inverse_nu, [](double x) { return 1.0 / x; })),
          with_fit_error(fit, "omega"),
          exponent == nullptr ? "" : cell(transformed(*exponent, [](double x) { return 2.0 - x; })),
          fmt::format("{:.1f}/{}", fit.chi2, fit.dof),
          fmt::format("{:.1f}", fit.expected_chi2),
          p_text(fit)};
}

}  // namespace

Table crossings_table(const ObservableScaling& scaling) {
  Table table{.id = "scaling_" + scaling.observable + "_crossings_table",
              .title = "Crossings of " + scaling.label,
              .caption = "A crossing counts if the curves differ by 1.96 standard errors on both sides of it.",
              .rows = {{"L", "L'", "T_{x}", "R_{x}", "significance", "verdict"}}};
  for (const PairCrossings& pair : scaling.pairs) {
    const std::vector<std::string> sizes = {std::to_string(pair.L_small), std::to_string(pair.L_large)};
    bool established = false;
    for (const Crossing& crossing : pair.crossings) {
      if (!crossing.established) continue;
      established = true;
      table.rows.push_back({sizes[0], sizes[1], cell(crossing.T), cell(crossing.R),
                            fmt::format("{:.1f}", crossing.significance), "crossing"});
    }
    if (established) continue;
    const char* verdict = pair.verdict == CrossingVerdict::none         ? "no crossing"
                          : pair.verdict == CrossingVerdict::unresolved ? "no crossing at 95 %"
                                                                        : "not comparable";
    table.rows.push_back({sizes[0], sizes[1], "none", "none", fmt::format("{:.1f}", pair.least_significance), verdict});
  }
  return table;
}

Table quotients_table(const ObservableScaling& scaling) {
  Table table{.id = "scaling_" + scaling.observable + "_quotients",
              .title = "Quotients at the crossings of " + scaling.label,
              .caption = "1/ν from the temperature derivatives of " + scaling.label + ", η from " +
                         scaling.susceptibility_label + ", up to corrections of order L^{−ω}.",
              .rows = {{"L", "L'", "T_{x}", "1/ν", "ν", "η"}},
              .csv_heading = {"L", "L'", "T_x", "1/nu", "nu", "eta"}};
  for (const Quotient& q : scaling.quotients) {
    table.rows.push_back({std::to_string(q.L_small), std::to_string(q.L_large), cell(q.T_x), cell(q.inverse_nu),
                          cell(q.nu), cell(q.eta)});
  }
  return table;
}

Table fits_table(const ObservableScaling& scaling) {
  Table table{
      .id = "scaling_" + scaling.observable + "_fits",
      .title = "Fits of " + scaling.label,
      .caption =
          "Errors in the last digits: refits of resampled curves; in square brackets: from the curvature "
          "of the fit. χ² of an uncorrelated fit has to be compared with its expected value; its p value says "
          "little, because values at neighbouring temperatures are nearly one number, and is not shown. The fit "
          "of the susceptibility takes T_{c} and ν, with their errors, from the fit of the ratio.",
      .rows = {{"fit", "L", "T_{c}", "1/ν", "ν", "ω", "η", "χ^{2}/dof", "expected", "p"}},
      .csv_heading = {"fit", "L", "T_c", "1/nu", "nu", "omega", "eta", "chi2/dof", "expected", "p"}};
  if (scaling.correlated.chosen) table.rows.push_back(fit_row("correlated", scaling.correlated.best));
  if (scaling.uncorrelated.chosen) table.rows.push_back(fit_row("uncorrelated", scaling.uncorrelated.best));
  if (determines_omega(scaling.corrected, scaling.curves)) {
    table.rows.push_back(fit_row("with corrections", scaling.corrected));
  }
  if (is_acceptable(scaling.fixed_correction, scaling.curves)) {
    table.rows.push_back(fit_row("with corrections, ω = 1", scaling.fixed_correction));
  }
  if (scaling.gaussian.ok() && !scaling.gaussian.parameters.empty()) {
    const Collapse& g = scaling.gaussian;
    const auto value = [&](const char* name) { return cell(g.find(name)) + in_brackets(g.posterior_error(name)); };
    table.rows.push_back({"Gaussian process", fmt::format("{} to {}", g.sizes.front(), g.sizes.back()), value("T_c"),
                          value("1/nu"), cell(transformed(*g.find("1/nu"), [](double x) { return 1.0 / x; })), "", "",
                          "", "", fmt::format("{:.2g}", g.p_value)});
  }
  if (scaling.susceptibility_scan.chosen) {
    table.rows.push_back(fit_row("susceptibility", scaling.susceptibility_scan.best));
  }
  return table;
}

Table scan_table(const std::string& id, const std::string& title, const Scan& scan) {
  Table table{
      .id = id,
      .title = title,
      .caption = scan.sentence,
      .rows = {{"L_{min}", "window", "order", "points", "T_{c}", "1/ν", "χ^{2}/dof", "expected", "p", "chosen"}},
      .csv_heading = {"L_min", "window", "order", "points", "T_c", "1/nu", "chi2/dof", "expected", "p", "chosen"}};
  for (std::size_t i = 0; i < scan.rows.size(); ++i) {
    const ScanRow& row = scan.rows[i];
    const ScalingFit& fit = row.fit;
    const std::string order = std::to_string(fit.options.order), window = fmt::format("{:.0f} %", 100.0 * row.window);
    if (!fit.ok()) {
      table.rows.push_back(
          {std::to_string(row.L_min), window, order, std::to_string(fit.points), "none", "none", "", "", "", ""});
      continue;
    }
    const auto value = [&](Eigen::Index k, double x) { return format_value(x, std::sqrt(fit.covariance(k, k))); };
    const bool fixed = fit.options.T_c.has_value();
    table.rows.push_back({std::to_string(row.L_min), window, order, std::to_string(fit.points),
                          fixed ? fmt::format("{:.5g}", fit.T_c()) : value(0, fit.T_c()),
                          fixed ? fmt::format("{:.4g}", fit.inverse_nu()) : value(1, fit.inverse_nu()),
                          fmt::format("{:.1f}/{}", fit.chi2, fit.dof), fmt::format("{:.1f}", fit.expected_chi2),
                          p_text(fit), scan.chosen == i ? "yes" : ""});
  }
  return table;
}

Table smallest_size_table(const ObservableScaling& scaling) {
  const Scan& scan = scaling.correlated.chosen ? scaling.correlated : scaling.uncorrelated;
  Table table{.id = "scaling_" + scaling.observable + "_L_min",
              .title = "Dependence on the smallest size, " + scaling.label,
              .caption = "The first acceptable fit for each smallest size.",
              .rows = {{"L_{min}", "window", "order", "T_{c}", "1/ν", "χ^{2}/dof", "p"}},
              .csv_heading = {"L_min", "window", "order", "T_c", "1/nu", "chi2/dof", "p"}};
  for (const ScanRow& row : scan.by_L_min) {
    if (!row.fit.ok()) continue;
    table.rows.push_back({std::to_string(row.L_min), fmt::format("{:.0f} %", 100.0 * row.window),
                          std::to_string(row.fit.options.order), cell(row.fit.find("T_c")), cell(row.fit.find("1/nu")),
                          fmt::format("{:.1f}/{}", row.fit.chi2, row.fit.dof), p_text(row.fit)});
  }
  return table;
}

Table covariance_table(const ObservableScaling& scaling) {
  Table table{.id = "scaling_" + scaling.observable + "_covariance",
              .title = "Covariance of the fit parameters of " + scaling.label,
              .caption = "Of the joint fit, and of 2 − η of the susceptibility; by refits of resampled curves.",
              .rows = {{"parameter", "value"}}};
  std::vector<std::pair<std::string, const SampledNumber*>> parameters;
  for (const ScalingParameter& parameter : scaling.fit()->parameters) {
    parameters.emplace_back(parameter.name, &parameter.number);
  }
  if (scaling.susceptibility_scan.chosen) {
    parameters.emplace_back("2 - eta", scaling.susceptibility_scan.best.find("2 - eta"));
  }
  for (const auto& [name, number] : parameters) table.rows[0].push_back(name);
  for (const auto& [name, number] : parameters) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {name, fmt::format("{:.10g}", number->value)};
    for (const auto& [other, value] : parameters) row.push_back(fmt::format("{:.6g}", number->covariance(*value)));
  }
  return table;
}

}}  // namespace glassworks::analysis
