#pragma once

#include "kernels/cuda/cluster/tile_work.cuh"

namespace glassworks { inline namespace cuda {

/// Tiles of 32 x E x E (x E) sites, d = 3 and 4, of which a warp has a column: the E rows of one z and w.
template <class Shape>
struct Column {
  static constexpr int edge = Shape::ty, warps = Shape::threads / 32;
  static constexpr int together = edge < 4 ? edge : 4;  ///< rows that a warp handles at the same time
  static_assert(Shape::words_wide == 1 && Shape::dim > 2 && Shape::tz == edge &&
                (Shape::dim == 3 || Shape::tw == edge));
  static_assert(Shape::sy == edge && Shape::sz == 1 && Shape::sw == 1 && edge % together == 0);

  int lane, warp, z, w;
  int first;           ///< its row y = 0
  int last_x, last_y;  ///< last coordinates that the lattice has
  bool inside;         ///< the lattice has rows of it, and the site of this lane in them
  std::uint32_t site;  ///< of this lane at y = 0

  __device__ __forceinline__ Column(const TileLattice& lattice, const ClusterTilePlace<Shape>& place)
      : lane(static_cast<int>(threadIdx.x & 31U)),
        warp(static_cast<int>(threadIdx.x >> 5)),
        z(warp % edge),
        w(warp / edge),
        first(edge * warp),
        last_x(place.last(lattice, 0)),
        last_y(place.last(lattice, 1)),
        inside(lane <= last_x && z <= place.last(lattice, 2) && (Shape::dim == 3 || w <= place.last(lattice, 3))),
        site(place.row_site(lattice, edge * warp) + static_cast<std::uint32_t>(lane)) {}

  /// Place in the tile of this lane's site in row y of the column.
  [[nodiscard]] __device__ __forceinline__ int local(int y) const { return 32 * (first + y) + lane; }
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site_of(const TileLattice& lattice, int y) const {
    return site + static_cast<std::uint32_t>(y * lattice.extent[0]);
  }
};

/// A list of sites of a tile that a warp makes row by row, to share them evenly among its lanes: room for `together`
/// rows a warp.
template <class Shape>
class SiteList {
 public:
  using Memory = std::uint16_t[Column<Shape>::warps][32 * Column<Shape>::together];

  __device__ __forceinline__ SiteList(Memory& memory, const Column<Shape>& column)
      : sites_(memory[column.warp]), lane_(column.lane) {}
  /// Adds the site of every lane whose bit is set.
  __device__ __forceinline__ void add(std::uint32_t lanes, int local) {
    if (((lanes >> lane_) & 1U) != 0) {
      sites_[count_ + __popc(lanes & ((1U << lane_) - 1U))] = static_cast<std::uint16_t>(local);
    }
    count_ += __popc(lanes);
  }
  /// Calls visit(site) for all sites and empties the list. The lanes start together and reconverge after each visit;
  /// otherwise lanes that are done would run ahead into the next one and serialize.
  template <class Visit>
  __device__ __forceinline__ void take_all(Visit&& visit) {
    __syncwarp();
    for (int begin = 0; begin < count_; begin += 32) {
      if (begin + lane_ < count_) visit(static_cast<int>(sites_[begin + lane_]));
      __syncwarp();
    }
    count_ = 0;
  }

 private:
  std::uint16_t* sites_;
  int lane_, count_ = 0;
};

/// Labels the sites of one row by the first site of their run: sites that are joined along x.
template <class Shape>
__device__ __forceinline__ void label_runs(const TileLattice& lattice, const Column<Shape>& column, int y,
                                           std::uint32_t bonds_x, std::uint32_t* labels) {
  const std::uint32_t inner = (1U << column.last_x) - 1U, along = bonds_x & inner;
  int first = 31 - __clz(static_cast<int>(~(along << 1) & (all_lanes >> (31 - column.lane))));
  if (Shape::closes_x(lattice) && ((bonds_x >> column.last_x) & 1U) != 0) {
    // The run at the end of the row goes on at its beginning; its first site is that after the last bond that lacks.
    const int begin = 32 - __clz(static_cast<int>(~along & inner));
    if (first == begin) first = 0;
  }
  labels[column.local(y)] = static_cast<std::uint32_t>(32 * (column.first + y) + first);
}

/// Joins rows 0 <= y < rows of a column to those `step` rows further on in the tile.
template <class Shape>
__device__ __forceinline__ void join_rows(const Column<Shape>& column, int direction, int rows, int step,
                                          const std::uint32_t* words, SiteList<Shape>& list, std::uint32_t* labels) {
#pragma unroll 1
  for (int begin = 0; begin < rows; begin += Column<Shape>::together) {
#pragma unroll
    for (int i = 0; i < Column<Shape>::together; ++i) {
      const int y = begin + i, row = column.first + y;
      if (y >= rows) continue;
      const std::uint32_t links = words[direction * Shape::segments + row];
      // A link beside another one between the same two runs joins nothing new.
      list.add(links & ~((links & words[row] & words[row + step]) << 1), column.local(y));
    }
    list.take_all([&](int here) {
      unite_shared(labels, static_cast<std::uint32_t>(here), static_cast<std::uint32_t>(here + 32 * step));
    });
  }
}

/// Labels a tile whose bonds are in shared memory and whose runs are labelled, and writes local[tile][site of the tile]
/// = smallest site of the tile in the cluster, parent[root] = root. Begins with the lanes of each warp together.
template <class Shape>
__device__ __forceinline__ void label_columns(const ClusterTileWork& work, const ClusterTilePlace<Shape>& place,
                                              const Column<Shape>& column, const std::uint32_t* words,
                                              typename SiteList<Shape>::Memory& memory, std::uint32_t* labels) {
  constexpr int edge = Column<Shape>::edge, together = Column<Shape>::together;
  const TileLattice& lattice = work.lattice;
  SiteList<Shape> list(memory, column);
  join_rows(column, 1, column.last_y, 1, words, list, labels);
  __syncthreads();
  if (column.z < place.last(lattice, 2)) join_rows(column, 2, edge, edge, words, list, labels);
  if constexpr (Shape::dim > 3) {
    if (column.w < place.last(lattice, 3)) join_rows(column, 3, edge, edge * edge, words, list, labels);
  }
  __syncthreads();
  std::uint16_t* const local = work.local + static_cast<std::size_t>(place.tile) * Shape::sites;
  std::uint32_t* const parent = work.parent + static_cast<std::size_t>(place.system) * lattice.sites;
#pragma unroll 1
  for (int begin = 0; begin < edge; begin += together) {
    std::uint32_t at[together];
#pragma unroll
    for (int i = 0; i < together; ++i) at[i] = labels[column.local(begin + i)];
    for (bool moves = true; moves;) {
      moves = false;
#pragma unroll
      for (int i = 0; i < together; ++i) {
        const std::uint32_t above = labels[at[i]];
        moves = moves || above != at[i];
        at[i] = above;
      }
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const int y = begin + i, here = column.local(y);
      if (!column.inside || y > column.last_y) continue;
      local[here] = static_cast<std::uint16_t>(at[i]);
      if (at[i] == static_cast<std::uint32_t>(here)) {
        const std::uint32_t site = column.site_of(lattice, y);
        parent[site] = site;
      }
    }
  }
}

}}  // namespace glassworks::cuda
