#pragma once

#include <span>
#include <vector>

namespace glassworks { inline namespace tools {

/// The logarithm of a positive figure of a protocol that comes from several realizations.
///
/// Figures of two protocols from the same realizations are compared by their ratio, whose error is smaller than that of
/// either: much of what differs between realizations cancels.
struct LogFigure {
  double value = 0.0;
  std::vector<double> without = {};  ///< the same without one realization [realization]
  double least_variance = 0.0;       ///< of the value, whatever the realizations show
  double timing_variance = 0.0;
};

/// The logarithm of a ratio, with its standard error.
struct LogRatio {
  double value = 0.0, error = 0.0;
};

/// ln(a/b) of figures from the same realizations.
///
/// Its variance is that of the jackknife, (R-1)/R sum_r (x_r - x)^2 with x_r = ln(a_r/b_r) without realization r, but
/// at least the sum of both least variances; the variances of the timing come on top.
[[nodiscard]] LogRatio log_ratio(const LogFigure& a, const LogFigure& b);
/// ln(a), with the error by the same rule.
[[nodiscard]] LogRatio log_value(const LogFigure& a);

/// The mean of logarithms, so of the geometric mean; all of the same realizations and the same timing.
[[nodiscard]] LogFigure mean_of(std::span<const LogFigure> figures);

/// ln(x factor), where the factor has the relative variance `timing_variance`.
[[nodiscard]] LogFigure times(LogFigure x, double factor, double timing_variance);

/// The squared relative error of one run: ln( 1/R sum_r v_r / m_r^2 ), m_r the mean of the K runs of realization r and
/// v_r their unbiased variance (K - 1). Its least variance is 2/((K - 1) R), that of a chi-square of as many degrees of
/// freedom. NaN where all runs are equal.
///
/// run_means  [realization][run], K >= 2 runs of each
[[nodiscard]] LogFigure squared_error(std::span<const double> run_means, int realizations);

/// Mean of the second half less that of the first, in units of its standard error over all runs; 0 where all are equal.
[[nodiscard]] double drift(std::span<const double> first, std::span<const double> second);

/// Median, and its relative variance as the quartiles show it, (1.2533 IQR / 1.349)^2 / (n median^2).
struct MedianTime {
  double seconds = 0.0, relative_variance = 0.0;
};
/// values  at least one
[[nodiscard]] MedianTime median_time(std::vector<double> values);

/// (t_b - t_a) / (b - a): the time of one of the b - a more units of work in the second kind of run; a < b.
[[nodiscard]] MedianTime time_between(const MedianTime& t_a, int a, const MedianTime& t_b, int b);

}}  // namespace glassworks::tools
