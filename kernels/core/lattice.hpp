#pragma once

#include <array>
#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks::inline core {

/// How an axis ends: the last site is a neighbour of the first one, or has none there.
enum class Boundary { periodic, open };

/// Hypercubic lattice of dimension d = `dim` (1..4) and even edge `L`, each axis periodic or open.
///
/// A site owns the bond to its neighbour at +axis; where the axis is open the last site owns none. Kernels that follow
/// couplings alone need not know: J is 0 at every place that no bond has.
///
/// Site index: site = x + L (y + L (z + L w)). Unused coordinates are 0. A row is the set of L sites that differ in x
/// only; row = site / L. The sublattice (parity) of a site is (x + y + z + w) mod 2; with L even the lattice is
/// bipartite, so every bond joins an even and an odd site.
struct Lattice {
  static constexpr int max_dim = 4;

  int dim = 3;
  int L = 0;
  unsigned open = 0;  ///< bit a: axis a has open ends; 0: periodic

  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t rows() const {
    std::int64_t n = 1;
    for (int axis = 1; axis < dim; ++axis) n *= L;
    return n;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t sites() const { return rows() * L; }
  /// Entries of an array [site][axis].
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t bond_places() const { return sites() * dim; }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t bonds() const {
    std::int64_t n = 0;
    for (int axis = 0; axis < dim; ++axis) n += is_open(axis) ? sites() / L * (L - 1) : sites();
    return n;
  }
  /// N_b / N: z/2 = d where every axis is periodic.
  [[nodiscard]] constexpr double bonds_per_site() const {
    return static_cast<double>(bonds()) / static_cast<double>(sites());
  }
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_open(int axis) const { return ((open >> axis) & 1U) != 0U; }

  using Coordinates = std::array<int, max_dim>;

  [[nodiscard]] GLASSWORKS_HD constexpr Coordinates coordinates(std::int64_t site) const {
    Coordinates c{};
    for (int axis = 0; axis < dim; ++axis) {
      c[static_cast<std::size_t>(axis)] = static_cast<int>(site % L);
      site /= L;
    }
    return c;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t site(const Coordinates& c) const {
    std::int64_t s = 0;
    for (int axis = dim - 1; axis >= 0; --axis) s = s * L + c[static_cast<std::size_t>(axis)];
    return s;
  }
  /// Whether a bond leads from a site one step along `axis`, `direction` = +1 or -1.
  [[nodiscard]] GLASSWORKS_HD constexpr bool has_bond(const Coordinates& c, int axis, int direction) const {
    return !is_open(axis) || c[static_cast<std::size_t>(axis)] != (direction > 0 ? L - 1 : 0);
  }
  /// Neighbour of `site` one step along `axis`, `direction` = +1 or -1; past an open end the site at the other end.
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t neighbour(std::int64_t s, int axis, int direction) const {
    Coordinates c = coordinates(s);
    const auto a = static_cast<std::size_t>(axis);
    c[a] = (c[a] + direction + L) % L;
    return site(c);
  }
  [[nodiscard]] GLASSWORKS_HD constexpr int parity(std::int64_t s) const {
    const Coordinates c = coordinates(s);
    return (c[0] + c[1] + c[2] + c[3]) & 1;
  }

  bool operator==(const Lattice&) const = default;
};

/// Which random words the heat bath of a site uses: two sites of one parity share one Philox block.
///
/// d >= 2: cell = (x/2, y/2, z, w), numbered x fastest; the site with y even is member 0, the other member 1.
/// d = 1: cell = x/4, member = (x/2) mod 2.
/// Member m uses the words 2m (polar angle) and 2m + 1 (azimuth).
struct HeatBathAddress {
  std::uint32_t cell;
  std::uint32_t member;
};

[[nodiscard]] GLASSWORKS_HD constexpr HeatBathAddress heat_bath_address(const Lattice& lattice,
                                                                        const Lattice::Coordinates& c) {
  const auto half = static_cast<std::uint32_t>(lattice.L / 2);
  const auto x = static_cast<std::uint32_t>(c[0]), y = static_cast<std::uint32_t>(c[1]);
  if (lattice.dim == 1) return {x / 4, (x / 2) & 1U};
  const auto slow = static_cast<std::uint32_t>(c[2] + lattice.L * c[3]);
  return {x / 2 + half * (y / 2 + half * slow), y & 1U};
}

}  // namespace glassworks::inline core
