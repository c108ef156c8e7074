#include <algorithm>

#include "kernels/cuda/cluster/round/decomposition.cuh"

namespace glassworks::inline cuda {
namespace {

/// A list that a warp makes of the roots among its sites, so that its threads share them evenly: most sites are none.
struct RootList {
  std::uint32_t* sites;  ///< [64]
  unsigned count = 0;

  /// Adds the sites of the threads with `is_root`, and calls take(site) for 32 at a time. All threads call it.
  template <class Take>
  __device__ __forceinline__ void add(bool is_root, std::uint32_t site, Take&& take) {
    const unsigned lane = threadIdx.x % 32, roots = __ballot_sync(~0U, is_root);
    if (is_root) sites[count + static_cast<unsigned>(__popc(roots & ((1U << lane) - 1U)))] = site;
    count += static_cast<unsigned>(__popc(roots));
    __syncwarp();
    if (count < 32) return;
    take(sites[lane]);
    count -= 32;
    const std::uint32_t left = sites[32 + lane];
    __syncwarp();
    if (lane < count) sites[lane] = left;
    __syncwarp();
  }
  /// Calls take(site) for those that are left.
  template <class Take>
  __device__ __forceinline__ void finish(Take&& take) {
    if (threadIdx.x % 32 < count) take(sites[threadIdx.x % 32]);
    __syncwarp();
  }
};

/// What a thread has found.
struct FoundClusters {
  ClusterSums sums;
  unsigned long long largest = 0;
  unsigned any = 0, all = 0;
};

/// Adds the cluster of a root, and clears its record.
template <bool discrete, int dim>
__device__ __forceinline__ void add_cluster(const ClusterBatch& b, const Part& part, unsigned system,
                                            std::uint32_t root, FoundClusters& found) {
  using Record = ClusterRecord<discrete, dim>;
  const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  unsigned long long* const record = part.d_terms + part.at(b, system, root) * Record::words;
  const unsigned long long head = record[0];
  unsigned long long size = head & ~0U;
  const auto wraps = static_cast<unsigned>(head >> 32);
  long long term[Record::columns];
  if (size == 0) {  // one site, which is its own record
    size = 1;
    const float w = discrete ? 1.0F : b.d_projection[b.first_site(part.first + system) + root];
    std::int32_t own[Record::columns];
    site_terms<discrete, dim>(part, SiteOfDimension<dim>(b.common.lattice, root).c, L, w,
                              b.scales.component.multiplier(), own);
#pragma unroll
    for (int k = 0; k < Record::columns; ++k) term[k] = own[k];
  } else {
#pragma unroll
    for (int k = 0; k < Record::columns; ++k) term[k] = static_cast<long long>(record[1 + k]);
#pragma unroll
    for (int k = 0; k < Record::words; ++k) record[k] = 0;
  }
  ++found.sums.clusters;
  found.sums.squares += size * size;
  found.largest = max(found.largest, size);
  found.any |= wraps != 0 ? 1U : 0U;
  found.all |= wraps == (1U << dim) - 1U ? 1U : 0U;
  ClusterTerms terms;
  if constexpr (!discrete) terms.weight = term[0];
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) {
    terms.cosine[axis] = term[Record::first + 2 * axis];
    terms.sine[axis] = term[Record::first + 2 * axis + 1];
  }
  add_cluster_terms(terms, b.scales.component.unit(), static_cast<double>(b.scales.square.multiplier()), dim,
                    found.sums);
}

/// Sums over the clusters of a system. A warp takes 4 x 32 sites at a time. Cost: the labels, and the record of each
/// cluster; a few atomic operations a block.
template <bool discrete, int dim>
__global__ void __launch_bounds__(256) sum_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                  const __grid_constant__ Part part, DeviceClusterSums* d_sums) {
  constexpr std::uint32_t together = 4;
  __shared__ std::uint32_t lists[8][64];
  __shared__ unsigned long long largest_here;
  __shared__ unsigned any_here, all_here;
  const ThreadPlace place(blocks);
  const std::uint32_t* const labels = part.d_labels + part.at(b, place.system, 0);
  if (threadIdx.x == 0) largest_here = any_here = all_here = 0;
  __syncthreads();
  FoundClusters found;
  RootList list{lists[threadIdx.x / 32]};
  const auto take = [&](std::uint32_t root) { add_cluster<discrete, dim>(b, part, place.system, root, found); };
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t first = place.item - lane; first < b.sites; first += together * place.stride) {
    bool is_root[together];
#pragma unroll
    for (std::uint32_t k = 0; k < together; ++k) {
      const std::uint32_t i = first + k * place.stride + lane;
      is_root[k] = i < b.sites && labels[i] == i;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < together; ++k) list.add(is_root[k], first + k * place.stride + lane, take);
  }
  list.finish(take);
  DeviceClusterSums* to = d_sums + part.first + place.system;
  block_add(static_cast<long long>(found.sums.clusters), reinterpret_cast<long long*>(&to->clusters));
  block_add(static_cast<long long>(found.sums.squares), reinterpret_cast<long long*>(&to->squares));
  if constexpr (!discrete) block_add(found.sums.weight, &to->weight);
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) block_add(found.sums.kmin[axis], to->kmin + axis);
  if (found.any != 0) any_here = 1;
  if (found.all != 0) all_here = 1;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) found.largest = max(found.largest, __shfl_xor_sync(~0U, found.largest, d));
  if (lane == 0) atomicMax(&largest_here, found.largest);
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMax(&to->largest, largest_here);
  if (any_here != 0) atomicOr(&to->wraps_any, 1U);
  if (all_here != 0) atomicOr(&to->wraps_all, 1U);
}

}  // namespace

void launch_cluster_sums(const ClusterBatch& b, const Part& part, int systems, DeviceClusterSums* d_sums,
                         cudaStream_t stream) {
  // Blocks enough for every device, but no more: the sums of a system are in one place, where blocks wait.
  constexpr unsigned wanted_blocks = 2048;
  const unsigned of_system = (wanted_blocks + static_cast<unsigned>(systems) - 1) / static_cast<unsigned>(systems);
  const SystemLaunch few_blocks(b.sites, std::clamp(of_system, 1U, std::max(1U, b.sites / 1024U)));
  for_clusters_of(b, [&](auto discrete, auto dim) {
    few_blocks("summing over clusters", sum_kernel<discrete(), dim()>, systems, stream, b, part, d_sums);
  });
}

}  // namespace glassworks::inline cuda
