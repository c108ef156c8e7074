#include "kernels/core/site_graph.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace glassworks { namespace {

TEST(SiteGraph, NumbersBondsAndNeighboursInOrder) {
  const SiteGraph graph(5, {{3, 1}, {0, 4}, {1, 0}, {3, 4}});
  ASSERT_EQ(graph.bonds().size(), 4U);
  EXPECT_EQ(graph.bonds()[0], (GraphBond{0, 1}));
  EXPECT_EQ(graph.bonds()[1], (GraphBond{0, 4}));
  EXPECT_EQ(graph.bonds()[2], (GraphBond{1, 3}));
  EXPECT_EQ(graph.bonds()[3], (GraphBond{3, 4}));
  ASSERT_EQ(graph.neighbours(4).size(), 2U);
  EXPECT_EQ(graph.neighbours(4)[0], (SiteGraph::Neighbour{0, 1}));
  EXPECT_EQ(graph.neighbours(4)[1], (SiteGraph::Neighbour{3, 3}));
  EXPECT_EQ(graph.degree(2), 0);
  EXPECT_EQ(graph.largest_degree(), 2);
}

TEST(SiteGraph, ColoursByNumber) {
  const SiteGraph ring(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(ring.colours(), 3);
  const int expected[] = {0, 1, 0, 1, 2};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ring.colour(i), expected[i]);
}

TEST(SiteGraph, RefusesWhatIsNoGraph) {
  EXPECT_THROW(SiteGraph(0, {}), std::invalid_argument);
  EXPECT_THROW(SiteGraph(2, {{0, 0}}), std::invalid_argument);
  EXPECT_THROW(SiteGraph(2, {{0, 2}}), std::invalid_argument);
  EXPECT_THROW(SiteGraph(2, {{0, 1}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(SiteGraph(2, {{0, 1}}, {}, {0, 0}), std::invalid_argument);
  EXPECT_THROW(SiteGraph(2, {{0, 1}}, {{2, {0, 2}}}), std::invalid_argument);
}

}}  // namespace glassworks
