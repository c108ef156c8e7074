#include "kernels/clusters/site_bonds.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/core/random.hpp"

namespace glassworks { namespace {

TEST(SiteBonds, JoinExactlyTheOccupiedSites) {
  std::vector<Graph> graphs = {Graph::hypercubic({3, 5, 4}), Graph::hypercubic({5, 3, 3, 4}, Boundary::open),
                               Graph::hypercubic({70}), Graph::bethe(3, 6, Numbering::random, 1),
                               Graph::from_edges(5, {{0, 1}, {3, 4}})};
  for (int width = 3; width < 70; width += 1) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::open}) {
      graphs.push_back(Graph::hypercubic({width, 3}, boundary));
      graphs.push_back(Graph::triangular(width, 4, boundary));
      const bool odd = width % 2 != 0;
      if (!odd || boundary == Boundary::open) graphs.push_back(Graph::honeycomb(width, 4 + (odd ? 1 : 0), boundary));
    }
  }
  for (const Graph& graph : graphs) {
    std::vector<bool> is_occupied(graph.sites());
    std::vector<std::uint32_t> occupied((graph.sites() + 31) / 32, 0U);
    for (Site i = 0; i < graph.sites(); ++i) {
      is_occupied[i] = random_block(PhiloxKey{1, graph.sites()}, Stream::percolation, 0, 0, 0, i).word[0] < 0xB0000000U;
      if (is_occupied[i]) occupied[i / 32] |= 1U << (i % 32);
    }
    BondSet expected(graph), found(graph);
    for (std::uint32_t& word : found.words()) word = ~0U;  // what was there does not matter
    graph.for_each_bond([&](BondIndex b, Site i, Site j) {
      if (is_occupied[i] && is_occupied[j]) expected.activate(b);
    });
    join_occupied_sites(graph, occupied, found);
    EXPECT_EQ(found.words(), expected.words()) << graph.description();
  }
}

}}  // namespace glassworks
