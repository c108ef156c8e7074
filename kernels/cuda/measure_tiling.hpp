#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace cuda {

/// i / divisor by one multiplication, for 0 <= i and i * divisor < 2^31.
struct Divider {
  std::uint32_t divisor = 1, factor = 1U << 31U;

  Divider() = default;
  constexpr explicit Divider(int n) : divisor(static_cast<std::uint32_t>(n)), factor((1U << 31U) / divisor + 1U) {}
  [[nodiscard]] GLASSWORKS_HD constexpr int operator()(int i) const {
    return static_cast<int>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) * factor) >> 31U);
  }
};

/// First site of a tile; `plane` numbers the (x, y) planes of the lattice: z + L w.
struct MeasureTile {
  int x = 0, y = 0, plane = 0;
};

/// How a measurement cuts the lattice into tiles of width * height * depth sites, one pass of a block each: several
/// whole (x, y) planes where L is small, a part of one where it is large. Tiles at the border may reach beyond it.
///
/// The terms of a tile are kept as terms[plane][y][x] with rows of `pitch` sites: an odd pitch keeps columns and
/// diagonals in different banks; the last site of a row is free for the sum of the row.
struct MeasureTiling {
  static constexpr int fixed_L = 0;        ///< L, where the compiler knows it
  static constexpr bool one_tile = false;  ///< the compiler knows that a tile is the whole lattice
  int L = 0, rows = 0, planes = 0;         ///< edge, rows of an (x, y) plane, (x, y) planes
  int width = 0, height = 0, depth = 0;    ///< of a tile
  int tiles_x = 0, tiles_y = 0, passes = 0;
  int pitch = 0;
  Divider by_L, by_width, by_height, by_depth, by_diagonals, by_tiles_x, by_tiles_y;

  MeasureTiling() = default;
  constexpr explicit MeasureTiling(const Lattice& lattice)
      : L(lattice.L), rows(lattice.dim == 1 ? 1 : L), planes(static_cast<int>(lattice.rows()) / rows) {
    // Equal parts, so that the last tile of a row is not a sliver.
    const auto part = [](int whole, int limit) {
      const int parts = (whole + limit - 1) / limit;
      return (whole + parts - 1) / parts;
    };
    const int max_sites = lattice.dim == 4 ? 256 : 576;  // 29 kB of terms, or 23 kB in d = 4
    width = part(L, lattice.dim == 1 ? max_sites : 64);
    height = part(rows, max_sites / width);
    depth = width == L && height == rows ? part(planes, max_sites / (width * height)) : 1;
    tiles_x = (L + width - 1) / width;
    tiles_y = (rows + height - 1) / height;
    passes = tiles_x * tiles_y * ((planes + depth - 1) / depth);
    pitch = width + 1 + width % 2;
    by_L = Divider(L);
    by_width = Divider(width);
    by_height = Divider(height);
    by_depth = Divider(depth);
    by_diagonals = Divider(diagonals());
    by_tiles_x = Divider(tiles_x);
    by_tiles_y = Divider(tiles_y);
  }

  [[nodiscard]] GLASSWORKS_HD constexpr int sites() const { return width * height * depth; }
  /// Sites of a plane with the ends of its rows.
  [[nodiscard]] GLASSWORKS_HD constexpr int plane_terms() const { return height * pitch; }
  /// Values of x + y in a plane of a tile; those of whole rows are taken mod L.
  [[nodiscard]] GLASSWORKS_HD constexpr int diagonals() const { return width == L ? L : width + height - 1; }

  [[nodiscard]] GLASSWORKS_HD MeasureTile tile(int pass) const {
    const int row = by_tiles_x(pass), group = by_tiles_y(row);
    return {(pass - row * tiles_x) * width, (row - group * tiles_y) * height, group * depth};
  }
  /// Whole planes that lie in the first n sites of a tile, where the compiler knows that nothing else does; or 0.
  [[nodiscard]] GLASSWORKS_HD static constexpr int whole_planes(int /*n*/) { return 0; }
  /// N, from the batch.
  [[nodiscard]] GLASSWORKS_HD static std::int64_t lattice_sites(std::int64_t n) { return n; }
  [[nodiscard]] GLASSWORKS_HD bool has_column(int x) const { return x < L; }
  [[nodiscard]] GLASSWORKS_HD bool has_row(int y) const { return y < rows; }
  [[nodiscard]] GLASSWORKS_HD bool has_plane(int z_w) const { return z_w < planes; }
};

/// The MeasureTiling of a small lattice with all its numbers known to the compiler.
template <int dim, int edge>
struct FixedTiling {
  static constexpr MeasureTiling shape{Lattice{dim, edge}};
  static constexpr int fixed_L = edge, L = edge, rows = shape.rows, planes = shape.planes;
  static constexpr int width = shape.width, height = shape.height, depth = shape.depth, passes = shape.passes;
  static constexpr int pitch = shape.pitch;
  static constexpr bool one_tile = passes == 1;
  static_assert(width == L && height == rows && planes % depth == 0, "tiles are whole planes and reach nowhere beyond");

  [[nodiscard]] GLASSWORKS_HD static int by_L(int i) { return quotient<L>(i); }
  [[nodiscard]] GLASSWORKS_HD static int by_width(int i) { return quotient<width>(i); }
  [[nodiscard]] GLASSWORKS_HD static int by_height(int i) { return quotient<height>(i); }
  [[nodiscard]] GLASSWORKS_HD static int by_depth(int i) { return quotient<depth>(i); }
  [[nodiscard]] GLASSWORKS_HD static int by_diagonals(int i) { return quotient<L>(i); }

  [[nodiscard]] GLASSWORKS_HD static constexpr int sites() { return width * height * depth; }
  [[nodiscard]] GLASSWORKS_HD static constexpr int plane_terms() { return height * pitch; }
  [[nodiscard]] GLASSWORKS_HD static constexpr int diagonals() { return L; }
  [[nodiscard]] GLASSWORKS_HD static MeasureTile tile(int pass) { return {0, 0, pass * depth}; }
  [[nodiscard]] GLASSWORKS_HD static constexpr int whole_planes(int n) {
    return one_tile && n % (width * height) == 0 ? n / (width * height) : 0;
  }
  [[nodiscard]] GLASSWORKS_HD static constexpr std::int64_t lattice_sites(std::int64_t) {
    return std::int64_t{L} * rows * planes;
  }
  [[nodiscard]] GLASSWORKS_HD static constexpr bool has_column(int) { return true; }
  [[nodiscard]] GLASSWORKS_HD static constexpr bool has_row(int) { return true; }
  [[nodiscard]] GLASSWORKS_HD static constexpr bool has_plane(int) { return true; }

 private:
  template <int n>
  [[nodiscard]] GLASSWORKS_HD static int quotient(int i) {
    return static_cast<int>(static_cast<unsigned>(i) / static_cast<unsigned>(n));
  }
};

}}  // namespace glassworks::cuda
