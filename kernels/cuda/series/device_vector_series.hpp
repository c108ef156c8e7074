#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/series/series_layout.hpp"
#include "kernels/series/series_pairs.hpp"

namespace glassworks { inline namespace cuda {

/// Measures courses of unit vectors of two to four components where their spins are. The device forms the integers of
/// VectorSumLayout and the energies, the host a row from them.
class DeviceVectorSeries {
 public:
  /// The rows of measure_series, to the bit. Returns when they are there.
  ///
  /// chain     without exchanges
  /// disorder  of the task; the fields of the energy are those of the batch
  /// kept      at the reference times that have come
  /// rows      [slot][column of the layout], overwritten
  /// returns   false for other models, and where the device has no memory left: nothing has been done then
  [[nodiscard]] bool measure(const Chain& chain, const Disorder& disorder, const DeviceBatch& batch, std::size_t task,
                             const SeriesLayout& layout, std::span<const KeptSpins> kept, std::span<double> rows,
                             cudaStream_t stream);

  /// Bytes on the device that measurements of a chain with a course take beside those of the batch.
  [[nodiscard]] static double bytes(const Chain& chain);

 private:
  template <int n>
  friend class VectorSlots;

  StagedCopy staged_;
  DeviceBuffer<unsigned long long> sums_;
  DeviceBuffer<short4> spins_;          ///< rounded, now and at a reference time
  DeviceBuffer<std::int16_t> numbers_;  ///< chiralities or correlations
  DeviceBuffer<float> floats_;
  DeviceBuffer<SeriesPair> pairs_;
};

}}  // namespace glassworks::cuda
