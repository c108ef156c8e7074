#pragma once

#include <cuda_runtime_api.h>

#include <span>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace cuda {

/// Sweeps of single spins that follow each other in repetition t of step `step` of the round, of every system; in each
/// of them one colour of the lattice after the other. With tiles all of it in those of one colour, then in the others.
void launch_single_spins(const ClusterBatch& batch, const Step& moves, std::span<const PlacedMove> sweeps,
                         std::uint64_t step, int t, cudaStream_t stream);

/// Brings unit vectors back to length 1.
void launch_unit_vectors(const ClusterBatch& batch, cudaStream_t stream);

/// Adds -E of every system launched after a step to energy_sum(step), which must be zero.
void launch_cluster_energies(const ClusterBatch& batch, std::uint64_t step, cudaStream_t stream);

}}  // namespace glassworks::cuda
