#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config.hpp"
#include "kernels/observables.hpp"

namespace glassworks {

/// What is decided about a realization after a round. A pure function of its committed rounds and the configuration,
/// so it does not depend on workers, batches or interruptions.
struct Decision {
  RealizationStatus status = RealizationStatus::equilibrating;
  std::string reason;
  Judgement judgement;
};

/// Whether a decision is due after `rounds` rounds: at min_rounds, then each time the history has grown by a quarter,
/// and at max_rounds. Fewer looks at the same data keep the false-alarm rate of the test low.
[[nodiscard]] bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds);

/// Log-binning test of one realization: averages over the last 1/2, the 1/4 before and the 1/8 before that must agree.
struct LogBinningTest {
  bool possible = false;         ///< needs at least 8 rounds
  double worst_deviation = 0.0;  ///< largest |difference| of neighbouring bins in standard errors
  int worst_slot = 0;
  std::string worst_observable;
};

/// Differences further than this many standard errors reject the agreement. The error comes from the scatter of the
/// round means in the last half of n rounds, so for independent normal means a comparison (two per slot and observable)
/// follows Student's t with n/2 - 1 degrees of freedom: a false alarm has probability 2.8 %, 0.52 %, 0.12 % at n = 8,
/// 16, 32. It costs the realization a quarter more rounds, not its place in the averages.
constexpr double log_binning_limit = 4.0;

/// energy, overlap: round means [round][slot].
[[nodiscard]] LogBinningTest log_binning(const std::vector<std::vector<double>>& energy,
                                         const std::vector<std::vector<double>>& overlap);

/// Decides from the stored rounds. round_trips: completed by all replicas since the start.
[[nodiscard]] Decision decide(const ConvergenceConfig& config, const std::vector<RoundRow>& rounds, int slots,
                              const ObservableLayout& layout, std::uint64_t round_trips);

}  // namespace glassworks
