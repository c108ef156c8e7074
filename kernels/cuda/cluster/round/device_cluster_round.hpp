#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/batch_memory.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/cuda/cluster/round/device_triangle_sums.hpp"
#include "kernels/cuda/cluster/round/growth_choice.hpp"
#include "kernels/cuda/cluster/round/row_moves.hpp"
#include "kernels/cuda/cluster/round/sweeps_between_moves.hpp"
#include "kernels/cuda/cluster/round/tiled_updates.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/cuda/device_places.hpp"
#include "kernels/cuda/graph/device_graph_clusters.hpp"
#include "kernels/cuda/graph/graph_multispin.hpp"
#include "kernels/cuda/graph/graph_sweeps.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// Rounds of all models but heisenberg on the current device, bit-identical to the other backends. Keeps the
/// device memory from round to round.
class DeviceClusterRounds {
 public:
  explicit DeviceClusterRounds(CudaChoices choices) : choices_(std::move(choices)) {}

  /// Takes a batch whose states and disorder are on the device; the tasks outlive its rounds.
  void begin(const Chain& chain, std::span<const HeldTask> tasks, const DeviceBatch& common, cudaStream_t stream);

  /// Other temperatures and another factor of the fields, which are in the memory of the batch already.
  void set_conditions(const Chain& chain, float field, cudaStream_t stream);

  /// One round of that batch. It takes its turn on the device.
  RoundOutcome run(const Chain& chain, std::span<const HeldTask> tasks, std::span<RoundRecord> records,
                   RoundControl& control, DevicePlaces& places, BatchMemory& memory, cudaStream_t stream);

  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes_per_task(const Chain& chain);
  /// Which kernels a chain gets, for people.
  [[nodiscard]] static std::string description(const Chain& chain, const CudaChoices& choices);

 private:
  void choose_kernels(const Chain& chain, std::span<const HeldTask> tasks, const ClusterBatch& batch, bool uniform);

  /// What the kept kernels were made for.
  struct Shape {
    SpinModel model;
    Lattice lattice;
    ProtocolKind kind = ProtocolKind::local;
    int systems = 0;
    bool uniform = false;
    bool operator==(const Shape&) const = default;
  };
  CudaChoices choices_;
  ClusterBatch batch_{};
  Shape shape_;
  std::unique_ptr<TileLabelling> labelling_;
  std::unique_ptr<TiledUpdates> tiled_;
  Decomposition decomposition_;
  GrowthChoice growth_;
  SweepsBetweenMoves sweeps_;
  RowMoves row_moves_;
  GraphSweeps graph_sweeps_;
  DeviceGraphClusters graph_clusters_;
  GraphMultispin graph_multispin_;
  TriangleLists triangles_;
  std::vector<float> modulus_;  ///< a coupling of each task where all have one modulus, else 0 [task]
  StagedCopy staged_;
  DeviceBuffer<std::uint8_t> uniform_, fate_;
  DeviceBuffer<std::uint32_t> threshold_, bonds_, labels_, seed_labels_;
  DeviceBuffer<float> direction_, projection_, arranged_spins_;
  DeviceBuffer<unsigned long long> moved_;
  DeviceBuffer<int> last_replica_at_, too_large_;
  DeviceBuffer<long long> results_, reserve_;
};

}}  // namespace glassworks::cuda
