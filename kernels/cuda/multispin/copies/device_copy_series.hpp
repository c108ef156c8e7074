#pragma once

#include <cuda_runtime_api.h>

#include <span>

#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/multispin/copies/copy_series.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/series/discrete_sums.hpp"

namespace glassworks { inline namespace cuda {

/// Measures courses of chains whose lanes are copies on the current device: rows of measure_series, to the bit. Keeps
/// its device memory.
class DeviceCopySeries {
 public:
  /// Of a task whose spins are words now. Arguments and result: SeriesMeasurer::measure
  ///
  /// modulus  of all couplings
  [[nodiscard]] bool measure(const CopyJob& job, const Chain& chain, const Disorder& disorder, float modulus,
                             std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept,
                             std::span<double> rows, cudaStream_t stream);

  /// Bytes on the device that measurements of a chain with a course take beside those of the batch.
  [[nodiscard]] static double bytes(const Chain& chain);

 private:
  struct Ring {
    int distance;
    CopyMask mask;
    std::vector<std::size_t> pair;  ///< of the first copy; none: not one of the pairs [copy]
  };
  struct Work;

  [[nodiscard]] static std::vector<Ring> rings_of(std::span<const SeriesPair> pairs, int copies);
  [[nodiscard]] bool reserve(const Work& work, bool with_kept);
  void measure_slot(const Work& work, DiscreteSums& sums, std::vector<std::int64_t>& energies);
  void measure_reference(const Work& work, FieldSums& sums);
  [[nodiscard]] std::vector<std::vector<std::int64_t>> planes(const Work& work, const uint4* d_field);
  void add_lags(const Work& work, const uint4* d_field, bool diagonals, std::int64_t fields, LagSums& sums);

  std::size_t reserved_ = 0;  ///< bytes
  StagedCopy staged_;
  DeviceBuffer<uint4> spins_, field_;
  DeviceBuffer<std::uint64_t> kept_;
  DeviceBuffer<std::uint32_t> planes_;
  DeviceBuffer<unsigned long long> sums_;
};

}}  // namespace glassworks::cuda
