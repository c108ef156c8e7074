#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/held_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Multi-spin coding of graphs by its definition (ReferenceSweeps), a thread for each site: where the realizations of a
/// batch do not lie in words (has_words), because each has a graph of its own, bonds are absent or sites have too many.
class GraphMultispin {
 public:
  /// Sets the thresholds of the batch: those of the present temperatures, with the fields times a factor. None where
  /// the chain has no multi-spin coding.
  void set(const Chain& chain, std::span<const HeldTask> tasks, float factor, ClusterBatch& batch, StagedCopy& staged,
           cudaStream_t stream);

 private:
  DeviceBuffer<std::uint32_t> threshold_, first_;
  DeviceBuffer<int> table_;
};

/// A sweep over one colour of every system. Stream: multispin. Deterministic: sites of one colour have no bonds among
/// them. Cost: 8 bytes and a byte for each link.
void launch_graph_multispin(const ClusterBatch& batch, const UpdateNumber& sweep, int colour, cudaStream_t stream);

}}  // namespace glassworks::cuda
