#pragma once

#include <type_traits>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/graph/graph_terms.cuh"

/// What the kernels of single spins share: which sites a launch updates, and what a thread knows of its own.
namespace glassworks { inline namespace cuda {

/// A site of a graph and its links; `none` where a colour has fewer sites than the launch threads.
struct GraphSite {
  static constexpr std::uint32_t none = ~0U;
  std::uint32_t site = none, place = 0;
  const GraphPair *begin = nullptr, *end = nullptr;

  /// The colours of the graphs of a batch have different numbers of sites.
  [[nodiscard]] GLASSWORKS_HD static std::uint32_t colour_sites(const Lattice& lattice) {
    return static_cast<std::uint32_t>(lattice.sites());
  }
  [[nodiscard]] __device__ __forceinline__ static GraphSite of_colour(const DeviceGraph& graph, std::uint32_t number,
                                                                      int colour) {
    const std::uint32_t first = __ldg(graph.first + colour), p = first + number;
    if (number >= __ldg(graph.first + colour + 1) - first) return {};
    return {__ldg(graph.order + p), p, graph.links + __ldg(graph.begin + p), graph.links + __ldg(graph.begin + p + 1)};
  }
};
template <class Place>
constexpr bool is_of_graph = std::is_same_v<Place, GraphSite>;

/// Site number `number` of a colour.
template <class Place>
[[nodiscard]] __device__ __forceinline__ Place site_of_colour(const ClusterBatch& b, int task, std::uint32_t number,
                                                              int colour) {
  if constexpr (is_of_graph<Place>) {
    return GraphSite::of_colour(b.common.d_graphs[task], number, colour);
  } else {
    return Place::of_colour(b.common.lattice, number, colour);
  }
}

/// Where the random words of a local update are.
template <class Place>
[[nodiscard]] __device__ __forceinline__ HeatBathAddress address_of(const Lattice& lattice, const Place& site) {
  if constexpr (is_of_graph<Place>) {
    return {site.site, 0};
  } else {
    return local_address(lattice, site.coordinates());
  }
}

/// The sites that one launch updates: those of one colour of the lattice, in the tiles of one colour where there are
/// tiles.
struct HalfSweep {
  int parity, colour, tile;  ///< parity: the colour of the sites; tile: edge, 0: the whole lattice
  UpdateNumber move;         ///< number of the sweep among those of both kinds

  template <int dim>
  [[nodiscard]] __device__ __forceinline__ bool has(const SiteOfDimension<dim>& site) const {
    if (tile == 0) return true;
    const auto edge = static_cast<std::uint32_t>(tile);
    return static_cast<int>((site.c[0] / edge + site.c[1] / edge + site.c[2] / edge + site.c[3] / edge) & 1U) == colour;
  }
  /// Prisms and lattices other than the hypercubic one have no tiles.
  [[nodiscard]] __device__ __forceinline__ bool has(const LatticeSite& site) const { return site.has_colour(parity); }
  [[nodiscard]] __device__ __forceinline__ bool has(const GraphSite& site) const {
    return site.site != GraphSite::none;
  }
};

/// What a thread needs to update one site. Place: a SiteOfDimension, LatticeSite or GraphSite.
template <class Place>
struct LocalUpdate {
  unsigned system;
  int task;
  Place site;
  float beta;
  std::uint64_t number;  ///< of the sweep
  int parity;

  __device__ __forceinline__ LocalUpdate(const ClusterBatch& b, const ThreadPlace& place, const UpdateNumber& sweep,
                                         int p)
      : system(place.system),
        task(b.task_of(place.system)),
        site(site_of_colour<Place>(b, task, place.item, p)),
        beta(b.beta_of(place.system)),
        number(sweep.of(b, task)),
        parity(p) {}

  [[nodiscard]] __device__ __forceinline__ RandomBlock random(const ClusterBatch& b, std::uint32_t index) const {
    return b.random(b.local_stream, system, colour_sweep(b.common.lattice, number, parity), index);
  }
  /// visit(neighbour, J, first) in the order x+, x-, y+, y-, ..., or of the links of a graph.
  template <class Visit>
  __device__ __forceinline__ void for_each_bond(const ClusterBatch& b, const Visit& visit) const {
    if constexpr (is_of_graph<Place>) {
      for (const GraphPair* link = site.begin; link != site.end; ++link) {
        visit(link->first, b.common.coupling_of(task, link->second), link == site.begin);
      }
    } else {
#pragma unroll
      for (int bond = 0; bond < Place::most_bonds; ++bond) {
        if (bond >= Place::bonds(b.common.lattice)) break;
        const std::uint32_t backward = site.backward(bond);
        visit(site.forward(bond), b.coupling(task, bond, site.site), bond == 0);
        visit(backward, b.coupling(task, bond, backward), false);
      }
    }
  }
  /// visit(J, product of the other spins) for the terms of more than two spins of a site of a graph.
  template <class M, class Visit>
  __device__ __forceinline__ void for_each_term(const ClusterBatch& b, const SiteArray<typename M::Site>& sites,
                                                const Visit& visit) const {
    if constexpr (is_of_graph<Place> && has_products<M>) {
      if (!b.common.lattice.has_terms()) return;
      const DeviceGraph& graph = b.common.d_graphs[task];
      if (graph.term_count == 0) return;
      for_terms_of_site<M>(
          graph.site_terms + __ldg(graph.site_begin + site.place),
          graph.site_terms + __ldg(graph.site_begin + site.place + 1), [&](std::uint32_t j) { return sites.load(j); },
          [&](std::uint32_t coupling, typename M::Site others) {
            visit(b.common.coupling_of(task, coupling), others);
          });
    }
  }
};

/// What is known of a batch when a kernel is compiled. Sites have fields or not, and then there is nothing of them in
/// the kernel; with Terms::any both fields and axes are looked for when it runs.
enum class Terms { bonds, fields, any };

template <class M_, Terms terms, class Place_>
struct LocalKernel {
  using M = M_;
  using Place = Place_;
  using Site = typename M::Site;

  static constexpr bool may_have_fields = M::has_fields && terms != Terms::bonds;
  static constexpr bool may_have_axes = !M::discrete && !M::free_modulus && terms == Terms::any;
  [[nodiscard]] __device__ __forceinline__ static bool has_fields(const ClusterBatch& b) {
    return may_have_fields && (terms == Terms::fields || b.has_fields());
  }
  [[nodiscard]] __device__ __forceinline__ static bool has_axes(const ClusterBatch& b) {
    return may_have_axes && b.has_axes();
  }
};

// K: a LocalKernel

/// What a local update knows of the neighbours of its site.
template <class K>
[[nodiscard]] __device__ __forceinline__ typename K::M::Neighbours neighbours(
    const ClusterBatch& b, const LocalUpdate<typename K::Place>& update, const SiteArray<typename K::Site>& sites) {
  using M = typename K::M;
  typename M::Neighbours h{};
  const bool field = K::has_fields(b);
  if constexpr (K::may_have_fields) {
    if (field) M::start(h, b.fields_of<M::components>(update.task).load(update.site.site));
  }
  update.for_each_bond(
      b, [&](std::uint32_t j, float J, bool first) { M::add_bond(b.model, h, J, sites.load(j), first && !field); });
  update.template for_each_term<M>(
      b, sites, [&](float J, const typename K::Site& others) { M::add_bond(b.model, h, J, others, false); });
  return h;
}

/// Counts the moves that a system has accepted. By all threads of a warp that update a site; they belong to one system.
__device__ __forceinline__ void count_accepted(const ClusterBatch& b, unsigned system, bool accepted) {
  const unsigned lanes = __activemask();
  const unsigned moves = __ballot_sync(lanes, accepted);
  if ((threadIdx.x & 31U) == static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1 && moves != 0) {
    atomicAdd(b.d_accepted + system, static_cast<unsigned long long>(__popc(moves)));
  }
}

/// Threads for the sites of one colour.
inline SystemLaunch colour_launch(const ClusterBatch& b) {
  const Lattice& lattice = b.common.lattice;
  return SystemLaunch(lattice.is_graph() ? b.common.graph_colour_sites : LatticeSite::colour_sites(lattice));
}

/// Edge of the tiles; 0: the whole lattice is one.
inline int tile_of(const ClusterBatch& b) {
  return b.common.protocol.tile == b.common.lattice.L ? 0 : b.common.protocol.tile;
}

}}  // namespace glassworks::cuda
