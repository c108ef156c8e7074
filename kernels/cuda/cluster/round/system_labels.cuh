#pragma once

#include "kernels/clusters/graph.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/cluster/union_find.cuh"

namespace glassworks { inline namespace cuda {

/// The labels of one system among those of all [system][site].
[[nodiscard]] __device__ __forceinline__ Site* labels_of_system(Site* labels, unsigned system, std::uint32_t sites) {
  return labels + static_cast<std::size_t>(system) * sites;
}

static __global__ void __launch_bounds__(256)
    single_sites_kernel(unsigned blocks, const __grid_constant__ std::uint32_t sites, Site* labels) {
  const ThreadPlace place(blocks);
  if (place.item < sites) labels_of_system(labels, place.system, sites)[place.item] = place.item;
}

static __global__ void __launch_bounds__(256)
    find_roots_kernel(unsigned blocks, const __grid_constant__ std::uint32_t sites, Site* labels) {
  const ThreadPlace place(blocks);
  if (place.item >= sites) return;
  Site* const own = labels_of_system(labels, place.system, sites);
  own[place.item] = find_root(own, own[place.item]);
}

/// Labels of all systems by union-find. join(): starts a kernel that calls unite_global for the ends of every active
/// bond. The forest does not depend on the order of the threads once it is flat: a root is the smallest site of its
/// tree.
template <class Join>
void label_systems(std::uint32_t sites, unsigned systems, Site* d_labels, cudaStream_t stream, const Join& join) {
  const SystemLaunch of_sites(sites);
  const auto count = static_cast<int>(systems);
  of_sites("initializing labels", single_sites_kernel, count, stream, sites, d_labels);
  join();
  of_sites("finding roots", find_roots_kernel, count, stream, sites, d_labels);
}

}}  // namespace glassworks::cuda
