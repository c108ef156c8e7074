#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/held_batch.hpp"
#include "kernels/series/discrete_sums.hpp"

namespace glassworks { inline namespace cuda {

/// Measures courses of ising, whose states are bytes on the device between rounds: rows of measure_series, to the bit.
/// Many realizations at once, as bits. Keeps its device memory.
class DeviceIsingSeries {
 public:
  /// Of a periodic cube without absent sites. Arguments and result: SeriesMeasurer::measure
  ///
  /// tasks  of the batch
  [[nodiscard]] bool measure(const Chain& chain, std::span<const HeldTask> tasks, const DeviceBatch& batch,
                             std::size_t first, const SeriesLayout& layout,
                             std::span<const std::vector<KeptSpins>> kept, int threads, std::span<double> rows,
                             cudaStream_t stream);

  /// Whether it measures a chain.
  [[nodiscard]] static bool measures(const Chain& chain);
  /// Bytes on the device that measurements of a chain with a course take, at most, beside those of the batch.
  [[nodiscard]] static double bytes(const Chain& chain);

 private:
  struct Work;

  [[nodiscard]] bool reserve(const Work& work);
  void measure_part(const Work& work, std::span<const std::vector<KeptSpins>> kept, std::span<double> rows);
  [[nodiscard]] std::vector<std::uint32_t> planes(const Work& work, int of_group, const std::uint32_t* d_fields);
  [[nodiscard]] std::vector<unsigned long long> lags(const Work& work, int of_group, bool diagonals,
                                                     const std::uint32_t* d_fields);
  [[nodiscard]] std::vector<unsigned long long> energies(const Work& work);

  StagedCopy staged_;
  DeviceBuffer<std::uint32_t> spins_, overlaps_, kept_, planes_;
  DeviceBuffer<unsigned long long> sums_;
  DeviceBuffer<SeriesPair> pairs_;
};

}}  // namespace glassworks::cuda
