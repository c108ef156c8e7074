#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// The integer sums of a measurement over sites, added to arrays that must be zero.

/// Sums over the planes of equal coordinate of every system [system][axis][coordinate][plane_columns].
void launch_site_planes(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);
/// sum fix(phi^2) and sum fix((phi^2)^2) of every system where |phi| is free [system][2].
void launch_modulus_sums(const ClusterBatch& batch, long long* d_modulus, cudaStream_t stream);
/// The same of the products of two copies in every slot [unit][pair][axis][coordinate][pair_columns].
void launch_pair_planes(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);
/// The same of the products of the chiralities of two copies of XY spins [unit][pair][axis][coordinate][orientation].
void launch_chiral_planes(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);
/// sum_b x_b^(a) x_b^(b) [unit][pair].
void launch_link_sums(const ClusterBatch& batch, long long* d_link, cudaStream_t stream);

/// Sums of the local observables of the selection [system][number in the selection].
void launch_local_sums(const ClusterBatch& batch, long long* d_sums, cudaStream_t stream);
void launch_graph_local_sums(const ClusterBatch& batch, long long* d_sums, cudaStream_t stream);

}}  // namespace glassworks::cuda
