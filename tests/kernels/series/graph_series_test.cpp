#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "kernels/series/replica_energy.hpp"
#include "tests/kernels/graph_cases.hpp"
#include "tests/kernels/series/series_cases.hpp"

/// Measurements of courses on graphs: those of a lattice, to the bit, where a graph has its sites and bonds.
namespace glassworks { namespace {

using test::SeriesCase;
using Moments = test::SeriesMoments;

const SeriesCase graph_series_cases[] = {
    {"ising_2d", test::ising(), {2, 70}, 2, 1, 0},
    {"ising_3d_of_9", test::ising(), {3, 4}, 9, 2, 20},
    {"ising_open_prism", test::ising(), test::prism({6, 5, 6}, 6U), 3, 1, 0},
    {"ising_4d", test::ising(), {4, 4}, 2, 1, 0},
    {"ising_triangular", test::ising(), {2, 6, 0, LatticeKind::triangular}, 2, 1, 0},
    {"ising_diluted", test::diluted(test::ising()), {2, 8}, 3, 1, 0, 0.3},
    {"blume_capel", test::blume_capel(0.4), {2, 6}, 3, 1, 0},
    {"potts_3", test::potts(3), {3, 4}, 3, 1, 0},
    {"clock_6", test::clock_model(6), {2, 6}, 3, 1, 0},
    {"xy", test::on(2), {2, 6}, 3, 2, 0},
    {"vectors_of_3_open", test::on(3), {3, 4, 4U}, 5, 1, 7},
    {"vectors_of_5", test::on(5), {2, 6}, 2, 1, 0},
};

/// A realization on a lattice, on the graph of its sites and bonds. order: the new number of each site.
/// plane_factor: 2 puts an empty plane beside each one, so that positions are no grid.
Moments on_graph(const Moments& m, const std::vector<std::int32_t>& order, int plane_factor) {
  const Lattice& lattice = m.chain.lattice;
  const auto N = static_cast<std::size_t>(lattice.sites());
  std::vector<std::pair<GraphBond, float>> bonds;
  std::vector<GraphAxis> axes(static_cast<std::size_t>(lattice.dim));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    axes[axis] = {lattice.length(static_cast<int>(axis)) * plane_factor, std::vector<std::int32_t>(N)};
  }
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const Lattice::Coordinates c = lattice.coordinates(i);
    const auto now = order[static_cast<std::size_t>(i)];
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      axes[axis].plane[static_cast<std::size_t>(now)] = c[axis] * plane_factor;
    }
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      if (!lattice.has_bond(c, bond, +1)) continue;
      const auto j = order[static_cast<std::size_t>(lattice.neighbour(i, bond, +1))];
      bonds.push_back({{std::min(now, j), std::max(now, j)},
                       m.disorder.couplings[static_cast<std::size_t>(i * lattice.owned() + bond)]});
    }
  }
  std::ranges::sort(bonds);
  std::vector<GraphBond> pairs;
  Moments g = m;
  g.disorder.couplings.clear();
  for (const auto& [bond, J] : bonds) {
    pairs.push_back(bond);
    g.disorder.couplings.push_back(J);
  }
  const auto graph = std::make_shared<const SiteGraph>(lattice.sites(), pairs, axes);
  g.disorder.graph = graph;
  g.chain.lattice = test::lattice_of(*graph, 1);
  g.chain.lattice.L = lattice.L;
  g.chain.lattice.open = lattice.open;
  g.shape.lattice = g.chain.lattice;
  const auto permute = [&](auto& values, std::size_t columns) {  // [site][column]
    const auto before = values;
    for (std::size_t i = 0; i < N && !values.empty(); ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        values[static_cast<std::size_t>(order[i]) * columns + k] = before[i * columns + k];
      }
    }
  };
  const auto n = static_cast<std::size_t>(components_of(m.chain.model));
  permute(g.disorder.fields, n);
  permute(g.disorder.absent, 1);
  for (ChainState& state : g.states) {
    const auto permute_rows = [&](auto& values) {  // [...][site]
      const auto before = values;
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i / N * N + static_cast<std::size_t>(order[i % N])] = before[i];
      }
    };
    permute_rows(state.states);
    permute_rows(state.spins);
  }
  return g;
}

std::vector<std::int32_t> in_order(std::int64_t sites) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(sites));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

class SeriesOfGraphs : public ::testing::TestWithParam<SeriesCase> {
 protected:
  /// Columns of one by those of the other, at two moments.
  template <class Expect>
  static void compare(const Moments& m, const Moments& g, const Expect& expect) {
    ASSERT_EQ(series_problem(g.shape), "");
    const SeriesLayout of_lattice(m.shape), of_graph(g.shape);
    for (const std::size_t moment : {0, 2}) {
      const std::vector<double> wanted = test::rows_of(m, moment, of_lattice, 1);
      for (const int threads : {1, 3}) {
        const std::vector<double> found = test::rows_of(g, moment, of_graph, threads);
        for (int slot = 0; slot < m.chain.slots(); ++slot) {
          for (int column = 0; column < of_graph.size(); ++column) {
            const std::string& name = of_graph.names()[static_cast<std::size_t>(column)];
            const auto there = of_lattice.column(name);
            ASSERT_TRUE(there.has_value()) << name;
            expect(name, found[static_cast<std::size_t>(slot * of_graph.size() + column)],
                   wanted[static_cast<std::size_t>(slot * of_lattice.size() + *there)]);
          }
        }
      }
    }
  }
};

TEST_P(SeriesOfGraphs, OnAGridAreThoseOfTheLattice) {
  const Moments m = test::moments_of(GetParam());
  const Moments g = on_graph(m, in_order(m.chain.lattice.sites()), 1);
  compare(m, g, [](const std::string& name, double found, double wanted) { EXPECT_EQ(found, wanted) << name; });
  const SeriesLayout layout(g.shape);
  EXPECT_TRUE(layout.has(SeriesQuantity::c4_axis));
  EXPECT_EQ(layout.has(SeriesQuantity::c4_diagonal), SeriesLayout(m.shape).has(SeriesQuantity::c4_diagonal));
}

/// Sites in any order, with positions that are no grid: no lags, all else is the same.
TEST_P(SeriesOfGraphs, AreThoseOfTheSameBondsInAnyOrder) {
  const Moments m = test::moments_of(GetParam());
  std::vector<std::int32_t> order = in_order(m.chain.lattice.sites());
  test::Source source(23);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(source.below(static_cast<int>(i)))]);
  }
  const Moments g = on_graph(m, order, 2);
  compare(m, g, [](const std::string& name, double found, double wanted) {
    if (name.find("kmin") == std::string::npos) {
      EXPECT_EQ(found, wanted) << name;
    } else {
      EXPECT_NEAR(found, wanted, 1e-14) << name;
    }
  });
  const SeriesLayout layout(g.shape);
  EXPECT_FALSE(layout.has(SeriesQuantity::c4_axis) || layout.has(SeriesQuantity::c22_axis));
  EXPECT_EQ(layout.has(SeriesQuantity::overlap_kmin), m.chain.copies > 1);
  EXPECT_EQ(layout.at(SeriesQuantity::link_correlation, 0, 1), layout.column("link_correlation(100)"));
  EXPECT_EQ(layout.at(SeriesQuantity::correlation_kmin, 0, 1), layout.column("correlation_kmin(100)"));
}

INSTANTIATE_TEST_SUITE_P(Models, SeriesOfGraphs, ::testing::ValuesIn(graph_series_cases),
                         [](const auto& one) { return one.param.name; });

TEST(SeriesOfAnyGraph, HaveNoColumnsOfPositionsWithoutThem) {
  const test::GraphCase regular = test::graph_cases().front();
  const SeriesLayout layout({test::ising(), regular.lattice, 2, 0, {0, 8}});
  EXPECT_THAT(layout.names(), ::testing::ElementsAre("energy", "energy_squared", "magnetization", "magnetization_2",
                                                     "overlap_2", "link_overlap", "correlation(0)",
                                                     "link_correlation(0)", "correlation(8)", "link_correlation(8)"));
  for (const auto q : {SeriesQuantity::correlation, SeriesQuantity::link_correlation}) {
    const std::string name = q == SeriesQuantity::correlation ? "correlation(8)" : "link_correlation(8)";
    EXPECT_EQ(layout.at(q, 0, 1), layout.column(name));
  }
}

/// A ring has k_min, and a graph without bonds has sums over bonds that are 0.
TEST(SeriesOfAnyGraph, RingsAndGraphsWithoutBonds) {
  Lattice ring = test::graph_cases().front().lattice;
  ring.lengths[0] = static_cast<int>(ring.sites());
  EXPECT_TRUE(has_k_min(ring));
  EXPECT_FALSE(has_lags(ring));
  const test::GraphCase empty = test::graph_case("empty", SiteGraph(5, {}));
  SeriesCase one{"", test::ising(), {1, 4}, 2, 1, 0};
  Moments m = test::moments_of(one);
  m.chain.lattice = m.shape.lattice = empty.lattice;
  m.disorder = test::graph_disorder(empty, test::ising(), test::GraphCouplings::gaussian, 3);
  m.states = {initial_state(m.chain, 3)};
  const SeriesLayout layout({test::ising(), empty.lattice, 2, 0, {3}});
  const std::vector<double> row = test::rows_of(m, 0, layout, 1);
  EXPECT_EQ(row[static_cast<std::size_t>(layout.column("link_overlap").value())], 0.0);
  EXPECT_EQ(row[static_cast<std::size_t>(layout.column("correlation(3)").value())], 1.0);
}

/// E = - sum_t J_t prod_(i in t) s_i, and the link overlap (1/N_b) sum_t prod_(i in t) s_i^a s_i^b, with the bonds
/// among the terms.
TEST(SeriesOfAnyGraph, TermsAreInEnergiesAndLinks) {
  const test::GraphCase one = test::graph_case("terms", test::mixed_terms(12, 9, 5, 29));
  Moments m = test::moments_of({"", test::ising(), {1, 4}, 2, 1, 0});
  m.chain.lattice = m.shape.lattice = one.lattice;
  m.disorder = test::graph_disorder(one, test::ising(), test::GraphCouplings::gaussian, 3);
  m.states = {initial_state(m.chain, 3)};
  const SeriesLayout layout({test::ising(), one.lattice, 2, 0, {3}});
  const std::vector<double> row = test::rows_of(m, 0, layout, 1);
  const auto spin = [&](int copy, std::int64_t i) {
    return m.states[0].states[static_cast<std::size_t>(copy * 12 + i)] != 0 ? 1 : -1;
  };
  double energy = 0.0;
  int link = 0;
  const auto add = [&](std::size_t place, auto sites) {
    int of_copy[2] = {1, 1};
    for (int copy = 0; copy < 2; ++copy) {
      for (const std::int32_t i : sites) of_copy[copy] *= spin(copy, i);
      energy -= static_cast<double>(m.disorder.couplings[place]) * of_copy[copy] / (2.0 * 12.0);
    }
    link += of_copy[0] * of_copy[1];
  };
  const SiteGraph& graph = *one.graph;
  for (std::size_t b = 0; b < graph.bonds().size(); ++b) {
    add(b, std::vector<std::int32_t>{graph.bonds()[b].a, graph.bonds()[b].b});
  }
  for (std::int32_t t = 0; t < 9; ++t) add(static_cast<std::size_t>(graph.place_of_term(t)), graph.terms()[t]);
  EXPECT_NEAR(row[static_cast<std::size_t>(layout.column("energy").value())], energy, 1e-6);
  EXPECT_EQ(row[static_cast<std::size_t>(layout.column("link_overlap").value())], link / 15.0);
}

}}  // namespace glassworks
