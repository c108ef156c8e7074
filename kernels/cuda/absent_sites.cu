#include "kernels/cuda/absent_sites.hpp"
#include "kernels/cuda/cluster/launch.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// Where a component of a site lies in the spins of a replica.
__device__ std::int64_t place_of(const DeviceBatch& b, std::int64_t site, int component) {
  const int L = b.lattice.length(0), height = b.lattice.dim > 1 ? b.lattice.length(1) : 1;
  const std::int64_t row = site / L, plane = row / height;
  const int x = static_cast<int>(site - row * L), y = static_cast<int>(row - plane * height);
  const std::int64_t place = plane * height * L + b.order.of_x(x) + b.order.of_y(y);
  return b.order.of_component(component, b.components, place, b.sites());
}

/// Grid: covers the sites of all replicas. Traffic: a byte per site, and what absent ones hold.
__global__ void clear_kernel(const __grid_constant__ DeviceBatch b, int components, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t replica = i / b.sites(), site = i - replica * b.sites(), task = replica / b.replicas();
  if (b.d_absent[task * b.sites() + site] == 0) return;
  if (components == 0) {
    b.d_states[i] = b.absent;
    return;
  }
  for (int k = 0; k < components; ++k) b.spins_of_replica(replica)[place_of(b, site, k)] = 0.0F;
}

}  // namespace

void clear_absent(const DeviceBatch& batch, cudaStream_t stream) {
  if (batch.d_absent == nullptr) return;
  const std::int64_t count = std::int64_t{batch.tasks} * batch.replicas() * batch.sites();
  const int components = batch.discrete ? 0 : batch.components;
  launch_kernel("emptying absent sites", clear_kernel, blocks_for(static_cast<std::size_t>(count), 256), 256, 0, stream,
                batch, components, count);
}

}}  // namespace glassworks::cuda
