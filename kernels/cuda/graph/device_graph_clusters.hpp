#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// The sums over the clusters of a Swendsen-Wang update of graphs. Their clusters wrap around nothing.
class DeviceGraphClusters {
 public:
  void prepare(const ClusterBatch& batch, cudaStream_t stream);
  /// Sums of all systems [system] from d_labels.
  void measure(const ClusterBatch& batch, DeviceClusterSums* d_sums, cudaStream_t stream);
  /// Bytes on the device for one system.
  [[nodiscard]] static double bytes(const Lattice& lattice) {
    return 8.0 * (2.0 + 2.0 * lattice.dim) * static_cast<double>(lattice.sites());
  }

 private:
  DeviceBuffer<float> phase_;               ///< cosines, then sines of 2 pi x/L_a of each axis [axis][2][L_a]
  std::vector<float> phases_;               ///< what it holds
  DeviceBuffer<unsigned long long> terms_;  ///< of clusters, at their roots; 0 between two measurements
};

}}  // namespace glassworks::cuda
