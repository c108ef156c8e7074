#pragma once

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Up to sixteen sites of one parity, x, x + 2, ... of one row or of several short ones, as lanes of vectors. In d >= 2
/// the rows are 2 k + member for k = first pair, first pair + 1, ...: then the blocks of random words follow each
/// other.
struct RowBlock {
  struct Piece {
    std::int64_t row;
    int x, lane, count;
  };
  int pieces = 0, sites = 0;
  Piece piece[16];

  GLASSWORKS_HD void add(std::int64_t row, int x, int count) {
    piece[pieces++] = {row, x, sites, count};
    sites += count;
  }
  /// Numbers of the sites; those of the lanes without a site are 0.
  GLASSWORKS_HD void sites_of(int L, std::uint32_t site[16]) const {
    for (int i = 0; i < 16; ++i) site[i] = 0;
    for (int i = 0; i < pieces; ++i) {
      const auto first = static_cast<std::uint32_t>(piece[i].row * L + piece[i].x);
      for (int k = 0; k < piece[i].count; ++k) site[piece[i].lane + k] = first + 2 * static_cast<std::uint32_t>(k);
    }
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
  /// of_sites [site] at the sites of the block.
  template <class T, class Number>
  GLASSWORKS_HD static void take(const ClusterGeometry& g, const RowBlock& block, const T* of_sites,
                                 LaneBuffer<Number>& to) {
    for (int i = 0; i < block.pieces; ++i) {
      const RowBlock::Piece& p = block.piece[i];
      Wide::every_second(of_sites + p.row * g.L + p.x, to.lane + p.lane);
    }
  }

  /// of_sites at the neighbours along an axis; direction 0: +axis, 1: -axis.
  template <class T, class Number>
  GLASSWORKS_HD static void take_neighbours(const ClusterGeometry& g, const RowBlock& block, int axis, int direction,
                                            const T* of_sites, LaneBuffer<Number>& to) {
    for (int i = 0; i < block.pieces; ++i) {
      const RowBlock::Piece& p = block.piece[i];
      if (axis > 0) {
        const std::int32_t* next = (direction == 0 ? g.forward : g.backward) + (axis - 1) * g.rows;
        Wide::every_second(of_sites + std::int64_t{next[p.row]} * g.L + p.x, to.lane + p.lane);
        continue;
      }
      const T* row = of_sites + p.row * g.L;
      if (direction == 1 && p.x == 0) {
        Wide::every_second(row + 1, to.lane + p.lane + 1);
        to.lane[p.lane] = row[g.L - 1];
        continue;
      }
      Wide::every_second(row + p.x + (direction == 0 ? 1 : -1), to.lane + p.lane);
      if (direction == 0 && p.x + 2 * p.count > g.L) to.lane[p.lane + p.count - 1] = row[0];
    }
  }

  template <class T, class Number>
  GLASSWORKS_HD static void put(const ClusterGeometry& g, const RowBlock& block, const LaneBuffer<Number>& from,
                                T* to_sites) {
    for (int i = 0; i < block.pieces; ++i) {
      const RowBlock::Piece& p = block.piece[i];
      Wide::put_every_second(from.lane + p.lane, p.count, to_sites + p.row * g.L + p.x);
    }
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
        RowBlock members[2];
        for (int member = 0; member < 2; ++member) {
          for (std::int64_t p = pair; p < last; ++p) {
            const std::int64_t row = 2 * p + member;
            const int count = half - first < 16 ? half - first : 16;
            members[member].add(row, 2 * first + ((g.parity[row] + parity) & 1), count);
          }
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
      RowBlock block;
      block.add(0, 2 * first + parity, half - first < 16 ? half - first : 16);
      body(block, first);
    }
  }
};

}}  // namespace glassworks::cpu
