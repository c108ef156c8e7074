#include "kernels/clusters/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/kernels/cluster/bond_patterns.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using Pair = std::pair<Site, Site>;
using testing::ElementsAre;

Pair ordered(Site a, Site b) { return {std::min(a, b), std::max(a, b)}; }

std::set<Pair> pairs_of(const Graph& graph) {
  std::set<Pair> pairs;
  std::set<BondIndex> indices;
  BondIndex seen = 0;
  graph.for_each_bond([&](BondIndex bond, Site a, Site b) {
    EXPECT_LT(bond, graph.bond_indices());
    EXPECT_TRUE(indices.insert(bond).second) << "bond index " << bond << " twice";
    pairs.insert(ordered(a, b));
    ++seen;
  });
  EXPECT_EQ(seen, graph.bonds());
  EXPECT_EQ(pairs.size(), graph.bonds()) << "two bonds join the same sites";
  return pairs;
}

/// Pairs of sites whose coordinates differ by one of the steps, from the definition of the lattice.
std::set<Pair> lattice_pairs(std::array<int, 4> extents, const std::vector<std::array<int, 4>>& steps, bool periodic,
                             bool bricks = false) {
  std::set<Pair> pairs;
  const auto site = [&](const std::array<int, 4>& c) {
    return static_cast<Site>(c[0] + extents[0] * (c[1] + extents[1] * (c[2] + extents[2] * c[3])));
  };
  std::array<int, 4> c{};
  for (c[3] = 0; c[3] < extents[3]; ++c[3]) {
    for (c[2] = 0; c[2] < extents[2]; ++c[2]) {
      for (c[1] = 0; c[1] < extents[1]; ++c[1]) {
        for (c[0] = 0; c[0] < extents[0]; ++c[0]) {
          for (const auto& step : steps) {
            if (bricks && step[1] == 1 && (c[0] + c[1]) % 2 != 0) continue;
            std::array<int, 4> to{};
            bool inside = true;
            for (std::size_t k = 0; k < 4; ++k) {
              to[k] = (c[k] + step[k]) % extents[k];
              inside = inside && (periodic || c[k] + step[k] < extents[k]);
            }
            if (inside) pairs.insert(ordered(site(c), site(to)));
          }
        }
      }
    }
  }
  return pairs;
}

constexpr std::array<int, 4> step_x{1, 0, 0, 0}, step_y{0, 1, 0, 0}, step_z{0, 0, 1, 0}, step_w{0, 0, 0, 1};

std::vector<int> degrees(const Graph& graph) {
  std::vector<int> degree(graph.sites(), 0);
  graph.for_each_bond([&](BondIndex, Site a, Site b) {
    ++degree[a];
    ++degree[b];
  });
  return degree;
}

TEST(Graph, HypercubicLatticesJoinNeighboursAlongEveryAxis) {
  for (const Boundary boundary : {Boundary::periodic, Boundary::open}) {
    const bool periodic = boundary == Boundary::periodic;
    EXPECT_EQ(pairs_of(Graph::hypercubic({7}, boundary)), lattice_pairs({7, 1, 1, 1}, {step_x}, periodic));
    EXPECT_EQ(pairs_of(Graph::hypercubic({5, 3}, boundary)), lattice_pairs({5, 3, 1, 1}, {step_x, step_y}, periodic));
    EXPECT_EQ(pairs_of(Graph::hypercubic({3, 4, 5}, boundary)),
              lattice_pairs({3, 4, 5, 1}, {step_x, step_y, step_z}, periodic));
    EXPECT_EQ(pairs_of(Graph::hypercubic({4, 3, 5, 3}, boundary)),
              lattice_pairs({4, 3, 5, 3}, {step_x, step_y, step_z, step_w}, periodic));
  }
}

TEST(Graph, TriangularLatticeHasADiagonal) {
  const std::vector<std::array<int, 4>> steps{step_x, step_y, {1, 1, 0, 0}};
  EXPECT_EQ(pairs_of(Graph::triangular(5, 3)), lattice_pairs({5, 3, 1, 1}, steps, true));
  EXPECT_EQ(pairs_of(Graph::triangular(4, 6, Boundary::open)), lattice_pairs({4, 6, 1, 1}, steps, false));
  EXPECT_THAT(degrees(Graph::triangular(3, 3)), testing::Each(6));
}

TEST(Graph, HoneycombIsABrickWall) {
  EXPECT_EQ(pairs_of(Graph::honeycomb(4, 6)), lattice_pairs({4, 6, 1, 1}, {step_x, step_y}, true, true));
  EXPECT_EQ(pairs_of(Graph::honeycomb(5, 3, Boundary::open)),
            lattice_pairs({5, 3, 1, 1}, {step_x, step_y}, false, true));
  EXPECT_EQ(pairs_of(Graph::honeycomb(5, 4, Boundary::open)),
            lattice_pairs({5, 4, 1, 1}, {step_x, step_y}, false, true));
  EXPECT_THAT(degrees(Graph::honeycomb(6, 4)), testing::Each(3));
}

TEST(Graph, BondsOfADirectionFillWholeWords) {
  const Graph g = Graph::hypercubic({5, 7});
  EXPECT_EQ(g.stride(), 64U);
  EXPECT_EQ(g.bond_indices(), 128U);
  EXPECT_EQ(BondSet(g).words().size(), 4U);
}

TEST(Graph, BetheLatticeIsATreeOfShells) {
  const Graph g = Graph::bethe(3, 4, Numbering::standard);
  EXPECT_EQ(g.sites(), 46U);
  EXPECT_EQ(g.bonds(), 45U);
  const std::vector<int> degree = degrees(g);
  for (Site i = 0; i < g.sites(); ++i) EXPECT_EQ(degree[i], i < 22 ? 3 : 1) << i;
  // Shells are numbered outwards: the parents of ascending sites ascend.
  EXPECT_THAT(std::vector<Site>(g.lower().begin(), g.lower().begin() + 9), ElementsAre(0, 0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_EQ(g.centre(), 0U);
  EXPECT_EQ(Graph::bethe(2, 3, Numbering::standard).sites(), 7U);
  EXPECT_EQ(Graph::bethe(4, 3, Numbering::standard).sites(), 53U);
  EXPECT_EQ(Graph::bethe(3, 18, Numbering::standard).sites(), 786430U);  // a size of Komura 2016
}

TEST(Graph, RandomNumberingPermutesTheSameTree) {
  const Graph plain = Graph::bethe(3, 6, Numbering::standard), a = Graph::bethe(3, 6, Numbering::random, 7),
              again = Graph::bethe(3, 6, Numbering::random, 7), other = Graph::bethe(3, 6, Numbering::random, 8);
  EXPECT_EQ(pairs_of(a), pairs_of(again));
  EXPECT_NE(pairs_of(a), pairs_of(other));
  EXPECT_NE(pairs_of(a), pairs_of(plain));
  // Distances from the centre tell a tree apart from another one of the same shells.
  const auto shells = [](const Graph& g) {
    std::vector<std::vector<Site>> neighbours(g.sites());
    g.for_each_bond([&](BondIndex, Site i, Site j) {
      neighbours[i].push_back(j);
      neighbours[j].push_back(i);
    });
    std::vector<int> distance(g.sites(), -1), count;
    std::vector<Site> queue{g.centre()};
    distance[g.centre()] = 0;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int d = distance[queue[k]];
      if (static_cast<std::size_t>(d) == count.size()) count.push_back(0);
      ++count[static_cast<std::size_t>(d)];
      for (const Site j : neighbours[queue[k]]) {
        if (distance[j] >= 0) continue;
        distance[j] = d + 1;
        queue.push_back(j);
      }
    }
    return count;
  };
  EXPECT_EQ(shells(a), shells(plain));
}

/// Chi squared of the numbers that the centre of 10 sites gets from 2000 seeds; above 33.7 with probability 1e-4.
TEST(StatisticsGraph, RandomNumbersAreUniform) {
  std::vector<double> count(10, 0.0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) count[Graph::bethe(3, 2, Numbering::random, seed).centre()] += 1.0;
  double chi_squared = 0.0;
  for (const double n : count) chi_squared += (n - 200.0) * (n - 200.0) / 200.0;
  EXPECT_LT(chi_squared, 33.7);
}

TEST(Graph, EdgesAreSortedAndLoopsAndRepetitionsDropped) {
  const Graph g = Graph::from_edges(6, {{4, 1}, {2, 4}, {1, 4}, {3, 3}, {0, 4}, {5, 2}, {4, 1}});
  EXPECT_EQ(g.bonds(), 4U);
  EXPECT_THAT(g.offsets(), ElementsAre(0, 0, 0, 0, 0, 3, 4));
  EXPECT_THAT(g.lower(), ElementsAre(0, 1, 2, 2));
  EXPECT_EQ(Graph::from_edges(3, {}).bonds(), 0U);
}

TEST(Graph, DescribesItself) {
  EXPECT_EQ(Graph::hypercubic({1024, 1024}).description(), "square 1024 x 1024, periodic");
  EXPECT_EQ(Graph::hypercubic({8, 9, 10}, Boundary::open).description(), "cubic 8 x 9 x 10, open");
  EXPECT_EQ(Graph::triangular(8, 4).description(), "triangular 8 x 4, periodic");
  EXPECT_EQ(Graph::honeycomb(8, 4).description(), "honeycomb 8 x 4, periodic");
  EXPECT_EQ(Graph::bethe(3, 2, Numbering::standard).description(), "Bethe z = 3, 2 generations");
  EXPECT_EQ(Graph::bethe(3, 2, Numbering::random).description(), "Bethe z = 3, 2 generations, random numbering");
  EXPECT_EQ(Graph::from_edges(8, {{0, 1}}).description(), "8 sites, 1 bonds");
}

TEST(Graph, RefusesWhatCannotBe) {
  const auto refused = [] { return Fails<std::invalid_argument>(); };
  EXPECT_THAT(([] { return Graph::hypercubic({8, 2}); }), refused());
  EXPECT_NO_THROW((void)Graph::hypercubic({8, 2}, Boundary::open));
  EXPECT_THAT(([] { return Graph::hypercubic({8, 1}, Boundary::open); }), refused());
  EXPECT_THAT(([] { return Graph::hypercubic({-8, 8}); }), refused());
  EXPECT_THAT(([] { return Graph::hypercubic({}); }), refused());
  EXPECT_THAT(([] { return Graph::hypercubic({3, 3, 3, 3, 3}); }), refused());
  EXPECT_THAT(([] { return Graph::hypercubic({65536, 65536}); }), refused());
  EXPECT_THAT(([] { return Graph::hypercubic({2147483647, 2147483647, 2147483647, 2147483647}); }), refused());
  EXPECT_THAT(([] { return Graph::honeycomb(5, 4); }), refused());
  EXPECT_THAT(([] { return Graph::honeycomb(4, 5); }), refused());
  EXPECT_THAT(([] { return Graph::triangular(2, 4); }), refused());
  EXPECT_THAT(([] { return Graph::bethe(1, 4, Numbering::standard); }), refused());
  EXPECT_THAT(([] { return Graph::bethe(3, 0, Numbering::standard); }), refused());
  EXPECT_THAT(([] { return Graph::bethe(3, 1000000000, Numbering::standard); }), refused());
  EXPECT_THAT(([] { return Graph::from_edges(3, {{0, 3}}); }), refused());
  EXPECT_THAT(([] { return Graph::from_edges(0, {}); }), refused());
}

TEST(BondPatterns, SpiralAndCombAreOneComponent) {
  const Graph graphs[] = {Graph::hypercubic({9}),
                          Graph::hypercubic({7, 5}),
                          Graph::hypercubic({3, 5, 4}),
                          Graph::hypercubic({3, 4, 3, 3}),
                          Graph::triangular(6, 5),
                          Graph::honeycomb(8, 6),
                          Graph::hypercubic({33, 31}, Boundary::open),
                          Graph::bethe(3, 5, Numbering::random, 1)};
  for (const Graph& graph : graphs) {
    for (const BondSet& set : {test::spiral_bonds(graph), test::comb_bonds(graph)}) {
      std::vector<Site> root(graph.sites());
      for (Site i = 0; i < graph.sites(); ++i) root[i] = i;
      Site joined = 0;
      graph.for_each_bond([&](BondIndex b, Site i, Site j) {
        if (!set.active(b) || root[i] == root[j]) return;
        std::replace(root.begin(), root.end(), Site(root[j]), Site(root[i]));
        ++joined;
      });
      EXPECT_EQ(joined, graph.sites() - 1) << graph.description();
    }
  }
}

}}  // namespace glassworks
