#include "kernels/cuda/cluster/round/cluster_course.hpp"
#include "kernels/cuda/cluster/round/site.cuh"

namespace glassworks::inline cuda {
namespace {

__global__ void collect_kernel(const __grid_constant__ ClusterBatch b, const int* d_last_slot, SystemResult* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(b.systems())) return;
  const bool counts = has_modulus(b.model);
  results[i] = {b.common.d_energy[i], b.d_moved[i],          counts ? b.d_accepted[i] : 0, b.common.d_slot[i],
                d_last_slot[i],       b.common.d_heading[i], counts ? b.d_too_large[i] : 0};
}

}  // namespace

void launch_collect(const ClusterBatch& b, const int* d_last_slot, SystemResult* d_results, cudaStream_t stream) {
  launch_kernel("collecting energies", collect_kernel, blocks_for(static_cast<std::size_t>(b.systems()), 128), 128, 0,
                stream, b, d_last_slot, d_results);
}

}  // namespace glassworks::inline cuda
