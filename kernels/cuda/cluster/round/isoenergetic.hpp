#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Isoenergetic moves between the copies of the slots that make them, in two stages, on every lattice and graph.
/// Between them the components of d_bonds have to be labelled, for swapping_pairs() systems. See also RowMoves.

/// Bonds with J != 0 between sites at which the copies of a pair differ.
void join_differing_sites(const ClusterBatch& batch, const UpdateNumber& move, cudaStream_t stream);
/// Swaps one component of each pair between the copies.
void swap_one_component(const ClusterBatch& batch, const UpdateNumber& move, cudaStream_t stream);

}}  // namespace glassworks::cuda
