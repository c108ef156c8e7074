#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// A sweep of an update other than a heat bath (models/site_updates.hpp), of every system; in the tiles of one colour
/// where there are tiles.
void launch_site_updates(const ClusterBatch& batch, const UpdateNumber& sweep, int colour, cudaStream_t stream);

/// Sums of the reserves of every system, after a step that is observed: to ClusterBatch::d_reserve.
void launch_reserve_sums(const ClusterBatch& batch, cudaStream_t stream);

/// After the measurement that follows `steps` steps of the round: adapts the widths of realizations that still do so.
///
/// d_last_replica_at  replica in a slot during the last step [task][copy][slot]
void launch_adaptation(const ClusterBatch& batch, const int* d_last_replica_at, std::uint64_t steps,
                       cudaStream_t stream);

/// Adds the accepted part of the last step to the bins of heisenberg (BinQuantity::local_acceptance).
void launch_acceptance(const ClusterBatch& batch, const int* d_last_replica_at, cudaStream_t stream);

}}  // namespace glassworks::cuda
