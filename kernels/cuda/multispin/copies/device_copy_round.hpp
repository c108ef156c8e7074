#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/multispin/copies/copy_job.hpp"
#include "kernels/cuda/multispin/copies/device_copy_series.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// Rounds without measurements of chains whose lanes are copies, on the current device, with the bits of the other
/// backends, and what a course records. Spins are words during a round, and bytes in the memory of the batch between
/// rounds. Keeps the device memory from batch to batch.
class DeviceCopyRounds {
 public:
  /// Takes a batch whose states and disorder are on the device.
  void begin(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& common, cudaStream_t stream);
  /// Other temperatures.
  void set_temperatures(const Chain& chain, cudaStream_t stream);
  /// One round of that batch.
  RoundOutcome run(const Chain& chain, RoundControl& control, cudaStream_t stream);
  /// SeriesMeasurer::measure, after a round.
  [[nodiscard]] bool measure(const Chain& chain, const Disorder& disorder, std::size_t task, const SeriesLayout& layout,
                             std::span<const KeptSpins> kept, std::span<double> rows, cudaStream_t stream) {
    return series_.measure(job_, chain, disorder, modulus_, task, layout, kept, rows, stream);
  }

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain);
  /// For people.
  [[nodiscard]] static std::string description() { return "words of copies (four sites of 128 copies per thread)"; }

 private:
  void upload_rows(const Lattice& lattice, cudaStream_t stream);

  float modulus_ = 0.0F;
  CopyJob job_{};
  StagedCopy staged_;
  DeviceBuffer<CopyLevels> levels_;
  DeviceBuffer<int> row_neighbour_;
  DeviceBuffer<std::uint8_t> row_parity_, negative_;
  DeviceBuffer<uint4> spins_;
  DeviceCopySeries series_;
};

}}  // namespace glassworks::cuda
