#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_faces.cuh"
#include "kernels/cuda/cluster/vector_tiles.cuh"
#include "kernels/cuda/cluster/vector_updates.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

template <class Shape, int n>
class TiledVectorUpdates final : public VectorUpdates {
 public:
  TiledVectorUpdates(const Lattice& lattice, unsigned systems) {
    std::array<int, Graph::max_dim> extents{1, 1, 1, 1};
    for (int axis = 0; axis < lattice.dim; ++axis) extents[static_cast<std::size_t>(axis)] = lattice.L;
    static_cast<ClusterTileWork&>(work_) = tile_work(Shape::lattice(extents, systems));
    const std::size_t tiles = work_.lattice.tiles_of_all(), sites = work_.lattice.sites;
    work_.spins = spins_.reserve(systems * sites * n);
    work_.bonds = bonds_.reserve(tiles * Shape::directions * Shape::segments);
    work_.coins = coins_.reserve(static_cast<std::size_t>(systems) * work_.coin_words + 1);
    work_.local = local_.reserve(tiles * Shape::sites);
    clear_and_wait(work_.local, tiles * Shape::sites * sizeof(std::uint16_t));
    work_.parent = parent_.reserve(systems * sites);
    work_.systems = systems_.reserve(systems);
    allow_shared_memory(vector_tiles_kernel<Shape, n>, vector_tile_bytes<Shape>);
  }

  void set_systems(std::span<const VectorSystem> systems) override {
    copy_and_wait(systems_.data(), systems.data(), systems.size_bytes(), "copying systems to the device");
  }

  void set_couplings(std::span<const std::vector<float>* const> sets) override {
    work_.coupling = sets.front()->front();
    work_.couplings = nullptr;
    const auto is_first = [&](float J) { return J == work_.coupling; };
    if (std::all_of(sets.begin(), sets.end(),
                    [&](const std::vector<float>* set) { return std::all_of(set->begin(), set->end(), is_first); })) {
      return;
    }
    const std::size_t bonds = sets.front()->size();
    work_.couplings = couplings_.reserve(sets.size() * bonds);
    for (std::size_t set = 0; set < sets.size(); ++set) {
      copy_and_wait(couplings_.data() + set * bonds, sets[set]->data(), bonds * sizeof(float),
                    "copying couplings to the device");
    }
  }

  void set_spins(std::span<const float> spins) override {
    copy_and_wait(spins_.data(), spins.data(), spins.size_bytes(), "copying spins to the device");
  }
  void get_spins(std::span<float> spins) override {
    check_cuda(cudaMemcpy(spins.data(), spins_.data(), spins.size_bytes(), cudaMemcpyDeviceToHost),
               "copying spins from the device");
  }

  VectorSystem* device_systems() override { return systems_.data(); }

  void import_spins(const float* d_spins, cudaStream_t stream) override {
    check_cuda(cudaMemcpyAsync(work_.spins, d_spins, spin_bytes(), cudaMemcpyDeviceToDevice, stream), "copying spins");
  }
  void export_spins(float* d_spins, cudaStream_t stream) override {
    check_cuda(cudaMemcpyAsync(d_spins, work_.spins, spin_bytes(), cudaMemcpyDeviceToDevice, stream), "copying spins");
  }

  void enqueue(const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream, const StageMark& mark) override {
    work_.keys = PhiloxRoundKeys(key);
    work_.sweep = sweep;
    const TileLattice& lattice = work_.lattice;
    const dim3 tiles(lattice.tiles_of_all());
    launch_overlapped("activating bonds", vector_tiles_kernel<Shape, n>, tiles, Shape::threads,
                      vector_tile_bytes<Shape>, stream, work_);
    mark("activation and tiles");
    launch_overlapped("joining tiles", join_faces_kernel<Shape>, tiles, FaceItems<Shape>::threads, 0, stream, lattice,
                      work_.bonds, work_.local, work_.parent, nullptr);
    mark("borders");
    launch_overlapped("reflecting clusters", reflect_kernel<Shape, n>, tiles, Shape::threads, 0, stream, work_);
    mark("flip");
  }

 private:
  [[nodiscard]] std::size_t spin_bytes() const {
    return static_cast<std::size_t>(work_.lattice.systems) * work_.lattice.sites * n * sizeof(float);
  }

  VectorWork work_{};
  DeviceBuffer<VectorSystem> systems_;
  DeviceBuffer<float> couplings_, spins_;
  DeviceBuffer<std::uint32_t> bonds_, coins_, parent_;
  DeviceBuffer<std::uint16_t> local_;
};

template <int n, class... Shapes>
std::unique_ptr<VectorUpdates> choose(const Lattice& lattice, unsigned systems, int variant) {
  std::unique_ptr<VectorUpdates> chosen;
  TileShapes<Shapes...>::with(variant, [&](auto shape) {
    chosen = std::make_unique<TiledVectorUpdates<decltype(shape), n>>(lattice, systems);
  });
  return chosen;
}

template <int n>
std::unique_ptr<VectorUpdates> choose_by_dimension(const Lattice& lattice, unsigned systems, int variant) {
  if (lattice.dim == 3) {
    return choose<n, ClusterTileShape<3, false, 1, 8, 8, 1, 8, 1, 1>,
                  ClusterTileShape<3, false, 1, 16, 16, 1, 16, 1, 1>>(lattice, systems, variant);
  }
  if (lattice.dim == 4) return choose<n, ClusterTileShape<4, false, 1, 4, 4, 4, 4, 1, 1>>(lattice, systems, variant);
  return nullptr;
}

}  // namespace

std::unique_ptr<VectorUpdates> make_vector_updates(const Lattice& lattice, int components, unsigned systems,
                                                   int variant) {
  if (lattice.dim == 3 || lattice.dim == 4) {
    if (components == 2) return choose_by_dimension<2>(lattice, systems, variant);
    if (components == 3) return choose_by_dimension<3>(lattice, systems, variant);
    if (components == 4) return choose_by_dimension<4>(lattice, systems, variant);
  }
  throw std::runtime_error("Vectors of " + std::to_string(components) +
                           " components on lattices of d = " + std::to_string(lattice.dim) +
                           " cannot be updated by these kernels (they support n = 2 to 4, d = 3 and 4). Use the CPU.");
}

}}  // namespace glassworks::cuda
