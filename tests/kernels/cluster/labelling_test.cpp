#include "kernels/clusters/labelling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/cluster/bond_patterns.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

std::vector<Site> labels_of(Labeller& labeller, const Graph& graph, const BondSet& bonds) {
  std::vector<Site> labels(graph.sites(), 0xDEADBEEFU);
  labeller.label(bonds, labels);
  return labels;
}

/// Smallest site of every component by relaxation over all bonds until nothing changes: shares nothing with the
/// labellers.
std::vector<Site> relaxed(const Graph& graph, const BondSet& bonds) {
  std::vector<Site> labels(graph.sites());
  for (Site i = 0; i < graph.sites(); ++i) labels[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    graph.for_each_bond([&](BondIndex b, Site i, Site j) {
      if (!bonds.active(b) || labels[i] == labels[j]) return;
      labels[i] = labels[j] = std::min(labels[i], labels[j]);
      changed = true;
    });
  }
  return labels;
}

std::vector<Graph> small_graphs() {
  return {Graph::hypercubic({9}),
          Graph::hypercubic({3, 3}),
          Graph::hypercubic({32, 5}),
          Graph::hypercubic({33, 7}),
          Graph::hypercubic({31, 31}, Boundary::open),
          Graph::hypercubic({65, 12}),
          Graph::hypercubic({5, 7, 3}),
          Graph::hypercubic({2, 2, 2}, Boundary::open),
          Graph::hypercubic({8, 6, 4}, Boundary::open),
          Graph::hypercubic({3, 5, 4, 3}),
          Graph::hypercubic({4, 3, 2, 5}, Boundary::open),
          Graph::triangular(3, 3),
          Graph::triangular(37, 11),
          Graph::triangular(64, 9, Boundary::open),
          Graph::honeycomb(4, 4),
          Graph::honeycomb(34, 10),
          Graph::honeycomb(35, 9, Boundary::open),
          Graph::bethe(3, 7, Numbering::standard),
          Graph::bethe(3, 7, Numbering::random, 5),
          Graph::bethe(5, 4, Numbering::random, 6),
          Graph::from_edges(1, {}),
          Graph::from_edges(12, {{0, 7}, {7, 3}, {11, 2}, {2, 5}, {5, 11}, {9, 10}, {3, 10}})};
}

/// Large enough for four threads to take part.
std::vector<Graph> large_graphs() {
  return {Graph::hypercubic({257, 263}),
          Graph::hypercubic({70000}),
          Graph::hypercubic({41, 43, 39}),
          Graph::hypercubic({17, 15, 16, 17}, Boundary::open),
          Graph::hypercubic({16500, 4}),
          Graph::triangular(259, 257),
          Graph::honeycomb(258, 260),
          Graph::bethe(3, 15, Numbering::standard),
          Graph::bethe(3, 15, Numbering::random, 9)};
}

TEST(Labelling, BreadthFirstSearchFindsTheSmallestSite) {
  for (const Graph& graph : small_graphs()) {
    const auto oracle = make_cpu_labeller(graph, LabellingMethod::breadth_first);
    for (const auto& [name, bonds] : test::bond_patterns(graph, 1)) {
      EXPECT_EQ(labels_of(*oracle, graph, bonds), relaxed(graph, bonds)) << graph.description() << ", " << name;
    }
  }
}

TEST(Labelling, AllMethodsGiveTheLabelsOfTheOracle) {
  for (const auto& graphs : {small_graphs(), large_graphs()}) {
    for (const Graph& graph : graphs) {
      const auto oracle = make_cpu_labeller(graph, LabellingMethod::breadth_first);
      std::vector<std::unique_ptr<Labeller>> labellers;
      labellers.push_back(make_cpu_labeller(graph, LabellingMethod::union_find));
      for (int threads = 1; threads <= 4; ++threads) {
        labellers.push_back(make_cpu_labeller(graph, LabellingMethod::parallel, threads));
      }
      for (const auto& [name, bonds] : test::bond_patterns(graph, 2)) {
        const std::vector<Site> expected = labels_of(*oracle, graph, bonds);
        for (const auto& labeller : labellers) {
          // Every labeller has labelled other patterns before: nothing may be left of them.
          EXPECT_TRUE(labels_of(*labeller, graph, bonds) == expected)
              << graph.description() << ", " << name << ", " << labeller->description();
        }
      }
    }
  }
}

TEST(Labelling, FullAndEmptySetsAreKnown) {
  const Graph graph = Graph::hypercubic({31, 33});
  for (const LabellingMethod method : cpu_labelling_methods(graph)) {
    const auto labeller = make_cpu_labeller(graph, method, 2);
    const std::vector<Site> single = labels_of(*labeller, graph, BondSet(graph));
    for (Site i = 0; i < graph.sites(); ++i) ASSERT_EQ(single[i], i);
    EXPECT_THAT(labels_of(*labeller, graph, test::full_bonds(graph)), testing::Each(0U));
  }
}

/// The network of 22 sites of Komura 2016 (configs/papers/komura-2016/figure-1.txt): labels as in its Fig. 4.
TEST(Labelling, NetworkOfKomuraHasItsPublishedLabels) {
  const std::vector<std::pair<Site, Site>> edges = {
      {0, 3},   {0, 10},  {1, 4},   {1, 5},   {1, 15},  {2, 17},  {2, 18},  {3, 8},  {3, 9},
      {3, 21},  {4, 11},  {5, 13},  {5, 20},  {6, 8},   {6, 9},   {7, 20},  {9, 10}, {11, 20},
      {12, 16}, {12, 19}, {12, 21}, {13, 15}, {14, 19}, {14, 21}, {16, 21}, {17, 18}};
  const Graph graph = Graph::from_edges(22, edges);
  for (const LabellingMethod method : cpu_labelling_methods(graph)) {
    const auto labeller = make_cpu_labeller(graph, method);
    EXPECT_THAT(labels_of(*labeller, graph, test::full_bonds(graph)),
                testing::ElementsAre(0, 1, 2, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 2, 2, 0, 1, 0))
        << labeller->description();
  }
}

/// On lattices no wider than a few words every position of a bond in its word and every end of a row occurs.
TEST(Labelling, EveryWidthUpToThreeWords) {
  for (int width = 3; width <= 97; ++width) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::open}) {
      const Graph graphs[] = {Graph::hypercubic({width, 4}, boundary), Graph::triangular(width, 3, boundary)};
      for (const Graph& graph : graphs) {
        const auto oracle = make_cpu_labeller(graph, LabellingMethod::breadth_first);
        const auto labeller = make_cpu_labeller(graph, LabellingMethod::union_find);
        for (std::uint32_t seed = 0; seed < 4; ++seed) {
          const BondSet bonds = test::random_bonds(graph, 0.3 + 0.1 * seed, seed);
          ASSERT_EQ(labels_of(*labeller, graph, bonds), labels_of(*oracle, graph, bonds))
              << graph.description() << ", seed " << seed;
        }
      }
    }
  }
}

TEST(Labelling, DescribesAndRefuses) {
  const Graph graph = Graph::hypercubic({8, 8});
  EXPECT_EQ(make_cpu_labeller(graph, LabellingMethod::union_find)->description(), "union-find, 1 thread");
  EXPECT_EQ(make_cpu_labeller(graph, LabellingMethod::parallel, 3)->description(), "parallel, 3 threads");
  EXPECT_EQ(make_cpu_labeller(graph, LabellingMethod::breadth_first)->description(), "breadth-first, 1 thread");
  EXPECT_THAT([&] { (void)make_cpu_labeller(graph, LabellingMethod::tiles); }, Fails());
  std::set<std::string> names;
  for (int m = 0; m <= static_cast<int>(LabellingMethod::tiles); ++m)
    names.insert(to_string(static_cast<LabellingMethod>(m)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(LabellingMethod::tiles) + 1);
}

}}  // namespace glassworks
