#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/cluster_update.hpp"
#include "kernels/cuda/cluster/round/direction.cuh"
#include "kernels/cuda/cluster/round/system_launch.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// Swendsen-Wang of models that are reflected: 128 possible roots a thread. The bytes of a block are written side by
/// side, 16 a thread.
__global__ void __launch_bounds__(256)
    coin_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber update) {
  __shared__ uint4 words[256];
  const ThreadPlace place(blocks);
  if (place.item < b.fate_stride / 128) {
    const RandomBlock random =
        b.random(Stream::cluster, place.system, update.of(b, b.task_of(place.system)), place.item);
    words[threadIdx.x] = make_uint4(random.word[0], random.word[1], random.word[2], random.word[3]);
  }
  __syncthreads();
  const std::uint32_t first = 128 * (place.item - threadIdx.x);  // root of the block
  std::uint8_t* const fate = b.d_fate + static_cast<std::size_t>(place.system) * b.fate_stride + first;
  for (std::uint32_t i = threadIdx.x; i < 8 * blockDim.x && first + 16 * i < b.fate_stride; i += blockDim.x) {
    const std::uint32_t bits = reinterpret_cast<const std::uint16_t*>(words)[i];
    const auto four = [](std::uint32_t x) {  // the four lowest bits as bytes
      return (x & 1U) | (x & 2U) << 7 | (x & 4U) << 14 | (x & 8U) << 21;
    };
    reinterpret_cast<uint4*>(fate)[i] = make_uint4(four(bits), four(bits >> 4), four(bits >> 8), four(bits >> 12));
  }
}

/// Swendsen-Wang of potts: four possible roots a thread.
__global__ void __launch_bounds__(256) new_state_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                        const __grid_constant__ UpdateNumber update) {
  const ThreadPlace place(blocks);
  if (place.item >= b.fate_stride / 4) return;
  const std::uint64_t number = update.of(b, b.task_of(place.system));
  const RandomBlock random = b.random(Stream::cluster, place.system, number, place.item);
  const auto q = static_cast<std::uint32_t>(b.model.states);
  std::uint32_t states = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) states |= uniform_below(random.word[k], q) << (8 * k);
  reinterpret_cast<std::uint32_t*>(b.d_fate + static_cast<std::size_t>(place.system) * b.fate_stride)[place.item] =
      states;
}

/// wolff and few_cluster: a seed a thread.
template <class M>
__global__ void __launch_bounds__(256) seed_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                   const __grid_constant__ UpdateNumber update, int edge) {
  const ThreadPlace place(blocks);
  const Lattice& lattice = b.common.lattice;
  const Lattice tiles{lattice.dim, lattice.L / edge};  // one of a graph
  if (place.item >= tiles.sites()) return;
  const unsigned system = b.launched_system(place.system);
  const std::uint64_t number = update.of(b, b.task_of(system));
  if (b.d_found != nullptr && place.item == 0) atomicAdd(b.d_found + 2 * b.common.d_slot[system] + 1, 1ULL);
  const bool few = b.common.protocol.kind == ProtocolKind::few_cluster;
  const RandomBlock where = b.random(Stream::reflection, system, number, seed_block(place.item));
  const std::int64_t seed = few ? seed_site(lattice, tiles, place.item, where) : seed_site(lattice, where);
  const std::uint32_t root = b.d_labels[b.first_site(place.system) + static_cast<std::size_t>(seed)];
  const RandomBlock random = b.random(Stream::cluster, system, number, single_cluster_block(root));
  if (few && random.word[0] >= b.flip_threshold) return;
  std::uint8_t fate = 1;
  if constexpr (M::discrete) fate = M::fate(b.states_of(system)[root], random.word[1], b.model.states);
  b.d_fate[static_cast<std::size_t>(place.system) * b.fate_stride + root] = fate;
}

/// Adds the sites that a block has moved in a system, of which thread 0 knows the number.
__device__ __forceinline__ void add_moved(const ClusterBatch& b, unsigned system, unsigned long long moved,
                                          bool count) {
  if (threadIdx.x != 0 || moved == 0) return;
  if (count) atomicAdd(b.d_moved + system, moved);
  if (b.d_found != nullptr) atomicAdd(b.d_found + 2 * b.common.d_slot[system], moved);
}

/// Models of discrete spins, four sites a thread, which are side by side: their number is a multiple of four in d > 1.
/// Cost: the labels, the states twice, and the fates of clusters.
template <class M>
__global__ void __launch_bounds__(256)
    move_four_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, bool count) {
  const ThreadPlace place(blocks);
  const unsigned system = b.launched_system(place.system);
  unsigned moved = 0;
  if (place.item < b.sites / 4) {
    const uint4 roots = reinterpret_cast<const uint4*>(b.d_labels + b.first_site(place.system))[place.item];
    const std::uint8_t* const fate = b.d_fate + static_cast<std::size_t>(place.system) * b.fate_stride;
    uchar4& states = reinterpret_cast<uchar4*>(b.states_of(system))[place.item];
    const uchar4 before = states;
    const uchar4 after = make_uchar4(M::moved(before.x, fate[roots.x]), M::moved(before.y, fate[roots.y]),
                                     M::moved(before.z, fate[roots.z]), M::moved(before.w, fate[roots.w]));
    moved = static_cast<unsigned>(before.x != after.x) + static_cast<unsigned>(before.y != after.y) +
            static_cast<unsigned>(before.z != after.z) + static_cast<unsigned>(before.w != after.w);
    if (moved > 0) states = after;
  }
  if (!count && b.d_found == nullptr) return;
  __shared__ unsigned all_moved;
  if (threadIdx.x == 0) all_moved = 0;
  __syncthreads();
  moved = __reduce_add_sync(~0U, moved);
  if (threadIdx.x % 32 == 0 && moved != 0) atomicAdd(&all_moved, moved);
  __syncthreads();
  add_moved(b, system, all_moved, count);
}

template <class M>
__global__ void __launch_bounds__(256)
    move_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, bool count) {
  const ThreadPlace place(blocks);
  const unsigned system = b.launched_system(place.system);
  bool moved = false;
  if (place.item < b.sites) {
    const auto sites = b.sites_of<M>(system);
    const std::uint32_t root = b.d_labels[b.first_site(place.system) + place.item];
    const std::uint8_t fate = b.d_fate[static_cast<std::size_t>(place.system) * b.fate_stride + root];
    if constexpr (M::discrete) {
      const std::uint8_t before = sites.load(place.item), after = M::moved(before, fate);
      moved = after != before;
      if (moved) sites.store(place.item, after);
    } else {
      moved = fate != 0;
      if (moved) {
        sites.store(place.item, M::moved(sites.load(place.item), direction_of<M::components>(b, place.system),
                                         b.d_projection[b.first_site(place.system) + place.item]));
      }
    }
  }
  if (!count && b.d_found == nullptr) return;
  add_moved(b, system, static_cast<unsigned long long>(__syncthreads_count(moved)), count);
}

}  // namespace

void choose_fates(const ClusterBatch& b, const UpdateNumber& update, cudaStream_t stream) {
  for_cluster_model(b.model, [&](auto m) {
    using M = decltype(m);
    if (b.common.protocol.kind == ProtocolKind::swendsen_wang) {
      constexpr bool by_coin = M::cluster_move == ClusterMove::reflection;
      const auto kernel = by_coin ? coin_kernel : new_state_kernel;
      SystemLaunch(b.fate_stride / (by_coin ? 128 : 4))("drawing coins", kernel, b.launched(), stream, b, update);
      return;
    }
    const std::size_t bytes = static_cast<std::size_t>(b.launched()) * b.fate_stride;
    std::uint8_t stays = 0;
    if constexpr (M::discrete) stays = M::stays;
    check_cuda(cudaMemsetAsync(b.d_fate, stays, bytes, stream), "clearing memory");
    const bool few = b.common.protocol.kind == ProtocolKind::few_cluster;
    const int edge = few ? b.common.protocol.seed_tile : b.common.lattice.L;
    const Lattice tiles{b.common.lattice.dim, b.common.lattice.L / edge};
    SystemLaunch(static_cast<std::uint32_t>(tiles.sites()))("choosing clusters", seed_kernel<M>, b.launched(), stream,
                                                            b, update, edge);
  });
}

void move_clusters(const ClusterBatch& b, bool count, cudaStream_t stream) {
  for_cluster_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (M::discrete) {
      if (b.sites % 4 == 0) {
        return SystemLaunch(b.sites / 4)("moving clusters", move_four_kernel<M>, b.launched(), stream, b, count);
      }
    }
    SystemLaunch(b.sites)("moving clusters", move_kernel<M>, b.launched(), stream, b, count);
  });
}

}}  // namespace glassworks::cuda
