#pragma once

#include <cstddef>
#include <span>

namespace glassworks { inline namespace analysis {

/// Mean of a quantity over the equilibrated part of a history at one slot, with its error from batches of rounds.
struct BatchMean {
  double mean = 0.0, error = 0.0;
  /// sum_b (x_b - mean)(x_{b+1} - mean) / (moment_batches - 1) of the batch means x_b.
  double neighbours = 0.0;
};

/// Batches behind a BatchMean; a rest at the start is left out.
constexpr std::size_t moment_batches = 8;

/// Of a series of round means; error 0 where it has fewer values than batches.
[[nodiscard]] BatchMean batch_mean(std::span<const double> series);

/// Variance of a mean over batches of which neighbours are correlated, in units of the square of BatchMean::error, and
/// 1 at least. With c_0 and c_1 the variance of a batch and the covariance of neighbours, the expectations of variance
/// and BatchMean::neighbours are c_0 - c_1/4 and -c_0/8 + (169/224) c_1 for eight batches, and the factor is (c_0 + 7/4
/// c_1)/(c_0 - c_1/4). c_1/c_0 is taken from all realizations together, since one has eight batches only. Batches of
/// two tau have a factor of about 1.4.
[[nodiscard]] double correlation_factor(std::span<const BatchMean> means);

}}  // namespace glassworks::analysis
