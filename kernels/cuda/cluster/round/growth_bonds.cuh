#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/core/lattice_site.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/graph/device_graph.hpp"

/// The bonds of sites, for the threads of a block that look at one of them each.
namespace glassworks { inline namespace cuda {

/// A bond of a site: the neighbour, the site that owns it, and its number there; of a graph its own number.
struct BondOfSite {
  std::uint32_t neighbour, owner;
  int bond;
};

/// Direction 2 b of a site is that along +v_b, 2 b + 1 that along -v_b. Here of cubes of the hypercubic lattice.
template <int dim>
struct DirectionsOfCube {
  [[nodiscard]] __device__ __forceinline__ static constexpr unsigned count(const Lattice&) { return 2U * dim; }
  [[nodiscard]] __device__ __forceinline__ static BondOfSite bond(const Lattice& lattice, std::uint32_t site,
                                                                  unsigned direction) {
    const auto L = static_cast<std::uint32_t>(lattice.L), axis = direction / 2;
    std::uint32_t step = 1;
#pragma unroll
    for (std::uint32_t a = 1; a < dim; ++a) step = a <= axis ? step * L : step;
    const std::uint32_t c = site / step % L, around = (L - 1) * step;
    if (direction % 2 == 0) return {c + 1 < L ? site + step : site - around, site, static_cast<int>(axis)};
    const std::uint32_t behind = c > 0 ? site - step : site + around;
    return {behind, behind, static_cast<int>(axis)};
  }
  [[nodiscard]] __device__ __forceinline__ static WordAddress address(const Lattice& lattice, const BondOfSite& bond) {
    return bond_address(Lattice{dim, lattice.L}, bond.owner, bond.bond);
  }
};

/// The same of any lattice that is no graph.
struct DirectionsOfLattice {
  [[nodiscard]] __device__ __forceinline__ static unsigned count(const Lattice& lattice) {
    return 2U * static_cast<unsigned>(lattice.owned());
  }
  [[nodiscard]] __device__ __forceinline__ static BondOfSite bond(const Lattice& lattice, std::uint32_t site,
                                                                  unsigned direction) {
    const LatticeSite here(lattice, site);
    const int bond = static_cast<int>(direction / 2);
    if (direction % 2 == 0) return {here.forward(bond), site, bond};
    const std::uint32_t behind = here.backward(bond);
    return {behind, behind, bond};
  }
  [[nodiscard]] __device__ __forceinline__ static WordAddress address(const Lattice& lattice, const BondOfSite& bond) {
    return bond_address(lattice, bond.owner, bond.bond);
  }
};

/// Bonds of the sites of a lattice, as many at each.
template <class Directions>
class BondsOfLattice {
 public:
  __device__ __forceinline__ BondsOfLattice(const ClusterBatch& batch, int task) : b_(batch), task_(task) {}

  /// visit(site, bond) for the bonds of the sites site_at(i), begin <= i < end, by all threads together.
  template <class SiteAt, class Visit>
  __device__ __forceinline__ void for_each(std::uint32_t begin, std::uint32_t end, const SiteAt& site_at,
                                           const Visit& visit) const {
    constexpr std::uint32_t most_sites = 1U << 24;  // whose bonds have numbers of 32 bits
    const unsigned directions = Directions::count(b_.common.lattice);
    for (; begin < end; begin += min(end - begin, most_sites)) {
      const std::uint32_t items = min(end - begin, most_sites) * directions;
      for (std::uint32_t item = threadIdx.x; item < items; item += blockDim.x) {
        const std::uint32_t site = site_at(begin + item / directions);
        visit(site, Directions::bond(b_.common.lattice, site, item % directions));
      }
    }
  }
  [[nodiscard]] __device__ __forceinline__ float coupling(const BondOfSite& bond) const {
    return b_.coupling(task_, bond.bond, bond.owner);
  }
  [[nodiscard]] __device__ __forceinline__ WordAddress address(const BondOfSite& bond) const {
    return Directions::address(b_.common.lattice, bond);
  }

 private:
  const ClusterBatch& b_;
  int task_;
};

/// Bonds of the sites of a graph. Threads take a site together, as many as it has bonds on average, rounded up to a
/// power of two: a site with few bonds costs no more than others, one with many does not keep a single thread.
class BondsOfGraph {
 public:
  __device__ __forceinline__ BondsOfGraph(const ClusterBatch& batch, int task)
      : b_(batch), task_(task), graph_(batch.common.d_graphs[task]) {
    const std::uint32_t degree = static_cast<std::uint32_t>(2ULL * graph_.bond_count / batch.sites);
    together_ = min(blockDim.x, degree < 2 ? 1U : 2U << (31 - __clz(static_cast<int>(degree - 1))));
  }

  template <class SiteAt, class Visit>
  __device__ __forceinline__ void for_each(std::uint32_t begin, std::uint32_t end, const SiteAt& site_at,
                                           const Visit& visit) const {
    const unsigned thread = threadIdx.x % together_;
    for (std::uint32_t i = begin + threadIdx.x / together_; i < end; i += blockDim.x / together_) {
      const std::uint32_t site = site_at(i), place = graph_.place[site], last = graph_.begin[place + 1];
      for (std::uint32_t link = graph_.begin[place] + thread; link < last; link += together_) {
        const GraphPair pair = graph_.links[link];
        visit(site, BondOfSite{pair.first, site, static_cast<int>(pair.second)});
      }
    }
  }
  [[nodiscard]] __device__ __forceinline__ float coupling(const BondOfSite& bond) const {
    return b_.common.coupling_of(task_, static_cast<std::uint32_t>(bond.bond));
  }
  [[nodiscard]] __device__ __forceinline__ WordAddress address(const BondOfSite& bond) const {
    return graph_bond_address(bond.bond);
  }

 private:
  const ClusterBatch& b_;
  int task_;
  const DeviceGraph graph_;
  unsigned together_;
};

}}  // namespace glassworks::cuda
