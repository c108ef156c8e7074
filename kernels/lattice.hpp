#pragma once

#include <array>
#include <cstdint>

#include "kernels/host_device.hpp"

namespace glassworks {

/// Periodic hypercubic lattice of dimension d = `dim` (1..4) and even edge `L`.
///
/// Site index: site = x + L (y + L (z + L w)). Unused coordinates are 0. A row is the set of L sites that differ in x
/// only; row = site / L. The sublattice (parity) of a site is (x + y + z + w) mod 2; with L even the lattice is
/// bipartite, so every bond joins an even and an odd site.
struct Lattice {
  static constexpr int max_dim = 4;

  int dim = 3;
  int L = 0;

  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t rows() const {
    std::int64_t n = 1;
    for (int axis = 1; axis < dim; ++axis) n *= L;
    return n;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t sites() const { return rows() * L; }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t bonds() const { return sites() * dim; }

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
  /// Neighbour of `site` one step along `axis`, `direction` = +1 or -1, periodic.
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

}  // namespace glassworks
