#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/cluster_update.hpp"
#include "kernels/cuda/cluster/round/site.cuh"
#include "kernels/models/activation.hpp"

namespace glassworks::inline cuda {
namespace {

/// r of each system. One thread a system.
template <int n>
__global__ void direction_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber update) {
  const unsigned system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= static_cast<unsigned>(b.systems())) return;
  const std::uint64_t number = update.of(b, b.task_of(system));
  const auto r = exact::random_direction<n>(b.random(Stream::reflection, system, number, direction_block));
#pragma unroll
  for (int k = 0; k < n; ++k) b.d_direction[4 * system + k] = r.c[k];
}

template <int n>
__device__ __forceinline__ exact::Vector<n> direction_of(const ClusterBatch& b, unsigned system) {
  exact::Vector<n> r;
#pragma unroll
  for (int k = 0; k < n; ++k) r.c[k] = __ldg(b.d_direction + 4 * system + k);
  return r;
}

template <class M>
__global__ void __launch_bounds__(256) projection_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  b.d_projection[b.first_site(place.system) + place.item] =
      exact::dot(direction_of<M::components>(b, place.system), b.sites_of<M>(place.system).load(place.item));
}

/// The word of the bond along `axis` in the block of its site.
__device__ __forceinline__ std::uint32_t word_of_bond(const RandomBlock& random, int dim, const HypercubicSite& site,
                                                      int axis) {
  if (dim == 1) {
    const std::uint32_t k = site.site & 3U;
    return k < 2 ? (k == 0 ? random.word[0] : random.word[1]) : (k == 2 ? random.word[2] : random.word[3]);
  }
  if (dim == 2) {
    const bool odd = (site.c[1] & 1U) != 0;
    return axis == 0 ? (odd ? random.word[2] : random.word[0]) : (odd ? random.word[3] : random.word[1]);
  }
  return random.word[axis];
}

/// Decides about the bonds that each site owns. Cost: a Philox block a site.
template <bool discrete>
__global__ void __launch_bounds__(256) activate_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                       const __grid_constant__ UpdateNumber update) {
  const ThreadPlace place(blocks);
  const bool inside = place.item < b.sites;
  const int dim = b.common.lattice.dim, task = b.task_of(place.system);
  const HypercubicSite site(b.common.lattice, inside ? place.item : 0);
  const WordAddress address = bond_address(b.common.lattice, site.site, 0);
  const RandomBlock random = b.random(Stream::bonds, place.system, update.of(b, task), address.block);
  const int slot = b.common.d_slot[place.system];
  const float exponent_factor = exact::mul(b.minus_factor, b.common.d_beta[slot]);
  const bool uniform = discrete && b.d_uniform[task] != 0;
  const std::uint32_t threshold = uniform ? b.d_threshold[task * b.common.slots + slot] : 0;
  const std::uint8_t* states = b.states_of(place.system);
  const float* projection = b.d_projection + b.first_site(place.system);
#pragma unroll
  for (int axis = 0; axis < 4; ++axis) {
    if (axis >= dim) break;
    const std::uint32_t next = site.forward(axis), word = word_of_bond(random, dim, site, axis);
    const float J = b.coupling(task, axis, site.site);
    bool active;
    if constexpr (discrete) {
      active = exact::is_satisfied(J, states[site.site], states[next]);
      if (uniform) {
        active = active && word < threshold;
      } else if (active) {
        active = exact::is_active(exact::satisfied_exponent(exponent_factor, J), word);
      }
    } else {
      active = exact::is_active(exact::reflected_exponent(exponent_factor, J, projection[site.site], projection[next]),
                                word);
    }
    const unsigned bits = __ballot_sync(~0U, active && inside);
    if ((threadIdx.x & 31U) == 0 && inside) {
      b.d_bonds[(static_cast<std::size_t>(place.system) * dim + axis) * b.plane_words + place.item / 32] = bits;
    }
  }
}

/// Swendsen-Wang of models that are reflected: 128 possible roots a thread.
__global__ void __launch_bounds__(256)
    coin_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber update) {
  const ThreadPlace place(blocks);
  if (place.item >= b.fate_stride / 128) return;
  const std::uint64_t number = update.of(b, b.task_of(place.system));
  const RandomBlock random = b.random(Stream::cluster, place.system, number, place.item);
  std::uint8_t* fate = b.d_fate + static_cast<std::size_t>(place.system) * b.fate_stride + 128 * place.item;
#pragma unroll
  for (int word = 0; word < 4; ++word) {
    for (int byte = 0; byte < 4; ++byte) {
      const std::uint32_t bits = random.word[word] >> (8 * byte);
      const auto four = [](std::uint32_t x) {  // the four lowest bits as bytes
        return (x & 1U) | (x & 2U) << 7 | (x & 4U) << 14 | (x & 8U) << 21;
      };
      *reinterpret_cast<uint2*>(fate + 32 * word + 8 * byte) = make_uint2(four(bits), four(bits >> 4));
    }
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
  const Lattice tiles{lattice.dim, lattice.L / edge};
  if (place.item >= tiles.sites()) return;
  const std::uint64_t number = update.of(b, b.task_of(place.system));
  Lattice::Coordinates origin = tiles.coordinates(place.item);
  for (int& x : origin) x *= edge;
  const RandomBlock where = b.random(Stream::reflection, place.system, number, seed_block(place.item));
  const std::int64_t seed = seed_site(lattice, origin, edge, where);
  const std::uint32_t root = b.d_labels[b.first_site(place.system) + static_cast<std::size_t>(seed)];
  const RandomBlock random = b.random(Stream::cluster, place.system, number, single_cluster_block(root));
  if (b.common.protocol.kind == ProtocolKind::few_cluster && random.word[0] >= b.flip_threshold) return;
  std::uint8_t fate = 1;
  if constexpr (M::discrete) fate = M::fate(b.states_of(place.system)[root], random.word[1], b.model.states);
  b.d_fate[static_cast<std::size_t>(place.system) * b.fate_stride + root] = fate;
}

__device__ __forceinline__ std::uint8_t fate_of(const ClusterBatch& b, unsigned system, std::uint32_t site) {
  const std::uint32_t root = b.d_labels[b.first_site(system) + site];
  return b.d_fate[static_cast<std::size_t>(system) * b.fate_stride + root];
}

/// Ends a kernel that moves clusters.
__device__ __forceinline__ void count_moved(const ClusterBatch& b, unsigned system, bool count, bool moved) {
  if (!count) return;
  const int sites = __syncthreads_count(moved);
  if (threadIdx.x == 0 && sites > 0) atomicAdd(b.d_moved + system, static_cast<unsigned long long>(sites));
}

template <class M>
__global__ void __launch_bounds__(256)
    move_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, bool count) {
  const ThreadPlace place(blocks);
  bool moved = false;
  if (place.item < b.sites) {
    const auto sites = b.sites_of<M>(place.system);
    const std::uint8_t fate = fate_of(b, place.system, place.item);
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
  count_moved(b, place.system, count, moved);
}

}  // namespace

void activate_bonds(const ClusterBatch& b, const UpdateNumber& update, cudaStream_t stream) {
  const SystemLaunch launch(b.sites);
  for_vector_model(b.model, [&](auto m) {
    using M = decltype(m);
    launch_kernel("choosing directions", direction_kernel<M::components>,
                  blocks_for(static_cast<std::size_t>(b.systems()), 128), 128, 0, stream, b, update);
    launch("projecting spins", projection_kernel<M>, b.systems(), stream, b);
  });
  launch("activating bonds", b.model.is_discrete() ? activate_kernel<true> : activate_kernel<false>, b.systems(),
         stream, b, update);
}

void choose_fates(const ClusterBatch& b, const UpdateNumber& update, cudaStream_t stream) {
  for_model(b.model, [&](auto m) {
    using M = decltype(m);
    if (b.common.protocol.kind == ProtocolKind::swendsen_wang) {
      const auto kernel = M::reflects ? coin_kernel : new_state_kernel;
      SystemLaunch(b.fate_stride / (M::reflects ? 128 : 4))("drawing coins", kernel, b.systems(), stream, b, update);
      return;
    }
    const std::size_t bytes = static_cast<std::size_t>(b.systems()) * b.fate_stride;
    std::uint8_t stays = 0;
    if constexpr (M::discrete) stays = M::stays;
    check_cuda(cudaMemsetAsync(b.d_fate, stays, bytes, stream), "clearing memory");
    const bool few = b.common.protocol.kind == ProtocolKind::few_cluster;
    const int edge = few ? b.common.protocol.seed_tile : b.common.lattice.L;
    const Lattice tiles{b.common.lattice.dim, b.common.lattice.L / edge};
    SystemLaunch(static_cast<std::uint32_t>(tiles.sites()))("choosing clusters", seed_kernel<M>, b.systems(), stream, b,
                                                            update, edge);
  });
}

void move_clusters(const ClusterBatch& b, bool count, cudaStream_t stream) {
  for_model(b.model, [&](auto m) {
    SystemLaunch(b.sites)("moving clusters", move_kernel<decltype(m)>, b.systems(), stream, b, count);
  });
}

}  // namespace glassworks::inline cuda
