#include <algorithm>

#include "kernels/cuda/cluster/round/plane_sums.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/models/local_observables.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// O: a local observable of model M, number `which` of the selection of `count`.
template <class M, class O>
__global__ void __launch_bounds__(256)
    local_sum_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, int which, int count, long long* d_sums) {
  const ThreadPlace place(blocks);
  const LocalSpins<M, CouplingsOfTask> spins{
      b.common.lattice, b.sites_of<M>(place.system), {b, b.task_of(place.system)}};
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    sum += to_fixed_wide(O::term(spins, LatticeSite(b.common.lattice, i)), local_scale.multiplier());
  }
  block_add(sum, d_sums + static_cast<std::size_t>(place.system) * count + which);
}

/// The same on graphs: of bonds or of sites.
template <class M, class O>
__global__ void __launch_bounds__(256) graph_local_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                          int which, int count, long long* d_sums) {
  using Spins = LocalSpins<M, CouplingsOfTask>;
  const ThreadPlace place(blocks);
  const int task = b.task_of(place.system);
  const Spins spins{b.common.lattice, b.sites_of<M>(place.system), {b, task}};
  long long sum = 0;
  if constexpr (O::on_graphs == GraphTerms::of_bonds) {
    const DeviceGraph& graph = b.common.d_graphs[task];
    const GraphPair* const bonds = graph.bonds;
    for (std::uint32_t i = place.item; i < graph.bond_count; i += place.stride) {
      sum += to_fixed_wide(O::bond_term(spins, bonds[i].first, bonds[i].second), local_scale.multiplier());
    }
  } else if constexpr (O::on_graphs == GraphTerms::of_sites) {
    for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
      sum += to_fixed_wide(O::site_term(spins, i), local_scale.multiplier());
    }
  }
  block_add(sum, d_sums + static_cast<std::size_t>(place.system) * count + which);
}

}  // namespace

void launch_graph_local_sums(const ClusterBatch& b, long long* d_sums, cudaStream_t stream) {
  const int count = local_count(b.local);
  const auto items = static_cast<std::uint32_t>(std::max<std::int64_t>(b.common.lattice.bonds(), b.sites));
  for_any_model(b.model, [&](auto m) {
    using M = decltype(m);
    for_local_observables_of<M>(b.local, [&](auto o, int which) {
      SystemLaunch(items, 1024)("summing local observables", graph_local_kernel<M, decltype(o)>, b.systems(), stream, b,
                                which, count, d_sums);
    });
  });
}

void launch_local_sums(const ClusterBatch& b, long long* d_sums, cudaStream_t stream) {
  const int count = local_count(b.local);
  for_any_model(b.model, [&](auto m) {
    using M = decltype(m);
    for_local_observables_of<M>(b.local, [&](auto o, int which) {
      SystemLaunch(b.sites, 1024)("summing local observables", local_sum_kernel<M, decltype(o)>, b.systems(), stream, b,
                                  which, count, d_sums);
    });
  });
}

}}  // namespace glassworks::cuda
