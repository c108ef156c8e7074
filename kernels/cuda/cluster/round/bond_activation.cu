#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/bond_rule.cuh"
#include "kernels/cuda/cluster/round/cluster_update.hpp"
#include "kernels/cuda/cluster/round/direction.cuh"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/device_site.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// r of each system of the launch. One thread a system.
template <int n>
__global__ void direction_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber update) {
  const unsigned launched = blockIdx.x * blockDim.x + threadIdx.x;
  if (launched >= static_cast<unsigned>(b.launched())) return;
  const unsigned system = b.launched_system(launched);
  const std::uint64_t number = update.of(b, b.task_of(system));
  const auto r = exact::random_direction<n>(b.random(Stream::reflection, system, number, direction_block));
#pragma unroll
  for (int k = 0; k < n; ++k) b.d_direction[4 * launched + k] = r.c[k];
}

template <class M>
__global__ void __launch_bounds__(256) projection_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  b.d_projection[b.first_site(place.system) + place.item] = exact::dot(
      direction_of<M::components>(b, place.system), b.sites_of<M>(b.launched_system(place.system)).load(place.item));
}

/// Sites of a thread that decides about bonds: one, or two that share a block of random words, below each other in
/// rows of whole words of bonds.
enum class SitesOfThread { one, column_of_two };

/// The word of the bond along `axis` in the block of its site.
template <int dim>
__device__ __forceinline__ std::uint32_t word_of_bond(const RandomBlock& random, const SiteOfDimension<dim>& site,
                                                      int axis) {
  if constexpr (dim == 1) {
    const std::uint32_t k = site.site & 3U;
    return k < 2 ? (k == 0 ? random.word[0] : random.word[1]) : (k == 2 ? random.word[2] : random.word[3]);
  }
  if constexpr (dim == 2) {
    const bool odd = (site.c[1] & 1U) != 0;
    return axis == 0 ? (odd ? random.word[2] : random.word[0]) : (odd ? random.word[3] : random.word[1]);
  }
  return random.word[axis];
}

/// What bonds of a system are decided by: states, or projections of vectors, which are at its number in the launch.
template <bool discrete>
struct BondEnds {
  const std::uint8_t* states;
  const float* projection;

  __device__ __forceinline__ BondEnds(const ClusterBatch& b, unsigned launched, unsigned system)
      : states(b.states_of(system)), projection(b.d_projection + b.first_site(launched)) {}
  [[nodiscard]] __device__ __forceinline__ typename BondRule<discrete>::Value operator[](std::uint32_t site) const {
    if constexpr (discrete) return states[site];
    if constexpr (!discrete) return projection[site];
  }
};

/// Decides about the bonds that each site owns. Cost: a Philox block for the sites of a thread.
template <bool discrete, int dim, SitesOfThread sites>
__global__ void __launch_bounds__(256) activate_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                       const __grid_constant__ UpdateNumber update) {
  constexpr std::uint32_t rows = sites == SitesOfThread::one ? 1 : 2;
  const ThreadPlace place(blocks);
  const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  const bool inside = place.item < b.sites / rows;
  const std::uint32_t item = inside ? place.item : 0, first = rows == 1 ? item : item + item / L * L;
  const unsigned system = b.launched_system(place.system);
  const int task = b.task_of(system);
  const WordAddress address = bond_address({dim, b.common.lattice.L}, first, 0);
  const RandomBlock random = b.random(Stream::bonds, system, update.of(b, task), address.block);
  const BondRule<discrete> is_active(b, task, b.common.d_slot[system]);
  const BondEnds<discrete> ends(b, place.system, system);
#pragma unroll
  for (std::uint32_t row = 0; row < rows; ++row) {
    const SiteOfDimension<dim> site(b.common.lattice, first + row * L);
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      const bool active = is_active(b.coupling(task, axis, site.site), ends[site.site], ends[site.forward(axis)],
                                    word_of_bond<dim>(random, site, axis));
      const unsigned bits = __ballot_sync(~0U, active && inside);
      if ((threadIdx.x & 31U) == 0 && inside) {
        b.d_bonds[(static_cast<std::size_t>(place.system) * dim + axis) * b.plane_words + site.site / 32] = bits;
      }
    }
  }
}

/// Decides about the bonds that each site of any lattice owns, by their vectors. Cost: a Philox block for up to four of
/// them.
template <bool discrete>
__global__ void __launch_bounds__(256) activate_lattice_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                               const __grid_constant__ UpdateNumber update) {
  const ThreadPlace place(blocks);
  const bool inside = place.item < b.sites;
  const Lattice& lattice = b.common.lattice;
  const LatticeSite site(lattice, inside ? place.item : 0);
  const unsigned system = b.launched_system(place.system);
  const int task = b.task_of(system);
  const BondRule<discrete> is_active(b, task, b.common.d_slot[system]);
  const BondEnds<discrete> ends(b, place.system, system);
  RandomBlock random{};
  std::uint32_t block = 0;
  const int bonds = lattice.owned();
  for (int bond = 0; bond < bonds; ++bond) {
    const WordAddress address = bond_address(lattice, site.site, bond);
    if (bond == 0 || address.block != block) {
      block = address.block;
      random = b.random(Stream::bonds, system, update.of(b, task), block);
    }
    const bool active = is_active(b.coupling(task, bond, site.site), ends[site.site], ends[site.forward(bond)],
                                  chosen_word(random, address.word));
    const unsigned bits = __ballot_sync(~0U, active && inside);
    if ((threadIdx.x & 31U) == 0 && inside) {
      const std::size_t plane =
          static_cast<std::size_t>(place.system) * static_cast<unsigned>(bonds) + static_cast<unsigned>(bond);
      b.d_bonds[plane * b.plane_words + site.site / 32] = bits;
    }
  }
}

/// Decides about the bonds of graphs, four to a block of random words. Cost: that block for each bond.
template <bool discrete>
__global__ void __launch_bounds__(256) activate_graph_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                             const __grid_constant__ UpdateNumber update) {
  const ThreadPlace place(blocks);
  const std::uint32_t bond = place.item;
  const unsigned system = b.launched_system(place.system);
  const int task = b.task_of(system);
  bool active = false;
  if (bond < b.common.lattice.bonds()) {
    const WordAddress address = graph_bond_address(bond);
    const RandomBlock random = b.random(Stream::bonds, system, update.of(b, task), address.block);
    const GraphPair pair = b.common.d_graphs[task].bonds[bond];
    const BondEnds<discrete> ends(b, place.system, system);
    active = BondRule<discrete>(b, task, b.common.d_slot[system])(b.common.coupling_of(task, bond), ends[pair.first],
                                                                  ends[pair.second], chosen_word(random, address.word));
  }
  const unsigned bits = __ballot_sync(~0U, active);
  if ((threadIdx.x & 31U) == 0 && bond / 32 < b.plane_words) {
    b.d_bonds[static_cast<std::size_t>(place.system) * b.plane_words + bond / 32] = bits;
  }
}

template <bool discrete>
void launch_activation(const ClusterBatch& b, const UpdateNumber& update, cudaStream_t stream) {
  if (b.common.lattice.is_graph()) {
    SystemLaunch(32 * b.plane_words)("activating bonds", activate_graph_kernel<discrete>, b.launched(), stream, b,
                                     update);
    return;
  }
  if (!b.has_cubes()) {
    SystemLaunch(b.sites)("activating bonds", activate_lattice_kernel<discrete>, b.launched(), stream, b, update);
    return;
  }
  for_dimension(b.common.lattice.dim, [&](auto dim) {
    if constexpr (dim == 2) {
      if (b.common.lattice.L % 32 == 0) {
        return SystemLaunch(b.sites / 2)("activating bonds", activate_kernel<discrete, 2, SitesOfThread::column_of_two>,
                                         b.launched(), stream, b, update);
      }
    }
    SystemLaunch(b.sites)("activating bonds", activate_kernel<discrete, dim(), SitesOfThread::one>, b.launched(),
                          stream, b, update);
  });
}

}  // namespace

void activate_bonds(const ClusterBatch& b, const UpdateNumber& update, cudaStream_t stream) {
  const SystemLaunch launch(b.sites);
  for_vector_model(b.model, [&](auto m) {
    using M = decltype(m);
    launch_kernel("choosing directions", direction_kernel<M::components>,
                  blocks_for(static_cast<std::size_t>(b.launched()), 128), 128, 0, stream, b, update);
    launch("projecting spins", projection_kernel<M>, b.launched(), stream, b);
  });
  b.model.is_discrete() ? launch_activation<true>(b, update, stream) : launch_activation<false>(b, update, stream);
}

}}  // namespace glassworks::cuda
