#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/series/lag_lattice.cuh"
#include "kernels/cuda/series/vector_fields.cuh"

/// Sums over all sites: integers, so that their order is free.
namespace glassworks { inline namespace cuda {

constexpr int lags_at_once = 8;
constexpr unsigned sites_of_thread = 8;

/// What a block of a lag kernel does: some lags of one direction, and a chunk of the sites. The blocks of a chunk
/// follow each other, so that its spins stay in the caches.
struct LagBlock {
  int direction, first, count;  ///< lags first .. first + count - 1 of those that are wanted
  unsigned begin;               ///< site of the first thread

  __device__ explicit LagBlock(const LagDirections& d) {
    const unsigned groups = static_cast<unsigned>(d.lags + lags_at_once - 1) / lags_at_once;
    const unsigned of_chunk = groups * static_cast<unsigned>(d.count), item = blockIdx.x % of_chunk;
    direction = static_cast<int>(item / groups);
    first = static_cast<int>(item % groups) * lags_at_once;
    count = min(lags_at_once, d.lags - first);
    begin = blockIdx.x / of_chunk * blockDim.x * sites_of_thread + threadIdx.x;
  }
  [[nodiscard]] static dim3 grid(const LagLattice& lattice, const LagDirections& d, unsigned threads) {
    const unsigned groups = static_cast<unsigned>(d.lags + lags_at_once - 1) / lags_at_once;
    const unsigned chunk = threads * sites_of_thread;
    return dim3(groups * static_cast<unsigned>(d.count) * ((lattice.sites + chunk - 1) / chunk));
  }
  /// The sites that the lags lead to.
  __device__ __forceinline__ void targets(const LagDirections& d, const LagSite& from,
                                          unsigned (&to)[lags_at_once]) const {
#pragma unroll
    for (int j = 0; j < lags_at_once; ++j) {
      to[j] = j < count ? from.at(d.step[direction], d.first + first + j) : no_site;
    }
  }
  /// Adds what the threads have found to sums [direction][lag].
  __device__ __forceinline__ void add(const LagDirections& d, const long long (&sum)[lags_at_once],
                                      unsigned long long* d_sums) const {
    __shared__ unsigned long long total[lags_at_once];
    const auto j = static_cast<int>(threadIdx.x);
    if (j < lags_at_once) total[j] = 0;
    __syncthreads();
    add_to_block(sum, total);
    __syncthreads();
    if (j < count) atomicAdd(&d_sums[direction * d.lags + first + j], total[j]);
  }
};

/// sum over x and all copies of g, or over x and all pairs of copies of g_a g_b = g_b (sum over a < b of g_a).
///
/// Cost per site, copy and lag: a load from the caches, n products.
template <class Fields>
__global__ void __launch_bounds__(256)
    lag_kernel(const __grid_constant__ LagLattice lattice, const __grid_constant__ LagDirections directions,
               const Fields fields, int copies, unsigned long long* d_sums) {
  const LagBlock block(directions);
  long long sum[lags_at_once] = {};
  for (unsigned k = 0; k < sites_of_thread; ++k) {
    const unsigned x = block.begin + k * blockDim.x;
    if (x >= lattice.sites) break;
    unsigned to[lags_at_once];
    block.targets(directions, LagSite(lattice, x), to);
    int before[lags_at_once] = {};
    for (int copy = 0; copy < copies; ++copy) {
      const auto here = fields.load(copy, x);
#pragma unroll
      for (int j = 0; j < lags_at_once; ++j) {
        if (to[j] == no_site) continue;
        const int g = Fields::product(here, fields.load(copy, to[j]));
        if constexpr (Fields::of_pairs) {
          sum[j] += static_cast<long long>(g) * before[j];
          before[j] += g;
        } else {
          sum[j] += g;
        }
      }
    }
  }
  block.add(directions, sum, d_sums);
}

/// The same of chosen pairs. Shared memory: g of each thread [copy][thread].
template <class Fields>
__global__ void chosen_lag_kernel(const __grid_constant__ LagLattice lattice,
                                  const __grid_constant__ LagDirections directions, const Fields fields, int copies,
                                  const SeriesPair* d_pairs, int pairs, unsigned long long* d_sums) {
  extern __shared__ std::int16_t g_of_copies[];
  std::int16_t* const g = g_of_copies + threadIdx.x;
  const LagBlock block(directions);
  long long sum[lags_at_once] = {};
  for (unsigned k = 0; k < sites_of_thread; ++k) {
    const unsigned x = block.begin + k * blockDim.x;
    if (x >= lattice.sites) break;
    unsigned to[lags_at_once];
    block.targets(directions, LagSite(lattice, x), to);
#pragma unroll
    for (int j = 0; j < lags_at_once; ++j) {
      if (to[j] == no_site) continue;
      for (int copy = 0; copy < copies; ++copy) {
        g[static_cast<unsigned>(copy) * blockDim.x] =
            static_cast<std::int16_t>(Fields::product(fields.load(copy, x), fields.load(copy, to[j])));
      }
      for (int p = 0; p < pairs; ++p) {
        const SeriesPair pair = d_pairs[p];
        sum[j] += int{g[static_cast<unsigned>(pair.a) * blockDim.x]} * g[static_cast<unsigned>(pair.b) * blockDim.x];
      }
    }
  }
  block.add(directions, sum, d_sums);
}

/// Sums over planes of equal coordinate [item][column][Lattice::plane]. A block has a plane of an item.
template <class Field>
__global__ void __launch_bounds__(256) plane_kernel(const __grid_constant__ LagLattice lattice, const Field field,
                                                    unsigned planes, unsigned long long* d_sums) {
  const unsigned item = blockIdx.x / planes, plane = blockIdx.x % planes;
  unsigned coordinate = plane;
  int axis = 0;
  while (coordinate >= lattice.length[axis]) coordinate -= lattice.length[axis++];
  const unsigned length = lattice.length[axis], stride = lattice.stride[axis], others = lattice.sites / length;
  long long sum[Field::columns] = {};
  for (unsigned i = threadIdx.x; i < others; i += blockDim.x) {
    const unsigned above = i / stride;
    field.add(item, i - above * stride + (coordinate + above * length) * stride, sum);
  }
  __shared__ unsigned long long total[Field::columns];
  if (threadIdx.x < Field::columns) total[threadIdx.x] = 0;
  __syncthreads();
  add_to_block(sum, total);
  __syncthreads();
  if (threadIdx.x < Field::columns) {
    d_sums[(std::size_t{item} * Field::columns + threadIdx.x) * planes + plane] = total[threadIdx.x];
  }
}

}}  // namespace glassworks::cuda
