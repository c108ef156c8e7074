#include <algorithm>
#include <bit>

#include "kernels/cuda/cluster/round/cluster_table.cuh"
#include "kernels/cuda/cluster/round/found_clusters.cuh"
#include "kernels/cuda/cluster/round/site_tiles.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr unsigned all_threads = ~0U;

/// What the active bonds of a site say of its cluster.
struct BondsOfSite {
  bool owns;    ///< it has a bond to a neighbour with higher coordinates, or across a boundary
  bool leaves;  ///< it has one to a site of another tile, or across a boundary
};

/// Bonds across boundaries are out of d_bonds, on the list of crossing bonds.
template <int dim>
__device__ __forceinline__ BondsOfSite bonds_of_site(const ClusterBatch& b, const Part& part, unsigned system,
                                                     const SiteTiles::Place& place) {
  const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  const std::uint32_t* bonds = b.d_bonds + static_cast<std::size_t>(part.first + system) * dim * b.plane_words;
  const auto is_active = [&](int axis, std::uint32_t site) {
    return ((bonds[static_cast<std::size_t>(axis) * b.plane_words + site / 32] >> (site % 32)) & 1U) != 0;
  };
  BondsOfSite found{false, false};
  std::uint32_t step = 1;
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) {
    const bool forward = is_active(axis, place.site);
    found.owns = found.owns || forward;
    found.leaves = found.leaves || (forward && place.is_last(axis));
    if (place.is_first(axis) && place.c[axis] > 0) {
      found.leaves = found.leaves || is_active(axis, place.site - step);
    }
    if (place.c[axis] == 0 || place.c[axis] + 1 == L) {
      const std::uint32_t below = place.site % step, above = place.site / step / L;
      const OpenEnds ends = part.ends(b, system, static_cast<std::uint32_t>(axis) * b.face() + below + step * above);
      const bool crosses = ends.from != OpenEnds::none;
      found.owns = found.owns || crosses;
      found.leaves = found.leaves || crosses;
    }
    step *= L;
  }
  return found;
}

/// The root of a site's cluster, which replaces its label; `none` outside of the lattice. The first of the sites of a
/// warp that follow each other with one label looks for all of them.
__device__ __forceinline__ std::uint32_t root_of(std::uint32_t* labels, const SiteTiles::Place& place) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t label = place.inside ? labels[place.site] : OpenEnds::none;
  const std::uint32_t label_before = __shfl_up_sync(all_threads, label, 1);
  const bool looks = lane == 0 || label != label_before;
  std::uint32_t root = label;
  if (looks && place.inside) {
    // Others may replace labels by roots meanwhile: the way goes to the same root.
    for (std::uint32_t above = labels[root]; above != root; above = labels[root]) root = above;
  }
  const unsigned lookers = __ballot_sync(all_threads, looks) & ((2U << lane) - 1U);
  root = __shfl_sync(all_threads, root, 31 - __clz(static_cast<int>(lookers)));
  if (root != label) labels[place.site] = root;
  return root;
}

/// Adds to the sums of clusters in the table of the block, or to their records if it has no room.
template <bool discrete, int dim>
struct ClusterAdder {
  using Record = ClusterRecord<discrete, dim>;
  const ClusterBatch& b;
  const Part& part;
  unsigned system;
  ClusterTable<Record::columns>& table;

  /// leaves: whether a bond leads from these sites to another tile
  __device__ __forceinline__ void operator()(std::uint32_t root, std::uint32_t sites, bool leaves,
                                             const long long (&sum)[Record::columns]) const {
    const int place = table.place_of(root);
    if (place >= 0) {
      atomicAdd(table.size + place, sites);
      if (leaves) atomicOr(table.size + place, table.leaves);
#pragma unroll
      for (int k = 0; k < Record::columns; ++k) table.add(place, k, sum[k]);
      return;
    }
    unsigned long long* to = record(root);
    add_size(b, part, system, root, to, sites);
    for (int k = 0; k < Record::columns; ++k) atomicAdd(to + 1 + k, static_cast<unsigned long long>(sum[k]));
  }
  [[nodiscard]] __device__ __forceinline__ unsigned long long* record(std::uint32_t root) const {
    return part.d_terms + part.at(b, system, root) * Record::words;
  }
};

/// The sites of a warp, in discrete models: runs of one cluster along x, each added by its first thread.
template <int dim>
__device__ __forceinline__ void add_runs(const ClusterAdder<true, dim>& adder, const SiteTiles::Place& place,
                                         std::uint32_t root, bool leaves) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::uint32_t root_before = __shfl_up_sync(all_threads, root, 1);
  const bool begins = lane == 0 || place.begins_row || root != root_before;
  const unsigned later = __ballot_sync(all_threads, begins) & ~((2U << lane) - 1U);
  const int end = later != 0 ? __ffs(static_cast<int>(later)) - 1 : 32;
  const unsigned leaving = __ballot_sync(all_threads, leaves) >> lane;
  if (!begins || root == OpenEnds::none) return;
  const auto L = static_cast<std::uint32_t>(adder.b.common.lattice.L), sites = static_cast<std::uint32_t>(end - lane);
  long long sum[2 * dim];
#pragma unroll
  for (std::uint32_t k = 0; k < 2; ++k) {
    sum[k] = adder.part.phase_sum(L, k, place.c[0], sites);
#pragma unroll
    for (int axis = 1; axis < dim; ++axis) {
      sum[2U * static_cast<unsigned>(axis) + k] = sites * adder.part.phase_sum(L, k, place.c[axis], 1);
    }
  }
  adder(root, sites, (leaving & (all_threads >> (32U - sites))) != 0, sum);
}

/// The sites of a warp, in models of vectors: the largest cluster is summed within the warp first, because atomic
/// additions to one place would serialize; the others are added one by one.
template <int dim>
__device__ __forceinline__ void add_sites(const ClusterAdder<false, dim>& adder, std::uint32_t root, bool leaves,
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
  const unsigned leaving = __ballot_sync(all_threads, leaves) & (together ? members : 1U << lane);
  const bool adds = root != OpenEnds::none && (!together || lane == most % 32);
  if (adds) adder(root, together ? most >> 5 : 1, leaving != 0, sum);
}

/// Sums over the clusters that lie in one tile as a whole; those over the sites of the others, at their roots. One
/// block a tile.
///
/// Integers are added: the order of the threads does not matter. Cost: 8 bytes of labels a site, the projection of
/// vectors; 8 words of the record for each cluster that a tile shares with others.
template <bool discrete, int dim>
__global__ void __launch_bounds__(256)
    term_kernel(const __grid_constant__ SiteTiles tiles, int log2_places, const __grid_constant__ ClusterBatch b,
                const __grid_constant__ Part part, DeviceClusterSums* d_sums) {
  using Record = ClusterRecord<discrete, dim>;
  extern __shared__ std::uint32_t table_memory[];
  const unsigned system = blockIdx.x / tiles.all, tile = blockIdx.x % tiles.all;
  [[maybe_unused]] const auto L = static_cast<std::uint32_t>(b.common.lattice.L);
  [[maybe_unused]] const float multiplier = b.scales.component.multiplier();
  std::uint32_t* const labels = part.d_labels + part.at(b, system, 0);
  [[maybe_unused]] const float* const projection = b.d_projection + b.first_site(part.first + system);
  ClusterTable<Record::columns> table(table_memory, log2_places);
  const ClusterAdder<discrete, dim> adder{b, part, system, table};
  FoundClusters<discrete, dim> found;
  table.clear();
  for (std::uint32_t t = threadIdx.x; t - threadIdx.x < tiles.sites; t += blockDim.x) {
    const SiteTiles::Place place = tiles.place<dim>(tile, t);
    const std::uint32_t root = root_of(labels, place);
    // The neighbours of a root towards lower coordinates are no sites of its cluster, so that its own bonds tell
    // whether it is the only one.
    const BondsOfSite bonds = place.inside ? bonds_of_site<dim>(b, part, system, place) : BondsOfSite{false, false};
    const bool is_single = place.inside && root == place.site && !bonds.owns;
    const std::uint32_t adds_to = is_single ? OpenEnds::none : root;
    if constexpr (discrete) {
      if (is_single) found.add_single(part, place.c);
      __syncwarp();
      add_runs<dim>(adder, place, adds_to, bonds.leaves);
    } else {
      std::int32_t term[Record::columns];
      const std::uint32_t c[4] = {min(place.c[0], L - 1), min(place.c[1], L - 1), min(place.c[2], L - 1),
                                  min(place.c[3], L - 1)};
      site_terms<dim>(part, c, L, place.inside ? projection[place.site] : 1.0F, multiplier, term);
      if (is_single) found.add_single(b.scales, term);
      __syncwarp();
      add_sites<dim>(adder, adds_to, bonds.leaves, term);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < table.places * Record::words; i += blockDim.x) {
    const std::uint32_t at = i / Record::words, word = i % Record::words, root = table.root[at];
    if (root == table.empty || (table.size[at] & table.leaves) == 0) continue;
    unsigned long long* const record = adder.record(root);
    if (word == 0) {
      add_size(b, part, system, root, record, table.size[at] & ~table.leaves);
    } else {
      add_atomically(reinterpret_cast<long long*>(record + word), table.sum(at, static_cast<int>(word) - 1));
    }
  }
  for (std::uint32_t at = threadIdx.x; at < table.places; at += blockDim.x) {
    if (table.root[at] == table.empty || (table.size[at] & table.leaves) != 0) continue;
    long long sum[Record::columns];
#pragma unroll
    for (int k = 0; k < Record::columns; ++k) sum[k] = table.sum(at, k);
    found.add(b.scales, table.size[at], 0, sum);
  }
  found.add_to(d_sums + part.first + system);
}

}  // namespace

void launch_cluster_terms(const ClusterBatch& b, const Part& part, int systems, DeviceClusterSums* d_sums,
                          cudaStream_t stream) {
  // Clusters of vectors are smaller, and have more sums.
  constexpr unsigned most_places = 512;
  const SiteTiles tiles(b.common.lattice, b.model.is_discrete() ? 4096 : 2048);
  const unsigned threads = std::min(256U, (tiles.sites + 31) / 32 * 32);
  const int log2_places = std::bit_width(std::min(most_places, std::bit_ceil(tiles.sites))) - 1;
  for_clusters_of(b, [&](auto discrete, auto dim) {
    constexpr int columns = ClusterRecord<discrete(), dim()>::columns;
    launch_kernel("summing over the sites of clusters", term_kernel<discrete(), dim()>,
                  dim3(tiles.all * static_cast<unsigned>(systems)), threads,
                  ClusterTable<columns>::bytes_of_place << log2_places, stream, tiles, log2_places, b, part, d_sums);
  });
}

}}  // namespace glassworks::cuda
