#pragma once

#include "kernels/cuda/cluster/vector_bonds.cuh"

namespace glassworks { inline namespace cuda {

/// Shared memory of vector_tiles_kernel: bonds, labels, projections.
template <class Shape>
constexpr std::size_t vector_tile_bytes = 4 * static_cast<std::size_t>(Shape::directions* Shape::segments +
                                                                       Shape::sites + ProjectionRows<Shape>::numbers);

/// Activates the bonds of every tile and labels it. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    vector_tiles_kernel(const __grid_constant__ VectorWork work) {
  extern __shared__ std::uint32_t shared_words[];
  __shared__ typename SiteList<Shape>::Memory memory;
  std::uint32_t* const words = shared_words;
  std::uint32_t* const labels = words + Shape::directions * Shape::segments;
  float* const projections = reinterpret_cast<float*>(labels + Shape::sites);
  const ClusterTilePlace<Shape> place(work.lattice, blockIdx.x);
  const Column<Shape> column(work.lattice, place);
  begin_overlapped();
  const VectorSystem system = work.systems[place.system];
  project_tile<Shape, n>(work, place, column, system, projections);
  activate_vector_tile<Shape, n>(work, place, column, system, projections, words, labels);
  draw_coins(work, place, system);
  label_columns(work, place, column, words, memory, labels);
}

/// Reflects the clusters whose coin is 1. One block a tile.
template <class Shape, int n>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    reflect_kernel(const __grid_constant__ VectorWork work) {
  constexpr int edge = Column<Shape>::edge, together = Column<Shape>::together;
  __shared__ std::uint32_t coin_of_root[Shape::rows];
  __shared__ typename SiteList<Shape>::Memory memory;
  const TileLattice& lattice = work.lattice;
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  const Column<Shape> column(lattice, place);
  const VectorSystem system = work.systems[place.system];
  const std::uint16_t* const local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const std::uint32_t* const coins = work.coins + static_cast<std::size_t>(place.system) * work.coin_words;
  const std::uint32_t* const parent = work.parent + static_cast<std::size_t>(place.system) * lattice.sites;
  const VectorLattice<n> spins(work, place.system);
  const exact::Vector<n> r = reflection_direction<n>(work, system);
  if (column.lane < edge) coin_of_root[column.first + column.lane] = 0;
  begin_overlapped();
  // The coins of the clusters of the tile, a bit at their root there.
  SiteList<Shape> roots(memory, column);
#pragma unroll 1
  for (int begin = 0; begin < edge; begin += together) {
    int root[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      root[i] = column.inside && begin + i <= column.last_y ? local[column.local(begin + i)] : -1;
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int here = column.local(begin + i);
      roots.add(__ballot_sync(all_lanes, root[i] == here), here);
    }
    roots.take_all([&](int here) {
      const int row = here / 32, x = here % 32;
      std::uint32_t site = column.site_of(lattice, row - column.first) + static_cast<std::uint32_t>(x - column.lane);
      for (std::uint32_t above = __ldcg(parent + site); above != site; above = __ldcg(parent + site)) site = above;
      if (((coins[site >> 5] >> (site & 31U)) & 1U) != 0) atomicOr(coin_of_root + row, 1U << x);
    });
  }
  __syncthreads();
  if (!column.inside) return;
#pragma unroll 4
  for (int y = 0; y < edge; ++y) {
    if (y > column.last_y) continue;
    const unsigned root = local[column.local(y)];
    if (((coin_of_root[root / 32] >> (root % 32)) & 1U) == 0) continue;
    const std::uint32_t site = column.site_of(lattice, y);
    const exact::Vector<n> s = spins.at(site), t = exact::reflect(s, r, exact::dot(r, s));
#pragma unroll
    for (int k = 0; k < n; ++k) spins.spins[static_cast<std::size_t>(k) * spins.sites + site] = t.c[k];
  }
}

}}  // namespace glassworks::cuda
