#include <algorithm>
#include <array>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_faces.cuh"
#include "kernels/cuda/cluster/tile_kernels.cuh"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr unsigned systems_at_once = 1U << 15;  ///< in one launch

template <class Shape>
class ShapedTileLabelling final : public TileLabelling {
 public:
  ShapedTileLabelling(const std::array<int, Graph::max_dim>& extents, unsigned systems)
      : lattice_(Shape::lattice(extents, std::min(systems, systems_at_once))) {
    allow_shared_memory(label_tiles_kernel<Shape, true>, Shape::bytes);
    allow_shared_memory(label_tiles_kernel<Shape, false>, Shape::bytes);
    allow_shared_memory(write_labels_kernel<Shape, true>, 4 * static_cast<std::size_t>(Shape::sites));
    allow_shared_memory(write_labels_kernel<Shape, false>, 4 * static_cast<std::size_t>(Shape::sites));
    const std::size_t places = static_cast<std::size_t>(lattice_.tiles_of_all()) * Shape::sites;
    // Places of tiles beyond the lattice are read with their neighbours, and not used.
    clear_and_wait(local_.reserve(places), places * sizeof(std::uint16_t));
    const std::size_t segments = static_cast<std::size_t>(lattice_.tiles_of_all()) * Shape::segments;
    bonds_.reserve(Shape::directions * segments);
    clear_and_wait(roots_.reserve(2 * segments), 2 * segments * sizeof(std::uint32_t));
    separate_sites(parent_.reserve(static_cast<std::size_t>(lattice_.systems) * lattice_.sites), lattice_);
  }

  using TileLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    enqueue(lattice_, d_bonds, d_labels, stream, mark);
  }

  void enqueue_systems(const std::uint32_t* d_bonds, unsigned systems, Site* d_labels, cudaStream_t stream) override {
    TileLattice lattice = lattice_;
    for (unsigned first = 0; first < systems; first += systems_at_once) {
      lattice.systems = std::min(systems - first, systems_at_once);
      enqueue(lattice, d_bonds + static_cast<std::size_t>(first) * Shape::directions * lattice.plane_words,
              d_labels + static_cast<std::size_t>(first) * lattice.sites, stream, [](const char*) {});
    }
  }

 private:
  void enqueue(const TileLattice& lattice, const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream,
               const StageMark& mark) {
    const dim3 tiles(lattice.tiles_of_all());
    const auto label = lattice.extent[0] % 32 == 0 ? label_tiles_kernel<Shape, true> : label_tiles_kernel<Shape, false>;
    launch_overlapped("labelling tiles", label, tiles, Shape::threads, Shape::bytes, stream, lattice, d_bonds,
                      bonds_.data(), local_.data(), parent_.data(), roots_.data());
    mark("tiles");
    launch_overlapped("joining tiles", join_faces_kernel<Shape>, tiles, FaceItems<Shape>::threads, 0, stream, lattice,
                      bonds_.data(), local_.data(), parent_.data(), roots_.data());
    mark("borders");
    const auto write =
        lattice.extent[0] % 8 == 0 ? write_labels_kernel<Shape, true> : write_labels_kernel<Shape, false>;
    launch_overlapped("writing labels", write, tiles, Shape::threads, 4 * static_cast<std::size_t>(Shape::sites),
                      stream, lattice, local_.data(), parent_.data(), roots_.data(), d_labels);
    mark("labels");
  }

  TileLattice lattice_;
  DeviceBuffer<std::uint16_t> local_;
  DeviceBuffer<std::uint32_t> bonds_, parent_, roots_;
};

/// The shapes that a lattice can be cut into, the preferred one first: body(TileShapes<...>{}).
template <class Body>
auto with_shapes(int dim, bool diagonal, const Body& body) {
  if (diagonal) {
    return body(
        TileShapes<ClusterTileShape<2, true, 4, 64, 1, 1, 32, 1, 1>, ClusterTileShape<2, true, 4, 64, 1, 1, 16, 1, 1>,
                   ClusterTileShape<2, true, 4, 32, 1, 1, 16, 1, 1>>{});
  }
  switch (dim) {
    case 1:
      return body(TileShapes<ClusterTileShape<1, false, 32, 1, 1, 1, 1, 1, 1>>{});
    case 2:
      return body(TileShapes<ClusterTileShape<2, false, 4, 64, 1, 1, 32, 1, 1>,
                             ClusterTileShape<2, false, 4, 64, 1, 1, 16, 1, 1>,
                             ClusterTileShape<2, false, 4, 32, 1, 1, 16, 1, 1>>{});
    case 3:
      return body(
          TileShapes<
              ClusterTileShape<3, false, 1, 16, 16, 1, 16, 2, 1>, ClusterTileShape<3, false, 1, 16, 16, 1, 8, 4, 1>,
              ClusterTileShape<3, false, 1, 16, 16, 1, 8, 2, 1>, ClusterTileShape<3, false, 1, 8, 8, 1, 8, 4, 1>>{});
    default:
      return body(
          TileShapes<ClusterTileShape<4, false, 1, 4, 4, 4, 4, 4, 1>, ClusterTileShape<4, false, 1, 8, 8, 4, 8, 4, 1>,
                     ClusterTileShape<4, false, 1, 8, 4, 4, 8, 2, 1>>{});
  }
}

[[nodiscard]] std::array<int, Graph::max_dim> extents_of(const Lattice& lattice) {
  std::array<int, Graph::max_dim> extents{1, 1, 1, 1};
  for (int axis = 0; axis < lattice.dim; ++axis) extents[static_cast<std::size_t>(axis)] = lattice.length(axis);
  return extents;
}

}  // namespace

std::unique_ptr<TileLabelling> make_tile_labelling(const Graph& graph, int variant) {
  const bool diagonal = graph.kind() == GraphKind::triangular;
  if (!diagonal && !graph.is_lattice()) return nullptr;
  std::unique_ptr<TileLabelling> chosen;
  with_shapes(graph.dim(), diagonal, [&](auto shapes) {
    shapes.with(variant, [&](auto shape) {
      chosen = std::make_unique<ShapedTileLabelling<decltype(shape)>>(graph.extents(), 1U);
    });
  });
  return chosen;
}

std::unique_ptr<TileLabelling> make_tile_labelling(const Lattice& lattice, unsigned systems) {
  return with_shapes(lattice.dim, false, [&](auto shapes) -> std::unique_ptr<TileLabelling> {
    using Shape = typename decltype(shapes)::Preferred;
    return std::make_unique<ShapedTileLabelling<Shape>>(extents_of(lattice), systems);
  });
}

double tile_labelling_bytes(const Lattice& lattice) {
  return with_shapes(lattice.dim, false, [&](auto shapes) {
    using Shape = typename decltype(shapes)::Preferred;
    const double padded = 1.0 * Shape::lattice(extents_of(lattice), 1).tiles_of_all() * Shape::sites;
    return (2.25 + Shape::directions / 8.0) * padded + 4.0 * static_cast<double>(lattice.sites());
  });
}

}}  // namespace glassworks::cuda
