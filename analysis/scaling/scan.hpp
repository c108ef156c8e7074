#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/scaling/scaling_fit.hpp"

namespace glassworks { inline namespace analysis {

struct ScanOptions {
  ScalingFitOptions fit;  ///< its order and resample are set by the scan
  std::vector<int> orders = {1, 2, 3, 4, 5};
  /// Windows |x| <= window * (largest |x| of the smallest size), with T_c and nu of a first fit of everything: where
  /// the smallest size has no data, there is nothing to collapse with.
  std::vector<double> windows = {1.0, 0.7, 0.5, 0.35};
  Eigen::Index most_points = 12;  ///< of each size, thinned evenly: see thinned()
};

struct ScanRow {
  int L_min = 0;
  double window = 0.0;
  ScalingFit fit;  ///< without resampling
};

/// p value from which on a fit describes the data.
constexpr double acceptable_p = 0.05;

/// Whether a fit describes the data: p > acceptable_p, at least 3 degrees of freedom, and T_c within the temperatures
/// of some curve.
[[nodiscard]] bool is_acceptable(const ScalingFit& fit, std::span<const ScalingCurve> curves);

/// Whether its p value is one: with a covariance matrix that was estimated well enough to be inverted. The p value of
/// an uncorrelated fit of points that are nearly one number, or with a covariance matrix that had to be shrunk, says
/// little.
[[nodiscard]] bool has_p_value(const ScalingFit& fit);
/// The p value, or "–".
[[nodiscard]] std::string p_text(const ScalingFit& fit);

/// Joint fits over all smallest sizes, windows and orders, and a choice among them.
struct Scan {
  std::vector<ScanRow> rows;
  std::optional<std::size_t> chosen;  ///< row
  ScalingFit best;                    ///< the chosen one, with resampled errors
  std::vector<ScalingCurve> points;   ///< of it
  /// The first acceptable fit for each L_min, by the same rule, with resampled errors: how much T_c depends on it.
  std::vector<ScanRow> by_L_min;
  std::string sentence;  ///< what was chosen and why, or why nothing
};

/// The rule: of the fits with p > acceptable_p, at least 3 degrees of freedom, T_c within the temperatures of the data,
/// and chi^2 that the next order does not lower by more than 4 (two standard errors of a coefficient that is zero), the
/// one with the smallest L_min, then the largest window, then the lowest order.
[[nodiscard]] Scan scan_fits(std::span<const ScalingCurve> curves, const ScanOptions& options);

/// The points of each size with |x| <= x_max, x = (T - T_c) L^{1/nu}, thinned to `most`; sizes with fewer than three
/// points are left out.
[[nodiscard]] std::vector<ScalingCurve> within(std::span<const ScalingCurve> curves, double T_c, double inverse_nu,
                                               double x_max, Eigen::Index most);

}}  // namespace glassworks::analysis
