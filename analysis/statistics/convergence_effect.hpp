#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

/// One observable of one size with all realizations, without those that have not converged, and at worst.
///
/// Worst case: at each temperature, every realization that has not converged is replaced by that one of all
/// realizations (all its columns together) which makes the observable the smallest, and the largest. As long as the
/// true averages of the unconverged lie within what is seen among the realizations, the true value, up to its
/// statistical error, lies between the two.
struct ConvergenceEffect {
  std::string observable;
  int L = 0;
  std::vector<double> temperatures;
  std::vector<Estimate> all, converged;  ///< [temperature]; NaN without a converged realization
  std::vector<double> lowest, highest;   ///< [temperature]
};

struct ConvergenceEffects {
  int L = 0;
  std::size_t used = 0;                     ///< realizations in the averages
  std::vector<RealizationRow> unconverged;  ///< of these
  std::vector<ConvergenceEffect> effects;   ///< of every observable; empty where all have converged
};

/// The effect of the realizations that have not converged on every observable of a size that was read with all
/// realizations that have data (Selection::all_with_data). Cost: realizations x temperatures calls of each estimator.
[[nodiscard]] ConvergenceEffects convergence_effects(const Config& config, const SizeEnsemble& size,
                                                     const Resampling& resampling = {});

/// The realizations in question: rounds, tau, round trips and why they have not converged; at most `most` of each size,
/// those with the longest tau first.
[[nodiscard]] Table unconverged_table(std::span<const ConvergenceEffects> sizes, std::size_t most = 50);

/// Of each observable: the temperature at which leaving out the unconverged changes it most, in units of its error, the
/// three values there, and the largest width of the worst case in units of the error.
[[nodiscard]] Table convergence_table(std::span<const ConvergenceEffects> sizes);

/// One observable against T: all, only converged, and the worst case as a band.
[[nodiscard]] Figure convergence_figure(std::span<const ConvergenceEffects> sizes, const std::string& observable,
                                        const std::string& label);

/// All of this with what it says in words; figures of these observables (name, label).
[[nodiscard]] Section convergence_section(std::span<const ConvergenceEffects> sizes,
                                          std::span<const std::pair<std::string, std::string>> figures);

}}  // namespace glassworks::analysis
