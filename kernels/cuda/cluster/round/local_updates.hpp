#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks::inline cuda {

/// Local sweep number `sweep` of every system: first all even, then all odd sites, in the tiles of one colour where
/// there are tiles.
void launch_local_sweep(const ClusterBatch& batch, const UpdateNumber& sweep, int colour, cudaStream_t stream);

/// Over-relaxation sweep of vectors, in the same order.
void launch_over_relaxation(const ClusterBatch& batch, int colour, cudaStream_t stream);

/// Brings unit vectors back to length 1.
void launch_unit_vectors(const ClusterBatch& batch, cudaStream_t stream);

/// Adds -E of every system after a step to energy_sum(step), which must be zero.
void launch_cluster_energies(const ClusterBatch& batch, std::uint64_t step, cudaStream_t stream);

}  // namespace glassworks::inline cuda
