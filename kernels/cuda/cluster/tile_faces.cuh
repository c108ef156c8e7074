#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"

namespace glassworks {

/// What the faces of a tile across which bonds lead on consist of: one item for every segment on the faces across y, z
/// and w, then one for every 32 rows on the face across x. A warp has `per_warp` of them.
template <class Shape>
struct FaceItems {
  static_assert(!Shape::diagonal && Shape::dim > 1);
  static constexpr int dim = Shape::dim, wide = Shape::words_wide;
  static constexpr int count[4] = {(Shape::rows + 31) / 32, Shape::tz* Shape::tw* wide,
                                   dim > 2 ? Shape::ty* Shape::tw* wide : 0, dim > 3 ? Shape::ty* Shape::tz* wide : 0};
  static constexpr int along_x = count[1] + count[2] + count[3];  ///< number of the first one across x
  static constexpr int all = along_x + count[0];
  static constexpr int per_warp = 4;
  static constexpr int warps = (all + per_warp - 1) / per_warp, threads = 32 * warps;
};

/// A place for links that the lanes of a warp have in hand. Links between the same two clusters are kept once if they
/// meet in the table, which nearly all do.
class LinkQueue {
 public:
  static constexpr int links = 128, slots = 64;
  struct Memory {
    std::uint32_t low[links], high[links], key[slots];
    std::uint8_t owner[slots];
  };

  __device__ __forceinline__ explicit LinkQueue(Memory& memory) : memory_(memory) {
    for (int i = lane(); i < slots; i += 32) memory_.key[i] = no_key;
    __syncwarp();
  }
  /// One link a lane if `has`; key: different for different pairs of clusters. All lanes call it.
  __device__ __forceinline__ void add(bool has, std::uint32_t key, std::uint32_t a, std::uint32_t b) {
    const unsigned slot = (key * 0x9E3779B1U) >> 26;
    has = has && memory_.key[slot] != key;
    if (has) memory_.owner[slot] = static_cast<std::uint8_t>(lane());
    __syncwarp();
    const int owner = memory_.owner[slot] & 31;
    const bool mine = owner == lane();
    const std::uint32_t key_there = __shfl_sync(all_lanes, key, owner);
    if (has && !mine && key_there == key) has = false;
    if (has && mine) memory_.key[slot] = key;
    const unsigned wanted = __ballot_sync(all_lanes, has);
    if (has) {
      const int place = count_ + __popc(wanted & ((1U << lane()) - 1U));
      memory_.low[place] = a;
      memory_.high[place] = b;
    }
    count_ += __popc(wanted);
    __syncwarp();
  }
  __device__ __forceinline__ void unite_all(std::uint32_t* parent) const {
    for (int i = lane(); i < count_; i += 32) unite_global(parent, memory_.low[i], memory_.high[i]);
  }

 private:
  static constexpr std::uint32_t no_key = ~0U;  // a link of the axis 3 between the last sites of tiles of 2^15
  [[nodiscard]] static __device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x & 31U); }
  Memory& memory_;
  int count_ = 0;
};

/// Joins the tiles across their faces in the direction of the axes; bonds are stored tile by tile. One block a tile.
/// Cost: the bonds, and 2 bytes of both sites, of the links between tiles.
template <class Shape>
__global__ void __launch_bounds__(FaceItems<Shape>::threads, 1536 / FaceItems<Shape>::threads)
    join_faces_kernel(const __grid_constant__ TileLattice lattice, const std::uint32_t* bonds,
                      const std::uint16_t* d_local, std::uint32_t* d_parent) {
  using Items = FaceItems<Shape>;
  constexpr int dim = Shape::dim, wide = Shape::words_wide, width = Shape::width;
  constexpr int size[4] = {width, Shape::ty, Shape::tz, Shape::tw};
  constexpr int row_step[4] = {0, 1, Shape::ty, Shape::ty * Shape::tz};
  __shared__ LinkQueue::Memory memory[Items::warps];
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x & 31U);
  const TilePlace<Shape> place(lattice, blockIdx.x);
  LinkQueue queue(memory[warp]);
  // How the tile beyond a face lies to this one.
  int to_tile[dim];
  std::uint32_t to_site[dim];
  int tile_step = 1;
  std::uint32_t site_step = 1;
#pragma unroll
  for (int k = 0; k < dim; ++k) {
    const bool wraps = place.origin[k] + size[k] >= lattice.extent[k];
    to_tile[k] = wraps ? tile_step - tile_step * static_cast<int>(lattice.tiles[k]) : tile_step;
    to_site[k] = site_step * static_cast<std::uint32_t>(wraps ? -place.origin[k] : size[k]);
    tile_step *= static_cast<int>(lattice.tiles[k]);
    site_step *= static_cast<std::uint32_t>(lattice.extent[k]);
  }
  begin_overlapped();
  const std::uint16_t* const local = d_local + static_cast<std::size_t>(place.tile) * Shape::sites;
  const std::uint32_t* const words = bonds + static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments;
  // What all the links of this lane need is on its way at the same time.
  bool active[Items::per_warp];
  std::uint32_t key[Items::per_warp], root[Items::per_warp], root_there[Items::per_warp], offset[Items::per_warp];
#pragma unroll
  for (int i = 0; i < Items::per_warp; ++i) {
    const int item = Items::per_warp * warp + i;
    int axis = 0, row, row_there, x, x_there;
    bool has = item < Items::all;
    if (item < Items::along_x) {
      x = x_there = 32 * (item % wide) + lane;
      int in_face = item / wide;
      constexpr int first[4] = {0, 0, Items::count[1] / wide, (Items::count[1] + Items::count[2]) / wide};
      axis = 1;
#pragma unroll
      for (int k = 2; k < dim; ++k) axis = in_face >= first[k] ? k : axis;
      in_face -= axis == 1 ? 0 : axis == 2 ? first[2] : first[3];
      // The face's coordinates: those of the axes before, then those of the axes after `axis`.
      const int before = axis == 1 ? 1 : row_step[axis == 2 ? 2 : 3];
      const int edge = axis == 1 ? size[1] : axis == 2 ? size[2] : size[3];
      row_there = in_face % before + in_face / before * before * edge;
      const int last = axis == 1 ? place.last(lattice, 1) : axis == 2 ? place.last(lattice, 2) : place.last(lattice, 3);
      row = row_there + last * before;
    } else {
      row = 32 * (item - Items::along_x) + lane;
      has = has && row < Shape::rows && !Shape::closes_x(lattice);
      row = row_there = min(row, Shape::rows - 1);
      x = place.last(lattice, 0);
      x_there = 0;
    }
    has = has && place.origin[0] + x < lattice.extent[0] && place.has_row(lattice, row);
    int tile_there = to_tile[0];
    offset[i] = to_site[0];
#pragma unroll
    for (int k = 1; k < dim; ++k) {
      if (axis != k) continue;
      tile_there = to_tile[k];
      offset[i] = to_site[k];
    }
    active[i] = false;
    root[i] = root_there[i] = 0;
    key[i] = static_cast<std::uint32_t>(axis) << 30;
    if (has) {
      const std::uint32_t word = words[axis * Shape::segments + row * wide + x / 32];
      root[i] = local[row * width + x];
      root_there[i] = local[static_cast<std::ptrdiff_t>(tile_there) * Shape::sites + row_there * width + x_there];
      active[i] = ((word >> (x & 31)) & 1U) != 0;
    }
  }
#pragma unroll
  for (int i = 0; i < Items::per_warp; ++i) {
    const std::uint32_t here = root[i] & local_mask, there = root_there[i] & local_mask;
    queue.add(active[i], key[i] | there << 15 | here, place.site(lattice, here),
              place.site(lattice, there) + offset[i]);
  }
  queue.unite_all(d_parent + static_cast<std::size_t>(place.system) * lattice.sites);
}

}  // namespace glassworks
