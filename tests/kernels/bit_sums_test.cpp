#include "kernels/core/bit_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/multispin/half_lattice.hpp"

/// What the bits of multi-spin coding stand on: sums in each lane, and the order of sites on GPUs.
namespace glassworks { namespace {

struct NoShortcut {};
using Sums = BitSums<std::uint32_t, NoShortcut>;

/// Number m in every lane.
template <int bits>
Sums::Number<bits> number(int m) {
  Sums::Number<bits> all;
  for (int k = 0; k < bits; ++k) all.bit[k] = (m >> k & 1) != 0 ? ~0U : 0U;
  return all;
}

/// m + e >= T for every m and e, where the last e of T conditions hold.
template <int bits, int T>
void check_reaches() {
  for (int m = 0; m < 1 << bits; ++m) {
    for (int e = 0; e <= T; ++e) {
      std::uint32_t holds[T];
      for (int k = 0; k < T; ++k) holds[k] = k >= T - e ? ~0U : 0U;
      EXPECT_EQ(Sums::reaches(number<bits>(m), Sums::complement<bits>(holds)), m + e >= T ? ~0U : 0U)
          << bits << " bits, T = " << T << ", m = " << m << ", e = " << e;
    }
  }
}

TEST(BitSums, ASumReachesItsLimitWhereItCarries) {
  check_reaches<2, 1>();  // Metropolis, d = 1 .. 4, then heat bath
  check_reaches<3, 2>();
  check_reaches<3, 3>();
  check_reaches<4, 4>();
  check_reaches<2, 3>();
  check_reaches<3, 5>();
  check_reaches<3, 7>();
  check_reaches<4, 9>();
  check_reaches<4, 6>();  // diluted, d = 3 and 4
  check_reaches<4, 13>();
  check_reaches<5, 8>();
  check_reaches<5, 17>();
}

template <std::size_t n>
void check_counts() {
  for (unsigned lanes = 0; lanes < 1U << n; ++lanes) {
    std::uint32_t x[n];
    for (std::size_t k = 0; k < n; ++k) x[k] = (lanes >> k & 1U) != 0 ? 1U : 0U;
    const auto count = Sums::count(x);
    unsigned found = 0;
    for (std::size_t k = 0; k < sizeof(count.bit) / sizeof(count.bit[0]); ++k) found |= (count.bit[k] & 1U) << k;
    EXPECT_EQ(found, static_cast<unsigned>(__builtin_popcount(lanes)));
  }
}
TEST(BitSums, CountsOnes) {
  check_counts<2>();
  check_counts<4>();
  check_counts<6>();
  check_counts<8>();
}

TEST(BitSums, TotalsHaveABitMore) {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      const Sums::Number<4> sum = Sums::total(number<3>(a), number<3>(b));
      for (int k = 0; k < 4; ++k) EXPECT_EQ(sum.bit[k], ((a + b) >> k & 1) != 0 ? ~0U : 0U) << a << " + " << b;
    }
  }
}

/// Each quad of each group has one thread that begins with it; those of two sites come last.
TEST(QuadWalk, CoversTheQuadsOfAllGroups) {
  for (const int L : {2, 4, 6, 10, 12, 14}) {
    const HalfLattice g(Lattice{3, L});
    for (const int walkers : {g.quads, (g.quads + 1) / 2}) {
      constexpr int groups = 3;
      std::vector<int> threads(static_cast<std::size_t>(groups * walkers), 0);
      int last_sites = 4;
      for (int thread = 0; thread < groups * walkers + 40; ++thread) {
        const QuadWalk walk(g, thread, walkers, groups);
        if (thread >= groups * walkers) {
          EXPECT_GE(walk.group, groups);
          continue;
        }
        ASSERT_TRUE(walk.group >= 0 && walk.group < groups && walk.walker >= 0 && walk.walker < walkers);
        ++threads[static_cast<std::size_t>(walk.group * walkers + walk.walker)];
        if (walkers != g.quads) continue;
        const int sites = quad_of<3>(g, walk.walker).count;
        EXPECT_LE(sites, last_sites) << "L = " << L;
        last_sites = sites;
      }
      EXPECT_EQ(threads, std::vector<int>(threads.size(), 1)) << "L = " << L << ", " << walkers << " walkers";
    }
  }
}

template <int dim, class Geometry>
void check_quads(const Lattice& lattice, const Geometry& g) {
  constexpr int z = 2 * dim;
  const HalfLattice order(lattice);
  std::vector<HalfLattice::Place> place_of;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) place_of.push_back(order.place_of(lattice.coordinates(i)));
  std::vector<std::int64_t> site_at(static_cast<std::size_t>(lattice.sites()), -1);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const HalfLattice::Place p = place_of[static_cast<std::size_t>(i)];
    EXPECT_EQ(p.colour, lattice.parity(i));
    std::int64_t& site = site_at[static_cast<std::size_t>(p.colour * order.places + p.place)];
    EXPECT_EQ(site, -1) << "two sites have one place";
    site = i;
  }
  for (int q = 0; q < order.quads; ++q) {
    const Quad quad = quad_of<dim>(g, q);
    for (int colour = 0; colour < 2; ++colour) {
      for (int i = 0; i < quad.count; ++i) {
        const std::int64_t site =
            site_at[static_cast<std::size_t>(colour * order.places + quad.base + i * order.plane)];
        const Lattice::Coordinates c = lattice.coordinates(site);
        EXPECT_EQ(multispin_address(lattice, c), (WordAddress{quad.block, static_cast<std::uint32_t>(i)}));
        for (int axis = 0; axis < dim; ++axis) {
          for (const bool ahead : {true, false}) {
            const int direction = order.direction(axis, ahead, c[static_cast<std::size_t>(dim - 1)]);
            const std::int64_t neighbour = lattice.neighbour(site, axis, ahead ? 1 : -1);
            ASSERT_EQ(quad.template neighbour<z>(i, colour, direction, order.plane),
                      place_of[static_cast<std::size_t>(neighbour)].place)
                << "L " << lattice.L << " site " << site << " axis " << axis << (ahead ? " ahead" : " back");
            // The neighbour sees this site in the direction that coupling_place takes for colour 1.
            const Lattice::Coordinates there = lattice.coordinates(neighbour);
            EXPECT_EQ(order.direction(axis, !ahead, there[static_cast<std::size_t>(dim - 1)]),
                      direction < z - 2 ? direction ^ 1 : direction);
          }
        }
      }
    }
    Quad ahead = quad;
    if (q + order.plane < order.quads) {
      ahead.template advance<z>(g);
      const Quad expected = quad_of<dim>(g, q + order.plane);
      EXPECT_EQ(ahead.base, expected.base);
      EXPECT_EQ(ahead.before, expected.before);
      EXPECT_EQ(ahead.after, expected.after);
      EXPECT_EQ(ahead.count, expected.count);
      EXPECT_EQ(ahead.block, expected.block);
      for (int k = 0; k + 4 < z; ++k) EXPECT_EQ(ahead.side[k], expected.side[k]);
      for (int k = 0; k < 2; ++k) EXPECT_EQ(ahead.turn[k], expected.turn[k]);
    }
  }
}

TEST(HalfLattice, QuadsHaveTheNeighboursAndRandomWordsOfTheirSites) {
  for (const int L : {4, 6, 8, 10}) {
    check_quads<2>({2, L}, HalfLattice({2, L}));
    check_quads<3>({3, L}, HalfLattice({3, L}));
  }
  for (const int L : {4, 6}) check_quads<4>({4, L}, HalfLattice({4, L}));
}
/// A bond stands where its end of colour 0 has it, whichever end it is looked up from.
TEST(HalfLattice, BondsStandAtTheirEndsOfColour0) {
  for (const Lattice& lattice : {Lattice{2, 6}, Lattice{3, 4}, Lattice{3, 6}, Lattice{4, 4}}) {
    const HalfLattice g(lattice);
    std::vector<int> bonds(static_cast<std::size_t>(2 * lattice.dim * g.places));
    for (std::int64_t site = 0; site < lattice.sites(); ++site) {
      const Lattice::Coordinates c = lattice.coordinates(site);
      if (g.place_of(c).colour != 0) continue;
      const int last = c[static_cast<std::size_t>(lattice.dim - 1)];
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const Lattice::Coordinates before = lattice.coordinates(lattice.neighbour(c, axis, -1));
        const int ahead = g.bond_place(c, axis), behind = g.bond_place(before, axis);
        EXPECT_EQ(ahead, g.direction(axis, true, last) * g.places + g.place_of(c).place);
        EXPECT_EQ(behind, g.direction(axis, false, last) * g.places + g.place_of(c).place);
        ++bonds[static_cast<std::size_t>(ahead)];
        ++bonds[static_cast<std::size_t>(behind)];
      }
    }
    EXPECT_EQ(std::count(bonds.begin(), bonds.end(), 1), std::ssize(bonds)) << "L = " << lattice.L;
  }
}

TEST(HalfLattice, OfAFixedSizeIsTheSame) {
  check_quads<2>({2, 16}, FixedHalfLattice<2, 16>{});
  check_quads<3>({3, 6}, FixedHalfLattice<3, 6>{});
  check_quads<3>({3, 8}, FixedHalfLattice<3, 8>{});
  check_quads<4>({4, 4}, FixedHalfLattice<4, 4>{});
}

/// At each site the bonds that are absent, and half of them, rounded down, counted as unsatisfied.
template <int dim>
void check_ends(const Lattice& lattice) {
  constexpr int z = 2 * dim;
  const HalfLattice g(lattice);
  int absent_bonds = 0;
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    const Lattice::Coordinates c = lattice.coordinates(site);
    const HalfLattice::Place place = g.place_of(c);
    const int four = c[0] / 4, i = c[0] % 4, q = place.place - c[0] * g.plane + four * g.plane;
    const Quad quad = quad_of<dim>(g, q);
    ASSERT_EQ(quad.base + i * g.plane, place.place);
    QuadEnds ends = QuadEnds::of<dim>(g, q, lattice.open);
    if (four > 0) {  // the same by a step along x
      ends = QuadEnds::of<dim>(g, q - g.plane, lattice.open);
      ends.advance(4 * four, lattice.L, lattice.open);
    }
    const EndsOfSite<z> of_site(ends, quad.count, i, place.colour);
    int absent = 0, unsatisfied = 0;
    for (int axis = 0; axis < dim; ++axis) {
      for (const bool ahead : {true, false}) {
        const int direction = g.direction(axis, ahead, c[static_cast<std::size_t>(dim - 1)]);
        const bool there = lattice.has_bond(c, axis, ahead ? 1 : -1);
        EXPECT_EQ(of_site.absent[direction], there ? 0U : ~0U)
            << "L " << lattice.L << " open " << lattice.open << " site " << site << " axis " << axis << " " << ahead;
        EXPECT_EQ(of_site.unsatisfied[direction] & ~of_site.absent[direction], 0U);
        absent += there ? 0 : 1;
        unsatisfied += of_site.unsatisfied[direction] != 0 ? 1 : 0;
      }
    }
    EXPECT_EQ(2 * unsatisfied + (of_site.odd != 0 ? 1 : 0), absent);
    absent_bonds += absent;
  }
  EXPECT_EQ(absent_bonds, 2 * (lattice.bond_places() - lattice.bonds()));
}

TEST(HalfLattice, QuadsKnowTheOpenEndsOfTheirSites) {
  for (const int L : {2, 4, 6, 8, 10}) {
    for (unsigned open = 0; open < 4; ++open) check_ends<2>({2, L, open});
    for (unsigned open = 0; open < 8; ++open) check_ends<3>({3, L, open});
  }
  for (unsigned open = 0; open < 16; ++open) check_ends<4>({4, 4, open});
  check_ends<4>({4, 6, 9});
}

}}  // namespace glassworks
