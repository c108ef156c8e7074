#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <set>
#include <utility>
#include <vector>

#include "engine/graphs/annealer_graphs.hpp"
#include "kernels/core/lattice.hpp"
#include "tests/engine/graph_measures.hpp"

namespace glassworks { namespace {

GraphRecipe lattice_recipe(MadeGraph kind, std::vector<int> lengths, std::vector<bool> open = {}) {
  const int dim = static_cast<int>(lengths.size());
  return {.kind = kind,
          .size = 0,
          .degree = 0,
          .sigma = 0,
          .dim = dim,
          .lengths = std::move(lengths),
          .open = std::move(open)};
}

MadeGraphSample made(const GraphRecipe& recipe) { return make_graph(recipe, PhiloxKey{1, 2}, 0); }

struct LatticeFacts {
  MadeGraph kind;
  std::vector<int> lengths;
  int places, degree, colours, girth, triangles_of_cell;
  std::vector<std::array<double, 3>> vectors;  ///< in space
};

/// Lengths that have known colours.
std::vector<LatticeFacts> closed_lattices() {
  const double h = std::sqrt(0.75);
  const std::vector<std::array<double, 3>> plane = {{1, 0, 0}, {0.5, h, 0}}, faces = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}},
                                           cube = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                           body = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
  return {
      {MadeGraph::honeycomb, {4, 5}, 2, 3, 2, 6, 0, plane},  {MadeGraph::kagome, {4, 5}, 3, 4, 3, 3, 2, plane},
      {MadeGraph::diamond, {4, 4, 5}, 2, 4, 2, 6, 0, faces}, {MadeGraph::pyrochlore, {4, 3, 5}, 4, 6, 4, 3, 8, faces},
      {MadeGraph::triangular, {6, 9}, 1, 6, 3, 3, 2, plane}, {MadeGraph::triangular, {4, 8}, 1, 6, 4, 3, 2, plane},
      {MadeGraph::fcc, {4, 6, 4}, 1, 12, 4, 3, 8, faces},    {MadeGraph::bcc, {4, 6, 4}, 1, 8, 2, 4, 0, body},
      {MadeGraph::hypercubic, {4, 6}, 1, 4, 2, 4, 0, cube},  {MadeGraph::hypercubic, {5, 4, 7}, 1, 6, 3, 4, 0, cube}};
}

TEST(MadeLattices, HaveCoordinationColoursAndGirth) {
  for (const LatticeFacts& facts : closed_lattices()) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(facts.kind) << " of " << testing::PrintToString(facts.lengths));
    const GraphRecipe recipe = lattice_recipe(facts.kind, facts.lengths);
    const SiteGraph graph = made(recipe).graph;
    std::int64_t cells = 1;
    for (const int length : facts.lengths) cells *= length;
    EXPECT_EQ(graph.sites(), cells * facts.places);
    EXPECT_EQ(sites_of(recipe), graph.sites());
    EXPECT_EQ(static_cast<std::int64_t>(graph.bonds().size()), bonds_of(recipe));
    for (std::int64_t i = 0; i < graph.sites(); ++i) ASSERT_EQ(graph.degree(i), facts.degree);
    EXPECT_EQ(graph.colours(), facts.colours);
    EXPECT_TRUE(colours_are_proper(graph));
    EXPECT_TRUE(is_connected(graph));
    EXPECT_EQ(girth(graph), facts.girth);
    EXPECT_EQ(triangles(graph), cells * facts.triangles_of_cell);
    EXPECT_EQ(axes_of(recipe), static_cast<int>(facts.lengths.size()));
    EXPECT_EQ(graph, make_graph(recipe, PhiloxKey{3, 4}, 5).graph);
  }
}

/// The planes of a graph are positions in space: all bonds of a site are equally long there, and no other site is as
/// near.
TEST(MadeLattices, BondsJoinNearestNeighboursInSpace) {
  for (const LatticeFacts& facts : closed_lattices()) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(facts.kind) << " of " << testing::PrintToString(facts.lengths));
    const SiteGraph graph = made(lattice_recipe(facts.kind, facts.lengths)).graph;
    const auto square_distance = [&](std::int64_t a, std::int64_t b) {
      double least = 1e9;
      // Images of b around a.
      for (int image = 0; image < 27; ++image) {
        std::array<double, 3> r{};
        int digits = image;
        for (std::size_t axis = 0; axis < facts.lengths.size(); ++axis, digits /= 3) {
          const GraphAxis& planes = graph.axes()[axis];
          const double length = facts.lengths[axis];
          const int step = planes.plane[static_cast<std::size_t>(b)] - planes.plane[static_cast<std::size_t>(a)];
          const double x = length * step / planes.planes + length * (digits % 3 - 1);
          for (std::size_t mu = 0; mu < 3; ++mu) r[mu] += x * facts.vectors[axis][mu];
        }
        least = std::min(least, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      }
      return least;
    };
    const double bond = square_distance(graph.bonds()[0].a, graph.bonds()[0].b);
    for (std::int64_t site : {std::int64_t{0}, graph.sites() / 2, graph.sites() - 1}) {
      for (std::int64_t other = 0; other < graph.sites(); ++other) {
        if (other == site) continue;
        if (are_neighbours(graph, site, other)) {
          EXPECT_NEAR(square_distance(site, other), bond, 1e-9);
        } else {
          EXPECT_GT(square_distance(site, other), bond + 1e-9);
        }
      }
    }
  }
}

/// A translation by one cell maps bonds to bonds and takes the phase of each site on by 2 pi/L along its axis alone: a
/// plane wave at k_min is multiplied by exp(2 pi i/L), so that its structure factor is that of k_min alone.
TEST(MadeLattices, TranslationsTurnThePhaseOfTheSmallestWaveVector) {
  for (const LatticeFacts& facts : closed_lattices()) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(facts.kind) << " of " << testing::PrintToString(facts.lengths));
    const SiteGraph graph = made(lattice_recipe(facts.kind, facts.lengths)).graph;
    std::int64_t stride = facts.places;
    for (std::size_t axis = 0; axis < facts.lengths.size(); ++axis) {
      const int length = facts.lengths[axis];
      const auto moved = [&](std::int64_t site) {
        return site / stride % length + 1 < length ? site + stride : site - (length - 1) * stride;
      };
      for (const GraphBond& bond : graph.bonds()) ASSERT_TRUE(are_neighbours(graph, moved(bond.a), moved(bond.b)));
      for (std::size_t other = 0; other < facts.lengths.size(); ++other) {
        const GraphAxis& planes = graph.axes()[other];
        EXPECT_EQ(planes.planes, planes_of(lattice_recipe(facts.kind, facts.lengths))[other]);
        const int step = other == axis ? planes.planes / length : 0;
        EXPECT_EQ(planes.planes % facts.lengths[other], 0);
        std::complex<double> wave = 0, moved_wave = 0;
        for (std::int64_t site = 0; site < graph.sites(); ++site) {
          const int at = planes.plane[static_cast<std::size_t>(site)],
                    to = planes.plane[static_cast<std::size_t>(moved(site))];
          ASSERT_EQ((at + step) % planes.planes, to);
          const auto value = std::cos(0.3 + static_cast<double>(site * site % 17));  // any configuration
          wave += std::polar(value, 6.283185307179586 * at / planes.planes);
          moved_wave += std::polar(value, 6.283185307179586 * to / planes.planes);
        }
        if (other == axis) wave *= std::polar(1.0, 6.283185307179586 / length);
        EXPECT_NEAR(std::abs(moved_wave - wave), 0, 1e-9);
      }
      stride *= length;
    }
  }
}

/// Bonds, sites and ends are those of the lattices of the program.
TEST(MadeLattices, AreTheLatticesOfTheProgram) {
  const std::vector<std::pair<MadeGraph, LatticeKind>> kinds = {{MadeGraph::hypercubic, LatticeKind::hypercubic},
                                                                {MadeGraph::triangular, LatticeKind::triangular},
                                                                {MadeGraph::fcc, LatticeKind::fcc},
                                                                {MadeGraph::bcc, LatticeKind::bcc}};
  for (const auto& [kind, lattice_kind] : kinds) {
    const int dim = kind == MadeGraph::triangular ? 2 : 3;
    for (unsigned open = 0; open < (1U << dim); ++open) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << ' ' << open);
      Lattice lattice{.dim = dim, .L = 6, .open = open, .kind = lattice_kind, .lengths = {}};
      lattice.lengths = {4, 6, 4, 0};
      if (dim == 2) lattice.lengths[2] = 0;
      std::vector<bool> ends;
      std::vector<int> lengths;
      for (int axis = 0; axis < dim; ++axis) {
        ends.push_back(lattice.is_open(axis));
        lengths.push_back(lattice.length(axis));
      }
      std::set<GraphBond> bonds;
      for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const auto x = lattice.coordinates(site);
        for (int bond = 0; bond < lattice.owned(); ++bond) {
          auto y = x;
          bool there = true;
          for (int axis = 0; axis < dim; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const int length = lattice.length(axis);
            there = there && (!lattice.is_open(axis) || lattice.crossing(x, bond, 1, axis) == 0);
            y[a] = (x[a] + lattice.step(bond, axis) + length) % length;
          }
          const auto to = static_cast<std::int32_t>(lattice.site(y)), from = static_cast<std::int32_t>(site);
          if (there) bonds.insert({std::min(from, to), std::max(from, to)});
        }
      }
      const SiteGraph graph = made(lattice_recipe(kind, lengths, ends)).graph;
      EXPECT_EQ(static_cast<std::int64_t>(graph.bonds().size()), lattice.bonds());
      EXPECT_TRUE(std::ranges::equal(graph.bonds(), bonds));
    }
  }
}

TEST(MadeLattices, HaveAnyLengthsAndEnds) {
  for (int dim = 1; dim <= 6; ++dim) {
    for (const bool odd : {false, true}) {
      std::vector<int> lengths(static_cast<std::size_t>(dim), 3);
      for (std::size_t axis = 0; axis < lengths.size(); ++axis)
        lengths[axis] = odd ? 3 + static_cast<int>(axis) % 2 : 4;
      const GraphRecipe recipe = lattice_recipe(MadeGraph::hypercubic, lengths);
      const SiteGraph graph = made(recipe).graph;
      EXPECT_EQ(graph.colours(), odd ? 3 : 2);
      EXPECT_TRUE(colours_are_proper(graph));
      for (std::int64_t i = 0; i < graph.sites(); ++i) ASSERT_EQ(graph.degree(i), 2 * dim);
    }
  }
  // Odd open axes need no third colour, and are two sites long at least.
  const SiteGraph prism = made(lattice_recipe(MadeGraph::hypercubic, {4, 5, 2}, {false, true, true})).graph;
  EXPECT_EQ(prism.colours(), 2);
  EXPECT_EQ(prism.bonds().size(), 40U + 32U + 20U);
  for (const MadeGraph kind : {MadeGraph::honeycomb, MadeGraph::kagome, MadeGraph::diamond, MadeGraph::pyrochlore,
                               MadeGraph::triangular, MadeGraph::fcc, MadeGraph::bcc}) {
    const auto axes = static_cast<std::size_t>(axes_of(lattice_recipe(kind, {})));
    const int least = kind == MadeGraph::triangular || kind == MadeGraph::fcc || kind == MadeGraph::bcc ? 3 : 2;
    for (const int length : {least, least + 1, 5}) {
      for (const bool open : {false, true}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << ' ' << length << ' ' << open);
        const GraphRecipe recipe = lattice_recipe(kind, std::vector<int>(axes, length), std::vector<bool>(axes, open));
        const SiteGraph graph = made(recipe).graph;
        EXPECT_TRUE(colours_are_proper(graph));
        EXPECT_EQ(static_cast<std::int64_t>(graph.bonds().size()), bonds_of(recipe));
      }
    }
  }
}

TEST(AnnealerGraphs, ChimeraIsThatOfItsDefinition) {
  for (const int m : {1, 2, 5}) {
    std::set<GraphBond> bonds;
    const auto at = [m](int i, int j, int u, int k) { return ((i * m + j) * 2 + u) * 4 + k; };
    for (int a = 0; a < 8 * m * m; ++a) {
      for (int b = a + 1; b < 8 * m * m; ++b) {
        const int k = a % 4, u = a / 4 % 2, j = a / 8 % m, i = a / 8 / m, other = b / 4 % 2;
        const bool inside = a / 8 == b / 8 && u != other, down = u == 0 && i + 1 < m && b == at(i + 1, j, 0, k);
        const bool right = u == 1 && j + 1 < m && b == at(i, j + 1, 1, k);
        if (inside || down || right) bonds.insert({a, b});
      }
    }
    const GraphRecipe recipe{.kind = MadeGraph::chimera, .size = m, .lengths = {}, .open = {}};
    const SiteGraph graph = made(recipe).graph;
    EXPECT_TRUE(std::ranges::equal(graph.bonds(), bonds));
    EXPECT_EQ(static_cast<std::int64_t>(bonds.size()), bonds_of(recipe));
    EXPECT_EQ(graph.sites(), sites_of(recipe));
    EXPECT_EQ(graph.colours(), 2);
  }
  EXPECT_EQ(chimera_sites(16), 2048);
  EXPECT_EQ(chimera_bonds(16), 6016);
}

/// Pegasus from its picture: vertical qubit (w, k, z) covers the rows 12 z + S0(k) .. + 11 of column 12 w + k,
/// horizontal qubit (w, k, z) the columns 12 z + S1(k) .. + 11 of row 12 w + k; those that cross have a bond.
TEST(AnnealerGraphs, PegasusQubitsCross) {
  constexpr std::array s0 = {2, 2, 2, 2, 10, 10, 10, 10, 6, 6, 6, 6}, s1 = {6, 6, 6, 6, 2, 2, 2, 2, 10, 10, 10, 10};
  for (const int m : {2, 3, 4}) {
    struct Qubit {
      int u, w, k, z;
    };
    const std::vector<std::int32_t> numbers = pegasus_numbers(m);
    std::vector<Qubit> qubits;
    for (const std::int32_t n : numbers)
      qubits.push_back({n / (12 * m * (m - 1)), n / (12 * (m - 1)) % m, n / (m - 1) % 12, n % (m - 1)});
    std::set<GraphBond> bonds;
    for (std::size_t a = 0; a < qubits.size(); ++a) {
      for (std::size_t b = a + 1; b < qubits.size(); ++b) {
        const Qubit p = qubits[a], q = qubits[b];
        bool bond = false;
        if (p.u != q.u) {
          const int column = 12 * p.w + p.k, row = 12 * q.w + q.k;
          const int top = 12 * p.z + s0[static_cast<std::size_t>(p.k)],
                    left = 12 * q.z + s1[static_cast<std::size_t>(q.k)];
          bond = row >= top && row < top + 12 && column >= left && column < left + 12;
        } else if (p.w == q.w) {
          bond = (p.k == q.k && q.z == p.z + 1) || (p.z == q.z && p.k % 2 == 0 && q.k == p.k + 1);
        }
        if (bond) bonds.insert({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
      }
    }
    const GraphRecipe recipe{.kind = MadeGraph::pegasus, .size = m, .lengths = {}, .open = {}};
    const SiteGraph graph = made(recipe).graph;
    EXPECT_TRUE(std::ranges::equal(graph.bonds(), bonds));
    EXPECT_EQ(static_cast<std::int64_t>(bonds.size()), bonds_of(recipe));
    EXPECT_TRUE(is_connected(graph));
  }
}

TEST(AnnealerGraphs, PegasusHasThePublishedNumbers) {
  EXPECT_EQ(pegasus_sites(2), 40);
  const SiteGraph p16 = pegasus_graph(16);
  EXPECT_EQ(p16.sites(), 5640);
  EXPECT_EQ(p16.bonds().size(), 40484U);
  EXPECT_EQ(p16.largest_degree(), 15);
  EXPECT_EQ(p16.colours(), 4);
  EXPECT_EQ(pegasus_sites(16), 5640);
  EXPECT_EQ(pegasus_bonds(16), 40484);
  EXPECT_EQ(pegasus_numbers(16).front(), 30);
  EXPECT_EQ(pegasus_numbers(16).back(), 5729);
}

}}  // namespace glassworks
