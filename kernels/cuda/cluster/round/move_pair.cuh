#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// The two replicas of a pair of an isoenergetic move, and its random word. Pair k of a slot of a task has number
/// (task * swapping_slots + slot) * copies / 2 + k.
struct MovePair {
  int task;
  unsigned first, second;  ///< systems
  std::uint8_t *a, *b;
  std::uint32_t word;

  __device__ __forceinline__ MovePair(const ClusterBatch& batch, unsigned index, const UpdateNumber& move) {
    const int pairs = batch.common.copies / 2, place = static_cast<int>(index) / pairs, slots = batch.common.slots;
    const int slot = place % batch.swapping_slots;
    task = place / batch.swapping_slots;
    const int unit = task * slots + slot;
    const std::uint64_t number = move.of(batch, task);
    const CopyPair copies = isoenergetic_pair(batch.common.copies, number, static_cast<int>(index) % pairs);
    first = batch.system_in(unit, copies.first);
    second = batch.system_in(unit, copies.second);
    a = batch.states_of(first);
    b = batch.states_of(second);
    const auto address = static_cast<std::uint32_t>(copies.first * slots + slot);
    word = random_block(CurandKey(batch.common.key), Stream::isoenergetic, batch.common.d_realization[task], address,
                        number, 0)
               .word[0];
  }
};

}}  // namespace glassworks::cuda
