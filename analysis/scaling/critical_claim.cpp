#include "analysis/scaling/critical_claim.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/basics/value_format.hpp"
#include "analysis/scaling/analyze_scaling.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string number(const SampledNumber& x) { return format_value(x.value, x.error()); }

double inverse(double x) { return 1.0 / x; }
double eta_of(double exponent) { return 2.0 - exponent; }

/// A value to the last digit that an error of this size leaves, rounded to two digits.
std::string rounded(double value, double error) {
  if (!std::isfinite(error) || !(error > 0.0)) return fmt::format("{:.4g}", value);
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(error)));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 12));
}

/// The scan behind ObservableScaling::fit().
const Scan& chosen_scan(const ObservableScaling& scaling) {
  return scaling.fit() == &scaling.correlated.best ? scaling.correlated : scaling.uncorrelated;
}

/// What all the fits that the data accept give: other smallest sizes, windows, orders and weights; with corrections;
/// the Gaussian process.
void add_spread(const ObservableScaling& scaling, CriticalClaim& claim) {
  const auto add = [&](double T_c, double inverse_nu) {
    claim.T_c.spread.add(T_c);
    claim.nu.spread.add(inverse(inverse_nu));
    ++claim.T_c.fits;
    ++claim.nu.fits;
  };
  add(scaling.fit()->T_c(), scaling.fit()->inverse_nu());
  for (const ScanRow& row : scaling.correlated.rows) {
    if (is_acceptable(row.fit, scaling.curves) && row.fit.sizes.size() > 2) add(row.fit.T_c(), row.fit.inverse_nu());
  }
  for (const ScanRow& row : scaling.uncorrelated.by_L_min) {
    if (row.fit.ok() && row.fit.sizes.size() > 2) add(row.fit.T_c(), row.fit.inverse_nu());
  }
  for (const ScalingFit* fit : {&scaling.corrected, &scaling.fixed_correction}) {
    const bool settled =
        fit == &scaling.fixed_correction ? is_acceptable(*fit, scaling.curves) : determines_omega(*fit, scaling.curves);
    if (settled) add(fit->T_c(), fit->inverse_nu());
  }
  const Collapse& g = scaling.gaussian;
  if (g.ok() && !g.parameters.empty() && g.sizes.size() > 2 && g.p_value > acceptable_p) {
    add(g.find("T_c")->value, g.find("1/nu")->value);
  }
  const Scan& chi = scaling.susceptibility_scan;
  for (const ScanRow& row : chi.by_L_min) {
    if (!row.fit.ok() || row.fit.sizes.size() < 3) continue;
    claim.eta.spread.add(eta_of(row.fit.find("2 - eta")->value));
    ++claim.eta.fits;
  }
}

/// Largest change of T_c when the smallest sizes are left out, of fits with at least three sizes.
std::optional<std::string> drift(const ObservableScaling& scaling) {
  const SampledNumber& T_c = *scaling.fit()->find("T_c");
  const int smallest = scaling.fit()->sizes.front();
  bool any = false;
  std::string worst;
  double excess = 1.0;
  for (const ScanRow& row : chosen_scan(scaling).by_L_min) {
    if (!row.fit.ok() || row.L_min == smallest || row.fit.sizes.size() < 3) continue;
    any = true;
    const SampledNumber& other = *row.fit.find("T_c");
    const double variance = T_c.covariance(T_c) + other.covariance(other) - 2.0 * T_c.covariance(other);
    const double error = std::max(T_c.error(), std::sqrt(std::max(variance, 0.0)));
    const double moved = std::abs(other.value - T_c.value) / error;
    if (!(moved > excess)) continue;
    excess = moved;
    worst = fmt::format(
        "T_{{c}} moves from {} to {} when the smallest size is L = {} instead of {}, by more than its "
        "error",
        number(T_c), number(other), row.L_min, smallest);
  }
  if (!any) {
    return fmt::format(
        "no fit of three sizes or more without L = {} is accepted, so whether T_{{c}} moves with the "
        "smallest size is not known",
        smallest);
  }
  return worst.empty() ? std::nullopt : std::optional(worst);
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

std::vector<std::string> obstacles(const ObservableScaling& scaling) {
  std::vector<std::string> clauses;
  std::vector<int> sizes;
  for (const ScalingCurve& curve : scaling.curves) sizes.push_back(curve.L);
  const ScalingFit* fit = scaling.fit();
  if (sizes.size() < fewest_sizes_of_claim) {
    clauses.push_back(fmt::format("there {} (L = {}) and {} are needed",
                                  sizes.size() == 1 ? "is one size" : fmt::format("are {} sizes", sizes.size()),
                                  fmt::join(sizes, ", "), fewest_sizes_of_claim));
  }
  if (fit == nullptr) {
    if (sizes.size() > 1) clauses.emplace_back("no joint fit is accepted");
    return clauses;
  }
  if (sizes.size() >= fewest_sizes_of_claim && fit->sizes.size() < fewest_sizes_of_claim) {
    clauses.push_back(fmt::format("only {} of {} sizes (L = {}) agree with one scaling function, and {} are needed",
                                  fit->sizes.size(), sizes.size(), fmt::join(fit->sizes, ", "), fewest_sizes_of_claim));
  }
  const SampledNumber& T_c = *fit->find("T_c");
  if (!std::isfinite(T_c.error())) clauses.emplace_back("the error of T_{c} is not known");
  if (!is_inside(T_c, scaling.curves)) {
    clauses.push_back(
        fmt::format("T_{{c}} of the joint fit, {}, is not two standard errors inside the temperatures "
                    "simulated",
                    number(T_c)));
  }
  if (fit->sizes.size() >= fewest_sizes_of_claim) {
    if (auto moved = drift(scaling)) clauses.push_back(std::move(*moved));
  }
  return clauses;
}

}  // namespace

bool ValueRange::known() const { return !std::isnan(low); }
bool ValueRange::bounded() const { return std::isfinite(low) && std::isfinite(high); }

void ValueRange::add(double value) {
  low = std::fmin(low, value);
  high = std::fmax(high, value);
}

std::string ValueRange::text(double error) const {
  if (!bounded()) return "not bounded";
  return fmt::format("{} to {}", rounded(low, error), rounded(high, error));
}

CriticalClaim critical_claim(const ObservableScaling& scaling) {
  CriticalClaim claim;
  claim.obstacles = obstacles(scaling);
  const ScalingFit* fit = scaling.fit();
  if (fit == nullptr) return claim;
  claim.sizes = fit->sizes;
  claim.T_c.number = *fit->find("T_c");
  claim.nu.number = transformed(*fit->find("1/nu"), inverse);
  if (scaling.susceptibility_scan.chosen) {
    claim.eta.number = transformed(*scaling.susceptibility_scan.best.find("2 - eta"), eta_of);
  }
  add_spread(scaling, claim);
  return claim;
}

}}  // namespace glassworks::analysis
