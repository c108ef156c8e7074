#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/scaling/analyze_scaling.hpp"
#include "analysis/scaling/scaling_figures.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string quoted(const SampledNumber& x) { return format_value(x.value, x.error()); }

std::string fit_sentence(const ObservableScaling& scaling) {
  const ScalingFit* fit = scaling.fit();
  if (fit == nullptr) {
    return fmt::format("{}: no transition temperature is quoted. {}", scaling.label, scaling.correlated.sentence);
  }
  const SampledNumber& inverse_nu = *fit->find("1/nu");
  std::string text = fmt::format(
      "{}: the joint fit of L = {} to {} gives T_{{c}} = {} and ν = {} ({}, χ² = {:.1f} with {} degrees of freedom{}).",
      scaling.label, fit->sizes.front(), fit->sizes.back(), quoted(*fit->find("T_c")),
      quoted(transformed(inverse_nu, [](double x) { return 1.0 / x; })),
      fit->options.weighting == Weighting::correlated ? "with the covariance between temperatures"
                                                      : "without covariances between temperatures",
      fit->chi2, fit->dof, has_p_value(*fit) ? ", p = " + p_text(*fit) : "");
  if (!scaling.claim.holds()) {
    text += fmt::format(" This is no result: {}.", fmt::join(scaling.claim.obstacles, "; "));
  }
  return text;
}

/// How far T_c moves when the smallest sizes are left out.
std::string smallest_size_sentence(const ObservableScaling& scaling) {
  const Scan& scan = scaling.correlated.chosen ? scaling.correlated : scaling.uncorrelated;
  const ScanRow* farthest = nullptr;
  const double T_c = scaling.fit()->T_c();
  for (const ScanRow& row : scan.by_L_min) {
    if (!row.fit.ok() || row.L_min == scaling.fit()->sizes.front()) continue;
    if (farthest == nullptr || std::abs(row.fit.T_c() - T_c) > std::abs(farthest->fit.T_c() - T_c)) farthest = &row;
  }
  if (farthest == nullptr) {
    return fmt::format(
        "{}: no fit without the smallest size is accepted, so how much T_{{c}} depends on it is not known.",
        scaling.label);
  }
  return fmt::format(
      "{}: from L = {} on the fit gives T_{{c}} = {}, {:.2g} from the quoted one; such a difference is a measure "
      "of corrections to scaling, which the quoted error does not contain.",
      scaling.label, farthest->L_min, quoted(*farthest->fit.find("T_c")), std::abs(farthest->fit.T_c() - T_c));
}

std::string gaussian_sentence(const ObservableScaling& scaling) {
  const Collapse& g = scaling.gaussian;
  if (!g.ok()) return fmt::format("{}: {}", scaling.label, g.problem);
  if (g.parameters.empty()) return "";
  if (!(g.p_value > 0.05)) {
    return fmt::format(
        "{}: no two sizes collapse on one scaling function at all temperatures within their errors (Gaussian "
        "process, p = {:.2g}).",
        scaling.label, g.p_value);
  }
  return fmt::format(
      "{}: the collapse of L = {} to {} at all temperatures with a Gaussian process gives T_{{c}} = {} and 1/ν = "
      "{} (p = {:.2g}).",
      scaling.label, g.sizes.front(), g.sizes.back(), quoted(*g.find("T_c")), quoted(*g.find("1/nu")), g.p_value);
}

std::string corrections_sentence(const ObservableScaling& scaling) {
  const ScalingFit& fit = scaling.corrected;
  if (!fit.ok()) return fmt::format("{}: no corrections to scaling were fitted. {}", scaling.label, fit.problem);
  if (determines_omega(fit, scaling.curves)) {
    return fmt::format("{}: with corrections to scaling, T_{{c}} = {} and ω = {}.", scaling.label,
                       quoted(*fit.find("T_c")), quoted(*fit.find("omega")));
  }
  std::string text = fmt::format(
      "{}: the data do not determine ω: no fit with corrections L^{{−ω}} of which ω is a parameter is a result.",
      scaling.label);
  if (const ScalingFit& fixed = scaling.fixed_correction; is_acceptable(fixed, scaling.curves)) {
    text += fmt::format(" With ω = 1, chosen as an example, T_{{c}} = {}.", quoted(*fixed.find("T_c")));
  }
  return text;
}

std::string extrapolation_sentence(const ObservableScaling& scaling, const Extrapolation& e) {
  const std::string pairs = fmt::format("{}: the crossings with L'/L = {:.3g}", scaling.label, e.ratio);
  if (!e.problem.empty()) return fmt::format("{} are not extrapolated. {}", pairs, e.problem);
  return fmt::format(
      "{} extrapolate to T_{{c}} = {} with T_{{x}} − T_{{c}} ~ L^{{−θ}}, θ = {} (χ² = {:.1f} with {} degrees of "
      "freedom, "
      "p = {:.2g}).",
      pairs, quoted(e.T_c), quoted(e.theta), e.chi2, e.dof, e.p_value);
}

void add_observable(const ObservableScaling& scaling, Section& section) {
  const auto say = [&](std::string sentence) {
    if (!sentence.empty()) section.paragraphs.push_back(std::move(sentence));
  };
  section.items.emplace_back(curves_figure(scaling));
  if (scaling.curves.size() < 2) {
    say(fmt::format("{}: there is one size only, L = {}; scaling needs at least two.", scaling.label,
                    scaling.curves.front().L));
    return;
  }
  say(fit_sentence(scaling));
  if (scaling.fit() != nullptr) say(smallest_size_sentence(scaling));
  say(gaussian_sentence(scaling));
  bool any = false;
  for (const PairCrossings& pair : scaling.pairs) {
    any = any || pair.best() != nullptr;
    if (pair.best() == nullptr || scaling.pairs.size() <= 3) say(scaling.label + ": " + pair.sentence);
  }
  section.items.emplace_back(crossings_table(scaling));
  if (any) section.items.emplace_back(crossings_figure(scaling));
  for (const Extrapolation& e : scaling.extrapolations) say(extrapolation_sentence(scaling, e));
  if (scaling.curves.size() >= 4) say(corrections_sentence(scaling));
  for (const std::string& caveat : scaling.caveats) say(scaling.label + ": " + caveat);

  if (!scaling.quotients.empty()) section.items.emplace_back(quotients_table(scaling));
  const std::string id = "scaling_" + scaling.observable;
  if (Table fits = fits_table(scaling); fits.rows.size() > 1) section.items.emplace_back(std::move(fits));
  if (const ScalingFit* fit = scaling.fit()) {
    Figure collapse = collapse_figure(id + "_collapse", scaling.label, scaling.curves, *fit);
    if (!scaling.claim.holds()) collapse.caption += " Not a result: the critical parameters say which condition fails.";
    section.items.emplace_back(std::move(collapse));
    section.items.emplace_back(smallest_size_table(scaling));
    section.items.emplace_back(covariance_table(scaling));
  }
  if (scaling.gaussian.ok() && !scaling.gaussian.parameters.empty()) {
    section.items.emplace_back(gaussian_figure(id + "_gaussian", scaling.label, scaling.curves, scaling.gaussian));
  }
  section.items.emplace_back(
      scan_table(id + "_scan", "Scan of correlated fits of " + scaling.label, scaling.correlated));
  section.items.emplace_back(
      scan_table(id + "_scan_uncorrelated", "Scan of uncorrelated fits of " + scaling.label, scaling.uncorrelated));
  if (scaling.susceptibility_scan.chosen) {
    const ScalingFit& fit = scaling.susceptibility_scan.best;
    say(fmt::format("{}: with T_{{c}} and ν of {}, χ = L^{{2−η}} f(x) gives η = {}{}.", scaling.susceptibility_label,
                    scaling.label, quoted(transformed(*fit.find("2 - eta"), [](double x) { return 2.0 - x; })),
                    has_p_value(fit) ? fmt::format(" (p = {})", p_text(fit)) : ""));
    section.items.emplace_back(collapse_figure(id + "_collapse_chi",
                                               "ln " + scaling.susceptibility_label + " − (2 − η) ln L",
                                               scaling.log_susceptibility, fit));
    section.items.emplace_back(scan_table(id + "_scan_chi", "Scan of fits of ln " + scaling.susceptibility_label,
                                          scaling.susceptibility_scan));
  }
}

}  // namespace

Section scaling_section(const ScalingResult& result) {
  Section section{.id = "scaling", .title = "Finite-size scaling", .paragraphs = {}, .items = {}};
  for (const std::string& sentence : result.missing) section.paragraphs.push_back(sentence);
  if (result.observables.empty()) {
    section.paragraphs.emplace_back(
        "There is no dimensionless ratio to analyze: no ξ/L and no Binder ratio has values.");
  }
  for (const ObservableScaling& scaling : result.observables) add_observable(scaling, section);
  return section;
}

}}  // namespace glassworks::analysis
