#pragma once

#include <algorithm>
#include <span>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// The sites of all terms of more than two spins together, at most; and the words of DeviceGraph::site_terms.
[[nodiscard]] inline double most_term_ends(const Lattice& lattice) {
  return static_cast<double>(lattice.graph_more_ends + 2 * std::min(lattice.graph_bonds, lattice.graph_more_ends));
}
[[nodiscard]] inline double most_term_words(const Lattice& lattice) {
  return SiteGraph::max_term_sites * most_term_ends(lattice);
}

/// The graphs of a batch on the device. Realizations that share a graph share its memory.
class GraphMemory {
 public:
  /// Sets what the batch says of graphs; nothing where its lattice is none.
  void upload(std::span<const RoundTask> tasks, DeviceBatch& batch, StagedCopy& staged, cudaStream_t stream);

  /// Bytes on the device for one graph.
  [[nodiscard]] static double bytes(const Lattice& lattice);

 private:
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<DeviceGraph> graphs_;
};

}}  // namespace glassworks::cuda
