#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/statistics/history.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Whether all realizations of a campaign are independent runs of one and the same system, so that their averages must
/// agree: couplings and fields are equal for all.
[[nodiscard]] bool runs_agree_in_equilibrium(const Config& config);

/// How histories of one size are cut for compare_runs: four tau, the median of what was judged, or a sixteenth of the
/// median history after its equilibration if that is longer. Where nothing was judged, single rounds.
[[nodiscard]] RunBlocking run_blocking(const Config& config, std::span<const RealizationRow> rows);

/// Independent runs of one system in one quantity at one slot, by an analysis of variance of their blocks.
struct RunComparison {
  LogBinQuantity quantity = LogBinQuantity::energy;
  std::size_t slot = 0;
  int runs = 0;             ///< with at least two blocks
  int blocks = 0;           ///< of all of them
  double scatter = 0.0;     ///< sqrt(F): that of the means of runs over what blocks within runs explain; 1 on average
  RealizationKey farthest;  ///< the run whose mean deviates most from that of all, in units of its error
  double deviation = 0.0, error = 0.0;  ///< of its mean, and the error of that: its own or that of all runs, if larger
  double sigma = 0.0;                   ///< |deviation| / error; infinite without fluctuations in any run
};

/// Part by which errors within runs may be too small (several time scales, one tau of all): factor of a variance.
constexpr double run_error_margin = 1.25;

/// Compares the summaries of one size, which must have blocks. Empty for fewer than `fewest` runs. A quantity that does
/// not move is compared only where runs differ in it, and one without known times as well.
[[nodiscard]] std::vector<RunComparison> compare_runs(std::span<const RealizationSummary> summaries, std::size_t slots,
                                                      const RunBlocking& blocking, int fewest);

/// sqrt(F) and sigma that chance exceeds with probability `p`, F by the distribution of Fisher and Snedecor, sigma for
/// the largest of all runs by Student's t; with run_error_margin.
[[nodiscard]] double scatter_threshold(const RunComparison& comparison, double p);
[[nodiscard]] double farthest_threshold(const RunComparison& comparison, double p);
/// Probability that chance exceeds the scatter, and the sigma of the farthest run.
[[nodiscard]] double chance_of_scatter(const RunComparison& comparison);
[[nodiscard]] double chance_of_farthest(const RunComparison& comparison);

}}  // namespace glassworks::analysis
