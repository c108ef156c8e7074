#pragma once

#include <type_traits>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"

namespace glassworks { inline namespace cuda {

/// Links that leave a tile: across its face at the upper end of x, y, z or w, or diagonal ones across that of y or x.
enum class Face { x, y, z, w, y_diagonal, x_diagonal };

/// How the warps of a block share the links across the faces of a tile at its upper ends. An item is a segment on the
/// face across y, z or w, or 32 rows on the face across x; a warp has up to `per_warp` of one face.
template <class Shape>
struct FaceItems {
  static constexpr int per_warp = Shape::segments > 128 && Shape::dim > 3 ? 8 : 4;
  [[nodiscard]] static constexpr int axis(Face face) {
    return face == Face::x_diagonal ? 0 : face == Face::y_diagonal ? 1 : static_cast<int>(face);
  }
  [[nodiscard]] static constexpr int count(Face face) {
    if (axis(face) >= Shape::dim || (face >= Face::y_diagonal && !Shape::diagonal)) return 0;
    if (axis(face) == 0) return (Shape::rows + 31) / 32;
    return Shape::segments / (axis(face) == 1 ? Shape::ty : axis(face) == 2 ? Shape::tz : Shape::tw);
  }
  [[nodiscard]] static constexpr int warps_of(Face face) { return (count(face) + per_warp - 1) / per_warp; }
  /// Warps that have links across `face` or one before it.
  [[nodiscard]] static constexpr int warps_up_to(Face face) {
    int warps = 0;
    for (int i = 0; i <= static_cast<int>(face); ++i) warps += warps_of(static_cast<Face>(i));
    return warps;
  }
  static constexpr int warps = warps_up_to(Face::x_diagonal), threads = 32 * warps;
  static constexpr int blocks_per_multiprocessor = threads < 64 ? 24 : 1536 / threads;  ///< devices have places for 24
  static_assert(threads <= 1024);
};

/// The links of a warp across one face, by the roots in both tiles: key = there << 15 | here. Links between the same
/// two clusters are kept once if they meet in the table, which nearly all do.
template <int Links>
class LinkQueue {
 public:
  static constexpr int slots = 64;
  struct Memory {
    std::uint32_t queue[Links], known[slots];
    std::uint8_t owner[slots];
  };

  __device__ __forceinline__ explicit LinkQueue(Memory& memory)
      : memory_(memory), lane_(static_cast<int>(threadIdx.x & 31U)) {
    for (int i = lane_; i < slots; i += 32) memory_.known[i] = ~0U;
    __syncwarp();
  }
  /// One link a lane if `has`. All lanes call it.
  __device__ __forceinline__ void add(bool has, std::uint32_t key) {
    if (!__any_sync(all_lanes, has)) return;
    const unsigned slot = (key * 0x9E3779B1U) >> 26;
    has = has && memory_.known[slot] != key;
    if (has) memory_.owner[slot] = static_cast<std::uint8_t>(lane_);
    __syncwarp();
    const int owner = memory_.owner[slot] & 31;
    const std::uint32_t key_there = __shfl_sync(all_lanes, key, owner);
    if (owner != lane_ && key_there == key) has = false;
    if (has) memory_.known[slot] = key;
    const unsigned wanted = __ballot_sync(all_lanes, has);
    if (has) memory_.queue[count_ + __popc(wanted & ((1U << lane_) - 1U))] = key;
    count_ += __popc(wanted);
    __syncwarp();
  }
  /// Calls unite(here, there) for each link.
  template <class Unite>
  __device__ __forceinline__ void for_each(Unite&& unite) const {
    for (int begin = 0; begin < count_; begin += 32) {
      if (begin + lane_ < count_) {
        const std::uint32_t key = memory_.queue[begin + lane_];
        unite(key & 0x7FFFU, key >> 15);
      }
      __syncwarp();
    }
  }

 private:
  Memory& memory_;
  int lane_, count_ = 0;
};

/// How the tile beyond the face at the upper end of an axis lies to a tile that begins at `origin`.
struct TileBeyond {
  int tiles;            ///< from one tile to the other
  std::uint32_t sites;  ///< between equal places in them, modulo 2^32

  __device__ __forceinline__ TileBeyond(const TileLattice& lattice, int origin, int axis, int size) {
    const bool wraps = origin + size >= lattice.extent[axis];
    int tile_step = 1;
    std::uint32_t site_step = 1;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (k >= axis) continue;
      tile_step *= static_cast<int>(lattice.tiles[k]);
      site_step *= static_cast<std::uint32_t>(lattice.extent[k]);
    }
    tiles = wraps ? tile_step - tile_step * static_cast<int>(lattice.tiles[axis]) : tile_step;
    sites = site_step * static_cast<std::uint32_t>(wraps ? -origin : size);
  }
};

/// Joins the tiles across their faces; bonds are stored tile by tile. d_roots: notes which roots it joins, if not null.
/// One block a tile. Cost: the bonds, and 2 bytes of both sites, of the links between tiles.
template <class Shape>
__global__ void __launch_bounds__(FaceItems<Shape>::threads, FaceItems<Shape>::blocks_per_multiprocessor)
    join_faces_kernel(const __grid_constant__ TileLattice lattice, const std::uint32_t* bonds,
                      const std::uint16_t* d_local, std::uint32_t* d_parent, std::uint32_t* d_roots) {
  using Items = FaceItems<Shape>;
  constexpr int wide = Shape::words_wide, width = Shape::width;
  using Queue = LinkQueue<32 * Items::per_warp>;
  __shared__ typename Queue::Memory memory[Items::warps];
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x & 31U);
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  Queue queue(memory[warp]);
  begin_overlapped();
  const std::uint16_t* const local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const std::uint32_t* const words = bonds + static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments;
  std::uint32_t* const parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;

  const auto note = [&](int tiles, std::uint32_t root) {
    if (d_roots == nullptr) return;
    const unsigned tile = place.tile + static_cast<unsigned>(tiles);
    atomicOr(tile_roots<Shape>(d_roots, tile) + Shape::segments + (root >> 5), 1U << (root & 31U));
  };
  const auto join = [&](auto face_constant, int first) {
    constexpr Face face = decltype(face_constant)::value;
    constexpr bool diagonal = face >= Face::y_diagonal;
    constexpr int axis = Items::axis(face), direction = diagonal ? 2 : axis;
    constexpr int size = axis == 0 ? width : axis == 1 ? Shape::ty : axis == 2 ? Shape::tz : Shape::tw;
    constexpr int step = axis <= 1 ? 1 : axis == 2 ? Shape::ty : Shape::ty * Shape::tz;
    const int last = place.last(lattice, axis);
    const TileBeyond beyond(lattice, place.origin[axis], axis, size);
    const std::uint16_t* const local_there = local + static_cast<std::ptrdiff_t>(beyond.tiles) * Shape::sites;
    // What the links of a lane need is on its way at the same time.
    std::uint32_t word[Items::per_warp], root[Items::per_warp], root_there[Items::per_warp];
    const int x = axis == 0 ? last : lane;
#pragma unroll
    for (int i = 0; i < Items::per_warp; ++i) {
      const int item = first + i;
      word[i] = root[i] = root_there[i] = 0;
      if (item >= Items::count(face)) continue;
      int here, there;
      if constexpr (axis == 0) {
        const int row = 32 * item + lane;
        if (row >= Shape::rows || (diagonal && row >= place.last(lattice, 1))) continue;
        here = row * width + last;
        there = (diagonal ? row + 1 : row) * width;
      } else {
        const int in_face = item / wide, in_row = item % wide * 32 + lane;  // coordinates before the axis, then others
        if (diagonal && in_row >= place.last(lattice, 0)) continue;
        there = (in_face % step + in_face / step * step * size) * width + in_row;
        here = there + last * step * width;
        if (diagonal) ++there;
      }
      word[i] = words[direction * Shape::segments + here / 32];
      root[i] = local[here];
      root_there[i] = local_there[there];
    }
#pragma unroll
    for (int i = 0; i < Items::per_warp; ++i) {
      queue.add(((word[i] >> (x & 31)) & 1U) != 0, root_there[i] << 15 | root[i]);
    }
    queue.for_each([&](std::uint32_t here, std::uint32_t there) {
      note(0, here);
      note(beyond.tiles, there);
      unite_global(parent, place.site(lattice, here), place.site(lattice, there) + beyond.sites);
    });
    if constexpr (face == Face::x_diagonal) {  // the link out of the corner
      const int last_y = place.last(lattice, 1), here = last_y * width + last;
      if (first != 0 || lane != 0 || ((words[direction * Shape::segments + here / 32] >> (here & 31)) & 1U) == 0)
        return;
      const TileBeyond above(lattice, place.origin[1], 1, Shape::ty);
      const std::uint32_t there = local_there[static_cast<std::ptrdiff_t>(above.tiles) * Shape::sites];
      note(0, local[here]);
      note(beyond.tiles + above.tiles, there);
      unite_global(parent, place.site(lattice, local[here]), place.site(lattice, there) + beyond.sites + above.sites);
    }
  };

  const auto join_face = [&](auto face) {
    constexpr int end = Items::warps_up_to(decltype(face)::value), begin = end - Items::warps_of(decltype(face)::value);
    if constexpr (begin < end) {
      if (warp >= begin && warp < end) join(face, Items::per_warp * (warp - begin));
    }
  };
  if (!Shape::closes_x(lattice)) join_face(std::integral_constant<Face, Face::x>());
  join_face(std::integral_constant<Face, Face::y>());
  join_face(std::integral_constant<Face, Face::z>());
  join_face(std::integral_constant<Face, Face::w>());
  join_face(std::integral_constant<Face, Face::y_diagonal>());
  join_face(std::integral_constant<Face, Face::x_diagonal>());
}

}}  // namespace glassworks::cuda
