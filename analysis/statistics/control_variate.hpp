#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/statistics/curve.hpp"
#include "analysis/statistics/ensemble.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Functions of the disorder of each realization whose disorder average is known to be 0.
struct DisorderControls {
  std::vector<std::string> names;
  std::vector<double> values;  ///< [realization][control]
};

/// What is known of the disorder that a campaign draws; N_b bonds, N = L^d sites:
///
///     gaussian couplings                  sum J^2 / N_b - 1,  sum J / N_b
///     gaussian fields of variance h^2     sum H^2 / (n N h^2) - 1, n components
///
/// No names for other couplings and fields. Draws the disorder again, 4 B x (N_b + 3 N) for each thread.
[[nodiscard]] DisorderControls disorder_controls(const Config& config, int L,
                                                 std::span<const std::uint32_t> realizations);

/// Realizations below which no coefficient is fitted.
constexpr std::size_t fewest_controlled_realizations = 32;
/// Variance of some column that control variates must take away to be applied, as a share.
constexpr double smallest_control_gain = 0.1;

struct ControlledEnsemble {
  Ensemble ensemble;  ///< adjusted, or as it was
  bool applied = false;
  std::string sentence;  ///< what was done, or why nothing was
};

/// Control variates: every column y at every temperature becomes, in realization r,
///
///     y_r - sum_k c_k S_rk,   c = regression coefficients of y on (1, S) over all realizations but r
///
/// c without r is independent of S_r, whose mean is 0: the average stays unbiased for any n, and errors over
/// realizations are those of the adjusted values up to 1/n. As regression is linear, every linear combination of
/// columns gets its own best coefficient, and every derived observable that of its linearization: so either all columns
/// are adjusted or none. They are if there are at least fewest_controlled_realizations and the variance over
/// realizations of some column falls by smallest_control_gain or more, at some temperature. A coefficient costs 1/n of
/// the variance where it gains nothing.
///
/// The realizations must not have been selected by what they gave (only converged ones, for example): the mean of S
/// over a selection is not 0.
[[nodiscard]] ControlledEnsemble apply_controls(const Ensemble& ensemble, const DisorderControls& controls);

/// Errors without over errors with control variates against T, one series for each of the observables in both, and in
/// a table the same at the lowest, middle and highest temperature. NaN where either error is not known.
[[nodiscard]] Figure control_figure(std::span<const Curve> without, std::span<const Curve> with,
                                    std::span<const std::string> observables);
[[nodiscard]] Table control_table(std::span<const Curve> without, std::span<const Curve> with);

}}  // namespace glassworks::analysis
