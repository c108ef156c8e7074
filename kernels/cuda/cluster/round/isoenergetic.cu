#include "kernels/cuda/cluster/round/isoenergetic.hpp"
#include "kernels/cuda/cluster/round/move_pair.cuh"
#include "kernels/cuda/cluster/round/system_launch.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr std::uint32_t no_label = ~0U;

/// At: HypercubicSite or LatticeSite.
template <class At>
__global__ void __launch_bounds__(256)
    join_differing_kernel(unsigned blocks, const __grid_constant__ ClusterBatch batch,
                          const __grid_constant__ UpdateNumber move) {
  const ThreadPlace place(blocks);
  const MovePair pair(batch, place.system, move);
  const bool inside = place.item < batch.sites;
  const At site(batch.common.lattice, inside ? place.item : 0);
  const bool differs = inside && pair.a[site.site] != pair.b[site.site];
  const int bonds = batch.common.lattice.owned();
  for (int bond = 0; bond < bonds; ++bond) {
    bool active = false;
    if (differs) {
      const std::uint32_t next = site.forward(bond);
      active = pair.a[next] != pair.b[next] && batch.coupling(pair.task, bond, site.site) != 0.0F;
    }
    const unsigned bits = __ballot_sync(~0U, active);
    if ((threadIdx.x & 31U) == 0 && inside) {
      batch.d_bonds[(static_cast<std::size_t>(place.system) * bonds + bond) * batch.plane_words + place.item / 32] =
          bits;
    }
  }
}

/// The same on graphs: a thread for each bond.
__global__ void __launch_bounds__(256)
    join_differing_graph_kernel(unsigned blocks, const __grid_constant__ ClusterBatch batch,
                                const __grid_constant__ UpdateNumber move) {
  const ThreadPlace place(blocks);
  const MovePair pair(batch, place.system, move);
  const std::uint32_t bond = place.item;
  bool active = false;
  if (bond < batch.common.lattice.bonds()) {
    const GraphPair ends = batch.common.d_graphs[pair.task].bonds[bond];
    active = pair.a[ends.first] != pair.b[ends.first] && pair.a[ends.second] != pair.b[ends.second] &&
             batch.common.coupling_of(pair.task, bond) != 0.0F;
  }
  const unsigned bits = __ballot_sync(~0U, active);
  if ((threadIdx.x & 31U) == 0 && bond / 32 < batch.plane_words) {
    batch.d_bonds[static_cast<std::size_t>(place.system) * batch.plane_words + bond / 32] = bits;
  }
}

/// Label of the component that moves: that of a uniformly chosen site among those that differ, counted in ascending
/// order. One block a pair; a thread counts a range of sites.
__global__ void __launch_bounds__(1024)
    choose_kernel(const __grid_constant__ ClusterBatch batch, const __grid_constant__ UpdateNumber move) {
  __shared__ std::uint32_t before[1024];
  const MovePair pair(batch, blockIdx.x, move);
  const std::uint32_t share = (batch.sites + 1023) / 1024, first = min(batch.sites, threadIdx.x * share);
  const std::uint32_t last = min(batch.sites, first + share);
  std::uint32_t count = 0;
  for (std::uint32_t i = first; i < last; ++i) count += pair.a[i] != pair.b[i] ? 1 : 0;
  before[threadIdx.x] = count;
  __syncthreads();
  for (unsigned distance = 1; distance < 1024; distance *= 2) {
    const std::uint32_t lower = threadIdx.x >= distance ? before[threadIdx.x - distance] : 0;
    __syncthreads();
    before[threadIdx.x] += lower;
    __syncthreads();
  }
  const std::uint32_t differing = before[1023];
  if (differing == 0) {
    if (threadIdx.x == 0) batch.d_seed_labels[blockIdx.x] = no_label;
    return;
  }
  const std::uint32_t rank = uniform_below(pair.word, differing), lower = before[threadIdx.x] - count;
  if (rank < lower || rank >= lower + count) return;
  std::uint32_t left = rank - lower;
  for (std::uint32_t i = first; i < last; ++i) {
    if (pair.a[i] == pair.b[i] || left-- != 0) continue;
    batch.d_seed_labels[blockIdx.x] = batch.d_labels[batch.first_site(blockIdx.x) + i];
    return;
  }
}

__global__ void __launch_bounds__(256) swap_kernel(unsigned blocks, const __grid_constant__ ClusterBatch batch,
                                                   const __grid_constant__ UpdateNumber move) {
  const ThreadPlace place(blocks);
  const std::uint32_t label = batch.d_seed_labels[place.system];
  if (place.item >= batch.sites || label == no_label) return;
  if (batch.d_labels[batch.first_site(place.system) + place.item] != label) return;
  const MovePair pair(batch, place.system, move);
  pair.a[place.item] ^= 1U;  // the copies differ here
  pair.b[place.item] ^= 1U;
}

}  // namespace

void join_differing_sites(const ClusterBatch& b, const UpdateNumber& move, cudaStream_t stream) {
  if (b.common.lattice.is_graph()) {
    SystemLaunch(32 * b.plane_words)("joining sites that differ", join_differing_graph_kernel, b.swapping_pairs(),
                                     stream, b, move);
    return;
  }
  const auto kernel = b.has_cubes() ? join_differing_kernel<HypercubicSite> : join_differing_kernel<LatticeSite>;
  SystemLaunch(b.sites)("joining sites that differ", kernel, b.swapping_pairs(), stream, b, move);
}

void swap_one_component(const ClusterBatch& b, const UpdateNumber& move, cudaStream_t stream) {
  launch_kernel("choosing components", choose_kernel, dim3(static_cast<unsigned>(b.swapping_pairs())), 1024, 0, stream,
                b, move);
  SystemLaunch(b.sites)("swapping components", swap_kernel, b.swapping_pairs(), stream, b, move);
}

}}  // namespace glassworks::cuda
