#pragma once

#include <span>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// The graphs of a batch on the device. Realizations that share a graph share its memory.
class GraphMemory {
 public:
  /// Sets what the batch says of graphs; nothing where its lattice is none.
  void upload(std::span<const RoundTask> tasks, DeviceBatch& batch, StagedCopy& staged, cudaStream_t stream);

  /// Bytes on the device for one graph.
  [[nodiscard]] static double bytes(const Lattice& lattice) {
    return 4.0 *
           ((4.0 + lattice.dim) * static_cast<double>(lattice.sites()) + 6.0 * static_cast<double>(lattice.bonds()));
  }

 private:
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<DeviceGraph> graphs_;
};

}}  // namespace glassworks::cuda
