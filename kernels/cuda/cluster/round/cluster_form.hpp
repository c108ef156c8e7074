#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_results.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/rounds/cluster_formulas.hpp"

namespace glassworks { inline namespace cuda {

/// The last part of a measurement: from the integer sums of a batch to its observables, and the temperature walk.
class ClusterForm {
 public:
  ClusterForm(const Chain& chain, const ClusterBatch& batch);

  /// Adds a measurement to the sums of the round.
  ///
  /// d_results          see ResultLayout
  /// d_last_replica_at  replicas in the slots during the last step, to which the sums over clusters belong
  ///                    [task][copy][slot]
  /// sample             its number among those that are kept, or -1
  void launch(const ClusterBatch& batch, const long long* d_results, const int* d_last_replica_at, int sample,
              cudaStream_t stream) const;

 private:
  ClusterFormulas formulas_;
  ResultLayout layout_;
  DeviceBuffer<double> phase_;       ///< cos, then sin of 2 pi x/L_a [axis][2][L_a]
  DeviceBuffer<double> walk_phase_;  ///< cos of pi j/slots [2 slots]
};

}}  // namespace glassworks::cuda
