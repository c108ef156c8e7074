#include <algorithm>

#include "kernels/cuda/cluster/round/found_clusters.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// Sums over the clusters of a system that have a record, and clears these. Cost: the record of each.
template <bool discrete, int dim>
__global__ void __launch_bounds__(256) sum_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                  const __grid_constant__ Part part, DeviceClusterSums* d_sums) {
  using Record = ClusterRecord<discrete, dim>;
  const ThreadPlace place(blocks);
  const std::uint32_t records = part.d_records[place.system];
  FoundClusters<discrete, dim> found;
  for (std::uint32_t i = place.item; i < records; i += place.stride) {
    const auto root = static_cast<std::uint32_t>(part.d_round[part.at(b, place.system, i)]);
    unsigned long long* const record = part.d_terms + part.at(b, place.system, root) * Record::words;
    const unsigned long long head = record[0];
    long long term[Record::columns];
#pragma unroll
    for (int k = 0; k < Record::columns; ++k) term[k] = static_cast<long long>(record[1 + k]);
#pragma unroll
    for (int k = 0; k < Record::words; ++k) record[k] = 0;
    found.add(b.scales, head & ~0U, static_cast<unsigned>(head >> 32), term);
  }
  found.add_to(d_sums + part.first + place.system);
}

}  // namespace

void launch_cluster_sums(const ClusterBatch& b, const Part& part, int systems, DeviceClusterSums* d_sums,
                         cudaStream_t stream) {
  // Blocks enough for every device, but no more: the sums of a system are in one place, where blocks wait.
  constexpr unsigned wanted_blocks = 2048;
  const unsigned of_system = (wanted_blocks + static_cast<unsigned>(systems) - 1) / static_cast<unsigned>(systems);
  const SystemLaunch few_blocks(b.sites, std::clamp(of_system, 1U, std::max(1U, b.sites / 1024U)));
  for_clusters_of(b, [&](auto discrete, auto dim) {
    few_blocks("summing over clusters", sum_kernel<discrete(), dim()>, systems, stream, b, part, d_sums);
  });
}

}}  // namespace glassworks::cuda
