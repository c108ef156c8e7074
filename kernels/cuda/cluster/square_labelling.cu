#include <cooperative_groups.h>

#include <algorithm>

#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/launch.cuh"
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
    const std::uint32_t to_right = tiles.tiles_x * tiles.height;
    constexpr std::uint32_t edge = SquareTiles::edge;
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
/// when they are done: changed[step % 3] counts the changes of a step.
__global__ void __launch_bounds__(256) relax_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label,
                                                    std::uint32_t* value, unsigned* changed) {
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const std::uint32_t sites = tiles.width * tiles.height, borders = BorderBond::count(tiles);
  for (std::uint32_t i = first; i < sites; i += threads) value[i] = i;
  if (first < 3) changed[first] = 0;
  grid.sync();
  for (unsigned step = 0;; ++step) {
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
    if (__syncthreads_or(some) != 0 && threadIdx.x == 0) atomicAdd(changed + step % 3, 1U);
    if (first == 0) changed[(step + 1) % 3] = 0;
    grid.sync();
    if (__ldcg(changed + step % 3) == 0) break;
  }
  for (std::uint32_t i = first; i < sites; i += threads) label[i] = __ldcg(value + label[i]);
}

/// Hierarchical sewing: one block joins four tiles of `size` x `size` sites each, by unions along their seams.
__global__ void __launch_bounds__(128)
    sew_kernel(SquareTiles tiles, const std::uint32_t* bonds, std::uint32_t* label, std::uint32_t size) {
  const std::uint32_t x = blockIdx.x * 2 * size, y = blockIdx.y * 2 * size;
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

class SquareLabelling final : public DeviceLabelling {
 public:
  SquareLabelling(const Graph& graph, InTiles in_tiles, Consolidation consolidation)
      : in_tiles_(in_tiles), consolidation_(consolidation) {
    constexpr auto edge = static_cast<std::uint32_t>(SquareTiles::edge);
    tiles_.width = static_cast<std::uint32_t>(graph.extents()[0]);
    tiles_.height = static_cast<std::uint32_t>(graph.extents()[1]);
    tiles_.tiles_x = (tiles_.width + edge - 1) / edge;
    tiles_.tiles_y = (tiles_.height + edge - 1) / edge;
    tiles_.plane_words = static_cast<std::uint32_t>(graph.stride() / 32);
    if (consolidation == Consolidation::relaxation) {
      value_.reserve(graph.sites());
      changed_.reserve(3);
      int device = 0, multiprocessors = 0, blocks = 0;
      check_cuda(cudaGetDevice(&device), "querying the device");
      check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                 "querying the device");
      check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, relax_kernel, 256, 0), "querying the device");
      const auto useful = static_cast<int>((graph.sites() + 255) / 256);
      relax_blocks_ = static_cast<unsigned>(std::clamp(multiprocessors * blocks, 1, useful));
    }
  }

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    const std::uint32_t sites = tiles_.width * tiles_.height;
    const dim3 serial = blocks_for(tiles_.tiles(), serial_tiles_per_block);
    switch (in_tiles_) {
      case InTiles::breadth_first:
        launch_kernel("searching tiles", tile_breadth_first_kernel, serial, serial_tiles_per_block, 0, stream, tiles_,
                      d_bonds, d_labels);
        break;
      case InTiles::union_find:
        launch_kernel("uniting tiles", tile_union_find_kernel, serial, serial_tiles_per_block, 0, stream, tiles_,
                      d_bonds, d_labels);
        break;
      case InTiles::self_labelling:
        launch_kernel("labelling tiles", tile_self_label_kernel, dim3(tiles_.tiles()), SquareTiles::sites, 0, stream,
                      tiles_, d_bonds, d_labels);
        break;
    }
    mark("tiles");
    if (consolidation_ == Consolidation::relaxation) {
      launch_cooperative("relaxing labels", relax_kernel, dim3(relax_blocks_), 256, 0, stream, tiles_, d_bonds,
                         d_labels, value_.data(), changed_.data());
      mark("relaxation");
      return;
    }
    const std::uint32_t longest = std::max(tiles_.width, tiles_.height);
    for (std::uint32_t size = SquareTiles::edge; size < longest; size *= 2) {
      const dim3 groups((tiles_.width + 2 * size - 1) / (2 * size), (tiles_.height + 2 * size - 1) / (2 * size));
      launch_kernel("sewing tiles", sew_kernel, groups, 128, 0, stream, tiles_, d_bonds, d_labels, size);
    }
    launch_kernel("sewing the lattice", close_kernel, blocks_for(longest, 128), 128, 0, stream, tiles_, d_bonds,
                  d_labels);
    launch_kernel("finding roots", point_to_roots_kernel, blocks_for(sites, 256), 256, 0, stream, sites, d_labels);
    mark("sewing");
  }

 private:
  InTiles in_tiles_;
  Consolidation consolidation_;
  SquareTiles tiles_{};
  unsigned relax_blocks_ = 0;
  DeviceBuffer<std::uint32_t> value_;
  DeviceBuffer<unsigned> changed_;
};

}  // namespace

std::unique_ptr<DeviceLabelling> make_square_labelling(const Graph& graph, LabellingMethod method) {
  using M = LabellingMethod;
  if (graph.kind() != GraphKind::hypercubic || graph.dim() != 2) return nullptr;
  const bool relaxes = method == M::bfs_relaxation || method == M::union_relaxation || method == M::self_relaxation;
  const Consolidation consolidation = relaxes ? Consolidation::relaxation : Consolidation::sewing;
  switch (method) {
    case M::bfs_relaxation:
    case M::bfs_sewing:
      return std::make_unique<SquareLabelling>(graph, InTiles::breadth_first, consolidation);
    case M::union_relaxation:
    case M::union_sewing:
      return std::make_unique<SquareLabelling>(graph, InTiles::union_find, consolidation);
    case M::self_relaxation:
    case M::self_sewing:
      return std::make_unique<SquareLabelling>(graph, InTiles::self_labelling, consolidation);
    default:
      return nullptr;
  }
}

}}  // namespace glassworks::cuda
