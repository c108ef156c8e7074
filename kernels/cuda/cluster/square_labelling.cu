#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/passes.cuh"
#include "kernels/cuda/cluster/square_tiles.cuh"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

// Two-stage labelling of the square lattice as in Weigel, PRE 84, 036709 (2011): clusters inside tiles, then their
// consolidation by label relaxation or by hierarchical sewing.

/// The i-th of all bonds from one tile to the next: first those to the right, then those down.
struct BorderBond {
  std::uint32_t a = 0, b = 0;
  bool active = false;

  __device__ __forceinline__ BorderBond(const SquareTiles& tiles, const std::uint32_t* bonds, std::uint32_t i) {
    const std::uint32_t to_right = tiles.tiles_x * tiles.height, edge = tiles.edge;
    if (i < to_right) {
      const std::uint32_t x = min((i / tiles.height + 1) * edge, tiles.width) - 1, y = i % tiles.height;
      active = tiles.bond(bonds, 0, x, y);
      a = x + tiles.width * y;
      b = (x + 1 < tiles.width ? x + 1 : 0) + tiles.width * y;
    } else {
      i -= to_right;
      const std::uint32_t x = i % tiles.width, y = min((i / tiles.width + 1) * edge, tiles.height) - 1;
      active = tiles.bond(bonds, 1, x, y);
      a = x + tiles.width * y;
      b = x + (y + 1 < tiles.height ? tiles.width * (y + 1) : 0);
    }
  }
  static __host__ __device__ std::uint32_t count(const SquareTiles& tiles) {
    return tiles.tiles_x * tiles.height + tiles.tiles_y * tiles.width;
  }
};

/// Label relaxation. value[root] of the tile roots at the ends of a bond between tiles both become the smaller one,
/// until nothing changes; then every site takes the value of its root. All blocks run together and decide by themselves
/// when they are done.
__global__ void __launch_bounds__(256) relax_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label,
                                                    std::uint32_t* value, PassCount* count) {
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const std::uint32_t sites = tiles.width * tiles.height, borders = BorderBond::count(tiles);
  for (std::uint32_t i = first; i < sites; i += threads) value[i] = i;
  repeat_until_unchanged(grid, *count, [&] {
    bool some = false;
    for (std::uint32_t i = first; i < borders; i += threads) {
      const BorderBond bond(tiles, bonds, i);
      if (!bond.active) continue;
      const std::uint32_t root_a = label[bond.a], root_b = label[bond.b];
      const std::uint32_t at_a = __ldcg(value + root_a), at_b = __ldcg(value + root_b);
      if (at_a == at_b) continue;
      atomicMin(value + (at_a < at_b ? root_b : root_a), min(at_a, at_b));
      some = true;
    }
    return some;
  });
  for (std::uint32_t i = first; i < sites; i += threads) label[i] = __ldcg(value + label[i]);
}

/// Hierarchical sewing: one block joins four tiles of `size` x `size` sites each, by unions along their seams.
__global__ void __launch_bounds__(128)
    sew_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label, std::uint32_t size) {
  const std::uint32_t groups_x = (tiles.width + 2 * size - 1) / (2 * size);
  const std::uint32_t x = blockIdx.x % groups_x * 2 * size, y = blockIdx.x / groups_x * 2 * size;
  const std::uint32_t seam_x = x + size - 1, seam_y = y + size - 1;
  if (seam_x + 1 < tiles.width) {
    for (std::uint32_t i = y + threadIdx.x; i < min(y + 2 * size, tiles.height); i += blockDim.x) {
      const std::uint32_t site = seam_x + tiles.width * i;
      if (tiles.bond(bonds, 0, seam_x, i)) unite_global(label, site, site + 1);
    }
  }
  if (seam_y + 1 < tiles.height) {
    for (std::uint32_t i = x + threadIdx.x; i < min(x + 2 * size, tiles.width); i += blockDim.x) {
      const std::uint32_t site = i + tiles.width * seam_y;
      if (tiles.bond(bonds, 1, i, seam_y)) unite_global(label, site, site + tiles.width);
    }
  }
}

/// The last seams: bonds around the periodic lattice.
__global__ void __launch_bounds__(128)
    close_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t x = tiles.width - 1, y = tiles.height - 1;
  if (i < tiles.height && tiles.bond(bonds, 0, x, i)) unite_global(label, x + tiles.width * i, tiles.width * i);
  if (i < tiles.width && tiles.bond(bonds, 1, i, y)) unite_global(label, i + tiles.width * y, i);
}

__global__ void __launch_bounds__(256) point_to_roots_kernel(std::uint32_t sites, std::uint32_t* label) {
  const std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  if (i < sites) label[i] = find_root(label, label[i]);
}

enum class InTiles { breadth_first, union_find, self_labelling };
enum class Consolidation { relaxation, sewing };

/// How the tiles are labelled.
struct TileKernel {
  const char* what;
  void (*kernel)(SquareTiles, const std::uint32_t*, std::uint32_t*);
  unsigned tiles, threads;  ///< of a block
};

template <int Edge>
TileKernel tile_kernel(InTiles in_tiles) {
  switch (in_tiles) {
    case InTiles::breadth_first:
      return {"searching tiles", tile_breadth_first_kernel<Edge>, SerialTile<Edge>::searched,
              SerialTile<Edge>::searched};
    case InTiles::union_find:
      return {"uniting tiles", tile_union_find_kernel<Edge>, SerialTile<Edge>::united, SerialTile<Edge>::united};
    case InTiles::self_labelling:
      break;
  }
  return {"labelling tiles", tile_self_label_kernel<Edge>, 1, self_labelling_threads<Edge>};
}

TileKernel tile_kernel(InTiles in_tiles, int edge) {
  switch (edge) {
    case 4:
      return tile_kernel<4>(in_tiles);
    case 8:
      return tile_kernel<8>(in_tiles);
    case 16:
      return tile_kernel<16>(in_tiles);
    case 32:
      return tile_kernel<32>(in_tiles);
    case 64:
      return tile_kernel<64>(in_tiles);
    default:
      throw std::invalid_argument("Tiles of edge " + std::to_string(edge) +
                                  " cannot be used (there are 4, 8, 16, 32 and 64). Use one of these.");
  }
}

class SquareLabelling final : public DeviceLabelling {
 public:
  SquareLabelling(const Graph& graph, InTiles in_tiles, Consolidation consolidation, int edge)
      : in_tiles_(tile_kernel(in_tiles, edge)), consolidation_(consolidation) {
    tiles_.edge = static_cast<std::uint32_t>(edge);
    tiles_.width = static_cast<std::uint32_t>(graph.extents()[0]);
    tiles_.height = static_cast<std::uint32_t>(graph.extents()[1]);
    tiles_.tiles_x = (tiles_.width + tiles_.edge - 1) / tiles_.edge;
    tiles_.tiles_y = (tiles_.height + tiles_.edge - 1) / tiles_.edge;
    tiles_.plane_words = static_cast<std::uint32_t>(graph.stride() / 32);
    if (consolidation == Consolidation::relaxation) {
      value_.reserve(graph.sites());
      passes_.clear();
      relax_blocks_ = blocks_at_once(relax_kernel, 256, graph.sites());
    }
  }

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    const std::uint32_t sites = tiles_.width * tiles_.height;
    launch_kernel(in_tiles_.what, in_tiles_.kernel, blocks_for(tiles_.tiles(), in_tiles_.tiles), in_tiles_.threads, 0,
                  stream, tiles_, d_bonds, d_labels);
    mark("tiles");
    if (consolidation_ == Consolidation::relaxation) {
      launch_cooperative("relaxing labels", relax_kernel, relax_blocks_, 256, 0, stream, tiles_, d_bonds, d_labels,
                         value_.data(), passes_.data());
      mark("relaxation");
      return;
    }
    const std::uint32_t longest = std::max(tiles_.width, tiles_.height);
    for (std::uint32_t size = tiles_.edge; size < longest; size *= 2) {
      const std::uint32_t wide = (tiles_.width + 2 * size - 1) / (2 * size);
      const std::uint32_t high = (tiles_.height + 2 * size - 1) / (2 * size);
      launch_kernel("sewing tiles", sew_kernel, dim3(wide * high), 128, 0, stream, tiles_, d_bonds, d_labels, size);
    }
    launch_kernel("sewing the lattice", close_kernel, blocks_for(longest, 128), 128, 0, stream, tiles_, d_bonds,
                  d_labels);
    launch_kernel("finding roots", point_to_roots_kernel, blocks_for(sites, 256), 256, 0, stream, sites, d_labels);
    mark("sewing");
  }

  [[nodiscard]] double passes() const override { return passes_.mean(); }

 private:
  TileKernel in_tiles_;
  Consolidation consolidation_;
  SquareTiles tiles_{};
  dim3 relax_blocks_;
  DeviceBuffer<std::uint32_t> value_;
  Passes passes_;
};

}  // namespace

std::unique_ptr<DeviceLabelling> make_square_labelling(const Graph& graph, LabellingMethod method, int edge) {
  using M = LabellingMethod;
  if (graph.kind() != GraphKind::hypercubic || graph.dim() != 2) return nullptr;
  const bool relaxes = method == M::bfs_relaxation || method == M::union_relaxation || method == M::self_relaxation;
  const auto made = [&](InTiles in_tiles) {
    return std::make_unique<SquareLabelling>(graph, in_tiles,
                                             relaxes ? Consolidation::relaxation : Consolidation::sewing, edge);
  };
  switch (method) {
    case M::bfs_relaxation:
    case M::bfs_sewing:
      return made(InTiles::breadth_first);
    case M::union_relaxation:
    case M::union_sewing:
      return made(InTiles::union_find);
    case M::self_relaxation:
    case M::self_sewing:
      return made(InTiles::self_labelling);
    default:
      return nullptr;
  }
}

}}  // namespace glassworks::cuda
