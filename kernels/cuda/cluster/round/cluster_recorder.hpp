#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/cluster/round/cluster_results.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks::inline cuda {

/// The part of a measurement that the host does: observables in double from the integers of the device, and the
/// temperature walk.
class ClusterRecorder {
 public:
  ClusterRecorder(const Chain& chain, std::span<const HeldTask> tasks, int threads);

  /// Adds measurement m of the round.
  void add(int m, const ClusterResults& results);
  /// The records, except for exchanges and finish_record [task].
  [[nodiscard]] std::vector<RoundRecord> take() { return std::move(records_); }

  /// Whether a |phi| of a task has been larger than sums have room for.
  [[nodiscard]] bool too_large(std::size_t task) const { return too_large_[task] != 0; }

 private:
  void add_task(int m, std::size_t task, const ClusterResults& results);

  const Chain& chain_;
  int threads_;
  std::vector<ClusterMeasurement> measurement_;  ///< [task]
  std::vector<RoundRecord> records_;             ///< [task]
  std::vector<ChainState> walk_;                 ///< slots and headings only [task]
  std::vector<char> too_large_;                  ///< whether a |phi| has been [task]
};

}  // namespace glassworks::inline cuda
