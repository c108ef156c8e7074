#include "analysis/scaling/analyze_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace glassworks { inline namespace analysis {
namespace {

struct RatioNames {
  const char *ratio, *label, *susceptibility, *susceptibility_label;
};

constexpr RatioNames known_ratios[] = {
    {"xi_over_L", "ξ_{L}/L", "chi_sg", "χ_{SG}"},
    {"xi_chiral_over_L", "ξ_{c}^{∥}/L", "chi_cg", "χ_{CG}"},
    {"xi_chiral_perp_over_L", "ξ_{c}^{⊥}/L", "chi_cg", "χ_{CG}"},
    {"binder", "g", "chi_sg", "χ_{SG}"},
    {"chiral_binder", "g_{c}", "chi_cg", "χ_{CG}"},
    {"xi_field_over_L", "ξ_{L}/L in the field", "chi_sg_field", "χ_{SG} in the field"},
    {"xi_chiral_field_over_L", "ξ_{c}^{∥}/L in the field", "chi_cg_field", "χ_{CG} in the field"},
    {"xi_chiral_perp_field_over_L", "ξ_{c}^{⊥}/L in the field", "chi_cg_field", "χ_{CG} in the field"},
    {"overlap_binder", "g_{q}", "chi_sg", "χ_{SG}"},
    {"xi_m_over_L", "ξ_{m}/L", "chi_m", "χ_{m}"},
    {"magnetization_binder", "g_{m}", "chi_m", "χ_{m}"},
};

bool is_of_magnetization(const RatioNames& names) { return std::string_view(names.susceptibility) == "chi_m"; }

std::vector<ScalingCurve> curves_of(std::span<const Curve> curves, const std::string& observable) {
  std::vector<Curve> found;
  std::ranges::copy_if(curves, std::back_inserter(found),
                       [&](const Curve& curve) { return curve.observable == observable; });
  return scaling_curves(found);
}

bool same_sets(std::span<const ScalingCurve> a, std::span<const ScalingCurve> b) {
  return std::ranges::all_of(b, [&](const ScalingCurve& curve) {
    const auto match = std::ranges::find(a, curve.L, &ScalingCurve::L);
    return match == a.end() || match->sampled.rows() == curve.sampled.rows();
  });
}

void fit_susceptibility(std::span<const ScalingCurve> chi, const ScalingOptions& options, ObservableScaling& result) {
  const ScalingFit* ratio = result.fit();
  if (ratio == nullptr || chi.size() < 2) {
    result.susceptibility_scan.sentence =
        "No joint fit of the susceptibility: there is no accepted fit that gives T_{c} and ν.";
    return;
  }
  ScanOptions scan;
  scan.fit.form = ScalingForm::susceptibility;
  scan.fit.variable = options.variable;
  scan.fit.weighting = ratio->options.weighting;
  scan.fit.T_c = *ratio->find("T_c");
  scan.fit.inverse_nu = *ratio->find("1/nu");
  scan.most_points = options.most_points;
  for (const ScalingCurve& curve : chi) {
    if (curve.L < ratio->sizes.front()) continue;  // not in the fit of T_c and nu: they have no resampled values for it
    if (ScalingCurve log = logarithm(curve); log.points() > 0) result.log_susceptibility.push_back(std::move(log));
  }
  result.susceptibility_scan = scan_fits(result.log_susceptibility, scan);
}

/// The chosen fit again with corrections to scaling, if there are sizes enough to tell them from scaling.
void fit_corrections(const ScalingOptions& options, ObservableScaling& result) {
  const ScalingFit* plain = result.fit();
  if (result.curves.size() < 4) {
    result.corrected.problem = result.fixed_correction.problem = "Corrections to scaling need at least four sizes.";
    return;
  }
  if (plain == nullptr) {
    result.corrected.problem = result.fixed_correction.problem = "Without an accepted fit there is nothing to correct.";
    return;
  }
  const double reach = std::max(std::abs(plain->x_min), std::abs(plain->x_max));
  const std::vector<ScalingCurve> points =
      within(result.curves, plain->T_c(), plain->inverse_nu(), reach * (1.0 + 1e-9), options.most_points);
  ScalingFitOptions corrected = plain->options;
  corrected.corrections = true;
  result.corrected = fit_scaling(points, corrected, plain);
  corrected.omega = 1.0;
  result.fixed_correction = fit_scaling(points, corrected, plain);
}

void note_caveats(ObservableScaling& result) {
  const std::size_t sizes = result.curves.size();
  for (const ScalingCurve& curve : result.curves) {
    if (curve.left_out > 0) {
      result.caveats.push_back(
          fmt::format("L = {}: {} temperatures are left out, because there is no value.", curve.L, curve.left_out));
    }
  }
  const ScalingFit* fit = result.fit();
  if (fit == nullptr) return;
  if (sizes < 4) {
    result.caveats.push_back(fmt::format(
        "{} sizes up to L = {} do not determine T_{{c}} in the limit of large sizes: errors are statistical ones of a "
        "fit "
        "without corrections to scaling ({} degrees of freedom), whose size cannot be told from these data.",
        sizes, result.curves.back().L, fit->dof));
  } else if (fit->sizes.size() < 3) {
    result.caveats.push_back(fmt::format("Only the two largest sizes, L = {} and {}, agree with one scaling function.",
                                         fit->sizes[0], fit->sizes[1]));
  }
  if (fit->options.weighting == Weighting::uncorrelated) {
    result.caveats.push_back(
        "No fit with the covariance between temperatures is accepted, so the numbers are those of an uncorrelated fit, "
        "which is a weaker test.");
  }
  double coldest = result.curves.front().T[0];
  for (const ScalingCurve& curve : result.curves) coldest = std::min(coldest, curve.T[0]);
  if (fit->T_c() - fit->find("T_c")->error() < coldest) {
    result.caveats.push_back(fmt::format(
        "T_{{c}} is not separated from the lowest temperature {:.4g}: there are no data on its other side.", coldest));
  }
}

ObservableScaling analyze_observable(std::span<const Curve> all, const RatioNames& names,
                                     std::vector<ScalingCurve> curves, const ScalingOptions& options) {
  ObservableScaling result;
  result.observable = names.ratio;
  result.label = names.label;
  result.susceptibility = names.susceptibility;
  result.susceptibility_label = names.susceptibility_label;
  result.curves = std::move(curves);
  std::vector<ScalingCurve> chi = curves_of(all, names.susceptibility);
  if (!same_sets(result.curves, chi)) chi.clear();
  result.pairs = find_crossings(result.curves);
  result.extrapolations = extrapolate(result.pairs);
  result.quotients = quotients(result.curves, chi, result.pairs, options.derivative_half_width);
  ScanOptions scan;
  scan.fit.variable = options.variable;
  scan.most_points = options.most_points;
  scan.fit.weighting = Weighting::correlated;
  result.correlated = scan_fits(result.curves, scan);
  scan.fit.weighting = Weighting::uncorrelated;
  result.uncorrelated = scan_fits(result.curves, scan);
  fit_corrections(options, result);
  fit_susceptibility(chi, options, result);
  if (options.collapse && result.curves.size() >= 2) {
    CollapseOptions gaussian;
    gaussian.variable = options.variable;
    std::vector<ScalingCurve> points;
    for (const ScalingCurve& curve : result.curves) {
      points.push_back(thinned(curve, curve.T[0], curve.T[curve.points() - 1], options.collapse_points));
    }
    if (const ScalingFit* fit = result.fit()) {
      gaussian.start_T_c = fit->T_c();
      gaussian.start_inverse_nu = fit->inverse_nu();
    }
    // The smallest sizes are left out until the rest collapses, as in the scan of joint fits.
    for (std::span<const ScalingCurve> rest = points; rest.size() >= 2; rest = rest.subspan(1)) {
      result.gaussian = collapse(rest, gaussian);
      if (result.gaussian.ok() && result.gaussian.p_value > acceptable_p) break;
    }
  } else {
    result.gaussian.problem = "A data collapse needs at least two sizes.";
  }
  note_caveats(result);
  result.claim = critical_claim(result);
  return result;
}

}  // namespace

const ScalingFit* ObservableScaling::fit() const {
  if (correlated.chosen && correlated.best.ok()) return &correlated.best;
  if (uncorrelated.chosen && uncorrelated.best.ok()) return &uncorrelated.best;
  return nullptr;
}

bool determines_omega(const ScalingFit& corrected, std::span<const ScalingCurve> curves) {
  constexpr double smallest_omega = 0.2, largest_omega = 10.0, largest_correction = 0.5;
  if (!is_acceptable(corrected, curves)) return false;
  const SampledNumber *omega = corrected.find("omega"), *a = corrected.find("a_0"), *b = corrected.find("b_0");
  if (omega == nullptr || a == nullptr || b == nullptr) return false;
  if (!(omega->value > smallest_omega && omega->value < largest_omega && omega->value > 2.0 * omega->error())) {
    return false;
  }
  const double correction = std::abs(b->value) * std::pow(corrected.sizes.front(), -omega->value);
  return correction <= largest_correction * std::abs(a->value) && std::isfinite(corrected.find("T_c")->error());
}

ScalingResult analyze_scaling(std::span<const Curve> curves, const ScalingOptions& options) {
  ScalingResult result;
  for (const RatioNames& names : known_ratios) {
    std::vector<ScalingCurve> found = curves_of(curves, names.ratio);
    const bool stored = std::ranges::any_of(curves, [&](const Curve& c) { return c.observable == names.ratio; });
    if (!options.magnetization && is_of_magnetization(names)) continue;
    if (found.empty()) {
      if (stored) result.missing.push_back(fmt::format("{} has no value at any temperature.", names.label));
      continue;
    }
    if (options.progress) options.progress(names.ratio);
    result.observables.push_back(analyze_observable(curves, names, std::move(found), options));
  }
  return result;
}

}}  // namespace glassworks::analysis
