#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/series/campaign_series.hpp"

namespace glassworks { inline namespace analysis {

/// A function of the averages over realizations against time, with its leave-one-out values.
struct TimeCurve {
  std::string name;
  std::vector<double> value, error;  ///< [time]
  /// Without each realization [time][realization]; of those that have not measured the time: the value with all.
  std::vector<std::vector<double>> without;
  std::uint64_t since = 0;  ///< t_w, of what refers to it: the first time at which it has a meaning
};

/// The averages of the columns at a time, with their standard errors over the realizations that have measured it.
[[nodiscard]] std::vector<Estimate> average_columns(const SizeSeries& series, std::size_t slot, std::size_t time);

/// Makes the functions of a time. What they fix once, as the end of a sum, comes from the averages of all realizations
/// and stays for the leave-one-out values.
using PrepareFunctions = std::function<AverageFunctions(std::size_t time, std::span<const Estimate> averages)>;

/// Functions of the averages of one slot with jackknife errors over realizations:
///
///     error(t)^2 = (n - 1)/n sum_i (f_i - sum_j f_j/n)^2,   f_i without realization i, n realizations at time t
///
/// names  one for each function
[[nodiscard]] std::vector<TimeCurve> make_time_curves(const SizeSeries& series, std::size_t slot,
                                                      const std::vector<std::string>& names,
                                                      const PrepareFunctions& prepare);

/// The averages of one column as such a curve.
[[nodiscard]] TimeCurve column_curve(const SizeSeries& series, std::size_t slot, std::size_t column);

/// Covariance of a curve between two times [time][time]: with J_i = (n - 1) (f - f_i), the pseudo-deviation of
/// realization i, and n >= n' realizations,
///
///     cov(t, t') = 1/(n (n' - 1)) sum_i (J_i(t) - mean J(t)) (J_i(t') - mean J(t')),
///
/// over the realizations that have both times. Its diagonal is error^2. NaN for fewer than two realizations.
[[nodiscard]] std::vector<std::vector<double>> time_covariance(const SizeSeries& series, const TimeCurve& curve);

/// Logarithmic slope dy/dx of points by a straight line through those with t/factor <= t' <= t factor, at each time,
/// with the jackknife errors of the whole; NaN with fewer than three points or where they span less than `factor`.
///
/// x, y    of a time and a value of the curve: ln t and ln xi, or ln(t - t_0) and M; NaN: a point is left out
/// result  of the slope: z = 1/slope, for example
[[nodiscard]] TimeCurve local_slopes(const SizeSeries& series, const TimeCurve& curve, std::string name, double factor,
                                     const std::function<double(double t)>& x,
                                     const std::function<double(double value)>& y,
                                     const std::function<double(double slope)>& result);

}}  // namespace glassworks::analysis
