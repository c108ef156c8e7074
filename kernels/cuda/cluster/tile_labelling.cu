#include <algorithm>
#include <stdexcept>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks {
namespace {

template <class Shape>
class TileLabelling final : public DeviceLabelling {
 public:
  explicit TileLabelling(const Graph& graph) : lattice_(Shape::lattice(graph.extents(), 1)) {
    allow_shared_memory(label_tiles_kernel<Shape, true>, Shape::bytes);
    allow_shared_memory(label_tiles_kernel<Shape, false>, Shape::bytes);
    allow_shared_memory(write_labels_kernel<Shape, true>, 4 * static_cast<std::size_t>(Shape::sites));
    allow_shared_memory(write_labels_kernel<Shape, false>, 4 * static_cast<std::size_t>(Shape::sites));
    local_.reserve(static_cast<std::size_t>(lattice_.tiles_of_all()) * Shape::sites);
    parent_.reserve(lattice_.sites);
  }

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    const dim3 tiles(lattice_.tiles_of_all());
    const auto label =
        lattice_.extent[0] % 32 == 0 ? label_tiles_kernel<Shape, true> : label_tiles_kernel<Shape, false>;
    launch_kernel("labelling tiles", label, tiles, Shape::threads, Shape::bytes, stream, lattice_, d_bonds,
                  local_.data(), parent_.data());
    mark("tiles");
    launch_kernel("joining tiles", join_tiles_kernel<Shape>, join_grid<Shape>(lattice_), 256, 0, stream, lattice_,
                  d_bonds, local_.data(), parent_.data());
    mark("borders");
    const auto write =
        lattice_.extent[0] % 8 == 0 ? write_labels_kernel<Shape, true> : write_labels_kernel<Shape, false>;
    launch_kernel("writing labels", write, tiles, Shape::threads, 4 * static_cast<std::size_t>(Shape::sites), stream,
                  lattice_, local_.data(), parent_.data(), d_labels);
    mark("labels");
  }

 private:
  TileLattice lattice_;
  DeviceBuffer<std::uint16_t> local_;
  DeviceBuffer<std::uint32_t> parent_;
};

template <class... Shapes>
std::unique_ptr<DeviceLabelling> choose(const Graph& graph, int variant) {
  std::unique_ptr<DeviceLabelling> chosen;
  int i = 0;
  ((i++ == variant ? void(chosen = std::make_unique<TileLabelling<Shapes>>(graph)) : void()), ...);
  return chosen;
}

}  // namespace

std::unique_ptr<DeviceLabelling> make_tile_labelling(const Graph& graph, int variant) {
  if (graph.kind() == GraphKind::triangular) {
    return choose<TileShape<2, true, 4, 64, 1, 1, 32, 1, 1>, TileShape<2, true, 4, 64, 1, 1, 16, 1, 1>,
                  TileShape<2, true, 4, 32, 1, 1, 16, 1, 1>>(graph, variant);
  }
  switch (graph.is_lattice() ? graph.dim() : 0) {
    case 1:
      return choose<TileShape<1, false, 32, 1, 1, 1, 1, 1, 1>>(graph, variant);
    case 2:
      return choose<TileShape<2, false, 4, 64, 1, 1, 32, 1, 1>, TileShape<2, false, 4, 64, 1, 1, 16, 1, 1>,
                    TileShape<2, false, 4, 32, 1, 1, 16, 1, 1>>(graph, variant);
    case 3:
      return choose<TileShape<3, false, 1, 16, 16, 1, 16, 2, 1>, TileShape<3, false, 1, 16, 16, 1, 8, 4, 1>,
                    TileShape<3, false, 1, 16, 16, 1, 8, 2, 1>, TileShape<3, false, 1, 8, 8, 1, 8, 4, 1>>(graph,
                                                                                                          variant);
    case 4:
      return choose<TileShape<4, false, 1, 4, 4, 4, 4, 4, 1>, TileShape<4, false, 1, 8, 8, 4, 8, 4, 1>,
                    TileShape<4, false, 1, 8, 4, 4, 8, 2, 1>>(graph, variant);
    default:
      return nullptr;
  }
}

}  // namespace glassworks
