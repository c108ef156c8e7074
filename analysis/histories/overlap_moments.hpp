#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/statistics/batch_mean.hpp"
#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

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
  double limit = 0.0;  ///< |z| that one of family::moments exceeds by chance
};

/// One z for each realization that has converged in both; empty with none.
[[nodiscard]] std::vector<MomentComparison> compare_moments(const Database& first, const Database& other, int L);

/// Puts comparisons together: z[comparison][realization], numbers[realization]; of one of so many sizes.
[[nodiscard]] std::vector<MomentComparison> judge_moments(const std::vector<std::string>& what,
                                                          const std::vector<std::vector<double>>& z,
                                                          const std::vector<std::uint32_t>& numbers,
                                                          std::size_t sizes = 1);

}}  // namespace glassworks::analysis
