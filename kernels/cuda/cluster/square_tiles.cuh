#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks { inline namespace cuda {

/// A periodic or open square lattice cut into tiles of edge x edge sites (Weigel 2011); those at the end are smaller.
struct SquareTiles {
  std::uint32_t width, height;
  std::uint32_t edge;
  std::uint32_t tiles_x, tiles_y;
  std::uint32_t plane_words;

  [[nodiscard]] __host__ __device__ std::uint32_t tiles() const { return tiles_x * tiles_y; }
  /// Whether the bond from (x, y) along axis 0 or 1 is active.
  [[nodiscard]] __device__ __forceinline__ bool bond(const std::uint32_t* bonds, int axis, std::uint32_t x,
                                                     std::uint32_t y) const {
    const std::uint32_t site = x + width * y;
    return ((__ldg(bonds + static_cast<std::size_t>(axis) * plane_words + (site >> 5)) >> (site & 31U)) & 1U) != 0;
  }
};

/// One tile: its first site and its extents.
template <int Edge>
struct SquareTile {
  static constexpr int sites = Edge * Edge;
  std::uint32_t x, y;
  int columns, rows;

  __device__ __forceinline__ SquareTile(const SquareTiles& tiles, std::uint32_t index)
      : x(index % tiles.tiles_x * Edge),
        y(index / tiles.tiles_x * Edge),
        columns(static_cast<int>(min(static_cast<std::uint32_t>(Edge), tiles.width - x))),
        rows(static_cast<int>(min(static_cast<std::uint32_t>(Edge), tiles.height - y))) {}
  /// Site of the lattice from the index in the tile, column + edge * row.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site(const SquareTiles& tiles, int local) const {
    return x + static_cast<std::uint32_t>(local % Edge) + tiles.width * (y + static_cast<std::uint32_t>(local / Edge));
  }
};

// Labelling inside tiles: label[site] = smallest site of the tile in its cluster.

/// The bonds of a tile, a bit for each site: from site column + edge * row to the right, and down.
template <int Edge>
struct SquareTileBonds {
  using Row =
      std::conditional_t<Edge <= 16, std::uint16_t, std::conditional_t<Edge == 32, std::uint32_t, std::uint64_t>>;
  Row right[Edge], down[Edge];

  __device__ __forceinline__ void load(const SquareTiles& tiles, const SquareTile<Edge>& tile,
                                       const std::uint32_t* bonds) {
    for (int r = 0; r < tile.rows; ++r) {
      std::uint64_t to_right = 0, to_down = 0;
      for (int c = 0; c < tile.columns; ++c) {
        const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
        if (c + 1 < tile.columns && tiles.bond(bonds, 0, x, y)) to_right |= std::uint64_t{1} << c;
        if (r + 1 < tile.rows && tiles.bond(bonds, 1, x, y)) to_down |= std::uint64_t{1} << c;
      }
      right[r] = static_cast<Row>(to_right);
      down[r] = static_cast<Row>(to_down);
    }
  }
};

/// Tiles of a block where a thread works alone on its tile: as many as 48 KiB of shared memory hold, a warp at most.
[[nodiscard]] constexpr int tiles_fitting(std::size_t bytes) {
  int tiles = 32;
  while (static_cast<std::size_t>(tiles) * bytes > 48 * 1024) tiles /= 2;
  return tiles;
}

/// Shared memory of serial tiles. The padding spreads the tiles over the banks.
template <int Edge>
struct SerialTile {
  static constexpr int sites = Edge * Edge;
  using Queued = std::conditional_t<sites <= 256, std::uint8_t, std::uint16_t>;
  static constexpr int labels = sites + 2, queue = sites + 4 / static_cast<int>(sizeof(Queued));
  static constexpr int searched =
      tiles_fitting(2 * labels + sizeof(Queued) * queue + sizeof(SquareTileBonds<Edge>));  ///< tiles in a block
  static constexpr int united = tiles_fitting(2 * labels);
};

/// Breadth-first search, one thread a tile: the sites of a cluster in layers from its first one.
template <int Edge>
__global__ void __launch_bounds__(SerialTile<Edge>::searched)
    tile_breadth_first_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  using Memory = SerialTile<Edge>;
  using Queued = typename Memory::Queued;
  constexpr std::uint16_t unvisited = 0xFFFF;
  __shared__ std::uint16_t labels[Memory::searched][Memory::labels];
  __shared__ Queued queues[Memory::searched][Memory::queue];
  __shared__ SquareTileBonds<Edge> all_bonds[Memory::searched];
  const std::uint32_t index = blockIdx.x * Memory::searched + threadIdx.x;
  if (index >= tiles.tiles()) return;
  const SquareTile<Edge> tile(tiles, index);
  SquareTileBonds<Edge>& active = all_bonds[threadIdx.x];
  active.load(tiles, tile, bonds);
  std::uint16_t* const found = labels[threadIdx.x];
  Queued* const queue = queues[threadIdx.x];
  for (int i = 0; i < Memory::sites; ++i) found[i] = unvisited;
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      const int seed = c + Edge * r;
      if (found[seed] != unvisited) continue;
      int first = 0, last = 0;
      const auto visit = [&](int site) {
        if (found[site] != unvisited) return;
        found[site] = static_cast<std::uint16_t>(seed);
        queue[last++] = static_cast<Queued>(site);
      };
      visit(seed);
      while (first < last) {
        const int site = queue[first++], column = site % Edge, row = site / Edge;
        if ((active.right[row] >> column) & 1) visit(site + 1);
        if ((active.down[row] >> column) & 1) visit(site + Edge);
        if (column > 0 && ((active.right[row] >> (column - 1)) & 1)) visit(site - 1);
        if (row > 0 && ((active.down[row - 1] >> column) & 1)) visit(site - Edge);
      }
    }
  }
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      label[tile.site(tiles, c + Edge * r)] = tile.site(tiles, found[c + Edge * r]);
    }
  }
}

/// Union-find, one thread a tile: trees with path halving, the smallest site on top.
template <int Edge>
__global__ void __launch_bounds__(SerialTile<Edge>::united)
    tile_union_find_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  using Memory = SerialTile<Edge>;
  __shared__ std::uint16_t labels[Memory::united][Memory::labels];
  const std::uint32_t index = blockIdx.x * Memory::united + threadIdx.x;
  if (index >= tiles.tiles()) return;
  const SquareTile<Edge> tile(tiles, index);
  std::uint16_t* const parent = labels[threadIdx.x];
  const auto find = [&](int i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  const auto unite = [&](int a, int b) {
    a = find(a);
    b = find(b);
    parent[max(a, b)] = static_cast<std::uint16_t>(min(a, b));
  };
  for (int i = 0; i < Memory::sites; ++i) parent[i] = static_cast<std::uint16_t>(i);
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
      const int i = c + Edge * r;
      if (c + 1 < tile.columns && tiles.bond(bonds, 0, x, y)) unite(i, i + 1);
      if (r + 1 < tile.rows && tiles.bond(bonds, 1, x, y)) unite(i, i + Edge);
    }
  }
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      label[tile.site(tiles, c + Edge * r)] = tile.site(tiles, find(c + Edge * r));
    }
  }
}

/// Threads of a tile where all of them label it together; each has its share of the sites.
template <int Edge>
constexpr int self_labelling_threads = Edge* Edge < 1024 ? Edge* Edge : 1024;

/// Self-labelling: ends of an active bond both take the smaller label until nothing changes. One block a tile.
template <int Edge>
__global__ void __launch_bounds__(self_labelling_threads<Edge>)
    tile_self_label_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  constexpr int sites = SquareTile<Edge>::sites, threads = self_labelling_threads<Edge>, share = sites / threads;
  __shared__ int labels[sites];
  const SquareTile<Edge> tile(tiles, blockIdx.x);
  unsigned right = 0, down = 0;  // bit k: of site threadIdx.x + threads * k
#pragma unroll
  for (int k = 0; k < share; ++k) {
    const int i = static_cast<int>(threadIdx.x) + threads * k, c = i % Edge, r = i / Edge;
    const bool inside = c < tile.columns && r < tile.rows;
    const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
    if (inside && c + 1 < tile.columns && tiles.bond(bonds, 0, x, y)) right |= 1U << k;
    if (inside && r + 1 < tile.rows && tiles.bond(bonds, 1, x, y)) down |= 1U << k;
    labels[i] = i;
  }
  bool changed = true;
  const auto relax = [&](int a, int b) {
    const int at_a = atomicAdd(labels + a, 0), at_b = atomicAdd(labels + b, 0);
    if (at_a == at_b) return;
    atomicMin(labels + (at_a < at_b ? b : a), min(at_a, at_b));
    changed = true;
  };
  __syncthreads();
  while (changed) {
    changed = false;
#pragma unroll
    for (int k = 0; k < share; ++k) {
      const int i = static_cast<int>(threadIdx.x) + threads * k;
      if ((right >> k) & 1U) relax(i, i + 1);
      if ((down >> k) & 1U) relax(i, i + Edge);
    }
    changed = __syncthreads_or(changed) != 0;
  }
#pragma unroll
  for (int k = 0; k < share; ++k) {
    const int i = static_cast<int>(threadIdx.x) + threads * k;
    if (i % Edge < tile.columns && i / Edge < tile.rows) label[tile.site(tiles, i)] = tile.site(tiles, labels[i]);
  }
}

}}  // namespace glassworks::cuda
