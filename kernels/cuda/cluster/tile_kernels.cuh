#pragma once

#include <algorithm>

#include "kernels/cuda/cluster/tile_block.cuh"

namespace glassworks { inline namespace cuda {

/// Writes what label_tile found: local[tile][site of the tile] = smallest site of the tile in the cluster, with
/// on_face_bit where the cluster reaches a face; parent[root] = root for those that do, where unions go on.
template <class Shape>
__device__ __forceinline__ void store_tile(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           std::uint32_t* labels, std::uint16_t* d_local, std::uint32_t* d_parent) {
  constexpr std::uint32_t mark = Shape::marks_faces ? 0 : on_face_bit;
  const TilePart<Shape> part;
  const int x = 32 * part.segment_x + static_cast<int>(threadIdx.x & 31U);
  const bool inside = place.origin[0] + x < lattice.extent[0];
  std::uint16_t* local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
  const int rows = place.segment_width(lattice, 32 * part.segment_x) > 0 ? part.rows_inside(lattice, place) : 0;
#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
    const int row = part.row(i);
    if (Shape::dim > 2 && !place.has_row(lattice, row)) continue;
    const std::uint32_t here = static_cast<std::uint32_t>(row * Shape::width + x);
    const std::uint32_t root = marked_roots(labels, here) | mark;
    if (inside) {
      local[here] = static_cast<std::uint16_t>(root);
      if (root == (here | on_face_bit)) {
        const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x);
        parent[site] = site;
      }
      // Rows below often point here, and come to the root at once then.
      if ((root & local_mask) != here) labels[here] = root & local_mask;
    }
    __syncwarp();
  }
}

/// Labels every tile by itself. One block a tile; bonds from bit planes.
template <class Shape, bool Aligned>
__global__ void __launch_bounds__(Shape::threads) label_tiles_kernel(TileLattice lattice, const std::uint32_t* planes,
                                                                     std::uint16_t* d_local, std::uint32_t* d_parent) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
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
__device__ __forceinline__ std::uint32_t root_in_tile(const TileLattice& lattice, const SitePlace<Shape>& place,
                                                      const std::uint16_t* d_local) {
  const std::uint32_t root = d_local[place.tile * Shape::sites + place.local] & local_mask;
  return ClusterTilePlace<Shape>(lattice, static_cast<unsigned>(place.tile)).site(lattice, root);
}

/// Links between tiles whose bonds are in the planes of a BondSet, one thread each. A grid of (blocks, jobs, systems):
/// job k < dim does the bonds along axis k out of tiles; on the triangular lattice jobs 2 and 3 do the diagonal ones
/// across y, and across x but not y.
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
  std::uint32_t c[4] = {0, 0, 0, 0}, next[4] = {0, 0, 0, 0};
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
    const std::uint32_t word = __ldg(planes + lattice.word_of(system, Shape::directions, direction, site));
    active = ((word >> (site & 31U)) & 1U) != 0;
    if (active) {
      a = root_in_tile(lattice, SitePlace<Shape>(lattice, system, c), d_local);
      b = root_in_tile(lattice, SitePlace<Shape>(lattice, system, next), d_local);
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

/// Eight sites in a row of a tile and their roots in the tile. A thread has those at 8 (threads j + its index), j = 0,
/// 1,
/// ... < count.
template <class Shape>
struct EightSites {
  static constexpr int count = (Shape::sites + 8 * Shape::threads - 1) / (8 * Shape::threads);
  int first;           ///< place in the tile
  std::uint32_t site;  ///< of the system
  int width;           ///< sites of the lattice among them, perhaps none
  uint4 roots;

  __device__ __forceinline__ EightSites(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                        const std::uint16_t* local, int j)
      : first(8 * (j * Shape::threads + static_cast<int>(threadIdx.x))) {
    width = 0;
    if (Shape::sites % (8 * Shape::threads) != 0 && first >= Shape::sites) return;
    const int row = first / Shape::width, x = first % Shape::width;
    width = place.has_row(lattice, row) ? max(0, min(8, lattice.extent[0] - place.origin[0] - x)) : 0;
    site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x);
    roots = *reinterpret_cast<const uint4*>(local + first);
  }
  /// Root of the k-th site with its mark.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t root(int k) const {
    const std::uint32_t pair = k < 2 ? roots.x : k < 4 ? roots.y : k < 6 ? roots.z : roots.w;
    return k % 2 == 0 ? pair & 0xFFFFU : pair >> 16;
  }
};

/// Labels of all sites. One block a tile: every root finds its label once, every site copies that of its root. Whole:
/// rows are multiples of eight sites.
template <class Shape, bool Whole>
__global__ void __launch_bounds__(Shape::threads)
    write_labels_kernel(TileLattice lattice, const std::uint16_t* d_local, std::uint32_t* d_parent,
                        std::uint32_t* d_labels) {
  extern __shared__ std::uint32_t shared_words[];
  __shared__ std::uint16_t face_roots[Shape::face_sites];
  __shared__ unsigned face_count;
  std::uint32_t* const label_of_root = shared_words;
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  const std::uint16_t* local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
  std::uint32_t* labels = d_labels + static_cast<std::size_t>(place.system) * lattice.sites;
  if (threadIdx.x == 0) face_count = 0;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(lattice, place, local, j);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const std::uint32_t root = eight.root(k), here = static_cast<std::uint32_t>(eight.first + k);
      if (k >= eight.width || (root & local_mask) != here) continue;
      if (root == here) {
        label_of_root[here] = eight.site + static_cast<std::uint32_t>(k);
      } else {
        face_roots[atomicAdd(&face_count, 1U)] = static_cast<std::uint16_t>(here);
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < face_count; i += Shape::threads) {
    label_of_root[face_roots[i]] = find_root_halving(parent, place.site(lattice, face_roots[i]));
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(lattice, place, local, j);
    if (eight.width == 0) continue;
    std::uint32_t label[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      label[k] = Whole || k < eight.width ? label_of_root[eight.root(k) & local_mask] : 0;
    }
    if constexpr (Whole) {
      uint4* const to = reinterpret_cast<uint4*>(labels + eight.site);
      to[0] = make_uint4(label[0], label[1], label[2], label[3]);
      to[1] = make_uint4(label[4], label[5], label[6], label[7]);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        if (k < eight.width) labels[eight.site + static_cast<std::uint32_t>(k)] = label[k];
      }
    }
  }
}

}}  // namespace glassworks::cuda
