#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config.hpp"

namespace glassworks::inline analysis {

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

/// P_J(q) of the copies in two independent histories of the same realizations, compared by its moments at the lowest
/// temperature: |q|^2, |q|^4 and, of heisenberg, q_c^2. In every realization z = (x_2 - x_1) / sqrt(e_1^2 + e_2^2);
/// e_1 and e_2 with the correlation_factor of their histories. Where both have forgotten their starts z follows
/// Student's t with about 2 (moment_batches - 1) degrees of freedom, as long as batches are longer than tau.
struct MomentComparison {
  std::string what;
  std::size_t realizations = 0;
  double scatter = 0.0;        ///< mean of z^2 over the realizations / its expectation; 1 where they agree
  double scatter_error = 0.0;  ///< expected standard deviation of the scatter
  double worst = 0.0;          ///< z of the realization that differs most
  std::uint32_t worst_realization = 0;
  double limit = 0.0;  ///< |z| that one of all comparisons of a size exceeds by chance with 1 % probability
};

/// One z for each realization that has converged in both; empty with none.
[[nodiscard]] std::vector<MomentComparison> compare_moments(const Database& first, const Database& other, int L);

/// Puts comparisons together: z[comparison][realization], numbers[realization].
[[nodiscard]] std::vector<MomentComparison> judge_moments(const std::vector<std::string>& what,
                                                          const std::vector<std::vector<double>>& z,
                                                          const std::vector<std::uint32_t>& numbers);

}  // namespace glassworks::inline analysis
