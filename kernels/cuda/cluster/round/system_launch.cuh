#pragma once

#include "kernels/core/lattice_site.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"

namespace glassworks { inline namespace cuda {

/// A launch with one thread for each of `items` things of every system: the blocks of a system follow each other, and a
/// warp belongs to one system.
struct SystemLaunch {
  unsigned threads, blocks;  ///< blocks of one system

  explicit SystemLaunch(std::uint32_t items, unsigned most_blocks = 1U << 30)
      : threads(items < 256 ? (items + 31) / 32 * 32 : 256),
        blocks(std::min(most_blocks, static_cast<unsigned>((items + threads - 1) / threads))) {}

  template <class... Parameters, class... Arguments>
  void operator()(const char* what, void (*kernel)(Parameters...), int systems, cudaStream_t stream,
                  Arguments&&... arguments) const {
    if (systems == 0) return;
    launch_kernel(what, kernel, dim3(blocks * static_cast<unsigned>(systems)), threads, 0, stream, blocks,
                  std::forward<Arguments>(arguments)...);
  }
};

/// The thing of a thread: number `item` of a system; the next one of the thread, if it has several, is `stride` on.
struct ThreadPlace {
  unsigned system;
  std::uint32_t item, stride;

  __device__ __forceinline__ explicit ThreadPlace(unsigned blocks)
      : system(blockIdx.x / blocks),
        item((blockIdx.x % blocks) * blockDim.x + threadIdx.x),
        stride(blocks * blockDim.x) {}
};

/// J of the bonds that a site owns, for LocalSpins.
struct CouplingsOfTask {
  const ClusterBatch& batch;
  int task;
  /// Not every observable needs it.
  [[nodiscard, maybe_unused]] __device__ __forceinline__ float operator()(std::uint32_t site, int bond) const {
    return batch.coupling(task, bond, site);
  }
};

/// The bond across the boundary of an axis at number j of its face.
struct BoundaryBond {
  std::uint32_t from, to;
  __device__ __forceinline__ BoundaryBond(const Lattice& lattice, int axis, std::uint32_t j) {
    const auto L = static_cast<std::uint32_t>(lattice.L);
    std::uint32_t step = 1;
    for (int a = 0; a < axis; ++a) step *= L;
    to = j % step + j / step * step * L;
    from = to + (L - 1) * step;
  }
};

/// Sum over the threads of a warp, in all of them.
__device__ __forceinline__ long long warp_sum(long long x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0U, x, d);
  return x;
}

/// A sum of terms of 32 bits in two halves, 65536 high + low, which 2^11 sums of 32 terms do not fill.
struct SplitSum {
  unsigned low;
  int high;
  [[nodiscard]] __device__ __forceinline__ long long value() const {
    return static_cast<long long>(high) * 65536 + low;
  }
};

/// Sum over the threads of `members`, which all call it.
__device__ __forceinline__ SplitSum split_sum(unsigned members, std::int32_t x) {
  return {__reduce_add_sync(members, static_cast<unsigned>(x) & 0xFFFFU), __reduce_add_sync(members, x >> 16)};
}
__device__ __forceinline__ long long group_sum(unsigned members, std::int32_t x) {
  return split_sum(members, x).value();
}

__device__ __forceinline__ void add_atomically(long long* to, long long x) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
}

/// Adds what the threads of a block have found to one sum: one atomic operation.
__device__ __forceinline__ void block_add(long long x, long long* to) {
  __shared__ long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  x = warp_sum(x);
  if ((threadIdx.x & 31U) == 0 && x != 0) add_atomically(&sum, x);
  __syncthreads();
  if (threadIdx.x == 0 && sum != 0) add_atomically(to, sum);
  __syncthreads();
}

}}  // namespace glassworks::cuda
