#pragma once

#include <algorithm>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks { inline namespace cuda {

/// Layout of the ladder kernel: all replicas of a ladder in the shared memory of one block, whose groups of threads
/// work on a bundle of `Shape::items` replicas each.
template <class Shape>
struct LadderLayout {
  static_assert(Shape::blocks == 1 && Shape::shared_couplings == 0);
  static constexpr int items = Shape::items, group = Shape::threads;
  /// Whole groups: the compiler gives a thread the registers that its share of so many threads leaves.
  static constexpr int most_groups = 32 * Shape::blocks_for(1) / group, most_threads = most_groups * group;
  static constexpr int bundle_bytes = 4 * Shape::buffer_floats;
  /// As many as fit beside the scratch on compute capability 9.0.
  static constexpr int most_slots = std::min(96, 231000 * items / (bundle_bytes + 72 * items));
  static constexpr int most_bundles = (most_slots + items - 1) / items;
  static constexpr int queue = 128;  ///< places of the queue of bundles, a power of two
  static_assert(most_bundles <= queue && (group == 32 || most_groups < 16));
};

/// What the threads of a block of the ladder kernel share beside the spins. Replicas and slots count from the first of
/// the ladder.
template <class Shape>
struct LadderScratch {
  using Layout = LadderLayout<Shape>;
  unsigned long long arrival[Layout::most_bundles];                   ///< barriers of the spins coming in
  unsigned long long energy[Layout::most_slots];                      ///< after a replica's last step, as its bits
  long long partial[Layout::most_groups][2];                          ///< energies of the warps of a group
  exact::HeatBathTemperature<float> temperature[Layout::most_slots];  ///< [slot]
  float beta[Layout::most_slots];                                     ///< [slot]
  int slot[Layout::most_slots], replica_at[Layout::most_slots];
  int heading[Layout::most_slots];
  unsigned round_trips[Layout::most_slots];  ///< of this launch
  unsigned accepted[Layout::most_slots];     ///< exchanges of this launch [pair]
  unsigned arrived[Layout::most_slots];      ///< reports to a pair; sequential exchanges: all to the first
  int waiting[Layout::most_bundles];         ///< members of a bundle whose exchange is not done
  unsigned step[Layout::most_bundles];       ///< of the launch, that a bundle does now or next
  unsigned queue[Layout::queue];             ///< bundles ready for their next step: position << 8 | bundle
  unsigned head, tail;                       ///< of the queue: taken and given places
  int work[Layout::most_groups];             ///< bundle that a group works on
};

template <class Shape>
[[nodiscard]] __device__ __forceinline__ LadderScratch<Shape>& ladder_scratch() {
  __shared__ LadderScratch<Shape> scratch;
  return scratch;
}

}}  // namespace glassworks::cuda
