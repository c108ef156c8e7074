#pragma once

#include <cstdint>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace cuda {

/// n / d for n up to a bound, by a multiplication where that is exact.
class Divisor {
 public:
  Divisor() = default;
  Divisor(std::int64_t d, std::int64_t bound)
      : d_(static_cast<std::uint32_t>(d)),
        magic_(d > 1 && bound * d < (std::int64_t{1} << 32)
                   ? static_cast<std::uint32_t>((std::int64_t{1} << 32) / d + 1)
                   : 0) {}
  [[nodiscard]] GLASSWORKS_HD int of(int n) const {
    const auto u = static_cast<std::uint32_t>(n);
    if (magic_ == 0) return static_cast<int>(u / d_);
    return static_cast<int>((static_cast<std::uint64_t>(u) * magic_) >> 32);
  }

 private:
  std::uint32_t d_ = 1, magic_ = 0;
};

/// n / d for a d that the compiler knows.
template <int d>
struct ConstantDivisor {
  [[nodiscard]] GLASSWORKS_HD static constexpr int of(int n) { return n / d; }
};

/// Four places of a colour whose x differ in x mod 4 alone: they share a block of random words (multispin_address).
struct Quad {
  int base;           ///< place of its first site; the others follow `plane` apart
  int before, after;  ///< places at x - 1 of the first site and at x + 1 of the last one
  int side[4];        ///< of the first site, along the axes between: +y, -y, +z, -z
  int turn[2];        ///< of the first site: the neighbour along the last axis that is not at the same place, where
                      ///< (number of the site + colour) mod 2 is 0 or 1
  int count;          ///< sites: 4, or 2
  std::uint32_t block;

  /// Place of the neighbour of site i in a direction (HalfLattice::direction), in a lattice of z = 2 d neighbours.
  template <int z>
  [[nodiscard]] GLASSWORKS_HD int neighbour(int i, int colour, int direction, int plane) const {
    if (direction == 0) return i == 3 || (i == 1 && count == 2) ? after : base + (i + 1) * plane;
    if (direction == 1) return i == 0 ? before : base + (i - 1) * plane;
    if (direction == z - 2) return base + i * plane;
    if (direction == z - 1) return ((i + colour) & 1 ? turn[1] : turn[0]) + i * plane;
    return side[direction - 2] + i * plane;
  }
  /// The quad four steps ahead along x. Geometry: see quad_of
  template <int z, class Geometry>
  GLASSWORKS_HD void advance(const Geometry& g) {
    const int end = g.L * g.plane;
    base += 4 * g.plane;
    before = base - g.plane;
    count = end - base > 2 * g.plane ? 4 : 2;
    after = base + count * g.plane;
    if (after >= end) after -= end;
    GLASSWORKS_UNROLL
    for (int k = 0; k + 4 < z; ++k) side[k] += 4 * g.plane;
    turn[0] += 4 * g.plane;
    turn[1] += 4 * g.plane;
    ++block;
  }
};

/// The order of the sites of a periodic hypercubic lattice, d >= 2, while they are simulated bit by bit:
/// [colour][place], place = (x M + m) L/2 + floor(last/2), where last is the last coordinate and m = (z L +) y counts
/// the M = L^(d-2) values of those between. Then two neighbours of a place, one of them along x on either side, stand
/// at the same places of the other colour, and threads that follow each other read words that do.
struct HalfLattice {
  int dim = 0, L = 0;
  int half_edge = 0;  ///< L/2
  int middles = 0;    ///< M
  int plane = 0;      ///< places of an x: M L/2
  int places = 0;     ///< of a colour: N/2
  int fours = 0;      ///< quads along x: L/4, rounded up
  int quads = 0;
  Divisor by_plane, by_half_edge, by_square, by_edge;  ///< by_square: L^2/2

  HalfLattice() = default;
  explicit HalfLattice(const Lattice& lattice) : dim(lattice.dim), L(lattice.L), half_edge(L / 2), middles(1) {
    for (int axis = 1; axis + 1 < dim; ++axis) middles *= L;
    plane = middles * half_edge;
    places = plane * L;
    fours = (L + 3) / 4;
    quads = plane * fours;
    by_plane = Divisor(plane, places);
    by_half_edge = Divisor(half_edge, places);
    by_square = Divisor(std::int64_t{half_edge} * L, places);
    by_edge = Divisor(L, places);
  }

  struct Place {
    int colour, place;
  };
  [[nodiscard]] GLASSWORKS_HD Place place_of(const Lattice::Coordinates& c) const {
    const auto last_axis = static_cast<std::size_t>(dim - 1);
    int middle = 0, sum = c[0] + c[last_axis];
    for (int axis = dim - 2; axis > 0; --axis) {
      middle = middle * L + c[static_cast<std::size_t>(axis)];
      sum += c[static_cast<std::size_t>(axis)];
    }
    return {sum & 1, (c[0] * middles + middle) * half_edge + c[last_axis] / 2};
  }
  /// Which of the 2 d couplings of a site leads along an axis: +x, -x, +y, -y, ..., and last the neighbour at the same
  /// place and the other one. ahead: +axis; coordinate: of the site along the last axis
  [[nodiscard]] GLASSWORKS_HD int direction(int axis, bool ahead, int coordinate) const {
    if (axis + 1 < dim) return 2 * axis + (ahead ? 0 : 1);
    const bool same = ahead == ((coordinate & 1) == 0);
    return 2 * axis + (same ? 0 : 1);
  }
  /// Where the bond from the site at c to the next one along an axis is in [direction][place of its end of colour 0].
  [[nodiscard]] GLASSWORKS_HD int bond_place(Lattice::Coordinates c, int axis) const {
    Place end = place_of(c);
    const bool ahead = end.colour == 0;
    if (!ahead) {
      int& x = c[static_cast<std::size_t>(axis)];
      x = x + 1 < L ? x + 1 : 0;
      end = place_of(c);
    }
    return direction(axis, ahead, c[static_cast<std::size_t>(dim - 1)]) * places + end.place;
  }
};

/// The same of a size that the compiler knows: places are then constants of instructions.
template <int dim, int edge>
struct FixedHalfLattice {
  static constexpr int power(int n) { return n == 0 ? 1 : edge * power(n - 1); }
  static constexpr int L = edge, half_edge = L / 2, middles = power(dim - 2), plane = middles * half_edge,
                       places = plane * L, fours = (L + 3) / 4, quads = plane * fours;
  static constexpr ConstantDivisor<plane> by_plane{};
  static constexpr ConstantDivisor<half_edge> by_half_edge{};
  static constexpr ConstantDivisor<L> by_edge{};
};

/// A quad of a lattice in d dimensions, by its number. Geometry: HalfLattice or FixedHalfLattice
template <int d, class Geometry>
[[nodiscard]] GLASSWORKS_HD Quad quad_of(const Geometry& g, int q) {
  const int four = g.by_plane.of(q), in_plane = q - four * g.plane;
  const int middle = g.by_half_edge.of(in_plane), last = in_plane - middle * g.half_edge;
  Quad quad{};
  quad.count = g.L - 4 * four < 4 ? g.L - 4 * four : 4;
  quad.base = 4 * four * g.plane + in_plane;
  quad.before = four == 0 ? (g.L - 1) * g.plane + in_plane : quad.base - g.plane;
  quad.after = 4 * four + quad.count == g.L ? in_plane : quad.base + quad.count * g.plane;
  int odd = 0, coordinate = middle, stride = g.half_edge;
  GLASSWORKS_UNROLL
  for (int axis = 1; axis + 1 < d; ++axis) {
    const int next = axis + 2 < d ? g.by_edge.of(coordinate) : 0, x = coordinate - next * g.L;
    odd += x;
    quad.side[2 * (axis - 1)] = quad.base + (x == g.L - 1 ? -(g.L - 1) * stride : stride);
    quad.side[2 * (axis - 1) + 1] = quad.base + (x == 0 ? (g.L - 1) * stride : -stride);
    coordinate = next;
    stride *= g.L;
  }
  const int up = quad.base + (last == g.half_edge - 1 ? 1 - g.half_edge : 1);
  const int down = quad.base + (last == 0 ? g.half_edge - 1 : -1);
  quad.turn[0] = (odd & 1) != 0 ? up : down;
  quad.turn[1] = (odd & 1) != 0 ? down : up;
  quad.block = static_cast<std::uint32_t>((last * g.middles + middle) * g.fours + four);
  return quad;
}

/// Which bonds of the sites of a quad are absent because an axis has open ends: a lattice without any has NoEnds.
struct NoEnds {
  /// All lanes or none. As Quad::neighbour; count: of the quad
  template <int z>
  [[nodiscard]] GLASSWORKS_HD static constexpr std::uint32_t absent(int, int, int, int) {
    return 0;
  }
};
class QuadEnds {
 public:
  QuadEnds() = default;
  /// open: Lattice::open
  template <int d, class Geometry>
  [[nodiscard]] GLASSWORKS_HD static QuadEnds of(const Geometry& g, int q, unsigned open) {
    const int four = g.by_plane.of(q), in_plane = q - four * g.plane;
    const int middle = g.by_half_edge.of(in_plane), last = in_plane - middle * g.half_edge;
    QuadEnds ends;
    int odd = 0, coordinate = middle;
    GLASSWORKS_UNROLL
    for (int axis = 1; axis + 1 < d; ++axis) {
      const int next = axis + 2 < d ? g.by_edge.of(coordinate) : 0, x = coordinate - next * g.L;
      odd += x;
      if ((open >> axis & 1U) != 0) ends.bits_ |= (x == g.L - 1 ? 1U : 0U) << 2 * axis | (x == 0 ? 2U : 0U) << 2 * axis;
      coordinate = next;
    }
    if ((open >> (d - 1) & 1U) != 0) {
      const std::uint32_t up = last == g.half_edge - 1 ? 1U : 0U, down = last == 0 ? 1U : 0U;
      ends.bits_ |= ((odd & 1) != 0 ? up | down << 1 : down | up << 1) << first_turn;
    }
    ends.advance(4 * four, g.L, open);
    return ends;
  }
  /// x: of the first site, where all else stays.
  GLASSWORKS_HD void advance(int x, int L, unsigned open) {
    bits_ &= ~3U;
    if ((open & 1U) != 0) bits_ |= (x + 4 >= L ? 1U : 0U) | (x == 0 ? 2U : 0U);
  }
  template <int z>
  [[nodiscard]] GLASSWORKS_HD std::uint32_t absent(int count, int i, int colour, int direction) const {
    if (direction == 0 && i != 3 && (i != 1 || count != 2)) return 0;
    if ((direction == 1 && i != 0) || direction == z - 2) return 0;
    const int bit = direction == z - 1 ? first_turn + ((i + colour) & 1) : direction;
    return 0U - (bits_ >> bit & 1U);
  }

 private:
  static constexpr int first_turn = 6;
  std::uint32_t bits_ = 0;  ///< by direction, then Quad::turn
};

/// The absent bonds of a site count as satisfied and as unsatisfied by turns, so that m = 2 (unsatisfied bonds) + (1
/// where their number is odd): the site then has the thresholds of odd m.
template <int z>
struct EndsOfSite {
  std::uint32_t absent[z], unsatisfied[z];
  std::uint32_t odd = 0;  ///< all lanes or none

  template <class Ends>
  GLASSWORKS_HD EndsOfSite(const Ends& ends, int count, int i, int colour) {
    GLASSWORKS_UNROLL
    for (int k = 0; k < z; ++k) {
      absent[k] = ends.template absent<z>(count, i, colour, k);
      unsatisfied[k] = absent[k] & odd;
      odd ^= absent[k];
    }
  }
};

/// With which quad of which group of walkers a thread begins: the threads of `groups` groups of `walkers`, then others,
/// whose group does not exist. Where each walker has one quad, those of two sites, which end the order of quads, come
/// after those of four of all groups, because a warp takes as long as its longest quad.
struct QuadWalk {
  int group, walker;

  template <class Geometry>
  GLASSWORKS_HD QuadWalk(const Geometry& g, int thread, int walkers, int groups) {
    const int fours = walkers == g.quads && g.L % 4 != 0 ? g.quads - g.plane : walkers;
    const int in_twos = thread - fours * groups;
    if (fours < walkers && in_twos >= 0) {
      group = in_twos / (walkers - fours);
      walker = fours + in_twos - group * (walkers - fours);
    } else {
      group = thread / fours;
      walker = thread - group * fours;
    }
  }
};

}}  // namespace glassworks::cuda
