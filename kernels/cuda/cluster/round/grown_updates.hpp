#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Memory of a block that grows clusters.
struct GrowthMemory {
  std::uint32_t room;        ///< sites on the list that shared memory holds
  std::uint32_t mark_words;  ///< of a system
  std::uint32_t* d_marks;    ///< zero between updates [system][mark_words]; null: in shared memory, behind the list

  [[nodiscard]] std::size_t shared_bytes() const {
    return sizeof(std::uint32_t) * (static_cast<std::size_t>(room) + (d_marks == nullptr ? mark_words : 0));
  }
};

constexpr unsigned most_growth_threads = 512;  ///< of a block

/// What an update of wolff and few_cluster leaves in energy_sum of its step.
enum class GrownEnergy {
  none,
  change,   ///< adds how much -E grows
  complete  ///< and -E before, from d_energy: of the first updates of a step
};

/// Updates number first.in_step .. first.in_step + count - 1 of a step.
struct GrownUpdates {
  UpdateNumber first;
  int count;
  bool counts;  ///< whether the sites moved are added to d_moved
  GrownEnergy energy;
};

/// Updates of wolff and few_cluster of the systems launched whose clusters grow from their seeds, on every lattice and
/// graph; the bits are those of kernels/models/README.md. A block of `threads`, a power of two, for each system; all
/// the updates are one launch.
void grow_clusters(const ClusterBatch& batch, const GrownUpdates& updates, const GrowthMemory& memory, unsigned threads,
                   cudaStream_t stream);

}}  // namespace glassworks::cuda
