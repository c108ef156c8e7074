#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/bit_order.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int threads = 256;

/// A site of the lattice in its natural order: threads that follow each other read bytes and floats that do.
struct SiteOfThread {
  std::int64_t site;
  Lattice::Coordinates coordinates;
  HalfLattice::Place place;
  std::int64_t index;  ///< where it is among the words of a replica

  __device__ explicit SiteOfThread(const MultispinBatch& b) : site(std::int64_t{blockIdx.x} * threads + threadIdx.x) {
    if (!exists(b)) return;
    if (b.common.lattice.is_graph()) {
      index = b.graph.d_place[site];
      return;
    }
    coordinates = b.common.lattice.coordinates(site);
    place = b.lattice.place_of(coordinates);
    index = std::int64_t{place.colour} * b.lattice.places + place.place;
  }
  [[nodiscard]] __device__ bool exists(const MultispinBatch& b) const { return site < b.common.sites(); }
};

/// Grid: (sites, packs).
__global__ void __launch_bounds__(threads) pack_couplings_kernel(const __grid_constant__ MultispinBatch b,
                                                                 std::uint32_t* d_negative, std::uint32_t* d_absent) {
  const SiteOfThread here(b);
  if (!here.exists(b)) return;
  const auto pack = static_cast<int>(blockIdx.y);
  for (int axis = 0; axis < b.lattice.dim; ++axis) {
    const std::int64_t place =
        pack * b.coupling_words() + std::int64_t{b.lattice.bond_place(here.coordinates, axis)} * b.words;
    for (int w = 0; w < b.words; ++w) {
      std::uint32_t negative = 0, absent = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const int task = b.d_task[pack * b.lanes() + 32 * w + lane];
        if (task < 0) continue;
        const float J = b.common.d_couplings == nullptr
                            ? b.common.coupling
                            : b.common.couplings_of(task)[axis * b.common.sites() + here.site];
        negative |= (J < 0.0F ? 1U : 0U) << lane;
        absent |= (J == 0.0F ? 1U : 0U) << lane;
      }
      d_negative[place + w] = negative;
      if (d_absent != nullptr) d_absent[place + w] = absent;
    }
  }
}

/// The same of a graph, whose bonds stand at both of their ends. Grid: (links, packs).
__global__ void __launch_bounds__(threads)
    pack_links_kernel(const __grid_constant__ MultispinBatch b, std::uint32_t* d_negative) {
  const std::int64_t link = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (link >= b.graph.links) return;
  const auto pack = static_cast<int>(blockIdx.y);
  const std::uint32_t bond = b.graph.d_bond[link];
  for (int w = 0; w < b.words; ++w) {
    std::uint32_t negative = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int task = b.d_task[pack * b.lanes() + 32 * w + lane];
      if (task < 0) continue;
      negative |= (b.common.coupling_of(task, bond) < 0.0F ? 1U : 0U) << lane;
    }
    d_negative[pack * b.coupling_words() + link * b.words + w] = negative;
  }
}

/// Bytes of a replica of a task: of the one that stands at a place.
__device__ std::uint8_t* states_at(const MultispinBatch& b, int task, int place) {
  const std::int64_t first = std::int64_t{task} * b.replicas();
  return b.common.d_states + (first + b.common.d_replica_at[first + place]) * b.common.sites();
}

/// Grid: (sites, replicas of all packs).
template <bool to_bits>
__global__ void __launch_bounds__(threads) spins_kernel(const __grid_constant__ MultispinBatch b, int first_replica) {
  const SiteOfThread here(b);
  if (!here.exists(b)) return;
  const int replica = first_replica + static_cast<int>(blockIdx.y);
  const int pack = replica / b.replicas(), place = replica - pack * b.replicas();
  std::uint32_t* const words = b.spins_of(pack, place) + here.index * b.words;
  for (int w = 0; w < b.words; ++w) {
    std::uint32_t bits = to_bits ? 0 : words[w];
    for (int lane = 0; lane < 32; ++lane) {
      const int task = b.d_task[pack * b.lanes() + 32 * w + lane];
      if (task < 0) continue;
      std::uint8_t* const state = states_at(b, task, place) + here.site;
      if constexpr (to_bits) {
        bits |= (*state == 0 ? 1U : 0U) << lane;
      } else {
        *state = (bits >> lane & 1U) != 0 ? 0 : 1;
      }
    }
    if constexpr (to_bits) words[w] = bits;
  }
}

/// Grid: lanes of all places.
template <bool to_bits>
__global__ void __launch_bounds__(threads) walkers_kernel(const __grid_constant__ MultispinBatch b) {
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x, of_pack = b.replicas() * b.lanes();
  if (i >= of_pack * b.packs) return;
  const auto pack = static_cast<int>(i / of_pack), in_pack = static_cast<int>(i - pack * of_pack);
  const int place = in_pack / b.lanes(), task = b.d_task[pack * b.lanes() + in_pack - place * b.lanes()];
  if (task < 0) return;
  const DeviceBatch& common = b.common;
  const int slot = place % common.slots, first_of_copy = place - slot;
  const std::int64_t first = std::int64_t{task} * common.replicas();
  if constexpr (to_bits) {
    const int replica = common.d_replica_at[first + place];
    b.d_walker[i] = Walker{replica - first_of_copy, common.d_heading[first + replica]}.word();
  } else {
    const Walker walker = Walker::of(b.d_walker[i]);
    const int replica = first_of_copy + walker.replica;
    common.d_replica_at[first + place] = replica;
    common.d_slot[first + replica] = slot;
    common.d_heading[first + replica] = walker.heading;
  }
}

unsigned blocks_for(std::int64_t work) { return static_cast<unsigned>((work + threads - 1) / threads); }

template <bool to_bits>
void move_spins(const MultispinBatch& b, cudaStream_t stream) {
  constexpr int most = 65535;  // of a grid along y
  const int replicas = b.packs * b.replicas();
  for (int first = 0; first < replicas; first += most) {
    const auto count = static_cast<unsigned>(replicas - first < most ? replicas - first : most);
    launch_kernel("ordering spins", spins_kernel<to_bits>, dim3(blocks_for(b.common.sites()), count), threads, 0,
                  stream, b, first);
  }
}
template <bool to_bits>
void move_walkers(const MultispinBatch& b, cudaStream_t stream) {
  launch_kernel("ordering replicas", walkers_kernel<to_bits>,
                dim3(blocks_for(std::int64_t{b.packs} * b.replicas() * b.lanes())), threads, 0, stream, b);
}

}  // namespace

void pack_couplings(const MultispinBatch& b, std::uint32_t* d_negative, std::uint32_t* d_absent, cudaStream_t stream) {
  if (b.common.lattice.is_graph()) {
    if (b.graph.links == 0) return;
    launch_kernel("ordering couplings", pack_links_kernel,
                  dim3(blocks_for(b.graph.links), static_cast<unsigned>(b.packs)), threads, 0, stream, b, d_negative);
    return;
  }
  launch_kernel("ordering couplings", pack_couplings_kernel,
                dim3(blocks_for(b.common.sites()), static_cast<unsigned>(b.packs)), threads, 0, stream, b, d_negative,
                d_absent);
}

void pack_states(const MultispinBatch& b, cudaStream_t stream) {
  move_spins<true>(b, stream);
  move_walkers<true>(b, stream);
}

void unpack_states(const MultispinBatch& b, cudaStream_t stream) {
  move_walkers<false>(b, stream);
  move_spins<false>(b, stream);
}

}}  // namespace glassworks::cuda
