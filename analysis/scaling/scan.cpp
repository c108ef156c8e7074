#include "analysis/scaling/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace analysis {
namespace {

bool inside_temperatures(std::span<const ScalingCurve> curves, double T) {
  return std::ranges::any_of(
      curves, [T](const ScalingCurve& curve) { return T >= curve.T[0] && T <= curve.T[curve.points() - 1]; });
}

/// The first row of an L_min that the rule accepts; rows stand in the order of preference.
std::optional<std::size_t> first_acceptable(const std::vector<ScanRow>& rows, std::span<const ScalingCurve> curves,
                                            int L_min) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ScalingFit& fit = rows[i].fit;
    if (rows[i].L_min != L_min || !is_acceptable(fit, curves)) continue;
    const bool has_next = i + 1 < rows.size() && rows[i + 1].L_min == L_min && rows[i + 1].window == rows[i].window;
    if (has_next && rows[i + 1].fit.ok() && rows[i + 1].fit.chi2 < fit.chi2 - 4.0) continue;
    return i;
  }
  return std::nullopt;
}

std::string refusal(const std::vector<ScanRow>& rows) {
  double best = 0.0;
  std::string problem = "there are too few points";
  for (const ScanRow& row : rows) {
    if (row.fit.ok()) best = std::max(best, row.fit.p_value);
    if (!row.fit.ok() && best == 0.0) problem = row.fit.problem;
  }
  if (best == 0.0) return fmt::format("No joint fit: {}", problem);
  return fmt::format(
      "No joint fit is accepted: none of {} has p > {} (the largest p value is {:.2g}), enough degrees of "
      "freedom, a settled order, and T_{{c}} within the temperatures.",
      rows.size(), acceptable_p, best);
}

}  // namespace

bool is_acceptable(const ScalingFit& fit, std::span<const ScalingCurve> curves) {
  return fit.ok() && fit.p_value > acceptable_p && fit.dof >= 3 && inside_temperatures(curves, fit.T_c());
}

bool has_p_value(const ScalingFit& fit) {
  return fit.ok() && fit.options.weighting == Weighting::correlated && fit.shrinkage == 0.0;
}

std::string p_text(const ScalingFit& fit) { return has_p_value(fit) ? fmt::format("{:.2g}", fit.p_value) : "–"; }

std::vector<ScalingCurve> within(std::span<const ScalingCurve> curves, double T_c, double inverse_nu, double x_max,
                                 Eigen::Index most) {
  std::vector<ScalingCurve> result;
  for (const ScalingCurve& curve : curves) {
    const double width = x_max * std::pow(curve.L, -inverse_nu);
    ScalingCurve part = thinned(curve, T_c - width, T_c + width, most);
    if (part.points() >= 3) result.push_back(std::move(part));
  }
  return result;
}

Scan scan_fits(std::span<const ScalingCurve> curves, const ScanOptions& options) {
  Scan scan;
  if (curves.size() < 2) {
    scan.sentence = "No joint fit: it needs at least two sizes.";
    return scan;
  }
  ScalingFitOptions first_options = options.fit;
  first_options.weighting = Weighting::uncorrelated;
  first_options.resample = false;
  first_options.order = 3;
  first_options.corrections = false;
  std::vector<ScalingCurve> everything;
  for (const ScalingCurve& curve : curves) {
    everything.push_back(thinned(curve, curve.T[0], curve.T[curve.points() - 1], options.most_points));
  }
  const ScalingFit first = fit_scaling(everything, first_options);
  if (!first.ok()) {
    scan.sentence = "No joint fit: " + first.problem;
    return scan;
  }
  const auto inside = [&](std::size_t smallest, double window) {
    const ScalingCurve& curve = curves[smallest];
    const double x_max = (curve.T.array() - first.T_c()).abs().maxCoeff() * std::pow(curve.L, first.inverse_nu());
    return within(curves.subspan(smallest), first.T_c(), first.inverse_nu(), window * x_max * (1.0 + 1e-12),
                  options.most_points);
  };
  for (std::size_t smallest = 0; smallest + 1 < curves.size(); ++smallest) {
    for (const double window : options.windows) {
      const std::vector<ScalingCurve> points = inside(smallest, window);
      if (points.size() < 2 || points.front().L != curves[smallest].L) continue;
      for (const int order : options.orders) {
        ScalingFitOptions fit_options = options.fit;
        fit_options.order = order;
        fit_options.resample = false;
        scan.rows.push_back({curves[smallest].L, window, fit_scaling(points, fit_options, &first)});
      }
    }
  }
  for (std::size_t smallest = 0; smallest + 1 < curves.size(); ++smallest) {
    const auto row = first_acceptable(scan.rows, curves, curves[smallest].L);
    if (!row) continue;
    ScalingFitOptions fit_options = scan.rows[*row].fit.options;
    fit_options.resample = true;
    const std::vector<ScalingCurve> points = inside(smallest, scan.rows[*row].window);
    scan.by_L_min.push_back(
        {scan.rows[*row].L_min, scan.rows[*row].window, fit_scaling(points, fit_options, &scan.rows[*row].fit)});
    if (!scan.chosen) {
      scan.chosen = row;
      scan.best = scan.by_L_min.back().fit;
      scan.points = points;
    }
  }
  if (!scan.chosen) {
    scan.sentence = refusal(scan.rows);
    return scan;
  }
  const ScanRow& chosen = scan.rows[*scan.chosen];
  scan.sentence = fmt::format(
      "Chosen of {} joint fits: L ≥ {}, window {:.0f} % of the range of x, order {}, because it is the first in this "
      "order with p > {}{}, at least 3 degrees of freedom (it has {}), a settled order, and T_{{c}} within "
      "the "
      "temperatures.",
      scan.rows.size(), chosen.L_min, 100.0 * chosen.window, chosen.fit.options.order, acceptable_p,
      has_p_value(chosen.fit) ? fmt::format(" (p = {})", p_text(chosen.fit)) : "", chosen.fit.dof);
  return scan;
}

}}  // namespace glassworks::analysis
