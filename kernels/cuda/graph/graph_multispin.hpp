#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/held_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Multi-spin coding of graphs by its definition (ReferenceSweeps), a thread for each site: where the realizations of a
/// batch do not lie in words (has_words), because each has a graph of its own, bonds are absent or sites have too many.
class GraphMultispin {
 public:
  /// Takes a batch. Nothing, here and below, where the chain has no multi-spin coding.
  void begin(const Chain& chain, std::span<const HeldTask> tasks, ClusterBatch& batch, StagedCopy& staged,
             cudaStream_t stream);
  /// Its thresholds at the present temperatures, with the fields times a factor.
  void set_thresholds(const Chain& chain, float factor, ClusterBatch& batch, StagedCopy& staged, cudaStream_t stream);

 private:
  /// Realizations with the same |J| and field have the same thresholds.
  struct Table {
    float modulus, field;
    bool operator==(const Table&) const = default;
  };
  std::set<int> degrees_;  ///< numbers of bonds of the sites of the batch
  std::vector<Table> tables_;
  DeviceBuffer<std::uint32_t> threshold_, first_;
  DeviceBuffer<int> table_;
};

/// A sweep over one colour of every system. Stream: multispin. Deterministic: sites of one colour have no bonds among
/// them. Cost: 8 bytes and a byte for each link.
void launch_graph_multispin(const ClusterBatch& batch, const UpdateNumber& sweep, int colour, cudaStream_t stream);

}}  // namespace glassworks::cuda
