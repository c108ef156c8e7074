#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Repetition t of step `step` of the round: over-relaxation sweeps, then local ones, of every system; in each of them
/// one colour of the lattice after the other. With tiles all of it in those of one colour, then in the others.
void launch_local_sweeps(const ClusterBatch& batch, std::uint64_t step, int t, cudaStream_t stream);

/// Brings unit vectors back to length 1.
void launch_unit_vectors(const ClusterBatch& batch, cudaStream_t stream);

/// Adds -E of every system after a step to energy_sum(step), which must be zero.
void launch_cluster_energies(const ClusterBatch& batch, std::uint64_t step, cudaStream_t stream);

}}  // namespace glassworks::cuda
