#include "kernels/cuda/cluster/round/plane_sums.hpp"
#include "kernels/cuda/cluster/round/site.cuh"
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

}  // namespace

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
