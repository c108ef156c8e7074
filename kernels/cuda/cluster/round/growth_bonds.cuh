#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/core/lattice_site.hpp"

/// The bonds of a site one by one, for threads that look at one of them each. Direction 2 b is that along +v_b, 2 b + 1
/// that along -v_b.
namespace glassworks { inline namespace cuda {

/// A bond of a site: the neighbour, the site that owns it, and its number there.
struct BondOfSite {
  std::uint32_t neighbour, owner;
  int bond;
};

/// Of cubes of the hypercubic lattice.
template <int dim>
struct BondsOfCube {
  [[nodiscard]] __device__ __forceinline__ static constexpr unsigned directions(const Lattice&) { return 2U * dim; }
  [[nodiscard]] __device__ __forceinline__ static BondOfSite of(const Lattice& lattice, std::uint32_t site,
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

/// Of any lattice that is no graph.
struct BondsOfLattice {
  [[nodiscard]] __device__ __forceinline__ static unsigned directions(const Lattice& lattice) {
    return 2U * static_cast<unsigned>(lattice.owned());
  }
  [[nodiscard]] __device__ __forceinline__ static BondOfSite of(const Lattice& lattice, std::uint32_t site,
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

}}  // namespace glassworks::cuda
