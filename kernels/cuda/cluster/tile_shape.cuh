#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace cuda {

/// Many equal lattices in device memory, as the tile kernels see them.
struct TileLattice {
  int extent[4];  ///< 1 along axes it lacks
  unsigned tiles[4];
  std::uint32_t reciprocal[4];  ///< floor(2^32 / tiles), at most 2^32 - 1
  unsigned systems;
  std::uint32_t sites;        ///< of one system
  std::uint32_t plane_words;  ///< of the bonds of one direction

  /// Bond words: words[system][direction][plane_words].
  [[nodiscard]] __host__ __device__ std::size_t word_of(unsigned system, int directions, int direction,
                                                        std::uint32_t site) const {
    return (static_cast<std::size_t>(system) * directions + direction) * plane_words + (site >> 5);
  }
  [[nodiscard]] __host__ __device__ unsigned tiles_of_one() const { return tiles[0] * tiles[1] * tiles[2] * tiles[3]; }
  [[nodiscard]] __host__ __device__ unsigned tiles_of_all() const { return tiles_of_one() * systems; }
  /// Coordinate of a tile along an axis; `index` is that of the tile from this axis on, and afterwards from the next.
  [[nodiscard]] __device__ __forceinline__ int next_coordinate(unsigned& index, int axis) const {
    unsigned quotient = __umulhi(index, reciprocal[axis]);  // one too small, or right
    unsigned rest = index - quotient * tiles[axis];
    if (rest >= tiles[axis]) {
      rest -= tiles[axis];
      ++quotient;
    }
    index = quotient;
    return static_cast<int>(rest);
  }
};

/// How a block shares a tile of 32 WX x TY x TZ x TW sites among its warps: each has a part of 32 x SY x SZ x SW. A row
/// is all sites of a tile with equal y, z, w; a segment is 32 sites of a row.
template <int Dim, bool Diagonal, int WX, int TY, int TZ, int TW, int SY, int SZ, int SW>
struct ClusterTileShape {
  static constexpr int dim = Dim, directions = Diagonal ? 3 : Dim;
  static constexpr bool diagonal = Diagonal;  ///< the triangular lattice's bonds to (x + 1, y + 1)
  static constexpr int words_wide = WX, width = 32 * WX;
  static constexpr int ty = TY, tz = TZ, tw = TW, sy = SY, sz = SZ, sw = SW;
  static constexpr int rows = TY * TZ * TW, segments = rows * WX, sites = 32 * segments;
  static constexpr int parts_y = TY / SY, parts_z = TZ / SZ, parts_w = TW / SW;
  static constexpr int threads = 32 * WX * parts_y * parts_z * parts_w;
  static_assert(sites <= (1 << 15), "a label inside a tile has 15 bits");
  static_assert((TY & (TY - 1)) == 0 && (TZ & (TZ - 1)) == 0 && (TW & (TW - 1)) == 0 && (WX & (WX - 1)) == 0);
  static_assert(TY % SY == 0 && TZ % SZ == 0 && TW % SW == 0 && threads <= 1024);
  static constexpr int inner_sites =
      (width - 2) * (Dim > 1 ? TY - 2 : 1) * (Dim > 2 ? TZ - 2 : 1) * (Dim > 3 ? TW - 2 : 1);
  static constexpr int face_sites = sites - inner_sites;
  static constexpr int links_at_once = 960;  ///< that are listed in shared memory
  /// Shared memory of the labelling: label[sites], words[directions][segments], 16 bits for each listed link.
  static constexpr std::size_t bytes =
      4 * (static_cast<std::size_t>(sites) + directions * segments) + 2 * links_at_once;

  /// Whether a tile holds whole rows of the lattice, so that the bonds across its boundary at the end of x are inside.
  [[nodiscard]] static __host__ __device__ bool closes_x(const TileLattice& lattice) {
    return words_wide == 1 && lattice.tiles[0] == 1;
  }

  [[nodiscard]] static TileLattice lattice(const std::array<int, Graph::max_dim>& extents, unsigned systems) {
    const int size[4] = {width, TY, TZ, TW};
    TileLattice l{};
    l.sites = 1;
    for (int axis = 0; axis < 4; ++axis) {
      l.extent[axis] = extents[static_cast<std::size_t>(axis)];
      l.tiles[axis] = static_cast<unsigned>((l.extent[axis] + size[axis] - 1) / size[axis]);
      l.reciprocal[axis] = l.tiles[axis] == 1 ? ~0U : static_cast<std::uint32_t>((1ULL << 32) / l.tiles[axis]);
      l.sites *= static_cast<std::uint32_t>(l.extent[axis]);
    }
    l.plane_words = (l.sites + 31U) / 32U;
    l.systems = systems;
    return l;
  }
};

/// The shapes that a lattice can be cut into, the preferred one first.
template <class First, class... Others>
struct TileShapes {
  using Preferred = First;
  /// body(Shape{}) for the shape of that number, where there are so many. Builds for one size of each kind have the
  /// first one only (kernel_sizes.cmake).
  template <class Body>
  static void with(int variant, const Body& body) {
    if (variant == 0) return body(First{});
#if GLASSWORKS_CUDA_ALL_SIZES
    int i = 1;
    ((i++ == variant ? body(Others{}) : void()), ...);
#endif
  }
};

/// One tile of one system.
template <class Shape>
struct ClusterTilePlace {
  int origin[4];
  unsigned system, tile;

  __device__ __forceinline__ ClusterTilePlace(const TileLattice& lattice, unsigned index) : tile(index) {
    origin[0] = lattice.next_coordinate(index, 0) * Shape::width;
    origin[1] = lattice.next_coordinate(index, 1) * Shape::ty;
    origin[2] = Shape::dim > 2 ? lattice.next_coordinate(index, 2) * Shape::tz : 0;
    origin[3] = Shape::dim > 3 ? lattice.next_coordinate(index, 3) * Shape::tw : 0;
    system = index;
  }

  [[nodiscard]] static __device__ __forceinline__ int y_of(int row) { return row % Shape::ty; }
  [[nodiscard]] static __device__ __forceinline__ int z_of(int row) { return row / Shape::ty % Shape::tz; }
  [[nodiscard]] static __device__ __forceinline__ int w_of(int row) { return row / (Shape::ty * Shape::tz); }

  /// Whether the lattice has this row of the tile.
  [[nodiscard]] __device__ __forceinline__ bool has_row(const TileLattice& lattice, int row) const {
    bool inside = origin[1] + y_of(row) < lattice.extent[1];
    if constexpr (Shape::dim > 2) inside = inside && origin[2] + z_of(row) < lattice.extent[2];
    if constexpr (Shape::dim > 3) inside = inside && origin[3] + w_of(row) < lattice.extent[3];
    return inside;
  }
  /// Site of the system at x = 0 of the tile.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t row_site(const TileLattice& lattice, int row) const {
    std::uint32_t r = static_cast<std::uint32_t>(origin[1] + y_of(row));
    if constexpr (Shape::dim > 3) {
      r += static_cast<std::uint32_t>(lattice.extent[1]) *
           (static_cast<std::uint32_t>(origin[2] + z_of(row)) +
            static_cast<std::uint32_t>(lattice.extent[2]) * static_cast<std::uint32_t>(origin[3] + w_of(row)));
    } else if constexpr (Shape::dim > 2) {
      r += static_cast<std::uint32_t>(lattice.extent[1]) * static_cast<std::uint32_t>(origin[2] + z_of(row));
    }
    return r * static_cast<std::uint32_t>(lattice.extent[0]) + static_cast<std::uint32_t>(origin[0]);
  }
  /// Site of the system from its index in the tile.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site(const TileLattice& lattice, std::uint32_t local) const {
    return row_site(lattice, static_cast<int>(local) / Shape::width) + local % Shape::width;
  }
  /// Last coordinate inside the tile along an axis, 0 <= axis < 4, that the lattice has.
  [[nodiscard]] __device__ __forceinline__ int last(const TileLattice& lattice, int axis) const {
    constexpr int size[4] = {Shape::width, Shape::ty, Shape::tz, Shape::tw};
    return min(size[axis], lattice.extent[axis] - origin[axis]) - 1;
  }
  /// Sites of the lattice in a segment that begins at x of the tile, at most 32, perhaps none.
  [[nodiscard]] __device__ __forceinline__ int segment_width(const TileLattice& lattice, int x) const {
    return max(0, min(32, lattice.extent[0] - origin[0] - x));
  }
  /// Whether a row lies on a face of the tile across an axis other than x.
  [[nodiscard]] __device__ __forceinline__ bool on_face(const TileLattice& lattice, int row) const {
    bool face = false;
    if constexpr (Shape::dim > 1) {
      const int y = y_of(row);
      face = y == 0 || y == Shape::ty - 1 || origin[1] + y == lattice.extent[1] - 1;
    }
    if constexpr (Shape::dim > 2) {
      const int z = z_of(row);
      face = face || z == 0 || z == Shape::tz - 1 || origin[2] + z == lattice.extent[2] - 1;
    }
    if constexpr (Shape::dim > 3) {
      const int w = w_of(row);
      face = face || w == 0 || w == Shape::tw - 1 || origin[3] + w == lattice.extent[3] - 1;
    }
    return face;
  }
};

}}  // namespace glassworks::cuda
