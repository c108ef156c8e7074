#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks { inline namespace cuda {

/// Measures all slots of a batch: the sums of every replica and pair of copies in integers, then the observables in
/// double in the order of Measurement::add, so that they are equal to the CPU's to the bit.
class DeviceMeasurement {
 public:
  /// Takes the tables of the chain to the current device.
  DeviceMeasurement(const Chain& chain, SpinLayout layout);

  /// Adds one measurement to d_mean and one look at the walk to d_walk_up, d_walk_down and d_walk_mean.
  /// Reads d_spins, d_replica_at, d_heading and d_energy. All launches of one object go to one stream.
  void launch(const DeviceBatch& batch, cudaStream_t stream);

 private:
  DeviceBuffer<double> phase_;       ///< cos, then sin of 2 pi j / L [2][L]
  DeviceBuffer<double> walk_phase_;  ///< cos of 2 pi j / (2 slots) [2 slots]
  // Sums of units that several blocks share, and what pairs leave for those of four copies.
  DeviceBuffer<std::int32_t> planes_;        ///< [unit][pair][direction][component][plane]
  DeviceBuffer<unsigned long long> totals_;  ///< [unit][total]
  DeviceBuffer<Complex> kept_;               ///< chiral overlaps of all pairs [unit][pair][axis][mode]
  LocalSelection selection_;
  int multiprocessors_ = 1;
};

}}  // namespace glassworks::cuda
