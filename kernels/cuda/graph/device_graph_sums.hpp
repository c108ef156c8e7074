#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

// As those of lattices (cluster/round/plane_sums.hpp).

void launch_graph_site_planes(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);
void launch_graph_pair_planes(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);
void launch_graph_link_sums(const ClusterBatch& batch, long long* d_link, cudaStream_t stream);

}}  // namespace glassworks::cuda
