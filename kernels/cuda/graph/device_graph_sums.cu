#include <algorithm>

#include "kernels/cuda/cluster/round/plane_values.cuh"
#include "kernels/cuda/graph/device_graph_sums.hpp"
#include "kernels/cuda/graph/graph_terms.cuh"
#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Sums over the planes of graphs, which may lie anywhere. A warp that is in one plane adds its sum.
template <class Values>
__global__ void __launch_bounds__(256) graph_plane_kernel(const __grid_constant__ ClusterBatch b, int columns,
                                                          unsigned blocks, bool gather, long long* d_planes) {
  extern __shared__ unsigned gathered[];
  constexpr int at_once = Values::at_once;
  const Lattice& lattice = b.common.lattice;
  const ThreadPlace place(blocks);
  const auto sums = static_cast<std::uint32_t>(lattice.planes() * columns);
  const PlaneAdder add{gathered, reinterpret_cast<int*>(gathered + sums),
                       d_planes + static_cast<std::size_t>(place.system) * sums, gather};
  for (std::uint32_t i = threadIdx.x; gather && i < 2 * sums; i += blockDim.x) gathered[i] = 0;
  __syncthreads();
  const Values values(b, place.system);
  const DeviceGraph& graph = b.common.d_graphs[values.task(b)];
  for (std::uint32_t start = place.item - threadIdx.x % 32; start < b.sites; start += place.stride) {
    const std::uint32_t i = start + threadIdx.x % 32;
    const bool inside = i < b.sites;
    for (int column = 0; column < columns; column += at_once) {
      std::int32_t v[at_once] = {};
      if (inside) values.load({i, {}}, column, v);
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const std::uint32_t x = graph.plane(axis, inside ? i : start, b.sites);
        int alike = 0;
        __match_all_sync(~0U, x, &alike);
        const auto at = static_cast<std::uint32_t>(lattice.plane(axis, static_cast<int>(x)) * columns + column);
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          if (column + k >= columns) break;
          if (alike != 0) {
            const long long of_warp = group_sum(~0U, v[k]);
            if (threadIdx.x % 32 == 0) add(at + static_cast<std::uint32_t>(k), of_warp);
          } else if (inside) {
            add(at + static_cast<std::uint32_t>(k), v[k]);
          }
        }
      }
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; gather && i < sums; i += blockDim.x) {
    const long long sum = SplitSum{add.low[i], add.high[i]}.value();
    if (sum != 0) add_atomically(add.own + i, sum);
  }
}

template <class Pair>
__global__ void __launch_bounds__(256)
    graph_link_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, long long* d_link) {
  const ThreadPlace place(blocks);
  const Pair pair(b, place.system);
  const DeviceGraph& graph = b.common.d_graphs[pair.task(b)];
  const GraphPair* const bonds = graph.bonds;
  long long sum = 0;
  for (std::uint32_t i = place.item; i < graph.bond_count; i += place.stride) {
    sum += pair.link(bonds[i].first, bonds[i].second);
  }
  using M = typename Pair::Model;
  if constexpr (has_products<M>) {
    for (std::uint32_t term = place.item; term < graph.term_count; term += place.stride) {
      const auto x_of = [&](const auto& spins) {
        const auto product = product_of_term<M>(graph, term, [&](std::uint32_t j) { return spins.load(j); });
        return M::product(b.model, product, M::one);
      };
      sum += pair.link(x_of(pair.a), x_of(pair.b));
    }
  }
  block_add(sum, d_link + place.system);
}

template <class Values>
void launch_graph_planes(const ClusterBatch& b, int items, int columns, long long* d_planes, cudaStream_t stream) {
  if (items == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(b.common.lattice.planes() * columns) * sizeof(long long);
  const bool gather = bytes <= most_shared_bytes;
  // Blocks of at most 2^15 sites, and more of them as long as there are places on the device.
  constexpr unsigned threads = 256, wanted_blocks = 2048, most_sites = 1U << 15;
  const unsigned turns = (b.sites + threads - 1) / threads;
  const unsigned wanted =
      std::max(wanted_blocks / static_cast<unsigned>(items), (b.sites + most_sites - 1) / most_sites);
  const unsigned blocks = std::clamp(wanted, 1U, turns);
  launch_kernel("summing over planes", graph_plane_kernel<Values>, dim3(blocks * static_cast<unsigned>(items)), threads,
                gather ? bytes : 0, stream, b, columns, blocks, gather, d_planes);
}

}  // namespace

void launch_graph_site_planes(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      launch_graph_planes<ReplicaSites<M>>(b, b.systems(), plane_columns(b.model), d_planes, stream);
    }
  });
}

void launch_graph_pair_planes(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      launch_graph_planes<CopyPairSites<M>>(b, b.units() * b.pairs(), pair_columns(b.model), d_planes, stream);
    }
  });
}

void launch_graph_link_sums(const ClusterBatch& b, long long* d_link, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      const auto bonds = static_cast<std::uint32_t>(std::max<std::int64_t>(b.common.lattice.bonds(), 1));
      SystemLaunch(bonds, 16)("summing link overlaps", graph_link_kernel<CopyPairSites<M>>, b.units() * b.pairs(),
                              stream, b, d_link);
    }
  });
}

}}  // namespace glassworks::cuda
