#pragma once

#include <optional>

#include "tools/tune/pilot_runs.hpp"

namespace glassworks { inline namespace tools {

/// Lengths that were given; 0: to be chosen.
struct TuneLengths {
  int realizations = 0, runs = 0, measurements = 0, equilibration = -1;  ///< equilibration: -1 to be chosen

  [[nodiscard]] bool complete() const { return realizations > 0 && runs > 0 && measurements > 0 && equilibration >= 0; }
};

/// Chooses the lengths of the pilots of one size for a time [s]: runs of 24 tau of the walk (300 measurements where
/// nothing walks), or of 14 tau where less than four batches of those fit, and as many batches as fit; runs become
/// shorter where not even one does. There are 8 runs of each realization, 4 where there are less than 256 in all, and 2
/// where there are less than 16. Equilibration takes as long as a run.
///
/// protocols     to be measured
/// most_tasks    that fit into memory
[[nodiscard]] PilotShape choose_shape(const TuneLengths& given, const PilotTrial& trial, int protocols, double seconds,
                                      int most_tasks);

}}  // namespace glassworks::tools
