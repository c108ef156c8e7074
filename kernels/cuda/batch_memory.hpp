#pragma once

#include <span>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks::inline cuda {

/// Device memory of a batch, and its way there and back. Kept from round to round.
class BatchMemory {
 public:
  /// Copies the disorder and the states of the tasks to the device, with empty sums. Done when it returns.
  DeviceBatch upload(const Chain& chain, std::span<const RoundTask> tasks, cudaStream_t stream);

  /// Copies the states after the steps of a round and its records back into the tasks.
  void download(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& batch, cudaStream_t stream);

  /// The same where the host has made the records except for the exchanges [task].
  void download(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& batch,
                std::vector<RoundRecord> records, cudaStream_t stream);

  /// Memory for d_arranged_couplings.
  [[nodiscard]] float* reserve_arranged_couplings(std::size_t count) { return arranged_couplings_.reserve(count); }

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain, bool with_fields);

 private:
  void upload_ladder(const Chain& chain, DeviceBatch& batch, cudaStream_t stream);
  void upload_disorder(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  /// [site][columns] to [column][site].
  void upload_transposed(float* d_to, const std::vector<float>& from, std::size_t columns, cudaStream_t stream);
  void upload_states(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  void clear_sums(DeviceBatch& batch, cudaStream_t stream);
  void reserve_samples(DeviceBatch& batch);
  /// The temperature walk of all replicas and the exchanges of all pairs of slots.
  struct Walk {
    std::vector<int> slot, heading;
    std::vector<std::uint32_t> trips, round_trips;
    std::vector<std::uint64_t> accepted;
  };
  [[nodiscard]] Walk take_walk(const DeviceBatch& batch, cudaStream_t stream);
  /// Elements of one task.
  template <class To, class From>
  void take(To* to, const From* d_from, std::size_t task, std::size_t count, cudaStream_t stream) {
    static_assert(sizeof(To) == sizeof(From));
    staged_.to_host(to, d_from + task * count, count * sizeof(To), stream);
  }

  StagedCopy staged_;
  DeviceBuffer<std::uint8_t> states_;
  DeviceBuffer<float> beta_, couplings_, arranged_couplings_, fields_, spins_, samples_;
  DeviceBuffer<exact::HeatBathTemperature<float>> temperature_;
  DeviceBuffer<std::uint32_t> realization_, trips_, round_trips_, walk_up_, walk_down_;
  DeviceBuffer<std::uint64_t> first_step_;
  DeviceBuffer<int> energy_exponent_, slot_, replica_at_, heading_, arrived_;
  DeviceBuffer<unsigned long long> energy_sum_, accepted_, report_;
  DeviceBuffer<OrderWord> order_;
  DeviceBuffer<unsigned> tickets_;
  DeviceBuffer<long long> energy_;
  DeviceBuffer<double> walk_mean_, mean_, mean_before_, pair_overlap_;
};

}  // namespace glassworks::inline cuda
