#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/neighbours.cuh"
#include "kernels/cuda/cluster/union_find.cuh"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

// Komura, arXiv:1603.08357 (2016): (i) initialization, (ii) analysis, (iii) label reduction, (iv) analysis. The
// residual list of a site is the set of its neighbours with smaller numbers along active bonds, without the smallest
// one, to which the initialization has joined it already.

/// (i) label[i] = smallest neighbour of i along active bonds, or i if none is smaller.
template <class Neighbours>
__global__ void __launch_bounds__(256)
    initialize_kernel(Neighbours neighbours, const std::uint32_t* bonds, Site* label) {
  const Site i = blockIdx.x * 256U + threadIdx.x;
  if (i >= neighbours.sites) return;
  Site smallest = i;
  neighbours.for_each_lower(bonds, i, [&](Site j) { smallest = min(smallest, j); });
  label[i] = smallest;
}

/// (ii), (iv) label[i] = root of i.
__global__ void __launch_bounds__(256) analyse_kernel(Site sites, Site* label) {
  const Site i = blockIdx.x * 256U + threadIdx.x;
  if (i < sites) label[i] = find_root(label, label[i]);
}

/// (iii) Joins i with the rest of its residual list; Algorithm 1 of the paper.
template <class Neighbours>
__global__ void __launch_bounds__(256) reduce_kernel(Neighbours neighbours, const std::uint32_t* bonds, Site* label) {
  const Site i = blockIdx.x * 256U + threadIdx.x;
  if (i >= neighbours.sites) return;
  Site smallest = i;
  neighbours.for_each_lower(bonds, i, [&](Site j) { smallest = min(smallest, j); });
  if (smallest == i) return;
  neighbours.for_each_lower(bonds, i, [&](Site j) {
    if (j == smallest) return;
    Site label_1 = find_root(label, i), label_2 = find_root(label, j);
    while (label_1 != label_2) {
      if (label_1 < label_2) {
        const Site larger = label_2;
        label_2 = label_1;
        label_1 = larger;
      }
      const Site label_3 = atomicMin(label + label_1, label_2);
      if (label_3 == label_1) break;  // label_1 was a root, and hangs below label_2 now
      label_1 = label_3;              // it hung below label_3: what is left to join is that with label_2
    }
  });
}

template <class Neighbours>
class DirectLabelling final : public DeviceLabelling {
 public:
  explicit DirectLabelling(const Graph& graph) : memory_(graph), neighbours_(memory_.view()) {}

  using DeviceLabelling::enqueue;
  void enqueue(const std::uint32_t* d_bonds, Site* d_labels, cudaStream_t stream, const StageMark& mark) override {
    const dim3 grid = blocks_for(neighbours_.sites, 256);
    launch_kernel("initializing labels", initialize_kernel<Neighbours>, grid, 256, 0, stream, neighbours_, d_bonds,
                  d_labels);
    mark("initialization");
    launch_kernel("finding roots", analyse_kernel, grid, 256, 0, stream, neighbours_.sites, d_labels);
    mark("analysis");
    launch_kernel("reducing labels", reduce_kernel<Neighbours>, grid, 256, 0, stream, neighbours_, d_bonds, d_labels);
    mark("label reduction");
    launch_kernel("finding roots", analyse_kernel, grid, 256, 0, stream, neighbours_.sites, d_labels);
    mark("second analysis");
  }

 private:
  typename Neighbours::Memory memory_;
  Neighbours neighbours_;
};

}  // namespace

std::unique_ptr<DeviceLabelling> make_direct_labelling(const Graph& graph) {
  return make_for_neighbours<DirectLabelling, DeviceLabelling>(graph);
}

}}  // namespace glassworks::cuda
