#include <algorithm>
#include <bit>

#include "kernels/cuda/cluster/round/cluster_table.cuh"
#include "kernels/cuda/cluster/round/decomposition.cuh"
#include "kernels/cuda/cluster/round/site_tiles.hpp"

namespace glassworks::inline cuda {
namespace {

constexpr unsigned all_threads = ~0U;

/// Whether a site that is a root is a cluster by itself. Its neighbours towards lower coordinates are roots before it
/// or hang on such, so its own bonds tell, and those across the boundaries, which are out of d_bonds.
template <int dim>
__device__ __forceinline__ bool is_single(const ClusterBatch& b, const Part& part, unsigned system,
                                          const SiteTiles::Place& place) {
  const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  const std::uint32_t* bonds = b.d_bonds + static_cast<std::size_t>(part.first + system) * dim * b.plane_words;
  bool bound = false;
  std::uint32_t step = 1;
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) {
    bound = bound ||
            ((bonds[static_cast<std::size_t>(axis) * b.plane_words + place.site / 32] >> (place.site % 32)) & 1U) != 0;
    if (place.c[axis] == 0 || place.c[axis] + 1 == L) {
      const std::uint32_t below = place.site % step, above = place.site / step / L;
      const OpenEnds ends = part.ends(b, system, static_cast<std::uint32_t>(axis) * b.face() + below + step * above);
      bound = bound || ends.from != OpenEnds::none;
    }
    step *= L;
  }
  return !bound;
}

/// Adds to the sums of clusters in the table of the block, or in device memory if it has no room.
template <bool discrete, int dim>
struct ClusterAdder {
  using Record = ClusterRecord<discrete, dim>;
  ClusterTable<Record::columns>& table;
  unsigned long long* d_terms;  ///< of the system

  __device__ __forceinline__ void operator()(std::uint32_t root, std::uint32_t sites,
                                             const long long (&sum)[Record::columns]) const {
    const int place = table.place_of(root);
    if (place >= 0) {
      atomicAdd(table.size + place, sites);
#pragma unroll
      for (int k = 0; k < Record::columns; ++k) table.add(place, k, sum[k]);
      return;
    }
    unsigned long long* record = d_terms + static_cast<std::size_t>(root) * Record::words;
    atomicAdd(record, static_cast<unsigned long long>(sites));
    for (int k = 0; k < Record::columns; ++k) atomicAdd(record + 1 + k, static_cast<unsigned long long>(sum[k]));
  }
};

/// The sites of a warp, in discrete models: runs of one cluster along x, each added by its first thread. cos and sin
/// along x are differences of sums over the sites before; along the other axes they are the same in a run.
template <int dim>
__device__ __forceinline__ void add_runs(const ClusterAdder<true, dim>& adder, const SiteTiles::Place& place,
                                         std::uint32_t root, const std::int32_t (&term)[2 * dim]) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::uint32_t root_before = __shfl_up_sync(all_threads, root, 1);
  const bool begins = lane == 0 || place.begins_row || root != root_before;
  const unsigned later = __ballot_sync(all_threads, begins) & ~((2U << lane) - 1U);
  const int end = later != 0 ? __ffs(static_cast<int>(later)) - 1 : 32;
  std::int32_t up_to[2] = {term[0], term[1]};  // at most 32 2^24
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const std::int32_t before = __shfl_up_sync(all_threads, up_to[k], d);
      if (lane >= d) up_to[k] += before;
    }
  }
  long long sum[2 * dim];
#pragma unroll
  for (int k = 0; k < 2; ++k) sum[k] = __shfl_sync(all_threads, up_to[k], end - 1) - (up_to[k] - term[k]);
#pragma unroll
  for (int k = 2; k < 2 * dim; ++k) sum[k] = (end - lane) * term[k];
  if (begins && root != OpenEnds::none) adder(root, static_cast<std::uint32_t>(end - lane), sum);
}

/// The sites of a warp, in models of vectors: those of the cluster that has most of them are added up first, else many
/// threads would wait for each other; the others one by one.
template <int dim>
__device__ __forceinline__ void add_sites(const ClusterAdder<false, dim>& adder, std::uint32_t root,
                                          const std::int32_t (&term)[1 + 2 * dim]) {
  constexpr unsigned worth_adding = 4;
  const unsigned lane = threadIdx.x % 32;
  const unsigned same = __match_any_sync(all_threads, root);
  const unsigned most =
      __reduce_max_sync(all_threads, root == OpenEnds::none ? 0U : static_cast<unsigned>(__popc(same)) << 5 | lane);
  const unsigned members = __shfl_sync(all_threads, same, static_cast<int>(most % 32));
  const bool together = most >> 5 >= worth_adding && ((members >> lane) & 1U) != 0;
  long long sum[1 + 2 * dim];
#pragma unroll
  for (int k = 0; k < 1 + 2 * dim; ++k) sum[k] = term[k];
  if (together) {
#pragma unroll
    for (int k = 0; k < 1 + 2 * dim; ++k) sum[k] = group_sum(members, term[k]);
  }
  const bool adds = root != OpenEnds::none && (!together || lane == most % 32);
  if (adds) adder(root, together ? most >> 5 : 1, sum);
}

/// Sums over the sites of each cluster, at its root. One block a tile. Clusters of one site are left to sum_kernel.
///
/// Integers are added: the order of the threads does not matter. Cost: 8 bytes of labels a site, the projection of
/// vectors; 8 words of the record for each cluster that a tile meets.
template <bool discrete, int dim>
__global__ void __launch_bounds__(256)
    term_kernel(const __grid_constant__ SiteTiles tiles, int log2_places, const __grid_constant__ ClusterBatch b,
                const __grid_constant__ Part part) {
  using Record = ClusterRecord<discrete, dim>;
  extern __shared__ std::uint32_t table_memory[];
  const unsigned system = blockIdx.x / tiles.all, tile = blockIdx.x % tiles.all;
  const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  const float multiplier = b.scales.component.multiplier();
  std::uint32_t* const labels = part.d_labels + part.at(b, system, 0);
  const float* const projection = b.d_projection + b.first_site(part.first + system);
  unsigned long long* const d_terms = part.d_terms + part.at(b, system, 0) * Record::words;
  ClusterTable<Record::columns> table(table_memory, log2_places);
  const ClusterAdder<discrete, dim> adder{table, d_terms};
  table.clear();
  for (std::uint32_t t = threadIdx.x; t - threadIdx.x < tiles.sites; t += blockDim.x) {
    const SiteTiles::Place place = tiles.place<dim>(tile, t);
    std::uint32_t root = OpenEnds::none;
    if (place.inside) {
      // Others may replace labels by roots meanwhile: the way goes to the same root.
      const std::uint32_t label = labels[place.site];
      root = label;
      for (std::uint32_t above = labels[root]; above != root; above = labels[root]) root = above;
      if (root != label) labels[place.site] = root;
      if (root == place.site && is_single<dim>(b, part, system, place)) root = OpenEnds::none;
    }
    std::int32_t term[Record::columns];
    const std::uint32_t c[4] = {min(place.c[0], L - 1), min(place.c[1], L - 1), min(place.c[2], L - 1),
                                min(place.c[3], L - 1)};
    const float w = discrete || root == OpenEnds::none ? 1.0F : projection[place.site];
    site_terms<discrete, dim>(part, c, L, w, multiplier, term);
    if constexpr (discrete) {
      add_runs<dim>(adder, place, root, term);
    } else {
      add_sites<dim>(adder, root, term);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < table.places * Record::words; i += blockDim.x) {
    const std::uint32_t at = i / Record::words, word = i % Record::words, root = table.root[at];
    if (root == table.empty) continue;
    const long long sum = word == 0 ? table.size[at] : table.sum(at, static_cast<int>(word) - 1);
    add_atomically(reinterpret_cast<long long*>(d_terms + static_cast<std::size_t>(root) * Record::words + word), sum);
  }
}

}  // namespace

void launch_cluster_terms(const ClusterBatch& b, const Part& part, int systems, cudaStream_t stream) {
  // Clusters of vectors are smaller, and have more sums.
  constexpr unsigned most_places = 512;
  const SiteTiles tiles(b.common.lattice, b.model.is_discrete() ? 4096 : 2048);
  const unsigned threads = std::min(256U, (tiles.sites + 31) / 32 * 32);
  const int log2_places = std::bit_width(std::min(most_places, std::bit_ceil(tiles.sites))) - 1;
  for_clusters_of(b, [&](auto discrete, auto dim) {
    constexpr int columns = ClusterRecord<discrete(), dim()>::columns;
    launch_kernel("summing over the sites of clusters", term_kernel<discrete(), dim()>,
                  dim3(tiles.all * static_cast<unsigned>(systems)), threads,
                  ClusterTable<columns>::bytes_of_place << log2_places, stream, tiles, log2_places, b, part);
  });
}

}  // namespace glassworks::inline cuda
