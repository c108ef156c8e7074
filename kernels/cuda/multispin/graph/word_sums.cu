#include <algorithm>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/graph/word_chunk.cuh"
#include "kernels/cuda/multispin/graph/word_sums.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int sum_threads = 128, sum_warps = sum_threads / 32;
/// What a warp takes of a plane, and of the bonds.
constexpr int sites_of_warp = 32 * 64, chunks_of_warp = 32;
static_assert(sites_of_warp <= multispin::most_counted_sites && chunks_of_warp <= multispin::most_counted_chunks);

/// The spins of a field at a place.
template <class Site>
struct FieldSites {
  const Site *a, *b;  ///< equal for one copy

  __device__ FieldSites(const MultispinBatch& batch, const Field& field, int pack, int slot)
      : a(reinterpret_cast<const Site*>(batch.spins_of(pack, field.a * batch.common.slots + slot))),
        b(reinterpret_cast<const Site*>(batch.spins_of(pack, field.b * batch.common.slots + slot))) {}

  __device__ __forceinline__ Site operator()(std::int64_t place) const {
    Site s = a[place];
    if (a == b) return s;
    const Site t = b[place];
#pragma unroll
    for (std::size_t w = 0; w < sizeof(Site) / 4; ++w) s.word[w] ^= t.word[w];
    return s;
  }
};

/// A warp for each part of each plane of each field of each unit, added to what is there.
template <int words>
__global__ void __launch_bounds__(sum_threads)
    graph_plane_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums, int fields, int parts,
                       std::int64_t items) {
  const std::int64_t item = std::int64_t{blockIdx.x} * sum_warps + threadIdx.x / 32;
  if (item >= items) return;
  const std::int64_t row = item / parts, of_field = row / b.graph.planes;
  const auto part = static_cast<int>(item - row * parts), plane = static_cast<int>(row - of_field * b.graph.planes);
  const auto unit = static_cast<int>(of_field / fields),
             field = static_cast<int>(of_field - std::int64_t{unit} * fields);
  const int pack = unit / b.common.slots;
  const std::int64_t begin = b.graph.d_first_in_plane[plane];
  const auto size = static_cast<int>(b.graph.d_first_in_plane[plane + 1] - begin);
  const int first = part * sites_of_warp, end = min(first + sites_of_warp, size);
  if (first >= end) return;
  const FieldSites<multispin::Words<words>> load(b, Field(field, b.common.copies), pack, unit - pack * b.common.slots);
  multispin::LaneCounter<words> counter;
  multispin::count_bits_of(counter, first, end, [&](int n) { return load(b.graph.d_in_plane[begin + n]); });
  counter.add_to(sums.d_graph_planes + row * b.lanes());
}

/// A warp for some chunks of each pair of copies of each unit.
template <int words>
__global__ void __launch_bounds__(sum_threads)
    graph_link_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums, int pairs, int parts,
                      std::int64_t items) {
  using Site = multispin::Words<words>;
  const std::int64_t item = std::int64_t{blockIdx.x} * sum_warps + threadIdx.x / 32;
  if (item >= items) return;
  const auto row = static_cast<int>(item / parts), unit = row / pairs, pack = unit / b.common.slots;
  const int begin = static_cast<int>(item - std::int64_t{row} * parts) * chunks_of_warp;
  const int end = min(begin + chunks_of_warp, b.graph.chunks);
  const FieldSites<Site> load(b, Field(b.common.copies + row - unit * pairs, b.common.copies), pack,
                              unit - pack * b.common.slots);
  multispin::LaneCounter<words> counter;
#pragma unroll 1
  for (int c = begin; c < end; ++c) {
    multispin::count_bonds_of(counter, b.graph.d_chunks[c], b.graph.d_neighbour, static_cast<const Site*>(nullptr),
                              load);
  }
  counter.add_to(sums.d_links + std::int64_t{row} * b.lanes());
}

template <int words>
void launch_sums(const MultispinBatch& b, const MeasuredBits& sums, int fields, int pairs, cudaStream_t stream) {
  const auto blocks = [](std::int64_t items) {
    return dim3(static_cast<unsigned>((items + sum_warps - 1) / sum_warps));
  };
  const std::int64_t units = std::int64_t{b.packs} * b.common.slots, rows = units * fields * b.graph.planes;
  check_cuda(cudaMemsetAsync(sums.d_graph_planes, 0,
                             static_cast<std::size_t>(rows * b.lanes()) * sizeof(*sums.d_graph_planes), stream),
             "clearing sums");
  const int parts = std::max(1, (b.graph.largest_plane + sites_of_warp - 1) / sites_of_warp);
  launch_kernel("measuring", graph_plane_kernel<words>, blocks(rows * parts), sum_threads, 0, stream, b, sums, fields,
                parts, rows * parts);
  if (pairs == 0) return;
  const int of_pair = (b.graph.chunks + chunks_of_warp - 1) / chunks_of_warp;
  launch_kernel("measuring", graph_link_kernel<words>, blocks(units * pairs * of_pair), sum_threads, 0, stream, b, sums,
                pairs, of_pair, units * pairs * of_pair);
}

}  // namespace

void launch_graph_sums(const MultispinBatch& b, const MeasuredBits& sums, int fields, int pairs, cudaStream_t stream) {
  if (b.words == 4) return launch_sums<4>(b, sums, fields, pairs, stream);
  if (b.words == 2) return launch_sums<2>(b, sums, fields, pairs, stream);
  launch_sums<1>(b, sums, fields, pairs, stream);
}

}}  // namespace glassworks::cuda
