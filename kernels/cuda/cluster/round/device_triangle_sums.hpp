#pragma once

#include <cuda_runtime_api.h>

#include <span>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// The triangles of a batch on the device, of each realization its own.
class TriangleLists {
 public:
  /// Sets what the batch says of triangles; nothing where their chiralities are not measured.
  void upload(const Chain& chain, std::span<const HeldTask> tasks, ClusterBatch& batch, StagedCopy& staged,
              cudaStream_t stream);

  /// Bytes on the device for one realization of a chain, about.
  [[nodiscard]] static double bytes(const Chain& chain);

 private:
  DeviceBuffer<Triangle> triangles_;
  DeviceBuffer<std::int32_t> planes_;
  DeviceBuffer<TriangleList> lists_;
};

// Added to arrays that must be zero.

/// sum fix(kappa^2) over the triangles [system].
void launch_triangle_squares(const ClusterBatch& batch, long long* d_squares, cudaStream_t stream);
/// Sums over planes of the products of the chiralities of two copies in every slot [unit][pair][axis][coordinate].
void launch_triangle_pairs(const ClusterBatch& batch, long long* d_planes, cudaStream_t stream);

}}  // namespace glassworks::cuda
