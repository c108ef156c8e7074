#include "kernels/core/modes.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/graph/device_graph_clusters.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// The sums of a cluster: its size, sum w, then cos and sin of each axis.
struct GraphRecords {
  unsigned long long* terms;  ///< [system][site][word]
  const float* phase;
  int dim;

  [[nodiscard]] __device__ __forceinline__ int words() const { return 2 + 2 * dim; }
  [[nodiscard]] __device__ __forceinline__ unsigned long long* of(const ClusterBatch& b, unsigned system,
                                                                  std::uint32_t root) const {
    return terms + (b.first_site(system) + root) * static_cast<std::size_t>(words());
  }
};

/// Adds each site to its cluster. Integers are added: the order of the threads does not matter.
__global__ void __launch_bounds__(256) graph_terms_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                          const __grid_constant__ GraphRecords r) {
  const ThreadPlace place(blocks);
  const std::uint32_t i = place.item;
  if (i >= b.sites) return;
  const DeviceGraph& graph = b.common.d_graphs[b.task_of(place.system)];
  unsigned long long* const record = r.of(b, place.system, b.d_labels[b.first_site(place.system) + i]);
  const float multiplier = b.scales.component.multiplier();
  const float w = b.model.is_discrete() ? 1.0F : b.d_projection[b.first_site(place.system) + i];
  const auto add = [&](int word, float x) {
    add_atomically(reinterpret_cast<long long*>(record + word), to_fixed_clamped(x, multiplier));
  };
  atomicAdd(record, 1ULL);
  add(1, w);
  const float* phase = r.phase;
  for (int axis = 0; axis < r.dim; ++axis) {
    const int L = b.common.lattice.length(axis);
    const std::uint32_t x = graph.plane(axis, i, b.sites);
    add(2 + 2 * axis, exact::mul(w, phase[x]));
    add(3 + 2 * axis, exact::mul(w, phase[static_cast<std::uint32_t>(L) + x]));
    phase += 2 * L;
  }
}

/// Sums over the clusters of each system, whose records are cleared.
__global__ void __launch_bounds__(256)
    graph_sums_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphRecords r,
                      DeviceClusterSums* d_sums) {
  const ThreadPlace place(blocks);
  ClusterSums sums;
  unsigned long long largest = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    unsigned long long* const record = r.of(b, place.system, i);
    const unsigned long long size = record[0];
    if (size == 0) continue;
    ++sums.clusters;
    sums.squares += size * size;
    largest = max(largest, size);
    ClusterTerms terms;
    terms.weight = static_cast<long long>(record[1]);
    for (int axis = 0; axis < r.dim; ++axis) {
      terms.cosine[axis] = static_cast<long long>(record[2 + 2 * axis]);
      terms.sine[axis] = static_cast<long long>(record[3 + 2 * axis]);
    }
    add_cluster_terms(terms, b.scales.component.unit(), static_cast<double>(b.scales.square.multiplier()), r.dim, sums);
    for (int word = 0; word < r.words(); ++word) record[word] = 0;
  }
  DeviceClusterSums* const to = d_sums + place.system;
  block_add(static_cast<long long>(sums.clusters), reinterpret_cast<long long*>(&to->clusters));
  block_add(static_cast<long long>(sums.squares), reinterpret_cast<long long*>(&to->squares));
  block_add(sums.weight, &to->weight);
  for (int axis = 0; axis < r.dim; ++axis) block_add(sums.kmin[axis], to->kmin + axis);
  if (largest > 0) atomicMax(&to->largest, largest);
}

}  // namespace

void DeviceGraphClusters::prepare(const ClusterBatch& b, cudaStream_t stream) {
  const Lattice& lattice = b.common.lattice;
  std::vector<float> phases;
  for (int axis = 0; axis < lattice.dim; ++axis) {
    const std::vector<double> table = PhaseTable(lattice.length(axis)).joined();
    phases.insert(phases.end(), table.begin(), table.end());
  }
  if (phases != phases_) {
    copy_and_wait(phase_.reserve(phases.size()), phases.data(), phases.size() * sizeof(float),
                  "copying phases to the device");
    phases_ = phases;
  }
  const std::size_t words =
      static_cast<std::size_t>(b.systems()) * b.sites * (2 + 2 * static_cast<std::size_t>(lattice.dim));
  check_cuda(cudaMemsetAsync(terms_.reserve(words), 0, words * sizeof(unsigned long long), stream), "clearing memory");
}

void DeviceGraphClusters::measure(const ClusterBatch& b, DeviceClusterSums* d_sums, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(d_sums, 0, static_cast<std::size_t>(b.systems()) * sizeof *d_sums, stream),
             "clearing sums");
  const GraphRecords records{terms_.data(), phase_.data(), b.common.lattice.dim};
  SystemLaunch(b.sites)("summing over the sites of clusters", graph_terms_kernel, b.systems(), stream, b, records);
  SystemLaunch(b.sites, 1024)("summing over clusters", graph_sums_kernel, b.systems(), stream, b, records, d_sums);
}

}}  // namespace glassworks::cuda
