#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/scaling/collapse.hpp"
#include "analysis/scaling/critical_claim.hpp"
#include "analysis/scaling/extrapolation.hpp"
#include "analysis/scaling/quotients.hpp"
#include "analysis/scaling/scan.hpp"

namespace glassworks { inline namespace analysis {

struct ScalingOptions {
  TemperatureVariable variable = TemperatureVariable::temperature;
  double derivative_half_width = 0.15;  ///< of quotients(), relative to T_x
  Eigen::Index most_points = 12;        ///< of each size in fits
  Eigen::Index collapse_points = 20;    ///< of each size in the Gaussian process
  bool collapse = true;
  bool magnetization = true;  ///< whether it may order: not where couplings of both signs are equally frequent
  /// Progress callback, called before each observable; may be empty.
  std::function<void(const std::string& observable)> progress;
};

/// Scaling of one dimensionless ratio R and of the susceptibility of its order parameter.
/// Whether a ratio is a correlation length in a field, whose crossings the section on the field judges.
[[nodiscard]] inline bool is_length_in_field(std::string_view ratio) { return ratio.ends_with("field_over_L"); }

struct ObservableScaling {
  std::string observable, label;  ///< "xi_over_L", "ξ_{L}/L"
  std::string susceptibility, susceptibility_label;
  std::vector<ScalingCurve> curves;
  std::vector<PairCrossings> pairs;
  std::vector<Extrapolation> extrapolations;
  std::vector<Quotient> quotients;
  Scan correlated, uncorrelated;
  ScalingFit corrected;         ///< the choice with L^{-omega} corrections, omega fitted; only with at least four sizes
  ScalingFit fixed_correction;  ///< the same with omega = 1
  Collapse gaussian;
  std::vector<ScalingCurve> log_susceptibility;  ///< ln chi of the sizes of the joint fit
  Scan susceptibility_scan;                      ///< chi = L^{2 - eta} f(x), T_c and nu from the joint fit
  std::vector<std::string> caveats;              ///< sentences
  CriticalClaim claim;

  /// The joint fit to quote: the correlated choice, or the uncorrelated one if no correlated fit is accepted; nullptr
  /// if none is.
  [[nodiscard]] const ScalingFit* fit() const;
};

/// What the joint fit of an observable says on the transition. It stands in a headline if the fit has at least four
/// sizes, its T_c lies two standard errors inside the temperatures, and T_c does not move by more than its error when
/// the smallest sizes are left out: |T_c(L_min) - T_c| at most the error of T_c or of the difference, whichever is
/// larger, for every accepted fit of three sizes or more, of which there must be one. No worst case.
[[nodiscard]] CriticalClaim critical_claim(const ObservableScaling& scaling);

/// Whether a fit with L^{-omega} corrections is a result: an acceptable fit, omega between 0.2 and 10 and two standard
/// errors above 0, and a correction at the smallest size of at most half the ratio itself. Otherwise the correction
/// only bends the scaling function, and T_c can be anything.
[[nodiscard]] bool determines_omega(const ScalingFit& corrected, std::span<const ScalingCurve> curves);

struct ScalingResult {
  std::vector<ObservableScaling> observables;
  std::vector<std::string> missing;  ///< sentences on observables that cannot be analyzed
};

/// Everything of finite-size scaling for xi/L and the Binder ratios of overlap, chirality and magnetization, as far as
/// there are curves of them. Curves of one size must come from the same resampled sets. Never throws for poor data:
/// a sentence replaces each result that is not available.
[[nodiscard]] ScalingResult analyze_scaling(std::span<const Curve> curves, const ScalingOptions& options = {});

/// The result as text, figures and tables.
[[nodiscard]] Section scaling_section(const ScalingResult& result);

}}  // namespace glassworks::analysis
