#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace analysis {

/// Difference between two consecutive logarithmic bins at every slot, averaged over realizations.
struct LogBinStep {
  int bin = 0;  ///< the later bin: 0 is the last half, 1 the quarter before it, ...; compared with bin + 1
  /// later minus earlier, paired within each realization [quantity][slot]; `realizations` counts those that have both
  std::vector<Estimate> difference[log_bin_quantities];
  std::vector<Estimate> further[further_quantities] =
      {};  ///< the same of RealizationSummary::further_bin; may be empty
};

/// Paired differences between consecutive logarithmic bins. Each realization is binned in its own number of rounds, so
/// fluctuations of the disorder cancel. Realizations with too short a history are left out of the early bins.
///
/// group  errors are over groups of realizations with equal quotient id / group; 1: over realizations
[[nodiscard]] std::vector<LogBinStep> log_bin_steps(std::span<const RealizationSummary> realizations, std::size_t slots,
                                                    std::uint32_t group = 1);

/// Last 2^-(bin+1) of a history as people write it: "1/2", "1/4", ...
[[nodiscard]] std::string log_bin_name(int bin);

/// |mean| / error; 0 for 0/0, infinite where only the error is 0, NaN where either is NaN.
[[nodiscard]] double significance(const Estimate& estimate);

}}  // namespace glassworks::analysis
