#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/graph/graph_memory.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// Device memory of a batch, and what goes there and back. States stay on the device from round to round.
class BatchMemory {
 public:
  /// Copies the disorder and the states of the tasks to the device. Done when it returns.
  DeviceBatch upload(const Chain& chain, std::span<const RoundTask> tasks, cudaStream_t stream);

  /// Other temperatures than those of the batch that was uploaded.
  void set_temperatures(const Chain& chain, DeviceBatch& batch, cudaStream_t stream) {
    upload_ladder(chain, batch, stream);
  }
  /// The fields of the tasks of that batch times a factor.
  void set_fields(const Chain& chain, std::span<const HeldTask> tasks, float factor, cudaStream_t stream);
  /// What the task of that number keeps beside its spins at the start of a round (beside_at_start).
  void set_beside(const Chain& chain, const RoundTask& of_task, std::size_t task, const DeviceBatch& batch,
                  cudaStream_t stream);

  /// Before a round: keeps the states as they are, and empties the sums.
  void begin_round(const DeviceBatch& batch, cudaStream_t stream);
  /// After a round that was abandoned: the states are those before it.
  void restore(const DeviceBatch& batch, cudaStream_t stream);
  /// After a round that was finished: its records [task].
  [[nodiscard]] std::vector<RoundRecord> end_round(const Chain& chain, const DeviceBatch& batch, cudaStream_t stream);

  /// The state of a task between rounds.
  [[nodiscard]] ChainState state(const DeviceBatch& batch, std::size_t task, cudaStream_t stream);
  /// The digests of all states; empty where they are too short for the device.
  [[nodiscard]] std::vector<StateDigest> digests(const DeviceBatch& batch, cudaStream_t stream);

  /// Memory for d_arranged_couplings.
  [[nodiscard]] float* reserve_arranged_couplings(std::size_t count) { return arranged_couplings_.reserve(count); }

  /// Memory for d_arranged_spins.
  [[nodiscard]] float* reserve_arranged_spins(std::size_t count) { return arranged_spins_.reserve(count); }

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain, bool with_fields);

 private:
  void upload_ladder(const Chain& chain, DeviceBatch& batch, cudaStream_t stream);
  void upload_disorder(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  /// [site][columns] to [column][site].
  void upload_transposed(float* d_to, const std::vector<float>& from, std::size_t columns, cudaStream_t stream);
  void upload_absent(std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  /// What the local update keeps and counts.
  void upload_beside(const Chain& chain, std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  void upload_states(std::span<const RoundTask> tasks, DeviceBatch& batch, cudaStream_t stream);
  void reserve_sums(DeviceBatch& batch);
  void reserve_samples(const Chain& chain, DeviceBatch& batch);
  /// The temperature walk of all replicas and the exchanges of all pairs of slots.
  struct Walk {
    std::vector<int> slot, heading;
    std::vector<std::uint32_t> trips, round_trips;
    std::vector<unsigned long long> accepted;
  };
  /// After the last finished round; copied from the device once.
  [[nodiscard]] const Walk& walk_of(const DeviceBatch& batch, cudaStream_t stream);
  /// A task of it, with the steps that it has done.
  [[nodiscard]] ChainState state_of(const Walk& walk, const DeviceBatch& batch, std::size_t task) const;
  /// Copies the state of a batch into the memory that keeps it, or back.
  enum class Copy { keep, restore };
  void copy_state(const DeviceBatch& batch, Copy direction, cudaStream_t stream);
  /// Elements of one task.
  template <class To, class From>
  void take(To* to, const From* d_from, std::size_t task, std::size_t count, cudaStream_t stream) {
    static_assert(sizeof(To) == sizeof(From));
    staged_.to_host(to, d_from + task * count, count * sizeof(To), stream);
  }

  template <class T>
  [[nodiscard]] std::vector<T> take_all(const T* d_from, std::size_t count, cudaStream_t stream) {
    std::vector<T> all(count);
    take(all.data(), d_from, 0, count, stream);
    return all;
  }

  StagedCopy staged_;
  GraphMemory graphs_;
  std::vector<std::uint64_t> steps_;    ///< done by each task
  std::optional<Walk> walk_;            ///< of the states between rounds, once it was copied
  std::size_t floats_ = 0, bytes_ = 0;  ///< spins, or discrete states, of a task
  DeviceBuffer<std::uint8_t> states_, states_before_, heads_, digests_, absent_;
  DeviceBuffer<unsigned long long> digest_scratch_;
  DeviceBuffer<float> beta_, couplings_, arranged_couplings_, arranged_spins_, fields_, axes_, spins_, spins_before_,
      samples_;
  DeviceBuffer<int> slot_before_, heading_before_, replica_at_before_;
  DeviceBuffer<std::uint32_t> trips_before_;
  DeviceBuffer<exact::HeatBathTemperature<float>> temperature_;
  DeviceBuffer<std::uint32_t> realization_, trips_, round_trips_, walk_up_, walk_down_;
  DeviceBuffer<std::uint64_t> first_step_, proposed_;
  DeviceBuffer<std::int64_t> beside_, beside_before_;
  DeviceBuffer<unsigned long long> local_accepted_;
  DeviceBuffer<int> last_replica_at_;
  DeviceBuffer<int> energy_exponent_, slot_, replica_at_, heading_, arrived_;
  DeviceBuffer<unsigned long long> energy_sum_, accepted_, report_;
  DeviceBuffer<OrderWord> order_;
  DeviceBuffer<unsigned> tickets_;
  DeviceBuffer<long long> energy_;
  DeviceBuffer<double> walk_mean_, mean_, mean_before_, pair_overlap_;
};

}}  // namespace glassworks::cuda
