#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace cuda {

/// A hypercubic lattice cut into compact tiles, for sums over clusters: most of those that a tile
/// meets lie in it as a whole. Rows of a tile have at most 32 sites, except in d = 1. The tiles at the upper ends may
/// reach beyond the lattice.
struct SiteTiles {
  static constexpr std::uint32_t most_sites = 1U << 12;

  int dim;
  std::uint32_t L;
  std::uint32_t edge[4];     ///< of a tile
  std::uint32_t factor[4];   ///< t factor / 2^18 = t / edge for t < most_sites; 0 along the last axis
  std::uint32_t count[4];    ///< tiles along each axis
  std::uint32_t sites, all;  ///< sites of a tile; tiles of the lattice

  /// wanted  number of sites of a tile, at most most_sites
  SiteTiles(const Lattice& lattice, std::uint32_t wanted)
      : dim(lattice.dim),
        L(static_cast<std::uint32_t>(lattice.L)),
        edge{1, 1, 1, 1},
        factor{0, 0, 0, 0},
        count{1, 1, 1, 1},
        sites(1),
        all(1) {
    for (int axis = 0; axis < dim; ++axis) {
      std::uint32_t longest = 1;
      while (power(longest + 1, dim - axis) <= wanted / sites) ++longest;
      if (axis == 0 && dim > 1) longest = 32;
      count[axis] = (L + longest - 1) / longest;
      edge[axis] = (L + count[axis] - 1) / count[axis];
      if (axis + 1 < dim) factor[axis] = ((1U << 18) + edge[axis] - 1) / edge[axis];
      sites *= edge[axis];
      all *= count[axis];
    }
  }

  /// Coordinates, and the number of the site in the lattice, of site t of a tile.
  struct Place {
    std::uint32_t c[4];
    std::uint32_t site;
    bool inside;      ///< the lattice has it
    bool begins_row;  ///< it is the first of its row in the tile
    /// Axes along which it is the first or the last one of the tile: bits axis and 4 + axis.
    std::uint32_t border;
    [[nodiscard]] GLASSWORKS_HD bool is_first(int axis) const { return (border >> axis & 1U) != 0; }
    [[nodiscard]] GLASSWORKS_HD bool is_last(int axis) const { return (border >> (4 + axis) & 1U) != 0; }
  };
  template <int fixed_dim>
  [[nodiscard]] GLASSWORKS_HD Place place(std::uint32_t tile, std::uint32_t t) const {
    Place p{{0, 0, 0, 0}, 0, t < sites, false, 0};
    std::uint32_t step = 1;
    GLASSWORKS_UNROLL
    for (int axis = 0; axis < fixed_dim; ++axis) {
      const std::uint32_t above = axis + 1 < fixed_dim ? t * factor[axis] >> 18 : 0;
      const std::uint32_t in_tile = t - above * edge[axis];
      if (axis == 0) p.begins_row = in_tile == 0;
      p.c[axis] = tile % count[axis] * edge[axis] + in_tile;
      p.inside = p.inside && p.c[axis] < L;
      p.border |= (in_tile == 0 ? 1U << axis : 0U) | (in_tile + 1 == edge[axis] ? 16U << axis : 0U);
      p.site += step * p.c[axis];
      tile /= count[axis];
      t = above;
      step *= L;
    }
    return p;
  }

 private:
  [[nodiscard]] static std::uint64_t power(std::uint64_t base, int exponent) {
    std::uint64_t product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
};

}}  // namespace glassworks::cuda
