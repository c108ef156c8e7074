#pragma once

#include <algorithm>

#include "kernels/cuda/cluster/tile_block.cuh"

namespace glassworks {

/// Writes what label_tile found: local[tile][site of the tile] = smallest site of the tile in the cluster, with
/// on_face_bit where the cluster reaches a face; parent[root] = root for those that do, where unions go on.
template <class Shape>
__device__ __forceinline__ void store_tile(const TileLattice& lattice, const TilePlace<Shape>& place,
                                           const std::uint32_t* labels, std::uint16_t* d_local,
                                           std::uint32_t* d_parent) {
  const TilePart<Shape> part;
  const int x = 32 * part.segment_x + static_cast<int>(threadIdx.x & 31U);
  if (place.origin[0] + x >= lattice.extent[0]) return;
  std::uint16_t* local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
#pragma unroll 2
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!place.has_row(lattice, row)) continue;
    const std::uint32_t here = static_cast<std::uint32_t>(row * Shape::width + x);
    const std::uint32_t root = labels[here] & local_mask, mark = labels[root] & on_face_bit;
    local[here] = static_cast<std::uint16_t>(root | mark);
    if (root == here && mark != 0) {
      const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x);
      parent[site] = site;
    }
  }
}

/// Labels every tile by itself. One block a tile; bonds from bit planes.
template <class Shape, bool Aligned>
__global__ void __launch_bounds__(Shape::threads) label_tiles_kernel(TileLattice lattice, const std::uint32_t* planes,
                                                                     std::uint16_t* d_local, std::uint32_t* d_parent) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const TilePlace<Shape> place(lattice, blockIdx.x);
  load_tile_bonds<Shape, Aligned>(lattice, place, planes, words);
  label_tile(lattice, place, TileBonds<Shape>{words}, labels);
  store_tile(lattice, place, labels, d_local, d_parent);
}

/// Where a site is: its tile and its place there.
template <class Shape>
struct SitePlace {
  std::size_t tile;
  std::uint32_t local;
  __device__ __forceinline__ SitePlace(const TileLattice& lattice, unsigned system, const std::uint32_t c[4]) {
    std::uint32_t t = c[0] / Shape::width + lattice.tiles[0] * (c[1] / Shape::ty);
    std::uint32_t row = c[1] % Shape::ty;
    if constexpr (Shape::dim > 2) {
      std::uint32_t above = c[2] / Shape::tz;
      std::uint32_t row_above = c[2] % Shape::tz;
      if constexpr (Shape::dim > 3) {
        above += lattice.tiles[2] * (c[3] / Shape::tw);
        row_above += Shape::tz * (c[3] % Shape::tw);
      }
      t += lattice.tiles[0] * lattice.tiles[1] * above;
      row += Shape::ty * row_above;
    }
    tile =
        static_cast<std::size_t>(system) * lattice.tiles[0] * lattice.tiles[1] * lattice.tiles[2] * lattice.tiles[3] +
        t;
    local = row * Shape::width + c[0] % Shape::width;
  }
};

template <class Shape>
__device__ __forceinline__ std::uint32_t root_in_tile(const TileLattice& lattice, unsigned system,
                                                      const std::uint32_t c[4], const std::uint16_t* d_local) {
  const SitePlace<Shape> place(lattice, system, c);
  const std::uint32_t root = d_local[place.tile * Shape::sites + place.local] & local_mask;
  return TilePlace<Shape>(lattice, static_cast<unsigned>(place.tile)).site(lattice, root);
}

/// Links between tiles, one thread each. A grid of (blocks, jobs, systems): job k < dim does the bonds along axis k out
/// of tiles; on the triangular lattice jobs 2 and 3 do the diagonal ones across y, and across x but not y.
template <class Shape>
__global__ void __launch_bounds__(256) join_tiles_kernel(TileLattice lattice, const std::uint32_t* planes,
                                                         const std::uint16_t* d_local, std::uint32_t* d_parent) {
  constexpr int size[4] = {Shape::width, Shape::ty, Shape::tz, Shape::tw};
  const int job = static_cast<int>(blockIdx.y);
  const bool diagonal = Shape::diagonal && job >= 2;
  const int axis = diagonal ? 3 - job : job;
  const int direction = diagonal ? 2 : job;
  const unsigned system = blockIdx.z;
  std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  // i = coordinates of the site, without the axis; then the face.
  std::uint32_t c[4] = {0, 0, 0, 0}, next[4];
#pragma unroll
  for (int k = 0; k < Shape::dim; ++k) {
    if (k == axis) continue;
    c[k] = i % static_cast<std::uint32_t>(lattice.extent[k]);
    i /= static_cast<std::uint32_t>(lattice.extent[k]);
  }
  bool active = i < lattice.tiles[axis];
  std::uint32_t a = all_lanes, b = all_lanes;
  std::uint32_t* const parent = d_parent + static_cast<std::size_t>(system) * lattice.sites;
  if (active) {
    c[axis] =
        min((i + 1) * static_cast<std::uint32_t>(size[axis]), static_cast<std::uint32_t>(lattice.extent[axis])) - 1;
    if (diagonal && axis == 0) {  // those on the face across y belong to the other job
      active = (c[1] + 1) % Shape::ty != 0 && c[1] + 1 != static_cast<std::uint32_t>(lattice.extent[1]);
    }
  }
  if (active) {
    std::uint32_t site = 0;
#pragma unroll
    for (int k = Shape::dim; k-- > 0;) {
      site = site * static_cast<std::uint32_t>(lattice.extent[k]) + c[k];
      const bool forward = k == axis || (diagonal && k < 2);
      next[k] = c[k] + (forward ? 1 : 0);
      if (next[k] == static_cast<std::uint32_t>(lattice.extent[k])) next[k] = 0;
    }
    active = ((__ldg(planes + lattice.word_of(system, Shape::directions, direction, site)) >> (site & 31U)) & 1U) != 0;
    if (active) {
      a = root_in_tile<Shape>(lattice, system, c, d_local);
      b = root_in_tile<Shape>(lattice, system, next, d_local);
    }
  }
  const std::uint32_t a_before = __shfl_up_sync(all_lanes, a, 1), b_before = __shfl_up_sync(all_lanes, b, 1);
  const bool again = (threadIdx.x & 31U) != 0 && a_before == a && b_before == b;
  if (active && !again) unite_global(parent, a, b);
}

template <class Shape>
[[nodiscard]] dim3 join_grid(const TileLattice& lattice) {
  std::uint64_t most = 0;
  for (int axis = 0; axis < Shape::dim; ++axis) {
    most = std::max(most,
                    std::uint64_t{lattice.sites} / static_cast<unsigned>(lattice.extent[axis]) * lattice.tiles[axis]);
  }
  return dim3(static_cast<unsigned>((most + 255) / 256), Shape::diagonal ? 4 : Shape::dim, lattice.systems);
}

/// Labels of all sites. One block a tile: every root finds its label once, every site copies that of its root.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    write_labels_kernel(TileLattice lattice, const std::uint16_t* d_local, std::uint32_t* d_parent,
                        std::uint32_t* d_labels) {
  extern __shared__ std::uint32_t shared_words[];
  const TilePlace<Shape> place(lattice, blockIdx.x);
  const TilePart<Shape> part;
  const int x = 32 * part.segment_x + static_cast<int>(threadIdx.x & 31U);
  const bool inside = place.origin[0] + x < lattice.extent[0];
  const std::uint16_t* local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
  std::uint32_t* labels = d_labels + static_cast<std::size_t>(place.system) * lattice.sites;
#pragma unroll 4
  for (int i = 0; inside && i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!place.has_row(lattice, row)) continue;
    const std::uint32_t here = static_cast<std::uint32_t>(row * Shape::width + x), root = local[here];
    if ((root & local_mask) == here) {
      const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x);
      shared_words[here] = (root & on_face_bit) != 0 ? find_root_halving(parent, site) : site;
    }
  }
  __syncthreads();
#pragma unroll 4
  for (int i = 0; inside && i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!place.has_row(lattice, row)) continue;
    labels[place.row_site(lattice, row) + static_cast<std::uint32_t>(x)] =
        shared_words[local[row * Shape::width + x] & local_mask];
  }
}

}  // namespace glassworks
