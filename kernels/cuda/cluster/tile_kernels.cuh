#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_block.cuh"

namespace glassworks { inline namespace cuda {

/// Bits of the roots of the clusters of a tile, d_roots[tile][kind][segment]: kind 0 of all, kind 1 of those that links
/// join to other tiles, with segments = Shape::segments.
template <class Shape>
[[nodiscard]] __device__ __forceinline__ std::uint32_t* tile_roots(std::uint32_t* d_roots, unsigned tile) {
  return d_roots + static_cast<std::size_t>(tile) * 2 * Shape::segments;
}

/// parent[site] = site for all sites of many lattices. This is what a labelling begins with and leaves behind at all
/// roots that no link joins to other tiles.
static __global__ void __launch_bounds__(256) separate_sites_kernel(std::uint32_t* d_parent, std::uint32_t sites) {
  const std::uint32_t site = blockIdx.x * 256U + threadIdx.x;
  if (site < sites) d_parent[static_cast<std::size_t>(blockIdx.y) * sites + site] = site;
}

inline void separate_sites(std::uint32_t* d_parent, const TileLattice& lattice) {
  launch_kernel("separating sites", separate_sites_kernel, dim3((lattice.sites + 255) / 256, lattice.systems), 256, 0,
                nullptr, d_parent, lattice.sites);
  check_cuda(cudaStreamSynchronize(nullptr), "separating sites");
}

/// Makes the roots of the last labelling that links have joined to others roots again.
template <class Shape>
__device__ __forceinline__ void separate_roots(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                               std::uint32_t* d_roots, std::uint32_t* d_parent) {
  std::uint32_t* const linked = tile_roots<Shape>(d_roots, place.tile) + Shape::segments;
  std::uint32_t* const parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
  for (int word = static_cast<int>(threadIdx.x); word < Shape::segments; word += Shape::threads) {
    std::uint32_t bits = linked[word];
    if (bits == 0) continue;
    linked[word] = 0;
    const std::uint32_t first = place.site(lattice, static_cast<std::uint32_t>(32 * word));
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t site = first + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
      parent[site] = site;
    }
  }
}

/// The roots of a tile that links join to other tiles, listed by all threads of a block. Begins after *count = 0 is
/// seen by all; a barrier follows before it is read.
template <class Shape>
__device__ __forceinline__ void list_linked_roots(const std::uint32_t* roots, std::uint16_t* list, unsigned* count) {
  for (int word = static_cast<int>(threadIdx.x); word < Shape::segments; word += Shape::threads) {
    for (std::uint32_t bits = roots[Shape::segments + word]; bits != 0; bits &= bits - 1) {
      list[atomicAdd(count, 1U)] = static_cast<std::uint16_t>(32 * word + __ffs(static_cast<int>(bits)) - 1);
    }
  }
}

/// Writes what label_tile found: local[tile][site of the tile] = smallest site of the tile in the cluster, and the bits
/// of these roots.
template <class Shape>
__device__ __forceinline__ void store_tile(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           std::uint32_t* labels, std::uint16_t* d_local, std::uint32_t* d_roots) {
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U), x = 32 * part.segment_x + lane;
  const int width = place.segment_width(lattice, 32 * part.segment_x);
  const bool inside = lane < width;
  std::uint16_t* const local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  constexpr int together = Shape::sy % 4 == 0 ? 4 : 1;  // rows whose roots a lane looks for at the same time
  std::uint32_t own_roots = 0;                          // of row `lane` of the part
#pragma unroll 1
  for (int begin = 0; width > 0 && begin < TilePart<Shape>::rows; begin += together) {
    const int row = part.row(begin);
    if (!place.has_row(lattice, row)) continue;
    const int rows = min(together, place.last(lattice, 1) + 1 - ClusterTilePlace<Shape>::y_of(row));
    const std::uint32_t here = static_cast<std::uint32_t>(row * Shape::width + x);
    std::uint32_t root[together];
#pragma unroll
    for (int i = 0; i < together; ++i) root[i] = labels[i < rows ? here + i * Shape::width : here];
    for (bool moves = true; __any_sync(all_lanes, moves);) {
      std::uint32_t moved = 0;
#pragma unroll
      for (int i = 0; i < together; ++i) {
        const std::uint32_t above = labels[root[i]];
        moved |= above ^ root[i];
        root[i] = above;
      }
      moves = moved != 0;
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      if (i >= rows) continue;
      const std::uint32_t site = here + i * Shape::width;
      if (inside) local[site] = static_cast<std::uint16_t>(root[i]);
      labels[site] = root[i];  // rows below often point here, and come to the root at once then
      const std::uint32_t roots = __ballot_sync(all_lanes, inside && root[i] == site);
      if (lane == begin + i) own_roots = roots;
    }
    __syncwarp();
  }
  if (lane >= TilePart<Shape>::rows) return;
  tile_roots<Shape>(d_roots, place.tile)[part.row(lane) * Shape::words_wide + part.segment_x] = own_roots;
}

/// Labels every tile by itself. One block a tile; bonds come from bit planes and are kept tile by tile.
template <class Shape, bool Aligned>
__global__ void __launch_bounds__(Shape::threads, 1536 / Shape::threads)
    label_tiles_kernel(const __grid_constant__ TileLattice lattice, const std::uint32_t* planes, std::uint32_t* d_bonds,
                       std::uint16_t* d_local, std::uint32_t* d_parent, std::uint32_t* d_roots) {
  extern __shared__ std::uint32_t shared_words[];
  std::uint32_t* const labels = shared_words;
  std::uint32_t* const words = shared_words + Shape::sites;
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  begin_overlapped();
  load_tile_bonds<Shape, Aligned>(lattice, place, planes, words, d_bonds);
  separate_roots(lattice, place, d_roots, d_parent);
  label_tile(lattice, place, words, labels);
  store_tile(lattice, place, labels, d_local, d_roots);
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
  const std::uint32_t root = d_local[place.tile * Shape::sites + place.local];
  return ClusterTilePlace<Shape>(lattice, static_cast<unsigned>(place.tile)).site(lattice, root);
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
  /// Root of the k-th site.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t root(int k) const {
    const std::uint32_t pair = k < 2 ? roots.x : k < 4 ? roots.y : k < 6 ? roots.z : roots.w;
    return k % 2 == 0 ? pair & 0xFFFFU : pair >> 16;
  }
};

/// Labels of all sites. One block a tile: every root finds its label once, every site copies that of its root. Whole:
/// rows are multiples of eight sites.
template <class Shape, bool Whole>
__global__ void __launch_bounds__(Shape::threads)
    write_labels_kernel(const __grid_constant__ TileLattice lattice, const std::uint16_t* d_local,
                        std::uint32_t* d_parent, std::uint32_t* d_roots, std::uint32_t* d_labels) {
  extern __shared__ std::uint32_t shared_words[];
  __shared__ std::uint16_t linked_roots[Shape::face_sites];
  __shared__ unsigned linked_count;
  std::uint32_t* const label_of_root = shared_words;
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  const std::uint16_t* local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;
  std::uint32_t* labels = d_labels + static_cast<std::size_t>(place.system) * lattice.sites;
  if (threadIdx.x == 0) linked_count = 0;
  begin_overlapped();
  __syncthreads();
  list_linked_roots<Shape>(tile_roots<Shape>(d_roots, place.tile), linked_roots, &linked_count);
  for (int i = static_cast<int>(threadIdx.x); i < Shape::sites / 4;
       i += Shape::threads) {  // as if all were roots that no link joins
    const std::uint32_t site = place.site(lattice, static_cast<std::uint32_t>(4 * i));
    reinterpret_cast<uint4*>(label_of_root)[i] = make_uint4(site, site + 1, site + 2, site + 3);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < linked_count; i += Shape::threads) {
    label_of_root[linked_roots[i]] = find_root_halving(parent, place.site(lattice, linked_roots[i]));
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < EightSites<Shape>::count; ++j) {
    const EightSites<Shape> eight(lattice, place, local, j);
    if (eight.width == 0) continue;
    std::uint32_t label[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      label[k] = Whole || k < eight.width ? label_of_root[eight.root(k)] : 0;
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
