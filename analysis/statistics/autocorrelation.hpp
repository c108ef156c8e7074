#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/basics/columns.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace analysis {

/// Equally spaced values of one observable of one realization.
using TimeSeries = std::vector<double>;

/// Integrated autocorrelation time and error of the mean of a set of series with the same dynamics, each with a mean of
/// its own. N: entries of all series, R: series.
struct Autocorrelation {
  double mean = 0.0;                  ///< of all entries
  double error = 0.0;                 ///< of `mean` from the fluctuations in time alone, sqrt(2 tau variance / N)
  double variance = 0.0;              ///< of single entries about the mean of their series, Gamma(0)
  double tau = 0.0, tau_error = 0.0;  ///< tau_int = 1/2 + sum_t Gamma(t)/Gamma(0) [entries]; 1/2: independent
  std::size_t window = 0;             ///< entries over which was summed, or of a block
  std::size_t entries = 0, series = 0;
  /// Whether the series are long enough: a window (a plateau) was found, and their mean length is at least 20 tau.
  /// Otherwise tau may be too small and no error can be trusted.
  bool reliable = false;
};

/// Gamma method with automatic windowing:
///
///     Gamma(t) = sum_r sum_i (a_i - abar_r)(a_{i+t} - abar_r) / sum_r (N_r - t)
///     first W >= 1 with exp(-W/tau_W) < tau_W / sqrt(W N),   S/tau_W = ln[(2 tau_int(W) + 1)/(2 tau_int(W) - 1)]
///     (delta tau)^2 = 4/N (W + 1/2 - tau) tau^2 / (1 - W R/N)^2
///
/// The means of the series are those of the data, which lowers every Gamma(t): corrected exactly under the assumption
/// that Gamma vanishes beyond W, by solving the linear equations between expected and true Gamma(0 ... W). To first
/// order in R/N this is the bias correction of the source, for each series; it holds down to series of ten tau. The
/// last factor of the error is empirical: it is 1 for long series and follows the noise that the correction adds to
/// short ones. The window grows in steps of an eighth. Where tau <= 1/2 (anticorrelated) it is the first, W = 1.
///
/// S  expected ratio of the exponential to the integrated autocorrelation time
/// Throws std::invalid_argument without a series of at least two entries and for entries that are not finite. Series
/// that do not fluctuate: error 0, tau NaN. Cost: N W + W^3.
/// Source: U. Wolff, Comput. Phys. Commun. 156, 143 (2004).
[[nodiscard]] Autocorrelation gamma_method(std::span<const TimeSeries> series, double S = 1.5);

/// One block length of the binning analysis.
struct BlockingLevel {
  std::size_t block = 1;   ///< entries in a block
  double tau = 0.0;        ///< block s_block^2 / (2 s_1^2), s_b^2: variance of means of b entries about those of series
  double tau_error = 0.0;  ///< tau sqrt(2 / (blocks - series))
};

/// Levels of block length 1, 2, 4, ... as long as two series have two blocks each or one has four. Left-over entries at
/// the end of a series are not used. Throws as gamma_method does.
/// Source: Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989).
[[nodiscard]] std::vector<BlockingLevel> blocking_levels(std::span<const TimeSeries> series);

/// The binning analysis at the plateau of its levels: the first block length b with b^3 > 2 N (2 tau_b)^2, where bias
/// and noise of tau_b balance. Unreliable (and the last level) if there is none.
/// Source: R. M. Lee et al., Phys. Rev. E 83, 066706 (2011), for the criterion.
[[nodiscard]] Autocorrelation binning_method(std::span<const TimeSeries> series);

/// Round means of a column of the bins at a slot over the equilibrated part of a history. A tau of these series is in
/// rounds; times the measurements of a round it is in measurements, and an upper bound of tau of single measurements,
/// close where tau is longer than a round.
[[nodiscard]] TimeSeries round_series(std::span<const RoundRow> rounds, const Columns& columns, std::size_t slot,
                                      std::size_t column, std::uint32_t equilibration);

/// Single measurements of a sampled quantity at a slot over the equilibrated part of a history whose rounds keep
/// samples.
[[nodiscard]] TimeSeries sample_series(std::span<const RoundRow> rounds, const SizeRow& size, std::size_t slot,
                                       const std::string& quantity, std::uint32_t equilibration);

}}  // namespace glassworks::analysis
