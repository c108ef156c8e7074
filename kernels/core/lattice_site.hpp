#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"
#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace core {

// A site in 32 bits, for loops over all sites: SiteOfDimension and HypercubicSite, or LatticeSite on any lattice.
//
//   forward(b), backward(b)   the neighbours along +v_b and -v_b
//   has_bond(lattice, b)      whether the site owns bond b
//   bonds(lattice)            number of bonds that a site owns, at most most_bonds
//   colour_sites(lattice)     number of sites of one colour
//   of_colour(lattice, i, k)  site number i of colour k, along x first

/// Coordinates of a site of a cube of the hypercubic lattice and its neighbours. fixed_dim: the dimension, where the
/// compiler is to know it, else 0.
template <int fixed_dim>
struct SiteOfDimension {
  static constexpr int most_bonds = fixed_dim > 0 ? fixed_dim : Lattice::max_dim;
  std::uint32_t L, site;
  std::uint32_t c[4], step[4];

  GLASSWORKS_HD SiteOfDimension(const Lattice& lattice, std::uint32_t index)
      : L(static_cast<std::uint32_t>(lattice.L)), site(index) {
    std::uint32_t rest = index, distance = 1;
    GLASSWORKS_UNROLL
    for (int axis = 0; axis < 4; ++axis) {
      c[axis] = 0;
      step[axis] = distance;
      if (axis >= bonds(lattice)) continue;
      c[axis] = rest % L;
      rest /= L;
      distance *= L;
    }
  }
  [[nodiscard]] GLASSWORKS_HD static std::uint32_t colour_sites(const Lattice& lattice) {
    return static_cast<std::uint32_t>(lattice.sites() / 2);
  }
  [[nodiscard]] GLASSWORKS_HD static SiteOfDimension of_colour(const Lattice& lattice, std::uint32_t number,
                                                               int parity) {
    SiteOfDimension site(lattice, 2 * number);
    if (static_cast<int>((site.c[0] + site.c[1] + site.c[2] + site.c[3]) & 1U) != parity) {
      ++site.site;
      ++site.c[0];
    }
    return site;
  }
  [[nodiscard]] GLASSWORKS_HD static int bonds(const Lattice& lattice) {
    return fixed_dim > 0 ? fixed_dim : lattice.dim;
  }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t forward(int axis) const {
    return c[axis] + 1 < L ? site + step[axis] : site - (L - 1) * step[axis];
  }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t backward(int axis) const {
    return c[axis] > 0 ? site - step[axis] : site + (L - 1) * step[axis];
  }
  [[nodiscard]] GLASSWORKS_HD bool has_bond(const Lattice& lattice, int axis) const {
    return c[axis] + 1 < L || !lattice.is_open(axis);
  }
  [[nodiscard]] GLASSWORKS_HD Lattice::Coordinates coordinates() const {
    return {static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2]), static_cast<int>(c[3])};
  }
};

using HypercubicSite = SiteOfDimension<0>;

/// The same on any lattice, by its bond vectors. In a prism, whose colours may differ in their numbers of sites,
/// of_colour counts all sites: has_colour says which are of it.
class LatticeSite {
 public:
  static constexpr int most_bonds = Lattice::most_owned;
  std::uint32_t site;

  GLASSWORKS_HD LatticeSite(const Lattice& lattice, std::uint32_t index)
      : site(index), lattice_(lattice), c_(lattice.coordinates(index)) {}
  [[nodiscard]] GLASSWORKS_HD static std::uint32_t colour_sites(const Lattice& lattice) {
    return static_cast<std::uint32_t>(lattice.is_cube() ? lattice.sites() / lattice.colours() : lattice.sites());
  }
  [[nodiscard]] GLASSWORKS_HD static LatticeSite of_colour(const Lattice& lattice, std::uint32_t number, int colour) {
    if (!lattice.is_cube()) return {lattice, number};
    if (lattice.is_hypercubic()) return {lattice, HypercubicSite::of_colour(lattice, number, colour).site};
    const Lattice cells{lattice.dim, lattice.L / 2};
    Lattice::Coordinates c = cells.coordinates(number);
    for (int axis = 0; axis < lattice.dim; ++axis) {
      int& x = c[static_cast<std::size_t>(axis)];
      x = 2 * x + ((colour >> axis) & 1);
    }
    return {lattice, static_cast<std::uint32_t>(lattice.site(c))};
  }
  [[nodiscard]] GLASSWORKS_HD bool has_colour(int colour) const { return lattice_.colour(c_) == colour; }
  [[nodiscard]] GLASSWORKS_HD static int bonds(const Lattice& lattice) { return lattice.owned(); }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t forward(int bond) const { return neighbour(bond, +1); }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t backward(int bond) const { return neighbour(bond, -1); }
  [[nodiscard]] GLASSWORKS_HD bool has_bond(const Lattice& lattice, int bond) const {
    return lattice.has_bond(c_, bond, +1);
  }
  [[nodiscard]] GLASSWORKS_HD Lattice::Coordinates coordinates() const { return c_; }

 private:
  [[nodiscard]] GLASSWORKS_HD std::uint32_t neighbour(int bond, int direction) const {
    return static_cast<std::uint32_t>(lattice_.neighbour(c_, bond, direction));
  }

  Lattice lattice_;
  Lattice::Coordinates c_;
};

}}  // namespace glassworks::core
