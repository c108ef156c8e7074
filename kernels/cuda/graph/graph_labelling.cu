#include "kernels/cuda/cluster/round/system_labels.cuh"
#include "kernels/cuda/graph/graph_labelling.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// What the kernels see: systems of a realization share its graph.
struct LabelledGraphs {
  const DeviceGraph* graphs;  ///< [task]
  unsigned systems_of_task;
  std::uint32_t sites, bonds, words;  ///< words: of the bonds of a system
};

/// A thread for each bond.
__global__ void __launch_bounds__(256) join_bonds_kernel(unsigned blocks, const __grid_constant__ LabelledGraphs g,
                                                         const std::uint32_t* active, Site* labels) {
  const ThreadPlace place(blocks);
  const std::uint32_t bond = place.item;
  if (bond >= g.bonds) return;
  const std::uint32_t word = active[static_cast<std::size_t>(place.system) * g.words + bond / 32];
  if (((word >> (bond % 32)) & 1U) == 0) return;
  const GraphPair ends = g.graphs[place.system / g.systems_of_task].bonds[bond];
  unite_global(labels_of_system(labels, place.system, g.sites), ends.first, ends.second);
}

class GraphLabelling final : public TileLabelling {
 public:
  explicit GraphLabelling(const DeviceBatch& batch)
      : graphs_{batch.d_graphs, 1, static_cast<std::uint32_t>(batch.sites()),
                static_cast<std::uint32_t>(batch.lattice.bonds()),
                static_cast<std::uint32_t>((batch.lattice.bonds() + 31) / 32)},
        tasks_(static_cast<unsigned>(batch.tasks)) {}

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    enqueue_systems(d_bonds, tasks_, d_labels, stream);
    mark("labels");
  }
  void enqueue_systems(const std::uint32_t* d_bonds, unsigned systems, Site* d_labels, cudaStream_t stream) override {
    LabelledGraphs g = graphs_;
    g.systems_of_task = systems / tasks_;
    label_systems(g.sites, systems, d_labels, stream, [&] {
      if (g.bonds == 0) return;
      SystemLaunch(g.bonds)("joining clusters", join_bonds_kernel, static_cast<int>(systems), stream, g, d_bonds,
                            d_labels);
    });
  }

 private:
  LabelledGraphs graphs_;
  unsigned tasks_;
};

}  // namespace

std::unique_ptr<TileLabelling> make_graph_labelling(const DeviceBatch& batch) {
  return std::make_unique<GraphLabelling>(batch);
}

}}  // namespace glassworks::cuda
