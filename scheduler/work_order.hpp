#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "engine/config.hpp"
#include "engine/records.hpp"

namespace glassworks {

/// The order in which open realizations are simulated; bookkeeping in memory, a function of their rows only.
class WorkOrder {
 public:
  /// work_per_round  spin updates in a round of one realization, by L
  WorkOrder(const ConvergenceConfig& config, std::map<int, double> work_per_round);

  /// Takes over a row as it is now. `free`: nobody holds it.
  void update(const RealizationRow& row, bool free);

  struct Choice {
    int L = 0;
    std::vector<RealizationKey> keys;  ///< empty: nothing is free
  };
  /// What to take next: realizations of one size, at most limit(L) of them.
  ///
  /// workers  that share the campaign
  [[nodiscard]] Choice next(const std::function<std::size_t(int L)>& limit, std::size_t workers) const;

  [[nodiscard]] std::size_t free() const;       ///< open realizations that nobody holds
  [[nodiscard]] std::size_t open(int L) const;  ///< not finished, free or held
  [[nodiscard]] std::size_t open() const;       ///< of all sizes
  [[nodiscard]] double remaining_work() const;  ///< estimate [spin updates]
};

}  // namespace glassworks
