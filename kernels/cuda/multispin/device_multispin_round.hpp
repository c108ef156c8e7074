#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/multispin/bit_measurement.hpp"
#include "kernels/cuda/multispin/sweep_job.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/multispin_groups.hpp"

namespace glassworks { inline namespace cuda {

/// Rounds by multi-spin coding on the current device, with the bits of the other backends. Spins are bits during a
/// round, and bytes in the memory of the batch between rounds. Keeps the device memory from batch to batch.
class DeviceMultispinRounds {
 public:
  explicit DeviceMultispinRounds(const CudaChoices& choices) : choices_(choices) {}

  /// Takes a batch whose states and disorder are on the device, and has_words.
  void begin(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& common, cudaStream_t stream);

  /// Other temperatures, and the constant field times a factor.
  void set_conditions(const Chain& chain, std::span<const HeldTask> tasks, float factor, cudaStream_t stream);

  /// One round of that batch; the records are in the memory of the batch.
  RoundOutcome run(const Chain& chain, RoundControl& control, cudaStream_t stream);

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain);
  /// For people: how the sweeps of a large batch are shared.
  [[nodiscard]] std::string description(const Chain& chain) const;

 private:
  void upload_lanes(std::span<const RoundTask> tasks, const std::vector<MultispinGroup>& groups,
                    std::span<const CouplingCount> couplings, cudaStream_t stream);
  void reserve_bits(const Chain& chain);

  void upload_thresholds(const Chain& chain, float field, cudaStream_t stream);

  [[nodiscard]] SweepKind kind_of(const Chain& chain, bool diluted, bool in_field) const;
  void begin_graph(const Chain& chain, const SiteGraph& graph, cudaStream_t stream);

  CudaChoices choices_;
  SweepKind kind_{};
  std::vector<int> degree_of_thresholds_;         ///< of a graph: those that follow each other in a slot
  float modulus_ = 0.0F, constant_field_ = 0.0F;  ///< |J| and H of the batch
  std::vector<int> task_of_lane_;                 ///< as MultispinBatch::d_task
  SweepShape shape_;
  MultispinBatch batch_{};
  std::unique_ptr<BitMeasurement> measurement_;
  StagedCopy staged_;
  WordGraphMemory graph_;
  DeviceBuffer<BitPack> packs_;
  DeviceBuffer<int> task_, bonds_, unsatisfied_, next_unsatisfied_, down_, next_down_;
  DeviceBuffer<long long> term_, field_term_;
  DeviceBuffer<BitThreshold> threshold_;
  DeviceBuffer<std::uint32_t> spins_, next_spins_, negative_, absent_, mask_, swap_scratch_;
  DeviceBuffer<std::uint16_t> walker_, next_walker_;
};

}}  // namespace glassworks::cuda
