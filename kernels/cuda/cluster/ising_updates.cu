#include <stdexcept>
#include <string>

#include "kernels/cuda/cluster/ising_tiles.cuh"
#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/tile_faces.cuh"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Bits from bytes, of one system a row of blocks. A thread makes a word.
__global__ void __launch_bounds__(256)
    pack_kernel(const std::uint8_t* states, std::uint32_t* words, std::uint32_t sites, std::uint32_t plane_words) {
  const std::uint32_t lane = threadIdx.x & 31U;
  const std::size_t system = blockIdx.y;
  const std::uint32_t site = blockIdx.x * 256U + threadIdx.x;
  const std::uint32_t bits = __ballot_sync(all_lanes, site < sites && states[system * sites + site] != 0);
  if (lane == 0 && site < sites) words[system * plane_words + site / 32] = bits;
}
__global__ void __launch_bounds__(256)
    unpack_kernel(const std::uint32_t* words, std::uint8_t* states, std::uint32_t sites, std::uint32_t plane_words) {
  const std::size_t system = blockIdx.y;
  const std::uint32_t site = blockIdx.x * 256U + threadIdx.x;
  if (site >= sites) return;
  states[system * sites + site] =
      static_cast<std::uint8_t>((words[system * plane_words + site / 32] >> (site % 32)) & 1U);
}

template <class Shape>
class TiledIsingUpdates final : public IsingUpdates {
 public:
  TiledIsingUpdates(const Lattice& lattice, unsigned systems) {
    std::array<int, Graph::max_dim> extents{1, 1, 1, 1};
    for (int axis = 0; axis < lattice.dim; ++axis) extents[static_cast<std::size_t>(axis)] = lattice.L;
    static_cast<ClusterTileWork&>(work_) = tile_work(Shape::lattice(extents, systems));
    const std::size_t tiles = work_.lattice.tiles_of_all();
    work_.spins = spins_.reserve(static_cast<std::size_t>(systems) * work_.lattice.plane_words + 1);
    work_.bonds = bonds_.reserve(tiles * Shape::directions * Shape::segments);
    work_.coins = coins_.reserve(static_cast<std::size_t>(systems) * work_.coin_words + 1);
    work_.local = local_.reserve(tiles * Shape::sites);
    clear_and_wait(work_.local, tiles * Shape::sites * sizeof(std::uint16_t));
    work_.roots = roots_.reserve(tiles * 2 * Shape::segments);
    clear_and_wait(work_.roots, tiles * 2 * Shape::segments * sizeof(std::uint32_t));
    work_.parent = parent_.reserve(static_cast<std::size_t>(systems) * work_.lattice.sites);
    separate_sites(work_.parent, work_.lattice);
    work_.systems = systems_.reserve(systems);
    allow_shared_memory(ising_tiles_kernel<Shape, true>, Shape::bytes);
    allow_shared_memory(ising_tiles_kernel<Shape, false>, Shape::bytes);
  }

  void set_systems(std::span<const IsingSystem> systems) override {
    copy_and_wait(systems_.data(), systems.data(), systems.size_bytes(), "copying systems to the device");
  }

  void set_couplings(std::span<const std::vector<float>* const> sets) override {
    const std::size_t plane = work_.lattice.plane_words, set_words = Shape::directions * plane;
    std::vector<std::uint32_t> words(sets.size() * set_words + 1, 0U);
    bool some = false;
    for (std::size_t set = 0; set < sets.size(); ++set) {
      for (std::size_t i = 0; i < sets[set]->size(); ++i) {
        if (!((*sets[set])[i] < 0.0F)) continue;
        const std::size_t site = i / Shape::directions, axis = i % Shape::directions;
        words[set * set_words + axis * plane + site / 32] |= 1U << (site % 32);
        some = true;
      }
    }
    work_.negative = nullptr;
    if (!some) return;
    work_.negative = negative_.reserve(words.size());
    copy_and_wait(negative_.data(), words.data(), 4 * words.size(), "copying couplings to the device");
  }

  void set_states(std::span<const std::uint8_t> states) override {
    const std::size_t sites = work_.lattice.sites, plane = work_.lattice.plane_words;
    std::vector<std::uint32_t> words(work_.lattice.systems * plane, 0U);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] != 0) words[i / sites * plane + i % sites / 32] |= 1U << (i % sites % 32);
    }
    copy_and_wait(spins_.data(), words.data(), 4 * words.size(), "copying spins to the device");
  }

  void get_states(std::span<std::uint8_t> states) override {
    const std::size_t sites = work_.lattice.sites, plane = work_.lattice.plane_words;
    std::vector<std::uint32_t> words(work_.lattice.systems * plane);
    check_cuda(cudaMemcpy(words.data(), spins_.data(), 4 * words.size(), cudaMemcpyDeviceToHost),
               "copying spins from the device");
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i] = static_cast<std::uint8_t>((words[i / sites * plane + i % sites / 32] >> (i % sites % 32)) & 1U);
    }
  }

  IsingSystem* device_systems() override { return systems_.data(); }

  void import_states(const std::uint8_t* d_states, cudaStream_t stream) override {
    launch_kernel("packing spins", pack_kernel, site_grid(), 256, 0, stream, d_states, work_.spins, work_.lattice.sites,
                  work_.lattice.plane_words);
  }
  void export_states(std::uint8_t* d_states, cudaStream_t stream) override {
    launch_kernel("unpacking spins", unpack_kernel, site_grid(), 256, 0, stream, work_.spins, d_states,
                  work_.lattice.sites, work_.lattice.plane_words);
  }

  void enqueue(const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream, const StageMark& mark) override {
    work_.keys = PhiloxRoundKeys(key);
    work_.sweep = sweep;
    const TileLattice& lattice = work_.lattice;
    const dim3 tiles(lattice.tiles_of_all());
    const auto label = lattice.extent[0] % 32 == 0 ? ising_tiles_kernel<Shape, true> : ising_tiles_kernel<Shape, false>;
    launch_overlapped("activating bonds", label, tiles, Shape::threads, Shape::bytes, stream, work_);
    mark("activation and tiles");
    launch_overlapped("joining tiles", join_faces_kernel<Shape>, tiles, FaceItems<Shape>::threads, 0, stream, lattice,
                      work_.bonds, work_.local, work_.parent, work_.roots);
    mark("borders");
    const auto flip = lattice.extent[0] % 8 == 0 ? ising_flip_kernel<Shape, true> : ising_flip_kernel<Shape, false>;
    launch_overlapped("flipping clusters", flip, tiles, Shape::threads, 0, stream, work_);
    mark("flip");
  }

 private:
  [[nodiscard]] dim3 site_grid() const { return dim3((work_.lattice.sites + 255) / 256, work_.lattice.systems); }

  IsingWork work_{};
  DeviceBuffer<IsingSystem> systems_;
  DeviceBuffer<std::uint32_t> negative_, spins_, bonds_, coins_, parent_, roots_;
  DeviceBuffer<std::uint16_t> local_;
};

template <class... Shapes>
std::unique_ptr<IsingUpdates> choose(const Lattice& lattice, unsigned systems, int variant) {
  std::unique_ptr<IsingUpdates> chosen;
  TileShapes<Shapes...>::with(
      variant, [&](auto shape) { chosen = std::make_unique<TiledIsingUpdates<decltype(shape)>>(lattice, systems); });
  return chosen;
}

}  // namespace

std::unique_ptr<IsingUpdates> make_ising_updates(const Lattice& lattice, unsigned systems, int variant) {
  if (lattice.dim == 2) {
    return choose<ClusterTileShape<2, false, 4, 64, 1, 1, 32, 1, 1>, ClusterTileShape<2, false, 4, 64, 1, 1, 16, 1, 1>,
                  ClusterTileShape<2, false, 4, 128, 1, 1, 32, 1, 1>,
                  ClusterTileShape<2, false, 4, 32, 1, 1, 16, 1, 1>>(lattice, systems, variant);
  }
  if (lattice.dim == 3) {
    return choose<ClusterTileShape<3, false, 1, 16, 16, 1, 8, 4, 1>, ClusterTileShape<3, false, 1, 16, 16, 1, 16, 2, 1>,
                  ClusterTileShape<3, false, 1, 16, 16, 1, 8, 2, 1>, ClusterTileShape<3, false, 2, 16, 8, 1, 8, 4, 1>>(
        lattice, systems, variant);
  }
  throw std::runtime_error("Ising lattices of d = " + std::to_string(lattice.dim) +
                           " cannot be updated by these kernels (they support d = 2 and 3). Use the CPU.");
}

}}  // namespace glassworks::cuda
