#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/cuda/cluster/tile_shape.cuh"
#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks { inline namespace cuda {

constexpr unsigned all_lanes = 0xFFFFFFFFU;
/// The bonds of one tile in shared memory: words[direction][row][x / 32], bit = lane. Bits outside the lattice are 0.
template <class Shape>
struct TileBonds {
  const std::uint32_t* words;
  [[nodiscard]] __device__ __forceinline__ std::uint32_t at(int direction, int segment) const {
    return words[direction * Shape::segments + segment];
  }
};

/// 32 bits of a plane from bit `site` on; one word beyond the plane must be readable.
template <bool Aligned>
__device__ __forceinline__ std::uint32_t plane_bits(const std::uint32_t* plane, std::uint32_t site) {
  const std::uint32_t* word = plane + (site >> 5);
  if constexpr (Aligned) return word[0];
  return __funnelshift_r(word[0], word[1], site & 31U);
}

/// Copies the bonds of a tile from bit planes, to shared memory and tile by tile to device memory.
template <class Shape, bool Aligned>
__device__ __forceinline__ void load_tile_bonds(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                                const std::uint32_t* planes, std::uint32_t* words,
                                                std::uint32_t* d_bonds) {
  std::uint32_t* const kept = d_bonds + static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments;
  for (int i = static_cast<int>(threadIdx.x); i < Shape::directions * Shape::segments; i += Shape::threads) {
    const int direction = i / Shape::segments, segment = i % Shape::segments;
    const int row = segment / Shape::words_wide, x = 32 * (segment % Shape::words_wide);
    const int width = place.segment_width(lattice, x);
    std::uint32_t bits = 0;
    if (width > 0 && place.has_row(lattice, row)) {
      const std::uint32_t site = place.row_site(lattice, row) + static_cast<std::uint32_t>(x);
      bits = plane_bits<Aligned>(planes + lattice.word_of(place.system, Shape::directions, direction, 0), site);
      if constexpr (!Aligned) bits &= all_lanes >> (32 - width);
    }
    words[i] = kept[i] = bits;
  }
}

/// The part of a tile that a warp labels alone, in units of sites.
template <class Shape>
struct TilePart {
  int segment_x, y, z, w;
  __device__ __forceinline__ TilePart() {
    int part = static_cast<int>(threadIdx.x >> 5);
    segment_x = part % Shape::words_wide;
    part /= Shape::words_wide;
    y = part % Shape::parts_y * Shape::sy;
    part /= Shape::parts_y;
    z = part % Shape::parts_z * Shape::sz;
    w = part / Shape::parts_z * Shape::sw;
  }
  /// Row of the tile of the i-th row of the part.
  [[nodiscard]] __device__ __forceinline__ int row(int i) const {
    if constexpr (Shape::dim <= 2) return y + i;
    const int dy = i % Shape::sy, dz = i / Shape::sy % Shape::sz, dw = i / (Shape::sy * Shape::sz);
    return y + dy + Shape::ty * (z + dz + Shape::tz * (w + dw));
  }
  static constexpr int rows = Shape::sy * Shape::sz * Shape::sw;
  /// Rows from which on the lattice has none of the part, d <= 2.
  [[nodiscard]] __device__ __forceinline__ int rows_inside(const TileLattice& lattice,
                                                           const ClusterTilePlace<Shape>& place) const {
    if constexpr (Shape::dim <= 2) return min(rows, lattice.extent[1] - place.origin[1] - y);
    return rows;
  }
};

/// Links of a part that are still to be joined: of row i of the part, bit i of rows[kind] for the site of this lane, by
/// links along y, z and w or diagonal ones; in x those of row `lane` to the part before it along x.
template <class Shape>
struct OpenLinks {
  static constexpr int kinds = Shape::directions > 1 ? Shape::directions - 1 : 1;
  static_assert(TilePart<Shape>::rows <= 32);
  std::uint32_t rows[kinds] = {};
  bool x = false, x_diagonal = false;

  /// Rows of the tile between the ends of a link.
  static constexpr int step(int kind) {
    if (kind == 0 || Shape::diagonal) return 1;
    return kind == 1 ? Shape::ty : Shape::ty * Shape::tz;
  }
  /// Sites of the tile between the ends of a link.
  static constexpr std::uint32_t distance(int kind) {
    return static_cast<std::uint32_t>(step(kind) * Shape::width + (Shape::diagonal && kind == 1 ? 1 : 0));
  }
  /// Whether there is a part of the tile before this one along the direction of a link.
  static __device__ __forceinline__ bool has_part_before(const TilePart<Shape>& part, int kind) {
    if (kind == 0 || Shape::diagonal) return Shape::parts_y > 1 && part.y > 0;
    return kind == 1 ? Shape::parts_z > 1 && part.z > 0 : Shape::parts_w > 1 && part.w > 0;
  }
};

/// Labels the part of a tile: goes through its rows in the order of the sites. A run of sites that are joined along the
/// row takes the label of a run that it touches in a row before, or its first site if it touches none. Afterwards
/// labels[i] <= i is a site of the same cluster that has its own label, and the links between sites with different
/// labels are in `open`, with all those to other parts.
template <class Shape>
__device__ __forceinline__ void label_part(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           const TilePart<Shape>& part, TileBonds<Shape> bonds, std::uint32_t* labels,
                                           OpenLinks<Shape>& open) {
  using Links = OpenLinks<Shape>;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const std::uint32_t up_to_lane = all_lanes >> (31 - lane), own_bit = 1U << lane;
  const int width = place.segment_width(lattice, 32 * part.segment_x);
  if (width == 0) return;
  const bool closes = Shape::dim > 1 && !Shape::diagonal && Shape::closes_x(lattice);
  std::uint32_t before = 0;   // label of the site in the row before
  std::uint32_t row_bit = 1;  // of the row in open.rows

  // One row. Inside: the links along w, z and y end in this part.
  const auto label_row = [&](int row, bool w_inside, bool z_inside, auto y_inside) {
    const int segment = row * Shape::words_wide + part.segment_x;
    const std::uint32_t base = static_cast<std::uint32_t>(32 * segment);
    // Bonds of the last site do no harm: nothing lies beyond.
    const std::uint32_t along = bonds.at(0, segment);
    const int first = 31 - __clz(static_cast<int>(~(along << 1) & up_to_lane));
    std::uint32_t run = along ^ (along + (1U << first));  // the carry ends where the run does
    int begin = first;
    if (closes && ((along >> (width - 1)) & 1U) != 0) {  // the runs at both ends of the row are one
      const std::uint32_t both = __shfl_sync(all_lanes, run, 0) | __shfl_sync(all_lanes, run, width - 1);
      if ((run & both) != 0) {
        run = both;
        begin = 0;
      }
    }
    std::uint32_t label = base + static_cast<std::uint32_t>(begin);
    std::uint32_t linked[Links::kinds] = {}, there[Links::kinds] = {};
    bool found = false;
#pragma unroll
    for (int kind = 0; kind < (Shape::dim > 1 ? Links::kinds : 0); ++kind) {
      const bool inside = kind == 0 || Shape::diagonal ? y_inside.value : kind == 1 ? z_inside : w_inside;
      there[kind] = all_lanes;  // no label: a link to another part
      if (!inside && !Links::has_part_before(part, kind)) continue;
      const std::uint32_t bits = bonds.at(kind + 1, segment - Links::step(kind) * Shape::words_wide);
      linked[kind] = Shape::diagonal && kind == 1 ? bits << 1 : bits;
      if (!inside) continue;
      if (kind == 0) {
        there[kind] = before;
      } else if (Shape::diagonal) {
        there[kind] = __shfl_up_sync(all_lanes, before, 1);
      } else {
        there[kind] = labels[base + static_cast<std::uint32_t>(lane) - Links::distance(kind)];
      }
      const std::uint32_t touching = linked[kind] & run;
      const std::uint32_t label_there =
          __shfl_sync(all_lanes, there[kind], 31 - __clz(static_cast<int>(touching)));  // any if it touches none
      if (!found && touching != 0) {
        label = label_there;
        found = true;
      }
    }
    labels[base + static_cast<std::uint32_t>(lane)] = label;
#pragma unroll
    for (int kind = 0; kind < Links::kinds; ++kind) {
      if ((linked[kind] & own_bit) != 0 && there[kind] != label) open.rows[kind] |= row_bit;
    }
    if (Shape::dim > 2) __syncwarp();
    before = label;
    row_bit <<= 1;
  };

  const int most_y = min(Shape::sy, lattice.extent[1] - place.origin[1] - part.y);
  const int most_z = Shape::dim > 2 ? min(Shape::sz, lattice.extent[2] - place.origin[2] - part.z) : 1;
  const int most_w = Shape::dim > 3 ? min(Shape::sw, lattice.extent[3] - place.origin[3] - part.w) : 1;
  if (most_y <= 0) return;
#pragma unroll 1
  for (int w = 0; w < most_w; ++w) {
#pragma unroll 1
    for (int z = 0; z < most_z; ++z) {
      const int i = Shape::sy * (z + Shape::sz * w), row = part.row(i);
      row_bit = 1U << i;
      label_row(row, w > 0, z > 0, std::false_type());
#pragma unroll 2
      for (int y = 1; y < most_y; ++y) label_row(row + y, w > 0, z > 0, std::true_type());
    }
  }

  // Links along x, and diagonal ones that cross x: one lane a row.
  if (Shape::words_wide > 1 && part.segment_x > 0 && lane < TilePart<Shape>::rows) {
    const int row = part.row(lane);
    if (!place.has_row(lattice, row)) return;
    const int segment = row * Shape::words_wide + part.segment_x;
    open.x = (bonds.at(0, segment - 1) >> 31) != 0;
    if (Shape::diagonal && row > 0) open.x_diagonal = (bonds.at(2, segment - 1 - Shape::words_wide) >> 31) != 0;
  }
}

/// Joins the open links of a tile: all threads list them, and each takes some. Begins after label_part and after
/// *count = 0 is seen by all; ends before the last links are joined everywhere. `list` has room for links_at_once.
template <class Shape>
__device__ __forceinline__ void join_open_links(const TilePart<Shape>& part, OpenLinks<Shape>& open,
                                                std::uint32_t* labels, std::uint16_t* list, unsigned* count) {
  using Links = OpenLinks<Shape>;
  constexpr std::uint32_t kind_shift = 14;  // an item is site | kind of the link << 14, kind 0 along x
  static_assert(Shape::sites <= 1 << kind_shift);
  constexpr int room = Shape::links_at_once;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  int own = (open.x ? 1 : 0) + (open.x_diagonal ? 1 : 0);
#pragma unroll
  for (int kind = 0; kind < Links::kinds; ++kind) own += __popc(open.rows[kind]);
  int up_to = own;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(all_lanes, up_to, step);
    if (lane >= step) up_to += below;
  }
  int of_warps = 0;
  if (lane == 31) of_warps = static_cast<int>(atomicAdd(count, static_cast<unsigned>(up_to)));
  int position = __shfl_sync(all_lanes, of_warps, 31) + up_to - own;  // of the next link of this lane
  const std::uint32_t site_x = static_cast<std::uint32_t>(32 * part.segment_x);
#pragma unroll 1
  for (int begin = 0;; begin += room) {
    const auto put = [&](std::uint32_t site, std::uint32_t kind) {
      list[position - begin] = static_cast<std::uint16_t>(site | kind << kind_shift);
      ++position;
    };
    if (Shape::words_wide > 1 && (open.x || open.x_diagonal)) {
      const std::uint32_t site = static_cast<std::uint32_t>(part.row(lane) * Shape::width) + site_x;
      if (open.x && position < begin + room) {
        put(site, 0);
        open.x = false;
      }
      if (open.x_diagonal && position < begin + room) {
        put(site, 2);
        open.x_diagonal = false;
      }
    }
#pragma unroll
    for (int kind = 0; kind < Links::kinds; ++kind) {
      for (std::uint32_t& left = open.rows[kind]; left != 0 && position < begin + room; left &= left - 1) {
        const int row = part.row(__ffs(static_cast<int>(left)) - 1);
        put(static_cast<std::uint32_t>(row * Shape::width + lane) + site_x, static_cast<std::uint32_t>(kind) + 1);
      }
    }
    __syncthreads();
    const int all = static_cast<int>(*count), end = min(all - begin, room);
    for (int i = static_cast<int>(threadIdx.x); i < end; i += Shape::threads) {
      const std::uint32_t item = list[i], site = item & ((1U << kind_shift) - 1), kind = item >> kind_shift;
      std::uint32_t distance = kind == 0 ? 1 : Links::distance(0);
#pragma unroll
      for (int k = 1; k < Links::kinds; ++k) {
        if (kind == static_cast<std::uint32_t>(k) + 1) distance = Links::distance(k);
      }
      unite_by_minimum(labels, labels[site], labels[site - distance]);
    }
    if (all <= begin + room) return;
    __syncthreads();
  }
}

/// Labels a whole tile whose bonds are in shared memory: then the root of labels[i] is the smallest site of the tile in
/// the cluster of site i as far as it lies in the tile. Begins and ends with all threads together.
template <class Shape>
__device__ __forceinline__ void label_tile(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           std::uint32_t* words, std::uint32_t* labels) {
  __shared__ unsigned link_count;
  const TilePart<Shape> part;
  OpenLinks<Shape> open;
  if (threadIdx.x == 0) link_count = 0;
  __syncthreads();
  label_part(lattice, place, part, TileBonds<Shape>{words}, labels, open);
  join_open_links(part, open, labels, reinterpret_cast<std::uint16_t*>(words + Shape::directions * Shape::segments),
                  &link_count);
  __syncthreads();
}

}}  // namespace glassworks::cuda
