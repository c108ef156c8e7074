#pragma once

#include <type_traits>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"

namespace glassworks { inline namespace cuda {

/// How the warps of a block share the links across the faces of a tile at its upper ends. An item is a segment on the
/// face across y, z or w, or 32 rows on the face across x; a warp has up to `per_warp` of one face.
template <class Shape>
struct FaceItems {
  static_assert(!Shape::diagonal && Shape::dim > 1);
  static constexpr int per_warp = 4;
  [[nodiscard]] static constexpr int count(int axis) {
    if (axis == 0) return (Shape::rows + 31) / 32;
    const int size = axis == 1 ? Shape::ty : axis == 2 ? Shape::tz : Shape::tw;
    return axis < Shape::dim ? Shape::segments / size : 0;
  }
  [[nodiscard]] static constexpr int warps_of(int axis) { return (count(axis) + per_warp - 1) / per_warp; }
  static constexpr int warps = warps_of(0) + warps_of(1) + warps_of(2) + warps_of(3), threads = 32 * warps;
};

/// The links of a warp across one face, by the roots in both tiles: key = there << 15 | here. Links between the same
/// two clusters are kept once if they meet in the table, which nearly all do.
class LinkQueue {
 public:
  static constexpr int links = 128, slots = 64;
  struct Memory {
    std::uint32_t queue[links], known[slots];
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
        unite(key & local_mask, key >> 15);
      }
      __syncwarp();
    }
  }

 private:
  Memory& memory_;
  int lane_, count_ = 0;
};

/// Joins the tiles across their faces in the direction of the axes; bonds are stored tile by tile. One block a tile.
/// Cost: the bonds, and 2 bytes of both sites, of the links between tiles.
template <class Shape>
__global__ void __launch_bounds__(FaceItems<Shape>::threads, 1536 / FaceItems<Shape>::threads)
    join_faces_kernel(const __grid_constant__ TileLattice lattice, const std::uint32_t* bonds,
                      const std::uint16_t* d_local, std::uint32_t* d_parent) {
  using Items = FaceItems<Shape>;
  constexpr int wide = Shape::words_wide, width = Shape::width;
  __shared__ LinkQueue::Memory memory[Items::warps];
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x & 31U);
  const ClusterTilePlace<Shape> place(lattice, blockIdx.x);
  LinkQueue queue(memory[warp]);
  begin_overlapped();
  const std::uint16_t* const local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const std::uint32_t* const words = bonds + static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments;
  std::uint32_t* const parent = d_parent + static_cast<std::size_t>(place.system) * lattice.sites;

  const auto join = [&](auto axis_constant, int first) {
    constexpr int axis = decltype(axis_constant)::value;
    constexpr int size = axis == 0 ? width : axis == 1 ? Shape::ty : axis == 2 ? Shape::tz : Shape::tw;
    constexpr int step = axis <= 1 ? 1 : axis == 2 ? Shape::ty : Shape::ty * Shape::tz;
    const int last = place.last(lattice, axis);
    // How the tile beyond the face lies to this one.
    const bool wraps = place.origin[axis] + size >= lattice.extent[axis];
    int tile_step = 1;
    std::uint32_t site_step = 1;
#pragma unroll
    for (int k = 0; k < axis; ++k) {
      tile_step *= static_cast<int>(lattice.tiles[k]);
      site_step *= static_cast<std::uint32_t>(lattice.extent[k]);
    }
    const int to_tile = wraps ? tile_step - tile_step * static_cast<int>(lattice.tiles[axis]) : tile_step;
    const std::uint32_t to_site = site_step * static_cast<std::uint32_t>(wraps ? -place.origin[axis] : size);
    const std::uint16_t* const local_there = local + static_cast<std::ptrdiff_t>(to_tile) * Shape::sites;
    // What the links of a lane need is on its way at the same time.
    std::uint32_t word[Items::per_warp], root[Items::per_warp], root_there[Items::per_warp];
    const int x = axis == 0 ? last : lane;
#pragma unroll
    for (int i = 0; i < Items::per_warp; ++i) {
      const int item = first + i;
      word[i] = root[i] = root_there[i] = 0;
      if (item >= Items::count(axis)) continue;
      int here, there;
      if constexpr (axis == 0) {
        const int row = 32 * item + lane;
        if (row >= Shape::rows) continue;
        here = row * width + last;
        there = row * width;
      } else {
        const int in_face = item / wide;  // the coordinates before the axis, then those after it
        there = (in_face % step + in_face / step * step * size) * width + item % wide * 32 + lane;
        here = there + last * step * width;
      }
      word[i] = words[axis * Shape::segments + here / 32];
      root[i] = local[here];
      root_there[i] = local_there[there];
    }
#pragma unroll
    for (int i = 0; i < Items::per_warp; ++i) {
      queue.add(((word[i] >> (x & 31)) & 1U) != 0, (root_there[i] & local_mask) << 15 | (root[i] & local_mask));
    }
    queue.for_each([&](std::uint32_t here, std::uint32_t there) {
      unite_global(parent, place.site(lattice, here), place.site(lattice, there) + to_site);
    });
  };

  int first = warp;
  if (first < Items::warps_of(1)) return join(std::integral_constant<int, 1>(), Items::per_warp * first);
  first -= Items::warps_of(1);
  if constexpr (Shape::dim > 2) {
    if (first < Items::warps_of(2)) return join(std::integral_constant<int, 2>(), Items::per_warp * first);
    first -= Items::warps_of(2);
  }
  if constexpr (Shape::dim > 3) {
    if (first < Items::warps_of(3)) return join(std::integral_constant<int, 3>(), Items::per_warp * first);
    first -= Items::warps_of(3);
  }
  if (!Shape::closes_x(lattice)) join(std::integral_constant<int, 0>(), Items::per_warp * first);
}

}}  // namespace glassworks::cuda
