#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/neighbours.cuh"
#include "kernels/cuda/cluster/passes.cuh"
#include "kernels/cuda/cluster/union_find.cuh"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Label equivalence, Kalentev et al., J. Parallel Distrib. Comput. 71, 615 (2011), which does without the list of
/// equivalences of Hawick et al.: every pass first scans all sites, which hang the larger label of two neighbours below
/// the smaller one, and then points all sites to their roots. Of several labels to hang one below, the smallest stays;
/// the others come back in the next pass. All blocks run together and decide by themselves when they are done, where
/// the paper asks the host.
///
/// Deterministic: labels, but not the number of passes. Labels only fall, label[i] <= i, and a pass without a change
/// leaves one label in a cluster, that of its smallest site.
template <class Neighbours>
__global__ void __launch_bounds__(256)
    equivalence_kernel(Neighbours neighbours, const std::uint32_t* bonds, Site* label, PassCount* count) {
  const auto grid = cooperative_groups::this_grid();
  const Site first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (Site i = first; i < neighbours.sites; i += threads) __stcg(label + i, i);
  repeat_until_unchanged(grid, *count, [&] {
    bool some = false;
    for (Site i = first; i < neighbours.sites; i += threads) {
      neighbours.for_each_lower(bonds, i, [&](Site j) {
        const Site at_i = __ldcg(label + i), at_j = __ldcg(label + j);
        if (at_i == at_j) return;
        atomicMin(label + max(at_i, at_j), min(at_i, at_j));
        some = true;
      });
    }
    grid.sync();
    for (Site i = first; i < neighbours.sites; i += threads) {
      const Site here = __ldcg(label + i), root = find_root(label, here);
      if (root != here) __stcg(label + i, root);
    }
    return some;
  });
}

template <class Neighbours>
class EquivalenceLabelling final : public DeviceLabelling {
 public:
  explicit EquivalenceLabelling(const Graph& graph)
      : memory_(graph),
        neighbours_(memory_.view()),
        blocks_(blocks_at_once(equivalence_kernel<Neighbours>, 256, graph.sites())) {
    passes_.clear();
  }

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    launch_cooperative("finding equivalent labels", equivalence_kernel<Neighbours>, blocks_, 256, 0, stream,
                       neighbours_, d_bonds, d_labels, passes_.data());
    mark("label equivalence");
  }

  [[nodiscard]] double passes() const override { return passes_.mean(); }

 private:
  typename Neighbours::Memory memory_;
  Neighbours neighbours_;
  dim3 blocks_;
  Passes passes_;
};

}  // namespace

std::unique_ptr<DeviceLabelling> make_equivalence_labelling(const Graph& graph) {
  return make_for_neighbours<EquivalenceLabelling, DeviceLabelling>(graph);
}

}}  // namespace glassworks::cuda
