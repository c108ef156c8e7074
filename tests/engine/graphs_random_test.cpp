#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/graphs/random_bonds.hpp"
#include "engine/graphs/regular_graph.hpp"
#include "engine/graphs/series.hpp"
#include "tests/engine/graph_measures.hpp"

namespace glassworks { namespace {

constexpr PhiloxKey graph_key{20261127, 49};

GraphRecipe recipe_of(MadeGraph kind, int size, double degree, double sigma = 0) {
  return {.kind = kind, .size = size, .degree = degree, .sigma = sigma, .lengths = {}, .open = {}};
}

/// Names a labelled graph of few sites: bit b is the pair b in ascending order.
std::uint64_t pairs_of(const SiteGraph& graph) {
  std::uint64_t bits = 0, bit = 1;
  for (int a = 0; a < graph.sites(); ++a) {
    for (int b = a + 1; b < graph.sites(); ++b, bit <<= 1) bits |= are_neighbours(graph, a, b) ? bit : 0;
  }
  return bits;
}

template <class Draw>
double chi_squared_of(int graphs, int draws, Draw&& draw) {
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[draw(static_cast<std::uint32_t>(i))];
  EXPECT_EQ(counts.size(), static_cast<std::size_t>(graphs));
  const double expected = static_cast<double>(draws) / graphs;
  double sum = (graphs - static_cast<double>(counts.size())) * expected;
  for (const auto& [graph, n] : counts) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

TEST(GraphSeries, AgreesWithTheMathematicalLibrary) {
  for (const double x : {1e-300, 1e-16, 0.3, 0.70710678, 0.70710679, 1.0, 1.5, 2.0, 1e10, 1e300}) {
    EXPECT_NEAR(series_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x))));
  }
  for (const double x : {-690.0, -20.5, -1.0, -1e-9, 0.0, 0.3, 1.0, 30.25}) {
    EXPECT_NEAR(series_exp(x), std::exp(x), 2e-15 * std::exp(x));
  }
}

TEST(RandomGraphs, RegularOnesHaveTheirDegreeAndAreDrawnAnewForEachRealization) {
  for (const auto& [sites, z] :
       std::vector<std::pair<int, int>>{{2, 1}, {6, 5}, {7, 4}, {8, 3}, {20, 6}, {64, 16}, {1000, 6}, {5000, 3}}) {
    SCOPED_TRACE(testing::Message() << sites << ' ' << z);
    const GraphRecipe recipe = recipe_of(MadeGraph::random_regular, sites, z);
    const SiteGraph graph = make_graph(recipe, graph_key, 3).graph;
    EXPECT_EQ(graph.sites(), sites);
    EXPECT_EQ(static_cast<std::int64_t>(graph.bonds().size()), bonds_of(recipe));
    for (int i = 0; i < sites; ++i) ASSERT_EQ(graph.degree(i), z);
    EXPECT_EQ(graph, make_graph(recipe, graph_key, 3).graph);
    if (z < sites - 1) {
      EXPECT_NE(graph, make_graph(recipe, graph_key, 4).graph);
      EXPECT_NE(graph, make_graph(recipe, {20261127, 50}, 3).graph);
    }
  }
}

TEST(RandomGraphs, EachWayToARegularGraphIsTaken) {
  std::set<RegularDraw> seen;
  const auto draw = [&](int sites, int z, std::uint32_t realization) {
    BondWords words(graph_key, realization);
    RegularDraw how{};
    static_cast<void>(random_regular_bonds(sites, z, words, &how));
    seen.insert(how);
    return how;
  };
  for (std::uint32_t r = 0; r < 20; ++r) draw(100, 3, r);
  EXPECT_EQ(seen, (std::set{RegularDraw::pairing, RegularDraw::switchings}));
  EXPECT_EQ(draw(20000, 6, 0), RegularDraw::switchings);
  EXPECT_EQ(draw(64, 16, 0), RegularDraw::chain);
}

/// There are 70 labelled cubic graphs of 6 sites. The quantiles are those of 10^-4: a false alarm in 10^4 runs.
TEST(StatisticsRandomGraphs, AllCubicGraphsOfSixSitesAreEquallyProbable) {
  const GraphRecipe recipe = recipe_of(MadeGraph::random_regular, 6, 3);
  EXPECT_LT(
      chi_squared_of(70, 14000, [&](std::uint32_t r) { return pairs_of(make_graph(recipe, graph_key, r).graph); }),
      121.6);
  const auto chain = [](std::uint32_t r) {
    BondWords words(graph_key, r);
    return pairs_of(SiteGraph(6, chain_regular_bonds(6, 3, words)));
  };
  EXPECT_LT(chi_squared_of(70, 7000, chain), 121.6);
}

/// Graphs whose pairing was simple by itself are uniform without further argument; those with switchings are compared
/// with them by triangles and squares. A false alarm in 10^4 runs for each of the numbers.
TEST(StatisticsRandomGraphs, SwitchingsLeaveTheDistributionOfSimplePairings) {
  for (const auto& [sites, z, draws] : std::vector<std::array<int, 3>>{{20, 3, 2000}, {30, 4, 1500}}) {
    SCOPED_TRACE(testing::Message() << sites << ' ' << z);
    std::map<RegularDraw, std::array<std::map<std::int64_t, double>, 2>> counts;
    std::map<RegularDraw, double> total;
    for (int r = 0; r < draws; ++r) {
      BondWords words(graph_key, static_cast<std::uint32_t>(r));
      RegularDraw how{};
      const SiteGraph graph(sites, random_regular_bonds(sites, z, words, &how));
      ++counts[how][0][std::min<std::int64_t>(triangles(graph), 4)];
      ++counts[how][1][std::min<std::int64_t>(squares(graph), 6)];
      ++total[how];
    }
    const double n = total[RegularDraw::pairing], m = total[RegularDraw::switchings];
    EXPECT_GT(std::min(n, m), 100);
    EXPECT_EQ(n + m, draws);
    constexpr std::array quantile = {23.52, 27.86};  // of 4 and 6 degrees of freedom
    for (std::size_t k = 0; k < 2; ++k) {
      double sum = 0;
      for (std::int64_t x = 0; x <= 6; ++x) {
        const double a = counts[RegularDraw::pairing][k][x], b = counts[RegularDraw::switchings][k][x];
        if (a + b > 0) sum += std::pow(a * std::sqrt(m / n) - b * std::sqrt(n / m), 2) / (a + b);
      }
      EXPECT_LT(sum, quantile[k]);
    }
  }
}

/// The graphs of 5 sites with 3 of their 10 bonds, and with 7: 120 each; a false alarm in 10^4 runs for each number.
TEST(StatisticsRandomGraphs, ErdosRenyiGraphsAreEquallyProbable) {
  for (const double c : {1.2, 2.8}) {
    const GraphRecipe recipe = recipe_of(MadeGraph::erdos_renyi, 5, c);
    EXPECT_LT(
        chi_squared_of(120, 12000, [&](std::uint32_t r) { return pairs_of(make_graph(recipe, graph_key, r).graph); }),
        185.8);
  }
}

/// Degrees of 40 graphs of 1000 sites with 2000 of all pairs, of which 999 belong to a site: hypergeometric. Degrees
/// from 12 on count together. Their correlations are of the order 1/N. A false alarm in 10^4 runs.
TEST(StatisticsRandomGraphs, ErdosRenyiDegreesAreHypergeometric) {
  const GraphRecipe recipe = recipe_of(MadeGraph::erdos_renyi, 1000, 4);
  std::array<double, 13> counts{};
  for (std::uint32_t r = 0; r < 40; ++r) {
    const SiteGraph graph = make_graph(recipe, graph_key, r).graph;
    EXPECT_EQ(static_cast<std::int64_t>(graph.bonds().size()), bonds_of(recipe));
    for (int i = 0; i < 1000; ++i) ++counts[static_cast<std::size_t>(std::min(graph.degree(i), 12))];
  }
  double sum = 0, probability = 1, left = 1;
  for (int bond = 0; bond < 2000; ++bond) probability *= 1 - 999.0 / (499500 - bond);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = 40000 * (k == 12 ? left : probability), n = static_cast<double>(k);
    sum += std::pow(counts[k] - expected, 2) / expected;
    left -= probability;
    probability *= (999 - n) * (2000 - n) / ((n + 1) * (499500 - 999 - 2000 + n + 1));
  }
  EXPECT_LT(sum, 39.5);
  EXPECT_EQ(make_graph(recipe_of(MadeGraph::erdos_renyi, 9, 8), graph_key, 0).graph.bonds().size(), 36U);
}

/// 500 rings of 128 sites with 13 bonds each, so few that hardly any is drawn anew: the distances have probabilities
/// as (sin(pi d/N))^(-2 sigma). A false alarm in 10^4 runs.
TEST(StatisticsRandomGraphs, PowerLawBondsHaveTheirDistances) {
  const GraphRecipe recipe = recipe_of(MadeGraph::power_law, 128, 0.203125, 0.75);
  std::vector<double> counts(65);
  for (std::uint32_t r = 0; r < 500; ++r) {
    const SiteGraph graph = make_graph(recipe, graph_key, r).graph;
    EXPECT_EQ(graph.bonds().size(), 13U);
    for (const GraphBond& bond : graph.bonds()) {
      const int d = bond.b - bond.a;
      ++counts[static_cast<std::size_t>(std::min(d, 128 - d))];
    }
  }
  double norm = 0;
  const auto weight = [](int d) {
    return (d == 64 ? 0.5 : 1.0) * std::pow(std::sin(3.14159265358979 * d / 128), -1.5);
  };
  for (int d = 1; d <= 64; ++d) norm += weight(d);
  double sum = 0;
  for (int d = 1; d <= 64; ++d) {
    const double expected = 6500 * weight(d) / norm;
    sum += std::pow(counts[static_cast<std::size_t>(d)] - expected, 2) / expected;
  }
  EXPECT_LT(sum, 113.7);
}

TEST(RandomGraphs, PowerLawWeightsAreNormalized) {
  for (const double sigma : {0.0, 0.6, 0.75, 1.5}) {
    for (const int n : {2, 9, 64}) {
      const MadeGraphSample sample = make_graph(recipe_of(MadeGraph::power_law_complete, n, 0, sigma), graph_key, 0);
      ASSERT_EQ(sample.weights.size(), static_cast<std::size_t>(n * (n - 1) / 2));
      const double nearest = sample.weights[0];
      for (int i = 0; i < n; ++i) {
        double squares = 0;
        for (const auto& neighbour : sample.graph.neighbours(i)) {
          const double w = sample.weights[static_cast<std::size_t>(neighbour.bond)];
          squares += w * w;
          const double chord = std::sin(3.14159265358979323846 * std::abs(neighbour.site - i) / n) /
                               std::sin(3.14159265358979323846 / n);
          EXPECT_NEAR(w, nearest * std::pow(chord, -sigma), 1e-13);
        }
        EXPECT_NEAR(squares, 1, 1e-13);
      }
    }
  }
  const MadeGraphSample sk = make_graph(recipe_of(MadeGraph::complete, 25, 0), graph_key, 0);
  EXPECT_EQ(sk.weights, std::vector<double>(300, 0.2));
}

TEST(RandomGraphs, PowerLawGraphsHaveAllTheirBondsOrAreRefused) {
  const SiteGraph graph = make_graph(recipe_of(MadeGraph::power_law, 1000, 6, 0.9), graph_key, 1).graph;
  EXPECT_EQ(graph.bonds().size(), 3000U);
  EXPECT_EQ(make_graph(recipe_of(MadeGraph::power_law, 1000, 6, 0.9), graph_key, 1).graph, graph);
  EXPECT_NE(make_graph(recipe_of(MadeGraph::power_law, 1000, 6, 0.9), graph_key, 2).graph, graph);
  ASSERT_EQ(graph.axes().size(), 1U);
  EXPECT_EQ(graph.axes()[0].planes, 1000);
  EXPECT_EQ(graph.axes()[0].plane[137], 137);
  EXPECT_EQ(planes_of(recipe_of(MadeGraph::power_law, 1000, 6, 0.9)), std::vector<int>{1000});
  EXPECT_THROW(make_graph(recipe_of(MadeGraph::power_law, 100, 6, 9), graph_key, 1), std::invalid_argument);
}

/// The graphs of a realization are part of the definition of a chain: they stay what they are.
TEST(RandomGraphs, StayTheSame) {
  const auto print = [](const GraphRecipe& recipe) { return fingerprint(make_graph(recipe, graph_key, 7)); };
  EXPECT_EQ(print(recipe_of(MadeGraph::random_regular, 100, 3)), 14638560972852677863U);
  EXPECT_EQ(print(recipe_of(MadeGraph::random_regular, 500, 6)), 3143359672326757717U);
  EXPECT_EQ(print(recipe_of(MadeGraph::random_regular, 64, 16)), 13432673301690247133U);
  EXPECT_EQ(print(recipe_of(MadeGraph::erdos_renyi, 500, 4)), 6205025185864421619U);
  EXPECT_EQ(print(recipe_of(MadeGraph::power_law, 256, 6, 0.75)), 7070491014694431829U);
  EXPECT_EQ(print(recipe_of(MadeGraph::power_law_complete, 64, 0, 0.75)), 8576856437882986513U);
}

TEST(RandomGraphs, TreesHaveShells) {
  const SiteGraph tree = make_graph(recipe_of(MadeGraph::bethe, 4, 3), graph_key, 0).graph;
  EXPECT_EQ(tree.sites(), 46);
  EXPECT_EQ(sites_of(recipe_of(MadeGraph::bethe, 4, 3)), 46);
  EXPECT_EQ(bonds_of(recipe_of(MadeGraph::bethe, 4, 3)), 45);
  EXPECT_EQ(girth(tree), 0);
  EXPECT_TRUE(is_connected(tree));
  for (int i = 0; i < 46; ++i) EXPECT_EQ(tree.degree(i), i < 22 ? 3 : 1);
  EXPECT_EQ(sites_of(recipe_of(MadeGraph::bethe, 5, 2)), 11);
}

}}  // namespace glassworks
