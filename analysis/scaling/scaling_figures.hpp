#pragma once

#include <string>

#include "analysis/report/figure.hpp"
#include "analysis/scaling/analyze_scaling.hpp"

namespace glassworks { inline namespace analysis {

/// R against T of all sizes, with T_c of the joint fit as a guide where it may be quoted.
[[nodiscard]] Figure curves_figure(const ObservableScaling& scaling);

/// Established crossing temperatures against the smaller size of the pair, a series for each ratio of sizes.
[[nodiscard]] Figure crossings_figure(const ObservableScaling& scaling);

/// At most 30 points of each size against x = t L^{1/nu}, without what the fit says of corrections (and of L^{2 -
/// eta}), and the scaling function with its error. `curves`: of the ratio, or the logarithm of the susceptibility.
[[nodiscard]] Figure collapse_figure(const std::string& id, const std::string& label,
                                     std::span<const ScalingCurve> curves, const ScalingFit& fit);

/// The same for the Gaussian process.
[[nodiscard]] Figure gaussian_figure(const std::string& id, const std::string& label,
                                     std::span<const ScalingCurve> curves, const Collapse& collapse);

[[nodiscard]] Table crossings_table(const ObservableScaling& scaling);
[[nodiscard]] Table quotients_table(const ObservableScaling& scaling);
/// Parameters of all fits, with errors by refits and (in brackets) from the curvature of chi^2 or of the likelihood.
[[nodiscard]] Table fits_table(const ObservableScaling& scaling);
[[nodiscard]] Table scan_table(const std::string& id, const std::string& title, const Scan& scan);
[[nodiscard]] Table smallest_size_table(const ObservableScaling& scaling);
/// Covariances of the parameters of the joint fit, with that of the exponent of the susceptibility; only with a fit.
[[nodiscard]] Table covariance_table(const ObservableScaling& scaling);

/// Adds the crossings of neighbouring sizes, as points with errors of both coordinates, to the figure of the ratio
/// against T, and an inset around them where they take less than half of the temperatures. Nothing without a crossing.
void enlarge_crossing(const ObservableScaling& scaling, Figure& figure);

}}  // namespace glassworks::analysis
