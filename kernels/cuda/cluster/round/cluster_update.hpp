#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// The stages of one cluster update of the systems launched by plain kernels, for every model, lattice and kind of
/// update; the bits are those of kernels/models/README.md. Between `activate_bonds` and `choose_fates` d_bonds have to
/// be labelled.

/// d_bonds, and for vectors d_direction and d_projection.
void activate_bonds(const ClusterBatch& batch, const UpdateNumber& update, cudaStream_t stream);
/// d_fate from d_labels.
void choose_fates(const ClusterBatch& batch, const UpdateNumber& update, cudaStream_t stream);
/// Moves the clusters. count: whether the sites moved are added to d_moved.
void move_clusters(const ClusterBatch& batch, bool count, cudaStream_t stream);

}}  // namespace glassworks::cuda
