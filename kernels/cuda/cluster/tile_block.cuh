#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/cluster/tile_shape.cuh"
#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks { inline namespace cuda {

constexpr unsigned all_lanes = 0xFFFFFFFFU;
/// Mark of a root inside a tile whose cluster has a site on a face of the tile: only such clusters can go on outside.
constexpr std::uint32_t on_face_bit = 1U << 15;
constexpr std::uint32_t local_mask = on_face_bit - 1;

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

/// Copies the bonds of a tile from bit planes.
template <class Shape, bool Aligned>
__device__ __forceinline__ void load_tile_bonds(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                                const std::uint32_t* planes, std::uint32_t* words) {
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
    words[i] = bits;
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

/// Joins the trees of `up` and `label` for the lanes that `want` it; Rooted: both are roots now. Afterwards `label` is
/// a root in every lane. All lanes of a warp call it and stay together, and no other warp may touch these trees: stores
/// need no atomics, since a union that lost against another one of its own warp is tried again.
template <bool Rooted>
__device__ __forceinline__ void unite_in_warp(volatile std::uint32_t* labels, bool want, std::uint32_t up,
                                              std::uint32_t& label) {
  if (!want) up = label;
  for (bool rooted = Rooted;; rooted = false) {
    if (!rooted) {
      bool moves = true;
      while (__any_sync(all_lanes, moves)) {
        const std::uint32_t above_up = labels[up], above_label = labels[label];
        moves = above_up != up || above_label != label;
        up = above_up;
        label = above_label;
      }
      want = up != label;
      if (!__any_sync(all_lanes, want)) return;
    }
    if (want) labels[max(up, label)] = min(up, label);
    __syncwarp();
  }
}

/// A link of this lane's site to a row that came before.
struct RowLink {
  std::uint32_t mask = 0;  ///< bit of a lane: its bond is active
  std::uint32_t label = 0;
};

/// Labels the part of a tile: goes through its rows in the order of the sites. A run of sites that are joined along the
/// row takes the label of the first run that it touches in a row before, or its first site if it touches none; runs
/// that touch several are united. labels[i] <= i points to a site of the same cluster.
template <class Shape>
__device__ __forceinline__ void label_part(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           const TilePart<Shape>& part, TileBonds<Shape> bonds,
                                           volatile std::uint32_t* labels) {
  constexpr int links = Shape::directions > 1 ? Shape::directions - 1 : 1;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const std::uint32_t up_to_lane = all_lanes >> (31 - lane);
  const int width = place.segment_width(lattice, 32 * part.segment_x);
  if (width == 0) return;
  const std::uint32_t inner = (all_lanes >> (32 - width)) >> 1;
  const int rows = part.rows_inside(lattice, place);
  const bool closes = Shape::dim > 1 && !Shape::diagonal && Shape::closes_x(lattice);
  std::uint32_t before = 0;  // root of the site in the row before
#pragma unroll 1
  for (int i = 0; i < rows; ++i) {
    const int row = part.row(i);
    if (Shape::dim > 2 && !place.has_row(lattice, row)) continue;
    const int segment = row * Shape::words_wide + part.segment_x;
    const std::uint32_t base = static_cast<std::uint32_t>(32 * segment);
    const std::uint32_t along = bonds.at(0, segment) & inner;
    const int first = 31 - __clz(static_cast<int>(~(along << 1) & up_to_lane));
    const int last = lane + __ffs(static_cast<int>(~(along >> lane))) - 1;
    std::uint32_t run = (all_lanes >> (31 - last)) & (all_lanes << first);
    int begin = first;
    if (closes && ((bonds.at(0, segment) >> (width - 1)) & 1U) != 0) {  // the runs at both ends of the row are one
      const std::uint32_t both = __shfl_sync(all_lanes, run, 0) | __shfl_sync(all_lanes, run, width - 1);
      if ((run & both) != 0) {
        run = both;
        begin = 0;
      }
    }

    RowLink link[links];
    if (Shape::dim > 1 && i % Shape::sy != 0) {
      link[0].mask = bonds.at(1, segment - Shape::words_wide);
      link[0].label = before;
      if constexpr (Shape::diagonal) {
        link[1].mask = bonds.at(2, segment - Shape::words_wide) << 1;
        link[1].label = __shfl_up_sync(all_lanes, link[0].label, 1);
      }
    }
    if constexpr (Shape::dim > 2) {
      constexpr int step = Shape::ty;
      if (i / Shape::sy % Shape::sz != 0) {
        link[1].mask = bonds.at(2, segment - step * Shape::words_wide);
        link[1].label = find_root(labels, base + lane - static_cast<std::uint32_t>(step * Shape::width));
      }
    }
    if constexpr (Shape::dim > 3) {
      constexpr int step = Shape::ty * Shape::tz;
      if (i / (Shape::sy * Shape::sz) != 0) {
        link[2].mask = bonds.at(3, segment - step * Shape::words_wide);
        link[2].label = find_root(labels, base + lane - static_cast<std::uint32_t>(step * Shape::width));
      }
    }

    std::uint32_t label = base + static_cast<std::uint32_t>(begin);
    bool found = false;
#pragma unroll
    for (int k = 0; k < links; ++k) {
      const std::uint32_t touching = link[k].mask & run;
      const std::uint32_t there =
          __shfl_sync(all_lanes, link[k].label, touching != 0 ? __ffs(static_cast<int>(touching)) - 1 : 0);
      if (!found && touching != 0) {
        label = there;
        found = true;
      }
    }
    labels[base + lane] = label;
    __syncwarp();
    bool united = false;
#pragma unroll
    for (int k = 0; k < links; ++k) {
      const bool want = ((link[k].mask >> lane) & 1U) != 0 && link[k].label != label;
      if (!__any_sync(all_lanes, want)) continue;
      united = true;
      if (k == 0) {
        unite_in_warp<true>(labels, want, link[k].label, label);
      } else {
        unite_in_warp<false>(labels, want, link[k].label, label);
      }
    }
    if (united) labels[base + lane] = label;  // roots: the next rows begin there
    __syncwarp();
    before = label;
  }
}

/// Joins one link per lane; a lane whose link equals that of the lane before leaves it out.
__device__ __forceinline__ void unite_lanes_shared(std::uint32_t* labels, bool active, std::uint32_t a,
                                                   std::uint32_t b) {
  if (!__any_sync(all_lanes, active)) return;
  if (active) {
    a = find_root(labels, a);
    b = find_root(labels, b);
  } else {
    a = b = all_lanes;
  }
  const std::uint32_t a_before = __shfl_up_sync(all_lanes, a, 1), b_before = __shfl_up_sync(all_lanes, b, 1);
  const bool again = (threadIdx.x & 31U) != 0 && a_before == a && b_before == b;
  if (a != b && !again) unite_shared(labels, a, b);
}

/// Joins the parts of a tile: every warp does the links from its part to those before.
template <class Shape>
__device__ __forceinline__ void join_parts(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           const TilePart<Shape>& part, TileBonds<Shape> bonds, std::uint32_t* labels) {
  const int lane = static_cast<int>(threadIdx.x & 31U);
  if (place.segment_width(lattice, 32 * part.segment_x) == 0) return;
  // Links to the part at smaller y, z or w: of rows on its faces, one lane a site.
  const auto across = [&](int row, int direction, int step, bool shifted) {
    if (!place.has_row(lattice, row)) return;
    const int segment = row * Shape::words_wide + part.segment_x, there = segment - step * Shape::words_wide;
    const std::uint32_t mask = bonds.at(direction, there) << (shifted ? 1 : 0);
    const std::uint32_t site = static_cast<std::uint32_t>(32 * segment + lane);
    unite_lanes_shared(labels, ((mask >> lane) & 1U) != 0,
                       site - static_cast<std::uint32_t>(step * Shape::width + (shifted ? 1 : 0)), site);
  };
  if constexpr (Shape::parts_y > 1) {
    if (part.y > 0) {
#pragma unroll 1
      for (int i = 0; i < TilePart<Shape>::rows; i += Shape::sy) {
        across(part.row(i), 1, 1, false);
        if constexpr (Shape::diagonal) across(part.row(i), 2, 1, true);
      }
    }
  }
  if constexpr (Shape::parts_z > 1) {
    if (part.z > 0) {
#pragma unroll 1
      for (int i = 0; i < Shape::sy * Shape::sw; ++i) {
        across(part.row(i % Shape::sy + i / Shape::sy * Shape::sy * Shape::sz), 2, Shape::ty, false);
      }
    }
  }
  if constexpr (Shape::parts_w > 1) {
    if (part.w > 0) {
#pragma unroll 1
      for (int i = 0; i < Shape::sy * Shape::sz; ++i) across(part.row(i), 3, Shape::ty * Shape::tz, false);
    }
  }
  // Links along x, and diagonal ones that cross x: one lane a row.
  if constexpr (Shape::words_wide > 1) {
    if (part.segment_x > 0) {
#pragma unroll 1
      for (int i = lane; i - lane < TilePart<Shape>::rows; i += 32) {
        const bool inside = i < TilePart<Shape>::rows;
        const int row = part.row(inside ? i : 0);
        const int segment = row * Shape::words_wide + part.segment_x;
        const std::uint32_t site = static_cast<std::uint32_t>(32 * segment);
        const bool has = inside && place.has_row(lattice, row);
        unite_lanes_shared(labels, has && (bonds.at(0, segment - 1) >> 31) != 0, site - 1, site);
        if constexpr (Shape::diagonal) {
          const bool crosses = has && row > 0 && (bonds.at(2, segment - 1 - Shape::words_wide) >> 31) != 0;
          unite_lanes_shared(labels, crosses, site - 1 - Shape::width, site);
        }
      }
    }
  }
}

/// Root of site i of a tile with its mark; parents in the forest may carry the mark.
__device__ __forceinline__ std::uint32_t marked_root(const volatile std::uint32_t* labels, std::uint32_t i) {
  std::uint32_t parent = labels[i];
  while ((parent & local_mask) != i) {
    i = parent & local_mask;
    parent = labels[i];
  }
  return parent;
}

/// The same for all lanes of a warp, which stay together.
__device__ __forceinline__ std::uint32_t marked_roots(const volatile std::uint32_t* labels, std::uint32_t i) {
  std::uint32_t parent = labels[i];
  while (__any_sync(all_lanes, (parent & local_mask) != i)) {
    i = parent & local_mask;
    parent = labels[i];
  }
  return parent;
}

/// Labels a whole tile whose bonds are in shared memory: then marked_root(labels, i) is the smallest site of the tile
/// in the cluster of site i as far as it lies in the tile, with on_face_bit if it has a site on a face (of shapes that
/// mark them). Begins and ends with all threads together.
template <class Shape>
__device__ __forceinline__ void label_tile(const TileLattice& lattice, const ClusterTilePlace<Shape>& place,
                                           TileBonds<Shape> bonds, std::uint32_t* labels) {
  const TilePart<Shape> part;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  __syncthreads();
  label_part(lattice, place, part, bonds, labels);
  if constexpr (Shape::threads > 32) {
    __syncthreads();
    join_parts(lattice, place, part, bonds, labels);
  }
  __syncthreads();
  if constexpr (!Shape::marks_faces) return;
  const auto mark = [&](int row, int x) {
    const std::uint32_t root = marked_root(labels, static_cast<std::uint32_t>(row * Shape::width + x)) & local_mask;
    labels[root] = root | on_face_bit;
  };
  // Faces across x: a lane for each row of the part; the others: a lane for each site of a row.
  const int width = place.segment_width(lattice, 32 * part.segment_x);
  const int last = lattice.extent[0] - 1 - place.origin[0];
  const bool begins = part.segment_x == 0;
  const bool ends = width > 0 && (part.segment_x == Shape::words_wide - 1 || last < 32 * (part.segment_x + 1));
  for (int i = lane; (begins || ends) && i < TilePart<Shape>::rows; i += 32) {
    const int row = part.row(i);
    if (!place.has_row(lattice, row)) continue;
    if (begins) mark(row, 0);
    if (ends) mark(row, min(last, Shape::width - 1));
  }
  __syncwarp();
#pragma unroll 1
  for (int i = 0; i < TilePart<Shape>::rows; ++i) {
    const int row = part.row(i);
    if (!place.on_face(lattice, row) || !place.has_row(lattice, row)) continue;
    if (lane < width) mark(row, 32 * part.segment_x + lane);
    __syncwarp();
  }
  __syncthreads();
}

}}  // namespace glassworks::cuda
