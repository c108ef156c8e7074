#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace cuda {

/// The fast Swendsen-Wang updates of a batch, for the chains that they support: ising on periodic lattices in d = 2 and
/// 3 with couplings of one modulus, on and phi4 in d = 3 and 4 with any ends. They do not keep the clusters, so these
/// cannot be measured.
class TiledUpdates {
 public:
  virtual ~TiledUpdates() = default;

  /// Takes the couplings of the tasks of a batch.
  virtual void begin(const ClusterBatch& batch, std::span<const HeldTask> tasks) = 0;
  /// Takes the temperatures of the replicas as they stand.
  virtual void assign(const ClusterBatch& batch, cudaStream_t stream) = 0;
  /// Updates number first.in_step .. first.in_step + count - 1 of all systems.
  virtual void run(const ClusterBatch& batch, const PhiloxKey& key, const UpdateNumber& first, int count,
                   cudaStream_t stream) = 0;
};

/// nullptr: the chain has to be updated by the plain kernels. uniform: all couplings of each task have one modulus
[[nodiscard]] std::unique_ptr<TiledUpdates> make_tiled_updates(const Chain& chain, int systems, bool uniform);
/// Whether there are such updates for a chain, with couplings of one modulus and few systems.
[[nodiscard]] bool has_tiled_updates(const Chain& chain);
/// Bytes of device memory that they take for each system.
[[nodiscard]] double tiled_update_bytes(const Chain& chain);

}}  // namespace glassworks::cuda
