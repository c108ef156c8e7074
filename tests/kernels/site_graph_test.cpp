#include "kernels/core/site_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

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

TermList terms_of(const std::vector<std::vector<std::int32_t>>& lists) {
  TermList terms;
  for (const auto& list : lists) terms.add(list);
  return terms;
}

TEST(SiteGraph, NumbersTermsBehindBonds) {
  const SiteGraph graph(6, {{3, 1}, {0, 4}}, {}, {}, terms_of({{4, 2, 5}, {3, 0, 1, 2}, {1, 2, 0}}));
  ASSERT_EQ(graph.terms().size(), 3);
  EXPECT_TRUE(std::ranges::equal(graph.terms()[0], std::vector{0, 1, 2}));
  EXPECT_TRUE(std::ranges::equal(graph.terms()[1], std::vector{0, 1, 2, 3}));
  EXPECT_TRUE(std::ranges::equal(graph.terms()[2], std::vector{2, 4, 5}));
  EXPECT_TRUE(std::ranges::equal(graph.terms_of(2), std::vector{0, 1, 2}));
  EXPECT_TRUE(std::ranges::equal(graph.terms_of(3), std::vector{1}));
  EXPECT_EQ(graph.place_of_term(1), 3);
  EXPECT_EQ(graph.couplings(), 5);
  EXPECT_EQ(graph.more_ends(), 4);
  EXPECT_TRUE(SiteGraph(2, {{0, 1}}).terms_of(1).empty());
}

/// Sites that share a term differ, with bonds beside them or not.
TEST(SiteGraph, ColoursSeparateTheSitesOfATerm) {
  const SiteGraph graph(6, {{2, 3}}, {}, {}, terms_of({{0, 1, 2}, {3, 4, 5}, {1, 3, 5}}));
  const int expected[] = {0, 1, 2, 0, 1, 2};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(graph.colour(i), expected[i]);
  EXPECT_EQ(SiteGraph(4, {}, {}, {3, 1, 2, 0}, terms_of({{0, 1, 2}, {1, 2, 3}})).colours(), 4);
  EXPECT_THROW(SiteGraph(4, {}, {}, {0, 1, 2, 1}, terms_of({{0, 1, 2}, {1, 2, 3}})), std::invalid_argument);
}

TEST(SiteGraph, RefusesWhatIsNoTerm) {
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, 1}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, 1, 1}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, 1, 2, 0}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, 1, 4}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, -1, 2}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(4, {}, {}, {}, terms_of({{0, 1, 2}, {2, 1, 0}})), std::invalid_argument);
  EXPECT_THROW(SiteGraph(20, {}, {}, {}, terms_of({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}})),
               std::invalid_argument);
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
