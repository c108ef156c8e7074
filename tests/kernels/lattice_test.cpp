#include "kernels/core/lattice.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "kernels/core/lattice_site.hpp"

namespace glassworks { namespace {

std::vector<Lattice> all_lattices() {
  std::vector<Lattice> lattices;
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) lattices.push_back({dim, dim == 4 ? 4 : 6});
  for (int kind = 1; kind < lattice_kinds; ++kind) {
    const LatticeBonds bonds = bonds_of(static_cast<LatticeKind>(kind));
    for (const int L : {4, 6}) lattices.push_back({bonds.dim, L, 0, static_cast<LatticeKind>(kind)});
  }
  for (const Lattice& periodic : std::vector<Lattice>(lattices)) {
    for (unsigned open = 1; open < 1U << periodic.dim; ++open) {
      lattices.push_back({periodic.dim, periodic.L, open, periodic.kind});
    }
  }
  return lattices;
}

std::string name_of(const Lattice& lattice) {
  return std::string(bonds_of(lattice.kind).name) + ", d " + std::to_string(lattice.dim) + ", open " +
         std::to_string(lattice.open);
}

/// Neighbours are mutual, 2 z/2 different ones of other colours where all axes are periodic, and bonds() counts those
/// that are there.
TEST(Lattices, HaveMutualNeighboursOfOtherColours) {
  for (const Lattice& lattice : all_lattices()) {
    std::int64_t bonds = 0;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      const Lattice::Coordinates c = lattice.coordinates(i);
      ASSERT_EQ(lattice.site(c), i);
      ASSERT_LT(lattice.colour(c), lattice.colours());
      std::set<std::int64_t> neighbours;
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        for (const int direction : {+1, -1}) {
          const std::int64_t j = lattice.neighbour(i, bond, direction);
          neighbours.insert(j);
          ASSERT_EQ(lattice.neighbour(j, bond, -direction), i) << name_of(lattice);
          ASSERT_EQ(lattice.has_bond(c, bond, direction), lattice.has_bond(lattice.coordinates(j), bond, -direction));
          ASSERT_NE(lattice.colour(c), lattice.colour(lattice.coordinates(j))) << name_of(lattice);
        }
        bonds += lattice.has_bond(c, bond, +1) ? 1 : 0;
      }
      ASSERT_EQ(static_cast<int>(neighbours.size()), 2 * lattice.owned()) << name_of(lattice);
    }
    EXPECT_EQ(bonds, lattice.bonds()) << name_of(lattice);
  }
}

/// Sites of a prism have numbers of their own, its bonds join sites of different colours, and every site of a colour
/// has a random word of its own.
TEST(Lattices, PrismsHaveTheirBondsAndAddresses) {
  const Lattice prisms[] = {{1, 7, 1, LatticeKind::hypercubic, {7}},
                            {2, 8, 0b01, LatticeKind::hypercubic, {3, 8}},
                            {3, 6, 0, LatticeKind::hypercubic, {4, 6, 4}},
                            {3, 7, 0b111, LatticeKind::hypercubic, {5, 7, 2}},
                            {4, 6, 0b1010, LatticeKind::hypercubic, {4, 3, 6, 5}}};
  for (const Lattice& lattice : prisms) {
    std::int64_t bonds = 0, planes = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> addresses[2];
    std::int64_t of_colour[2] = {};
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      const Lattice::Coordinates c = lattice.coordinates(i);
      ASSERT_EQ(lattice.site(c), i);
      const HeatBathAddress address = heat_bath_address(lattice, c);
      addresses[lattice.colour(c)].insert({address.cell, address.member});
      ++of_colour[lattice.colour(c)];
      for (int axis = 0; axis < lattice.dim; ++axis) {
        ASSERT_LT(c[static_cast<std::size_t>(axis)], lattice.length(axis));
        if (!lattice.has_bond(c, axis, +1)) continue;
        const std::int64_t j = lattice.neighbour(i, axis, +1);
        ASSERT_EQ(lattice.neighbour(j, axis, -1), i);
        ASSERT_NE(lattice.colour(c), lattice.colour(lattice.coordinates(j)));
        ++bonds;
      }
    }
    EXPECT_EQ(bonds, lattice.bonds());
    for (const int colour : {0, 1}) {
      EXPECT_EQ(std::ssize(addresses[colour]), of_colour[colour]);
    }
    for (int axis = 0; axis < lattice.dim; ++axis) {
      EXPECT_EQ(lattice.plane(axis, 0), planes);
      planes += lattice.length(axis);
    }
    EXPECT_EQ(lattice.planes(), planes);
  }
}

/// The distances of the neighbours, from the lattice vectors in space: all alike on triangular and fcc lattices, on bcc
/// ones those along the cube's diagonals.
TEST(Lattices, HaveTheNeighboursOfTheirNames) {
  const double half = 0.5, root = 0.86602540378443865;
  const double vectors[lattice_kinds][3][3] = {
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{1, 0, 0}, {half, root, 0}, {0, 0, 1}},
      {{0, half, half}, {half, 0, half}, {half, half, 0}},
      {{-half, half, half}, {half, -half, half}, {half, half, -half}},
  };
  const double square[lattice_kinds] = {1.0, 1.0, 0.5, 0.75};
  for (int kind = 0; kind < lattice_kinds; ++kind) {
    const LatticeKind which = static_cast<LatticeKind>(kind);
    const Lattice lattice{kind == 0 ? 3 : bonds_of(which).dim, 4, 0, which};
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      double distance = 0.0;
      for (int k = 0; k < 3; ++k) {
        double x = 0.0;
        for (int axis = 0; axis < lattice.dim; ++axis) x += lattice.step(bond, axis) * vectors[kind][axis][k];
        distance += x * x;
      }
      EXPECT_NEAR(distance, square[kind], 1e-12) << name_of(lattice) << ", bond " << bond;
    }
  }
}

/// Sites of a colour in 32 bits: each once, with the neighbours of Lattice.
template <class Place>
void expect_sites_of_colours(const Lattice& lattice) {
  std::set<std::uint32_t> seen;
  for (int colour = 0; colour < lattice.colours(); ++colour) {
    for (std::uint32_t i = 0; i < Place::colour_sites(lattice); ++i) {
      const Place place = Place::of_colour(lattice, i, colour);
      seen.insert(place.site);
      const Lattice::Coordinates c = lattice.coordinates(place.site);
      ASSERT_EQ(place.coordinates(), c);
      ASSERT_EQ(lattice.colour(c), colour);
      for (int bond = 0; bond < Place::bonds(lattice); ++bond) {
        ASSERT_EQ(place.forward(bond), lattice.neighbour(place.site, bond, +1)) << name_of(lattice);
        ASSERT_EQ(place.backward(bond), lattice.neighbour(place.site, bond, -1)) << name_of(lattice);
        ASSERT_EQ(place.has_bond(lattice, bond), lattice.has_bond(c, bond, +1)) << name_of(lattice);
      }
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), lattice.sites()) << name_of(lattice);
}

TEST(Lattices, SitesOfAColour) {
  for (const Lattice& lattice : all_lattices()) {
    expect_sites_of_colours<LatticeSite>(lattice);
    if (lattice.is_hypercubic()) expect_sites_of_colours<HypercubicSite>(lattice);
  }
}

}}  // namespace glassworks
