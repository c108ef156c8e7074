#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <utility>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

struct Part;

/// The open clusters at the ends of a bond across a boundary, by their roots.
struct OpenEnds {
  static constexpr std::uint32_t none = ~0U;
  std::uint32_t from, to;  ///< from = none: the bond is not active; to = none: its winding is known
};

/// Sums over the clusters of one system, as in ClusterSums without `moved`.
struct DeviceClusterSums {
  unsigned long long clusters, largest, squares;
  unsigned wraps_any, wraps_all;
  long long weight, kmin[Lattice::max_dim];
};

/// The clusters of a Swendsen-Wang update that is measured: how they wrap around the lattice, and the sums over them.
///
/// The lattice is cut open along its boundaries and labelled; the active bonds that cross a boundary are kept. They
/// join the open clusters to the clusters. Each cluster's smallest open cluster is at position 0; the others get their
/// positions, in units of the lattice extents, by following crossing bonds. A crossing bond whose ends do not match
/// shows a closed path around the lattice. The result does not depend on the paths taken, nor on the order of the
/// threads.
class Decomposition {
 public:
  /// Tables and memory for the systems of a batch; what takes more than 1/32 of the memory of the device (at
  /// least 1 GiB, at most 4) is done in several parts.
  void prepare(const ClusterBatch& batch, cudaStream_t stream);

  /// Replaces the labelling of d_bonds by `label()`, with sums of all systems [system]. d_labels hold the clusters
  /// afterwards. Waits for the device.
  void measure(const ClusterBatch& batch, const std::function<void()>& label, DeviceClusterSums* d_sums,
               cudaStream_t stream);

 private:
  void prepare_phases(const Lattice& lattice, const SumScales& scales);
  /// Positions of all open clusters that hang on one which has a position, and the closed paths that they show. Waits
  /// for the device.
  void place_open_clusters(const ClusterBatch& batch, const Part& part, OpenEnds* d_ends, int systems,
                           cudaStream_t stream);

  DeviceBuffer<float> phase_;                ///< see Part
  DeviceBuffer<long long> before_, single_;  ///< see Part
  Lattice phase_lattice_;
  std::pair<int, int> phase_scales_{};  ///< exponents of the scales of before_ and single_
  DeviceBuffer<OpenEnds> ends_;         ///< of the bonds across boundaries [system][ClusterBatch::crossings()]
  DeviceBuffer<int> round_, position_;
  DeviceBuffer<unsigned long long> terms_;  ///< 0 between two measurements
  DeviceBuffer<unsigned> last_change_, records_;
  PinnedBuffer<unsigned> last_change_here_;
  unsigned group_ = 1;  ///< systems of one part
};

}}  // namespace glassworks::cuda
