#pragma once

#include "kernels/cuda/cluster/round/decomposition.cuh"

namespace glassworks { inline namespace cuda {

/// The clusters that a thread has found, and what they add to the sums of a system.
template <bool discrete, int dim>
struct FoundClusters {
  using Record = ClusterRecord<discrete, dim>;

  ClusterSums sums;
  unsigned long long largest = 0;
  unsigned any = 0, all = 0;

  /// A cluster of `size` sites; wraps: a bit for each axis.
  __device__ __forceinline__ void add(const SumScales& scales, unsigned long long size, unsigned wraps,
                                      const long long (&term)[Record::columns]) {
    count(size);
    any |= wraps != 0 ? 1U : 0U;
    all |= wraps == (1U << dim) - 1U ? 1U : 0U;
    ClusterTerms terms;
    if constexpr (!discrete) terms.weight = term[0];
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      terms.cosine[axis] = term[Record::first + 2 * axis];
      terms.sine[axis] = term[Record::first + 2 * axis + 1];
    }
    add_cluster_terms(terms, scales.component.unit(), static_cast<double>(scales.square.multiplier()), dim, sums);
  }
  /// A cluster of one site: of a discrete model, at the coordinates c; of vectors, with these terms.
  __device__ __forceinline__ void add_single(const Part& part, const std::uint32_t (&c)[4]) {
    count(1);
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) sums.kmin[axis] += __ldg(part.single + c[axis]);
  }
  __device__ __forceinline__ void add_single(const SumScales& scales, const std::int32_t (&term)[Record::columns]) {
    long long wide[Record::columns];
#pragma unroll
    for (int k = 0; k < Record::columns; ++k) wide[k] = term[k];
    add(scales, 1, 0, wide);
  }
  /// Adds what all threads of a block have found. By all of them.
  __device__ __forceinline__ void add_to(DeviceClusterSums* to) {
    __shared__ unsigned long long largest_here;
    __shared__ unsigned any_here, all_here;
    if (threadIdx.x == 0) largest_here = any_here = all_here = 0;
    block_add(static_cast<long long>(sums.clusters), reinterpret_cast<long long*>(&to->clusters));
    block_add(static_cast<long long>(sums.squares), reinterpret_cast<long long*>(&to->squares));
    if constexpr (!discrete) block_add(sums.weight, &to->weight);
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) block_add(sums.kmin[axis], to->kmin + axis);
    if (any != 0) any_here = 1;
    if (all != 0) all_here = 1;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) largest = max(largest, __shfl_xor_sync(~0U, largest, d));
    if (threadIdx.x % 32 == 0) atomicMax(&largest_here, largest);
    __syncthreads();
    if (threadIdx.x != 0) return;
    atomicMax(&to->largest, largest_here);
    if (any_here != 0) atomicOr(&to->wraps_any, 1U);
    if (all_here != 0) atomicOr(&to->wraps_all, 1U);
  }

 private:
  __device__ __forceinline__ void count(unsigned long long size) {
    ++sums.clusters;
    sums.squares += size * size;
    largest = max(largest, size);
  }
};

}}  // namespace glassworks::cuda
