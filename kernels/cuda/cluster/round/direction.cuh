#pragma once

#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// r of the reflection of a system, by its number in the launch.
template <int n>
__device__ __forceinline__ exact::Vector<n> direction_of(const ClusterBatch& b, unsigned system) {
  exact::Vector<n> r;
#pragma unroll
  for (int k = 0; k < n; ++k) r.c[k] = __ldg(b.d_direction + 4 * system + k);
  return r;
}

}}  // namespace glassworks::cuda
