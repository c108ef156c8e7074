#include <vector>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/strips/seam_sewing.hpp"

namespace glassworks { inline namespace cuda {
namespace {

__global__ void __launch_bounds__(256) seam_begin_kernel(const __grid_constant__ Seams seams) {
  const std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  if (i < seams.nodes()) seams.begin(i);
}

/// A row of blocks for each cut.
__global__ void __launch_bounds__(256) seam_join_kernel(const __grid_constant__ Seams seams) {
  const std::uint32_t x = blockIdx.x * 256U + threadIdx.x;
  if (x < seams.layout.width) seams.join(blockIdx.y, x);
}

__global__ void __launch_bounds__(256) seam_lower_kernel(const __grid_constant__ Seams seams) {
  const std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  if (i < seams.nodes()) seams.lower(i);
}

__global__ void __launch_bounds__(256)
    seam_canonical_kernel(const __grid_constant__ Seams seams, unsigned long long* canonical) {
  const std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  if (i < seams.nodes()) canonical[i] = seams.canonical(i);
}

}  // namespace

SeamSewing::SeamSewing(const SeamLayout& layout, std::span<const Strip> strips, bool closed) {
  const std::size_t nodes = strips.size() * layout.nodes();
  std::vector<unsigned long long> origins;
  for (const Strip& strip : strips) origins.push_back(strip.first_row * layout.width);
  copy_and_wait(origins_.reserve(origins.size()), origins.data(), origins.size() * sizeof origins[0],
                "copying strips to the device");
  seams_ = {layout,
            static_cast<std::uint32_t>(strips.size()),
            closed,
            rows_.reserve(strips.size() * layout.words()),
            origins_.data(),
            parent_.reserve(nodes),
            smallest_.reserve(nodes)};
  canonical_.reserve(nodes);
}

void SeamSewing::enqueue(cudaStream_t stream) {
  const dim3 nodes = blocks_for(seams_.nodes(), 256);
  launch_kernel("beginning seams", seam_begin_kernel, nodes, 256, 0, stream, seams_);
  if (seams_.cuts() > 0) {
    const dim3 sites(blocks_for(seams_.layout.width, 256).x, seams_.cuts());
    launch_kernel("joining strips", seam_join_kernel, sites, 256, 0, stream, seams_);
  }
  launch_kernel("looking for roots", seam_lower_kernel, nodes, 256, 0, stream, seams_);
  launch_kernel("telling roots", seam_canonical_kernel, nodes, 256, 0, stream, seams_, canonical_.data());
}

double SeamSewing::bytes(const SeamLayout& layout, std::size_t strips) {
  return static_cast<double>(strips) *
         (4.0 * static_cast<double>(layout.words()) + 20.0 * static_cast<double>(layout.nodes()));
}

}}  // namespace glassworks::cuda
