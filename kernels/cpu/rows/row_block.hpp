#pragma once

#include <type_traits>

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Up to sixteen sites of one parity as lanes of vectors: the same number of them, x, x + 2, ..., of one row or of
/// several short ones. In d >= 2 the rows are 2 k + member for k = first pair, first pair + 1, ...: then the blocks of
/// random words follow each other.
struct RowBlock {
  std::int64_t first_row = 0;
  int first_x = 0;        ///< even
  std::uint32_t odd = 0;  ///< bit i: x starts at first_x + 1 in piece i, which is row first_row + 2 i
  int pieces = 0, of_each = 0, sites = 0;

  GLASSWORKS_HD RowBlock(std::int64_t row, int even_x, int count) : first_row(row), first_x(even_x), of_each(count) {}
  GLASSWORKS_HD void add(bool starts_odd) {
    odd |= (starts_odd ? 1U : 0U) << pieces++;
    sites += of_each;
  }
  [[nodiscard]] GLASSWORKS_HD std::int64_t row(int piece) const { return first_row + 2 * piece; }
  [[nodiscard]] GLASSWORKS_HD int shift(int piece) const { return static_cast<int>(odd >> piece & 1U); }
  [[nodiscard]] GLASSWORKS_HD int x(int piece) const { return first_x + shift(piece); }

  /// Numbers of the sites; those of the lanes without a site are 0.
  GLASSWORKS_HD void sites_of(int L, std::uint32_t site[16]) const {
    for (int i = 0; i < 16; ++i) site[i] = 0;
    for (int i = 0; i < pieces; ++i) {
      const auto first = static_cast<std::uint32_t>(row(i) * L + x(i));
      for (int k = 0; k < of_each; ++k) site[i * of_each + k] = first + 2 * static_cast<std::uint32_t>(k);
    }
  }
};

/// body(pieces of the block): an int, or for long rows and those of eight sites a std::integral_constant<int, n>, with
/// which nothing is left of the loops over pieces.
template <class Body>
GLASSWORKS_HD void for_pieces(const RowBlock& block, const Body& body) {
  if (block.pieces == 1) return body(std::integral_constant<int, 1>{});
  if (block.pieces == 4) return body(std::integral_constant<int, 4>{});
  body(block.pieces);
}

/// Where an array [site] holds what a block wants: its own sites, or their neighbours along an axis. Pieces, here and
/// below: see for_pieces.
struct RowPlaces {
  std::int64_t from[16], to[16];  ///< [piece] of the array and of the lanes
  bool are_shifted = false;       ///< some pieces are one lane further than those of the block
  std::int64_t end[16];           ///< of the sites at the other end of their row
  int lane[16], ends = 0;         ///< their lanes

  /// The sites of the block.
  template <class Pieces>
  GLASSWORKS_HD RowPlaces(const ClusterGeometry& g, const RowBlock& block, Pieces pieces) {
    for (int i = 0; i < pieces; ++i) {
      from[i] = block.row(i) * g.L + block.x(i);
      to[i] = i * block.of_each;
    }
  }
  /// Their neighbours along an axis >= 1; next [row]: the row of those.
  template <class Pieces>
  GLASSWORKS_HD RowPlaces(const ClusterGeometry& g, const RowBlock& block, Pieces pieces, const RowPlaces& own,
                          const std::int32_t* next) {
    for (int i = 0; i < pieces; ++i) {
      from[i] = own.from[i] + (next[block.row(i)] - block.row(i)) * g.L;
      to[i] = own.to[i];
    }
  }
  /// Their neighbours along the rows; direction 0: +axis, 1: -axis.
  template <class Pieces>
  GLASSWORKS_HD RowPlaces(const ClusterGeometry& g, const RowBlock& block, Pieces pieces, const RowPlaces& own,
                          int direction) {
    const bool at_end = direction == 0 ? block.first_x + 2 * block.of_each == g.L : block.first_x == 0;
    for (int i = 0; i < pieces; ++i) {
      const int odd = block.shift(i);
      from[i] = own.from[i] + (direction == 0 ? 1 : -1);
      to[i] = own.to[i];
      if (!at_end || odd == direction) continue;
      const std::int64_t row = own.from[i] - block.first_x - odd;
      if (direction == 0) {
        add_end(static_cast<int>(to[i]) + block.of_each - 1, row);
      } else {
        add_end(static_cast<int>(to[i]), row + g.L - 1);
        from[i] = row + 1;
        ++to[i];
        are_shifted = true;
      }
    }
  }

 private:
  GLASSWORKS_HD void add_end(int of_lane, std::int64_t site) {
    lane[ends] = of_lane;
    end[ends++] = site;
  }
};

/// Numbers of the lanes of a block; more than sixteen, because rows are copied sixteen numbers at a time.
template <class Number>
struct LaneBuffer {
  alignas(64) Number lane[48] = {};
};

/// Copies between rows of sites and the lanes of a block.
template <class Wide>
struct RowBlocks {
  /// of_sites [site] at these places.
  template <class Pieces, class T, class Number>
  GLASSWORKS_HD static void take(const RowBlock& block, Pieces pieces, const RowPlaces& places, const T* of_sites,
                                 LaneBuffer<Number>& to) {
    const int of_each = block.of_each;
    int i = 0;
    if (pieces > 1 && of_each == 4 && !places.are_shifted) {
      for (; i + 2 <= pieces; i += 2) {
        Wide::every_second_of_two(of_sites + places.from[i], of_sites + places.from[i + 1], to.lane + 4 * i);
      }
    }
    for (; i < pieces; ++i) Wide::every_second(of_sites + places.from[i], of_each, to.lane + places.to[i]);
    for (int k = 0; k < places.ends; ++k) to.lane[places.lane[k]] = of_sites[places.end[k]];
  }

  template <class Pieces, class T, class Number>
  GLASSWORKS_HD static void put(const RowBlock& block, Pieces pieces, const RowPlaces& own,
                                const LaneBuffer<Number>& from, T* to_sites) {
    const int of_each = block.of_each;
    for (int i = 0; i < pieces; ++i) Wide::put_every_second(from.lane + own.to[i], of_each, to_sites + own.from[i]);
  }

  /// body(block, first cell) for the sites of one parity and member of the rows begin <= row < end, d >= 2; a cell is
  /// two sites along x in a pair of rows.
  template <class Body>
  GLASSWORKS_HD static void for_cells(const ClusterGeometry& g, int parity, std::int64_t begin, std::int64_t end,
                                      const Body& body) {
    const int half = g.L / 2;
    const std::int64_t pairs_at_once = half < 16 ? 16 / half : 1;
    for (std::int64_t pair = begin / 2; pair < end / 2; pair += pairs_at_once) {
      const std::int64_t last = pair + pairs_at_once < end / 2 ? pair + pairs_at_once : end / 2;
      for (int first = 0; first < half; first += 16) {
        const int count = half - first < 16 ? half - first : 16;
        RowBlock members[2] = {{2 * pair, 2 * first, count}, {2 * pair + 1, 2 * first, count}};
        for (std::int64_t row = 2 * pair; row < 2 * last; ++row) {
          members[row & 1].add(((g.parity[row] + parity) & 1) != 0);
        }
        body(members, pair * half + first);
      }
    }
  }

  /// The same for the one row of d = 1; body(block, number of the first site among those of the parity).
  template <class Body>
  GLASSWORKS_HD static void for_chain(const ClusterGeometry& g, int parity, const Body& body) {
    const int half = g.L / 2;
    for (int first = 0; first < half; first += 16) {
      RowBlock block(0, 2 * first, half - first < 16 ? half - first : 16);
      block.add(parity != 0);
      body(block, first);
    }
  }
};

}}  // namespace glassworks::cpu
