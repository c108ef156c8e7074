#pragma once

#include <cstdint>

#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks { inline namespace cuda {

/// A periodic or open square lattice cut into tiles of edge x edge sites (Weigel 2011); those at the end are smaller.
struct SquareTiles {
  static constexpr int edge = 16;  ///< the best of the paper
  static constexpr int sites = edge * edge;
  std::uint32_t width, height;
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
struct SquareTile {
  std::uint32_t x, y;
  int columns, rows;

  __device__ __forceinline__ SquareTile(const SquareTiles& tiles, std::uint32_t index)
      : x(index % tiles.tiles_x * SquareTiles::edge),
        y(index / tiles.tiles_x * SquareTiles::edge),
        columns(static_cast<int>(min(static_cast<std::uint32_t>(SquareTiles::edge), tiles.width - x))),
        rows(static_cast<int>(min(static_cast<std::uint32_t>(SquareTiles::edge), tiles.height - y))) {}
  /// Site of the lattice from the index in the tile, column + edge * row.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site(const SquareTiles& tiles, int local) const {
    return x + static_cast<std::uint32_t>(local % SquareTiles::edge) +
           tiles.width * (y + static_cast<std::uint32_t>(local / SquareTiles::edge));
  }
};

// Labelling inside tiles: label[site] = smallest site of the tile in its cluster.

constexpr int serial_tiles_per_block = 32;

/// The bonds of a tile, a bit for each site: from site column + edge * row to the right, and down.
struct SquareTileBonds {
  std::uint16_t right[SquareTiles::edge], down[SquareTiles::edge];

  __device__ __forceinline__ void load(const SquareTiles& tiles, const SquareTile& tile, const std::uint32_t* bonds) {
    for (int r = 0; r < tile.rows; ++r) {
      std::uint32_t to_right = 0, to_down = 0;
      for (int c = 0; c < tile.columns; ++c) {
        const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
        if (c + 1 < tile.columns && tiles.bond(bonds, 0, x, y)) to_right |= 1U << c;
        if (r + 1 < tile.rows && tiles.bond(bonds, 1, x, y)) to_down |= 1U << c;
      }
      right[r] = static_cast<std::uint16_t>(to_right);
      down[r] = static_cast<std::uint16_t>(to_down);
    }
  }
};

/// Breadth-first search, one thread a tile: the sites of a cluster in layers from its first one.
__global__ void __launch_bounds__(serial_tiles_per_block)
    tile_breadth_first_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  constexpr int edge = SquareTiles::edge;
  constexpr std::uint16_t unvisited = 0xFFFF;
  __shared__ std::uint16_t labels[serial_tiles_per_block][SquareTiles::sites + 2];
  __shared__ std::uint8_t queues[serial_tiles_per_block][SquareTiles::sites + 4];
  __shared__ SquareTileBonds all_bonds[serial_tiles_per_block];
  const std::uint32_t index = blockIdx.x * serial_tiles_per_block + threadIdx.x;
  if (index >= tiles.tiles()) return;
  const SquareTile tile(tiles, index);
  SquareTileBonds& active = all_bonds[threadIdx.x];
  active.load(tiles, tile, bonds);
  std::uint16_t* const found = labels[threadIdx.x];
  std::uint8_t* const queue = queues[threadIdx.x];
  for (int i = 0; i < SquareTiles::sites; ++i) found[i] = unvisited;
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      const int seed = c + edge * r;
      if (found[seed] != unvisited) continue;
      int first = 0, last = 0;
      const auto visit = [&](int site) {
        if (found[site] != unvisited) return;
        found[site] = static_cast<std::uint16_t>(seed);
        queue[last++] = static_cast<std::uint8_t>(site);
      };
      visit(seed);
      while (first < last) {
        const int site = queue[first++], column = site % edge, row = site / edge;
        if ((active.right[row] >> column) & 1) visit(site + 1);
        if ((active.down[row] >> column) & 1) visit(site + edge);
        if (column > 0 && ((active.right[row] >> (column - 1)) & 1)) visit(site - 1);
        if (row > 0 && ((active.down[row - 1] >> column) & 1)) visit(site - edge);
      }
    }
  }
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      label[tile.site(tiles, c + edge * r)] = tile.site(tiles, found[c + edge * r]);
    }
  }
}

/// Union-find, one thread a tile: trees with path halving, the smallest site on top.
__global__ void __launch_bounds__(serial_tiles_per_block)
    tile_union_find_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  constexpr int edge = SquareTiles::edge;
  __shared__ std::uint16_t labels[serial_tiles_per_block][SquareTiles::sites + 2];
  const std::uint32_t index = blockIdx.x * serial_tiles_per_block + threadIdx.x;
  if (index >= tiles.tiles()) return;
  const SquareTile tile(tiles, index);
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
  for (int i = 0; i < SquareTiles::sites; ++i) parent[i] = static_cast<std::uint16_t>(i);
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
      const int i = c + edge * r;
      if (c + 1 < tile.columns && tiles.bond(bonds, 0, x, y)) unite(i, i + 1);
      if (r + 1 < tile.rows && tiles.bond(bonds, 1, x, y)) unite(i, i + edge);
    }
  }
  for (int r = 0; r < tile.rows; ++r) {
    for (int c = 0; c < tile.columns; ++c) {
      label[tile.site(tiles, c + edge * r)] = tile.site(tiles, find(c + edge * r));
    }
  }
}

/// Self-labelling, one thread a site: ends of an active bond both take the smaller label until nothing changes.
__global__ void __launch_bounds__(SquareTiles::sites)
    tile_self_label_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  constexpr int edge = SquareTiles::edge;
  __shared__ int labels[SquareTiles::sites];
  const SquareTile tile(tiles, blockIdx.x);
  const int i = static_cast<int>(threadIdx.x), c = i % edge, r = i / edge;
  const bool inside = c < tile.columns && r < tile.rows;
  const std::uint32_t x = tile.x + static_cast<std::uint32_t>(c), y = tile.y + static_cast<std::uint32_t>(r);
  const bool right = inside && c + 1 < tile.columns && tiles.bond(bonds, 0, x, y);
  const bool down = inside && r + 1 < tile.rows && tiles.bond(bonds, 1, x, y);
  labels[i] = i;
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
    if (right) relax(i, i + 1);
    if (down) relax(i, i + edge);
    changed = __syncthreads_or(changed) != 0;
  }
  if (inside) label[tile.site(tiles, i)] = tile.site(tiles, labels[i]);
}

}}  // namespace glassworks::cuda
