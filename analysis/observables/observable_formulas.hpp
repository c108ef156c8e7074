#pragma once

#include <string>
#include <vector>

#include "analysis/observables/observable.hpp"

/// Estimators that many rows of the table share. An estimator that lacks its column is an empty function.
namespace glassworks { inline namespace analysis {

using MakeEstimator = std::function<AverageFunction(const ObservableContext&)>;

/// Second-moment correlation length xi_L = sqrt(chi(0)/chi(k_min) - 1) / (2 sin(k_min/2)), k_min = 2 pi/L, in lattice
/// constants. NaN where chi(k_min) <= 0 or chi(0) < chi(k_min).
[[nodiscard]] double correlation_length(double chi_zero, double chi_kmin, int L);

/// Binder cumulant g = (n + 2 - n r)/2, r = [q^4]/[q^2]^2, of an order parameter of n components: 0 for a Gaussian, 1
/// for a fixed modulus. NaN where [q^2] <= 0.
[[nodiscard]] double binder_cumulant(double q_2, double q_4, int components);

/// a/b; NaN unless b > 0.
[[nodiscard]] double positive_ratio(double a, double b);

/// Components n of the order parameter of a model: 3 for heisenberg, 1 for ising and blume-capel, q - 1 for potts, n
/// for on, 4 for phi4.
[[nodiscard]] int order_parameter_components(const SpinModel& model);

/// The average of a stored column, times N with Scale::times_N.
enum class Scale { plain, times_N };
[[nodiscard]] MakeEstimator stored(std::string column, Scale scale = Scale::plain);

/// The mean of Columns::modes(family, axes, multiple), times N. axes: 1 k_min, 2 (1,1,0), 3 (1,1,1), 0 k = 0.
[[nodiscard]] AverageFunction mode_mean(const ObservableContext& context, const std::string& family, int axes,
                                        int multiple = 1);

/// xi(zero, kmin)/L of two estimators.
[[nodiscard]] MakeEstimator xi_over_L(MakeEstimator zero, MakeEstimator kmin);

/// xi(zero, along) in lattice constants, from k = 0 and k = 2 pi/L_a along an axis.
[[nodiscard]] MakeEstimator xi_along(MakeEstimator zero, MakeEstimator along, int axis);

/// Binder cumulant, or r = [q^4]/[q^2]^2, from two stored columns.
[[nodiscard]] MakeEstimator binder(std::string q_2, std::string q_4, int (*components)(const SpinModel&));
[[nodiscard]] MakeEstimator moment_ratio(std::string q_2, std::string q_4);

}}  // namespace glassworks::analysis
