#include "kernels/clusters/winding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "kernels/clusters/labelling.hpp"
#include "tests/kernels/cluster/bond_patterns.hpp"

namespace glassworks { namespace {

using Position = std::array<int, 4>;

struct Found {
  bool any = false, all = false, full = false;
};

/// Rank of integer vectors by elimination in double.
int rank_of(std::vector<Position> vectors, int dim) {
  std::vector<std::array<double, 4>> rows;
  for (const Position& v : vectors) rows.push_back({double(v[0]), double(v[1]), double(v[2]), double(v[3])});
  int rank = 0;
  for (std::size_t column = 0; column < static_cast<std::size_t>(dim); ++column) {
    const auto begin = rows.begin() + rank;
    const auto pivot = std::max_element(begin, rows.end(),
                                        [&](auto& a, auto& b) { return std::abs(a[column]) < std::abs(b[column]); });
    if (pivot == rows.end() || std::abs((*pivot)[column]) < 1e-9) continue;
    std::iter_swap(begin, pivot);
    for (auto row = begin + 1; row != rows.end(); ++row) {
      const double factor = (*row)[column] / (*begin)[column];
      for (std::size_t k = 0; k < 4; ++k) (*row)[k] -= factor * (*begin)[k];
    }
    ++rank;
  }
  return rank;
}

/// Walks through every cluster on the unrolled lattice: a site that is met again at another place gives a winding.
Found unrolled(const Graph& graph, const BondSet& bonds) {
  struct Step {
    Site to;
    Position by;
  };
  std::vector<std::vector<Step>> neighbours(graph.sites());
  for (int k = 0; k < graph.directions(); ++k) {
    static constexpr Position axes[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const bool diagonal = graph.kind() == GraphKind::triangular && k == 2;
    const Position by = diagonal ? Position{1, 1, 0, 0} : axes[k], back{-by[0], -by[1], -by[2], -by[3]};
    for (Site s = 0; s < graph.sites(); ++s) {
      if (!bonds.active(static_cast<BondIndex>(k) * graph.stride() + s)) continue;
      neighbours[s].push_back({graph.forward(s, k), by});
      neighbours[graph.forward(s, k)].push_back({s, back});
    }
  }
  Found found;
  std::vector<bool> seen(graph.sites(), false);
  std::vector<Position> at(graph.sites());
  for (Site start = 0; start < graph.sites(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    at[start] = {};
    std::vector<Site> queue{start};
    std::vector<Position> windings;
    for (std::size_t front = 0; front < queue.size(); ++front) {
      for (const Step& step : neighbours[queue[front]]) {
        Position there = at[queue[front]];
        for (std::size_t k = 0; k < 4; ++k) there[k] += step.by[k];
        if (!seen[step.to]) {
          seen[step.to] = true;
          at[step.to] = there;
          queue.push_back(step.to);
        } else if (there != at[step.to]) {
          for (std::size_t k = 0; k < 4; ++k) there[k] = (there[k] - at[step.to][k]) / graph.extents()[k];
          windings.push_back(there);
        }
      }
    }
    bool all = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(graph.dim()); ++k) {
      all = all && std::any_of(windings.begin(), windings.end(), [&](const Position& w) { return w[k] != 0; });
    }
    found.any = found.any || !windings.empty();
    found.all = found.all || all;
    found.full = found.full || rank_of(windings, graph.dim()) == graph.dim();
  }
  return found;
}

/// Windings by the class under test, and the labels of the whole lattice put together from those of the cut one.
Found by_finder(const Graph& graph, BondSet bonds, std::vector<Site>& labels) {
  WindingFinder finder(graph);
  finder.cut(bonds);
  labels.resize(graph.sites());
  make_cpu_labeller(graph, LabellingMethod::union_find)->label(bonds, labels);
  const Winding winding = finder.find(labels);
  const std::map<Site, Site> merged(winding.merged.begin(), winding.merged.end());
  for (Site& label : labels) {
    const auto to = merged.find(label);
    if (to != merged.end()) label = to->second;
  }
  return {winding.any, winding.all, winding.full};
}

void expect_as_unrolled(const Graph& graph, const BondSet& bonds, const std::string& name) {
  std::vector<Site> labels, expected(graph.sites());
  const Found found = by_finder(graph, bonds, labels), direct = unrolled(graph, bonds);
  make_cpu_labeller(graph, LabellingMethod::breadth_first)->label(bonds, expected);
  EXPECT_EQ(labels, expected) << graph.description() << ", " << name;
  EXPECT_EQ(found.any, direct.any) << graph.description() << ", " << name;
  EXPECT_EQ(found.all, direct.all) << graph.description() << ", " << name;
  EXPECT_EQ(found.full, direct.full) << graph.description() << ", " << name;
}

TEST(Winding, AgreesWithAWalkOnTheUnrolledLattice) {
  const Graph graphs[] = {Graph::hypercubic({5}),       Graph::hypercubic({4, 3}),    Graph::hypercubic({11, 12}),
                          Graph::hypercubic({3, 3, 3}), Graph::hypercubic({5, 4, 6}), Graph::hypercubic({3, 3, 4, 3}),
                          Graph::triangular(3, 3),      Graph::triangular(10, 7),     Graph::honeycomb(4, 4),
                          Graph::honeycomb(10, 12),     Graph::hypercubic({3, 40})};
  int counts[3] = {0, 0, 0};
  for (const Graph& graph : graphs) {
    for (const auto& [name, bonds] : test::bond_patterns(graph, 1)) expect_as_unrolled(graph, bonds, name);
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      const double p = std::min(1.0, test::critical_p(graph) * (0.8 + 0.004 * seed));
      const BondSet bonds = test::random_bonds(graph, p, 100 + seed);
      expect_as_unrolled(graph, bonds, "seed " + std::to_string(seed));
      const Found direct = unrolled(graph, bonds);
      counts[0] += direct.any ? 1 : 0;
      counts[1] += direct.all ? 1 : 0;
      counts[2] += direct.full ? 1 : 0;
    }
  }
  // The cases differ among each other: none of the three is always the same as another one.
  EXPECT_GT(counts[0], counts[1] + 50);
  EXPECT_GT(counts[1], counts[2] + 10);
  EXPECT_GT(counts[2], 200);
}

TEST(Winding, AStaircaseWindsAroundBothAxesButOnlyOneWay) {
  const Graph graph = Graph::hypercubic({6, 6});
  BondSet bonds(graph);
  for (Site i = 0; i < 6; ++i) {
    bonds.activate(i + 6 * i);
    bonds.activate(graph.stride() + (i + 1) % 6 + 6 * i);
  }
  std::vector<Site> labels;
  const Found found = by_finder(graph, bonds, labels);
  EXPECT_TRUE(found.any);
  EXPECT_TRUE(found.all);
  EXPECT_FALSE(found.full);
  for (Site x = 0; x < 5; ++x) bonds.activate(x + 6 * 3);
  bonds.activate(5 + 6 * 3);
  EXPECT_TRUE(by_finder(graph, bonds, labels).full);
}

}}  // namespace glassworks
