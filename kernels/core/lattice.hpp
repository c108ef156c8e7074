#pragma once

#include <array>
#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace core {

/// How an axis ends: the last site is a neighbour of the first one, or has none there.
enum class Boundary { periodic, open };

/// Which bonds a site has. All sites stand at x_1 a_1 + ... + x_d a_d; hypercubic bonds join neighbours along the axes.
/// graph: the bonds of a SiteGraph, which belongs to the disorder of a realization.
enum class LatticeKind { hypercubic, triangular, fcc, bcc, graph };
constexpr int lattice_kinds = 4;  ///< with bond vectors

/// A lattice, defined by the bonds that a site owns, half of all its bonds: bond b leads from x to x + v_b. No v_b is
/// even in every component, as the colouring requires. The definition of the chain, the plain kernels and the
/// configuration take everything about a lattice from this table.
struct LatticeBonds {
  const char* name;
  int dim;              ///< of the vectors; 0: any
  int owned;            ///< number of bonds; 0: d
  std::uint64_t steps;  ///< of v_b: see bond_steps
};

/// Bond vectors as two bits for each component, which is -1, 0 or 1.
struct BondVector {
  int x = 0, y = 0, z = 0;
};
template <std::size_t n>
[[nodiscard]] constexpr std::uint64_t bond_steps(const BondVector (&bonds)[n]) {
  std::uint64_t steps = 0;
  for (std::size_t b = 0; b < n; ++b) {
    const int code = (bonds[b].x + 1) | (bonds[b].y + 1) << 2 | (bonds[b].z + 1) << 4 | 1 << 6;
    steps |= static_cast<std::uint64_t>(code) << (8 * b);
  }
  return steps;
}

[[nodiscard]] GLASSWORKS_HD constexpr LatticeBonds bonds_of(LatticeKind kind) {
  constexpr auto triangular = bond_steps({{1, 0}, {0, 1}, {1, -1}});
  constexpr auto fcc = bond_steps({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -1, 0}, {0, 1, -1}, {1, 0, -1}});
  constexpr auto bcc = bond_steps({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
  switch (kind) {
    case LatticeKind::triangular:
      return {"triangular", 2, 3, triangular};
    case LatticeKind::fcc:
      return {"fcc", 3, 6, fcc};
    case LatticeKind::bcc:
      return {"bcc", 3, 4, bcc};
    case LatticeKind::graph:
      return {"graph", 0, 0, 0};
    case LatticeKind::hypercubic:
      break;
  }
  return {"hypercubic", 0, 0, 0};
}

/// Lattice of dimension d = `dim` (1..4), each axis periodic or open: a cube of even edge `L`, or a prism with a length
/// of its own for each axis, even along periodic axes. `L` of a prism is the longest edge, which labels the size.
///
/// A site owns the bonds to its neighbours at +v_b, except across an open end. Kernels that use only the couplings can
/// ignore open ends: the entries of missing bonds are J = 0.
///
/// Site index: site = x + L_x (y + L_y (z + L_z w)). Unused coordinates are 0. A row is the set of L_x sites that
/// differ in x only; row = site / L_x. Sites of one colour have no bonds among them: the parity (x + y + z + w) mod 2
/// of the hypercubic lattice, else one of 2^d by the parities of the coordinates.
///
/// Of a graph it knows the numbers of sites and bonds, the planes along its axes as `lengths` (SiteGraph::axes; one
/// axis with one plane where sites have no positions), and a tag of how it was made; what has to do with single bonds,
/// coordinates and colours is asked of the graph.
struct Lattice {
  static constexpr int max_dim = 4;
  static constexpr int most_owned = 6;

  int dim = 3;
  int L = 0;
  unsigned open = 0;  ///< bit a: axis a has open ends; 0: periodic
  LatticeKind kind = LatticeKind::hypercubic;
  std::array<int, max_dim> lengths{};  ///< of the axes of a prism; all 0: a cube
  std::int64_t graph_sites = 0;        ///< of a graph: N
  std::int64_t graph_bonds = 0;        ///< of a graph: N_b, terms of more than two spins among them
  std::uint32_t graph_tag = 0;         ///< of a graph: graphs with different tags share no random numbers
  std::int64_t graph_more_ends = 0;    ///< of a graph: the sum of k - 2 over its terms of k spins; 0: bonds alone

  [[nodiscard]] GLASSWORKS_HD constexpr bool is_cube() const { return lengths[0] == 0; }
  /// L_a.
  [[nodiscard]] GLASSWORKS_HD constexpr int length(int axis) const {
    return is_cube() ? L : lengths[static_cast<std::size_t>(axis)];
  }
  /// The largest of them.
  [[nodiscard]] GLASSWORKS_HD constexpr int longest() const {
    int longest = length(0);
    for (int axis = 1; axis < dim; ++axis) longest = length(axis) > longest ? length(axis) : longest;
    return longest;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t rows() const {
    std::int64_t n = 1;
    for (int axis = 1; axis < dim; ++axis) n *= length(axis);
    return n;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t sites() const {
    return is_graph() ? graph_sites : rows() * length(0);
  }
  /// Lattice planes perpendicular to an axis: those of x first. Number of all of them; the place of one among them.
  [[nodiscard]] GLASSWORKS_HD constexpr int planes() const { return plane(dim, 0); }
  [[nodiscard]] GLASSWORKS_HD constexpr int plane(int axis, int coordinate) const {
    if (is_cube()) return axis * L + coordinate;
    for (int before = 0; before < axis; ++before) coordinate += length(before);
    return coordinate;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_hypercubic() const { return kind == LatticeKind::hypercubic; }
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_graph() const { return kind == LatticeKind::graph; }
  /// Whether there are terms that couple more than two spins.
  [[nodiscard]] GLASSWORKS_HD constexpr bool has_terms() const { return graph_more_ends > 0; }
  /// Bonds that a site owns: z/2. Of a graph 0: its bonds have numbers of their own.
  [[nodiscard]] GLASSWORKS_HD constexpr int owned() const { return is_hypercubic() ? dim : bonds_of(kind).owned; }
  /// Entries of an array [site][bond]; of a graph [bond].
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t bond_places() const {
    return is_graph() ? graph_bonds : sites() * owned();
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t bonds() const {
    if (is_graph()) return graph_bonds;
    std::int64_t n = 0;
    for (int bond = 0; bond < owned(); ++bond) {
      std::int64_t of_bond = sites();
      for (int axis = 0; axis < dim; ++axis) {
        if (is_open(axis) && step(bond, axis) != 0) of_bond = of_bond / length(axis) * (length(axis) - 1);
      }
      n += of_bond;
    }
    return n;
  }
  /// N_b / N: z/2 where every axis is periodic.
  [[nodiscard]] constexpr double bonds_per_site() const {
    return static_cast<double>(bonds()) / static_cast<double>(sites());
  }
  /// Bonds that lead to a site, on average: z; a term leads to each of its sites.
  [[nodiscard]] constexpr double ends_per_site() const {
    return 2.0 * bonds_per_site() + static_cast<double>(graph_more_ends) / static_cast<double>(sites());
  }
  [[nodiscard]] GLASSWORKS_HD constexpr bool is_open(int axis) const { return ((open >> axis) & 1U) != 0U; }
  /// v_b along an axis.
  [[nodiscard]] GLASSWORKS_HD constexpr int step(int bond, int axis) const {
    if (is_hypercubic()) return bond == axis ? 1 : 0;
    return static_cast<int>((bonds_of(kind).steps >> (8 * bond + 2 * axis)) & 3U) - 1;
  }

  using Coordinates = std::array<int, max_dim>;

  [[nodiscard]] GLASSWORKS_HD constexpr Coordinates coordinates(std::int64_t site) const {
    Coordinates c{};
    for (int axis = 0; axis < dim; ++axis) {
      c[static_cast<std::size_t>(axis)] = static_cast<int>(site % length(axis));
      site /= length(axis);
    }
    return c;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t site(const Coordinates& c) const {
    std::int64_t s = 0;
    for (int axis = dim - 1; axis >= 0; --axis) s = s * length(axis) + c[static_cast<std::size_t>(axis)];
    return s;
  }
  /// Which end of an axis a step of a bond crosses: +1, -1 or 0. direction: +1 or -1.
  [[nodiscard]] GLASSWORKS_HD constexpr int crossing(const Coordinates& c, int bond, int direction, int axis) const {
    const int x = c[static_cast<std::size_t>(axis)] + direction * step(bond, axis);
    return x >= length(axis) ? 1 : (x < 0 ? -1 : 0);
  }
  /// Whether a bond leads from a site along +v_b or -v_b.
  [[nodiscard]] GLASSWORKS_HD constexpr bool has_bond(const Coordinates& c, int bond, int direction) const {
    if (open == 0) return true;
    for (int axis = 0; axis < dim; ++axis) {
      if (is_open(axis) && crossing(c, bond, direction, axis) != 0) return false;
    }
    return true;
  }
  /// Neighbour of a site along +v_b or -v_b; past an open end the site at the other end.
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t neighbour(Coordinates c, int bond, int direction) const {
    for (int axis = 0; axis < dim; ++axis) {
      int& x = c[static_cast<std::size_t>(axis)];
      x += direction * step(bond, axis);
      x += x < 0 ? length(axis) : (x >= length(axis) ? -length(axis) : 0);
    }
    return site(c);
  }
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t neighbour(std::int64_t s, int bond, int direction) const {
    return neighbour(coordinates(s), bond, direction);
  }
  /// Of the hypercubic lattice.
  [[nodiscard]] GLASSWORKS_HD constexpr int parity(std::int64_t s) const {
    const Coordinates c = coordinates(s);
    return (c[0] + c[1] + c[2] + c[3]) & 1;
  }
  [[nodiscard]] GLASSWORKS_HD constexpr int colours() const { return is_hypercubic() ? 2 : 1 << dim; }
  [[nodiscard]] GLASSWORKS_HD constexpr int colour(const Coordinates& c) const {
    if (is_hypercubic()) return (c[0] + c[1] + c[2] + c[3]) & 1;
    return (c[0] & 1) | (c[1] & 1) << 1 | (c[2] & 1) << 2 | (c[3] & 1) << 3;
  }

  bool operator==(const Lattice&) const = default;
};

/// Which random words the heat bath of a site uses: two sites of one parity share one Philox block.
///
/// d >= 2: cell = (x/2, y/2, z, w), numbered x fastest; the site with y even is member 0, the other member 1.
/// d = 1: cell = x/4, member = (x/2) mod 2.
/// Lattices other than the hypercubic one: cell = site, member 0.
/// Member m uses the words 2m (polar angle) and 2m + 1 (azimuth).
struct HeatBathAddress {
  std::uint32_t cell;
  std::uint32_t member;
};

/// Of the hypercubic lattice.
[[nodiscard]] GLASSWORKS_HD constexpr HeatBathAddress heat_bath_address(const Lattice& lattice,
                                                                        const Lattice::Coordinates& c) {
  const auto half = [&](int axis) { return static_cast<std::uint32_t>((lattice.length(axis) + 1) / 2); };
  const auto x = static_cast<std::uint32_t>(c[0]), y = static_cast<std::uint32_t>(c[1]);
  if (lattice.dim == 1) return {x / 4, (x / 2) & 1U};
  const auto slow = static_cast<std::uint32_t>(c[2] + (lattice.dim > 2 ? lattice.length(2) : 1) * c[3]);
  return {x / 2 + half(0) * (y / 2 + half(1) * slow), y & 1U};
}

/// Of any lattice.
[[nodiscard]] GLASSWORKS_HD constexpr HeatBathAddress local_address(const Lattice& lattice,
                                                                    const Lattice::Coordinates& c) {
  if (lattice.is_hypercubic()) return heat_bath_address(lattice, c);
  return {static_cast<std::uint32_t>(lattice.site(c)), 0};
}

}}  // namespace glassworks::core
