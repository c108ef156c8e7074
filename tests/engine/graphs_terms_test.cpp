#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/graphs/graph_file.hpp"
#include "engine/graphs/graph_recipe.hpp"
#include "engine/graphs/term_lists.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// Terms of more than two spins: drawn, of plaquettes, and from files.
namespace glassworks { namespace {

constexpr PhiloxKey term_key{20261128, 49};

GraphRecipe p_spin(MadeGraph kind, int size, int body, double degree) {
  return {.kind = kind, .size = size, .degree = degree, .lengths = {}, .open = {}, .body = body};
}
using Terms = std::vector<std::vector<std::int32_t>>;
Terms terms_of(const SiteGraph& graph) {
  Terms terms;
  for (std::int64_t t = 0; t < graph.terms().size(); ++t) {
    terms.emplace_back(graph.terms()[t].begin(), graph.terms()[t].end());
  }
  return terms;
}

TEST(TermGraphs, DrawnOnesHaveTheirNumbers) {
  for (const auto& [size, body, degree] : {std::tuple{100, 3, 4.5}, {64, 8, 3.0}, {6, 3, 10.0}, {9, 5, 2.0}}) {
    const GraphRecipe recipe = p_spin(MadeGraph::p_spin, size, body, degree);
    const SiteGraph graph = make_graph(recipe, term_key, 3).graph;
    EXPECT_EQ(graph.sites(), size);
    EXPECT_EQ(graph.couplings(), std::llround(size * degree / body));
    EXPECT_EQ(graph.couplings(), bonds_of(recipe));
    EXPECT_EQ(graph.more_ends(), (ends_of_bond(recipe) - 2) * bonds_of(recipe));
    EXPECT_EQ(make_graph(recipe, term_key, 3).graph, graph);
    if (degree < 10.0) {
      EXPECT_NE(make_graph(recipe, term_key, 4).graph, graph);
    }
  }
  for (const auto& [size, body, z] : {std::tuple{30, 3, 4}, {200, 3, 3}, {40, 5, 3}, {6, 6, 1}, {4, 3, 3}}) {
    const GraphRecipe recipe = p_spin(MadeGraph::p_spin_regular, size, body, z);
    const SiteGraph graph = make_graph(recipe, term_key, 3).graph;
    EXPECT_EQ(graph.couplings(), bonds_of(recipe));
    for (int i = 0; i < size; ++i) ASSERT_EQ(std::ssize(graph.terms_of(i)), z);
  }
}

/// Two of the ten triples of five sites, and the partitions of six sites into triples, all as often. Chi squared beyond
/// its limit once in 10^4 runs.
TEST(StatisticsTermGraphs, AllSetsOfTermsAreAsOften) {
  const auto chi_squared = [](const GraphRecipe& recipe, int all, int draws) {
    std::map<Terms, int> counts;
    for (int r = 0; r < draws; ++r)
      ++counts[terms_of(make_graph(recipe, term_key, static_cast<std::uint32_t>(r)).graph)];
    EXPECT_EQ(std::ssize(counts), all);
    const double expected = static_cast<double>(draws) / all;
    double sum = 0.0;
    for (const auto& [terms, n] : counts) sum += (n - expected) * (n - expected) / expected;
    return sum;
  };
  EXPECT_LT(chi_squared(p_spin(MadeGraph::p_spin, 5, 3, 1.2), 45, 4500), 87.9);        // 44 degrees of freedom
  EXPECT_LT(chi_squared(p_spin(MadeGraph::p_spin_regular, 6, 3, 1), 10, 2000), 33.7);  // 9
}

/// Each bond of the closed lattice is in 2 (d - 1) plaquettes, and a change of all bonds at a vertex changes none.
TEST(TermGraphs, PlaquettesAreThoseOfALatticeGaugeModel) {
  for (const auto& [dim, L] : {std::pair{2, 2}, {2, 5}, {3, 2}, {3, 4}, {4, 3}}) {
    GraphRecipe recipe = p_spin(MadeGraph::plaquette_gauge, L, 0, 0);
    recipe.dim = dim;
    const SiteGraph graph = make_graph(recipe, term_key, 0).graph;
    const auto cells = std::llround(std::pow(L, dim));
    EXPECT_EQ(graph.sites(), dim * cells);
    EXPECT_EQ(sites_of(recipe), graph.sites());
    EXPECT_EQ(graph.couplings(), cells * dim * (dim - 1) / 2);
    EXPECT_EQ(graph.couplings(), bonds_of(recipe));
    for (std::int64_t i = 0; i < graph.sites(); ++i) ASSERT_EQ(std::ssize(graph.terms_of(i)), 2 * (dim - 1));
    for (std::int64_t x = 0; x < cells; ++x) {
      std::set<std::int32_t> at_vertex;
      std::int64_t stride = 1;
      for (int axis = 0; axis < dim; ++axis, stride *= L) {
        const std::int64_t before = x / stride % L > 0 ? x - stride : x + stride * (L - 1);
        at_vertex.insert(static_cast<std::int32_t>(x * dim + axis));
        at_vertex.insert(static_cast<std::int32_t>(before * dim + axis));
      }
      for (std::int64_t t = 0; t < graph.terms().size(); ++t) {
        const auto changed = std::ranges::count_if(graph.terms()[t], [&](auto i) { return at_vertex.contains(i); });
        ASSERT_EQ(changed % 2, 0) << dim << ' ' << L;
      }
    }
  }
}

TEST(TermGraphs, ThatCannotBeMadeAreRefused) {
  GraphRecipe line = p_spin(MadeGraph::plaquette_gauge, 4, 0, 0), large = line;
  line.dim = 1;
  large.size = 2000;
  const double nan = std::nan("");
  for (const GraphRecipe& r :
       {p_spin(MadeGraph::p_spin, 10, 2, 3), p_spin(MadeGraph::p_spin, 20, 17, 3), p_spin(MadeGraph::p_spin, 5, 6, 1),
        p_spin(MadeGraph::p_spin, 6, 3, 10.6), p_spin(MadeGraph::p_spin, 10, 3, 0.1),
        p_spin(MadeGraph::p_spin, 10, 3, nan), p_spin(MadeGraph::p_spin, 2000000000, 3, 6),
        p_spin(MadeGraph::p_spin_regular, 10, 3, 4), p_spin(MadeGraph::p_spin_regular, 9, 3, 1.5),
        p_spin(MadeGraph::p_spin_regular, 90, 3, 10), p_spin(MadeGraph::p_spin_regular, 3, 3, 2), line, large}) {
    EXPECT_THAT([&] { return sites_of(r); }, Fails<std::invalid_argument>()) << r.size << ' ' << r.body;
  }
}

class TermFile : public ConfigTest {
 protected:
  GivenGraph read(const std::string& text) const { return read_graph_file(write("graph.txt", text)); }
  auto reading(const std::string& text) const {
    return [=, this] { return read(text); };
  }
  auto refuses(InputFault fault) const { return Refuses(fault, (folder_ / "graph.txt").string()); }
};

TEST_F(TermFile, HoldsTermsOfAllSizesInAnyOrder) {
  const GivenGraph given = read(
      "# from 1\nterms\n5 2 4 0.5 # a comment\n1 3 -2\n\n4 1 2 3 1e-1\n2 0.25\n6,5,4,3,2,1,7,8 8\n3 2 1 +3\n1 2 1.5\n");
  EXPECT_EQ(given.format, "terms");
  EXPECT_EQ(given.first, 1);
  EXPECT_EQ(given.graph->sites(), 8);
  EXPECT_TRUE(std::ranges::equal(given.graph->bonds(), std::vector<GraphBond>{{0, 1}, {0, 2}}));
  EXPECT_EQ(terms_of(*given.graph), (Terms{{0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 4}}));
  EXPECT_EQ(given.couplings, (std::vector<double>{1.5, -2, 3, 0.1, 8, 0.5}));
  EXPECT_EQ(given.fields, (std::vector<double>{0, 0.25, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(read("terms 5 2\n0 1 2 1\n1 2 1\n").graph->sites(), 5) << "sites 3 and 4 are free";
}

/// Bonds alone are the same graph in both forms.
TEST_F(TermFile, OfPairsIsAListOfBonds) {
  const GivenGraph terms = read("terms\n0 1 2\n2 1 -1\n"), bonds = read("0 1 2\n2 1 -1\n");
  EXPECT_EQ(*terms.graph, *bonds.graph);
  EXPECT_EQ(terms.couplings, bonds.couplings);
  EXPECT_EQ(terms.graph->more_ends(), 0);
}

TEST_F(TermFile, ThatIsNoneIsRefusedWithItsLine) {
  EXPECT_THAT(reading("0 1 2 1\n"), refuses(InputFault::malformed));  // without the first line
  EXPECT_THAT(reading("0 1 1\n0 1 2 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms\n1 2 1 0.5\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("terms\n1 2 3 4 2 0.5\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("terms\n2 2 0.5\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("terms\n1 2 3 0.5\n4 5 6 1\n3 1 2 1\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("terms\n1 2 0.5\n1 2 3 1\n2 1 1\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("terms\n1 2 3 0.5\n1 1\n1 2\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("terms\n1 2 3 x\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms\n1 2 3.5 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms\n1 2 -3 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms\n1 2 3 nan\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("terms\n1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms 5\n0 1 2 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms 5 x\n0 1 2 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("terms 5 2\n0 1 2 1\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("terms 3 1\n1 2 4 1\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("terms\n0 1 2147483647 1\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("terms\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading("terms\n1 0.5\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading("terms\nterms\n0 1 2 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 1\nterms\n0 1 2 1\n"), refuses(InputFault::malformed));
}

/// Whatever stands in a file, it is read or refused in one sentence; what is read is a graph.
TEST_F(TermFile, MutatedFilesAreReadOrRefused) {
  const std::string good = "terms 9 5\n0 1 2 0.5\n3 4 -1\n5 6 7 8 1e3\n2 0.25\n1 4 7 -2\n",
                    bytes = "0123456789 \n.-+#,et\t\0x";
  std::uint32_t state = 7;
  const auto below = [&](std::size_t n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(std::uint64_t{state} * n >> 32);
  };
  int taken = 0, refused = 0;
  for (int turn = 0; turn < 400; ++turn) {
    std::string text = good;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      const std::string byte(1, bytes[below(bytes.size())]);
      text.replace(at, below(3) == 0 ? 0 : 1, below(4) == 0 ? std::string() : byte);
    }
    try {
      const GivenGraph given = read(text);
      ASSERT_EQ(std::ssize(given.couplings), given.graph->couplings()) << text;
      ++taken;
    } catch (const InputError& error) {
      ASSERT_TRUE(refusing::is_sentence(error.what())) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(taken, 40);
  EXPECT_GT(refused, 40);
}

}}  // namespace glassworks
