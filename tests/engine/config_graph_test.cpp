#include "engine/checkpoint/checkpoint_identity.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "kernels/series/series_layout.hpp"
#include "tests/engine/config_fixture.hpp"

/// Lattices that are graphs: made here, drawn, or from a file.
namespace glassworks { namespace {

class GraphConfigs : public RefusedConfigTest {
 protected:
  const std::string ising_ =
      "[model]\ntype = ising\ncouplings = bimodal\n[disorder]\nrealizations = 3\n[ladder]\ntemperatures = 1, 1.2\n";
  const std::vector<std::string> regular_{"model.lattice=random-regular", "model.degree=3", "model.L=10, 20"};

  [[nodiscard]] std::vector<std::string> with(std::vector<std::string> overrides, const std::string& last) const {
    overrides.push_back(last);
    return overrides;
  }
};

TEST_F(GraphConfigs, RealizationsHaveGraphsOfTheirOwnOrShareOne) {
  const Config each = load(ising_, regular_), one = load(ising_, with(regular_, "model.graphs=one"));
  const Lattice lattice = each.lattice(20);
  EXPECT_EQ(lattice.sites(), 20);
  EXPECT_EQ(lattice.bonds(), 30);
  const Disorder a = make_disorder(each, lattice, 0), b = make_disorder(each, lattice, 1);
  EXPECT_NE(*a.graph, *b.graph);
  EXPECT_EQ(*a.graph, *make_disorder(each, lattice, 0).graph);
  EXPECT_EQ(a.couplings.size(), 30U);
  const Disorder c = make_disorder(one, lattice, 0), d = make_disorder(one, lattice, 1);
  EXPECT_EQ(c.graph, d.graph) << "the same object";
  EXPECT_EQ(*a.graph, *c.graph);
  EXPECT_NE(c.couplings, d.couplings);
  EXPECT_NE(checkpoint_identity(each, make_chain(each, 1), 0, 1), checkpoint_identity(one, make_chain(one, 1), 0, 1));
  EXPECT_EQ(parse_config(canonical_text(each)).lattice(20), lattice);
}

TEST_F(GraphConfigs, AFileGivesSizeCouplingsAndFields) {
  write("edges.txt", "# a square\n0 1 1.5\n1 2 -1\n2 3 1\n0 3 -0.25\n");
  const std::vector<std::string> keys{"model.lattice=graph", "model.graph=edges.txt"};
  const std::string text = "[model]\ntype = ising\n[disorder]\nrealizations = 2\n[ladder]\ntemperatures = 1, 1.2\n";
  const Config config = load(text, keys);
  EXPECT_EQ(config.model.L, std::vector<int>{4});
  EXPECT_EQ(config.model.couplings, CouplingKind::file);
  const Disorder given = make_disorder(config, config.lattice(4), 0);
  EXPECT_EQ(given.couplings, (std::vector<float>{1.5F, -0.25F, -1.0F, 1.0F}));
  EXPECT_EQ(load(text, with(keys, "model.couplings=weights")).model.couplings, CouplingKind::weights);
  const Config weights = load(text, with(keys, "model.couplings=weights"));
  EXPECT_EQ(make_disorder(weights, weights.lattice(4), 0).couplings, (std::vector<float>{-1.5F, 0.25F, 1.0F, -1.0F}));
  const Config drawn = load(text, with(keys, "model.couplings=bimodal"));
  EXPECT_NE(make_disorder(drawn, drawn.lattice(4), 0).couplings, given.couplings);

  const std::string stored = canonical_text(config);
  write("edges.txt", "0 1 1.5\n1 2 -1\n2 3 1\n0 3 -0.5\n");
  EXPECT_THAT([&] { return make_disorder(parse_config(stored), config.lattice(4), 0); },
              Refuses(InputFault::changed, (folder_ / "edges.txt").string()));
  std::filesystem::remove(folder_ / "edges.txt");
  EXPECT_EQ(parse_config(stored).model.L, std::vector<int>{4}) << "a campaign can be looked at without its file";
}

/// Where a lattice says that sites are a grid, their planes are those of a lattice in its rows.
TEST_F(GraphConfigs, CoursesMeasureDistancesWhereSitesAreAGrid) {
  struct GraphKind {
    std::vector<std::string> keys;
    bool k_min, lags, diagonals;
  };
  const std::vector<GraphKind> kinds{
      {{"model.dim=2", "model.L=5"}, true, true, true},
      {{"model.dim=2", "model.L=5", "model.boundary=open, periodic"}, true, true, true},
      {{"model.dim=3", "model.L=3"}, true, true, true},
      {{"model.dim=3", "model.shape=3x4x5"}, true, true, true},
      {{"model.dim=4", "model.L=3"}, true, true, true},
      {{"model.lattice=triangular", "model.L=5"}, true, true, false},
      {{"model.lattice=triangular", "model.L=5", "model.boundary=periodic, open"}, true, true, false},
      {{"model.lattice=fcc", "model.L=3"}, true, true, false},
      {{"model.lattice=bcc", "model.L=3"}, true, true, false},
      {{"model.dim=1", "model.L=9"}, true, false, false},
      {{"model.dim=5", "model.L=3"}, true, false, false},
      {{"model.lattice=honeycomb", "model.L=3"}, true, false, false},
      {{"model.lattice=kagome", "model.L=3"}, true, false, false},
      {{"model.lattice=diamond", "model.L=2"}, true, false, false},
      {{"model.lattice=pyrochlore", "model.L=2"}, true, false, false},
      {{"model.lattice=power-law", "model.degree=2", "model.sigma=0.7", "model.L=16"}, true, false, false},
      {{"model.lattice=power-law-complete", "model.sigma=0.7", "model.L=9"}, true, false, false},
      {{"model.lattice=random-regular", "model.degree=3", "model.L=10"}, false, false, false},
      {{"model.lattice=complete", "model.L=9"}, false, false, false},
      {{"model.lattice=bethe", "model.degree=3", "model.L=2"}, false, false, false},
      {{"model.lattice=chimera", "model.L=1"}, false, false, false}};
  for (const GraphKind& kind : kinds) {
    const Config config = load(ising_ + "[course]\nsweeps = 10\n", kind.keys);
    const Lattice lattice = config.lattice(config.model.L.front());
    ASSERT_TRUE(lattice.is_graph()) << kind.keys.back();
    EXPECT_EQ(has_k_min(lattice), kind.k_min) << kind.keys.back();
    EXPECT_EQ(has_lags(lattice), kind.lags) << kind.keys.back();
    EXPECT_EQ(has_diagonal_lags(lattice), kind.diagonals) << kind.keys.back();
    const Disorder disorder = make_disorder(config, lattice, 0);
    for (std::int64_t i = 0; kind.lags && i < lattice.sites(); ++i) {
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dim); ++axis) {
        ASSERT_EQ(disorder.graph->axes().at(axis).plane[static_cast<std::size_t>(i)], lattice.coordinates(i)[axis]);
      }
    }
    EXPECT_EQ(lattice.open != 0, kind.keys.back().starts_with("model.boundary"));
  }
}

/// Sites of a file may stand on a grid in any order, so that rows of sites are not rows of the grid; terms of more than
/// two spins stay where positions come to a graph.
TEST_F(GraphConfigs, PositionsOfAFileGiveKMinAlone) {
  write("terms.txt", "terms\n0 1 1\n2 3 1\n0 2 4 5 -1\n");
  write("positions.txt", "0 1 1 0\n1 0 0 0\n2 2 1 0\n3 1 0 0\n4 0 1 0\n5 2 0 0\n");
  const Config config = load(ising_ + "[course]\nsweeps = 10\n",
                             {"model.lattice=graph", "model.graph=terms.txt", "model.positions=positions.txt"});
  const Lattice lattice = config.lattice(6);
  EXPECT_EQ(lattice.length(0) * lattice.length(1), 6);
  EXPECT_TRUE(has_k_min(lattice));
  EXPECT_FALSE(has_lags(lattice));
  EXPECT_TRUE(lattice.has_terms());
  EXPECT_EQ(make_disorder(config, lattice, 0).graph->terms().size(), 1);
}

TEST_F(GraphConfigs, CopiesOfACourseAreLanesOnLatticesAlone) {
  const std::vector<std::string> many{"course.sweeps=10", "protocol.multispin=heat-bath", "replicas.copies=20"};
  std::vector<std::string> on_graph = with(regular_, "model.graphs=one");
  on_graph.insert(on_graph.end(), many.begin(), many.end());
  EXPECT_EQ(load(ising_, on_graph).protocol.lanes, MultispinLanes::realizations);
  expect_refused(ising_, with(on_graph, "protocol.lanes=copies"), InputFault::conflict, "protocol.multispin");
}

TEST_F(GraphConfigs, AFileOfTermsHasBondsTermsAndFields) {
  write("terms.txt", "terms\n3 1 2 0.5\n0 1 -2\n0 1 2 3 1.5\n3 0.25\n");
  const std::string text = "[model]\ntype = ising\n[disorder]\nrealizations = 2\n[ladder]\ntemperatures = 1, 1.2\n";
  const Config config = load(text, {"model.lattice=graph", "model.graph=terms.txt"});
  const Lattice lattice = config.lattice(4);
  EXPECT_EQ(lattice.bonds(), 3);
  EXPECT_EQ(lattice.graph_more_ends, 3);
  EXPECT_TRUE(lattice.has_terms());
  EXPECT_EQ(lattice.ends_per_site(), 9.0 / 4.0);
  const Disorder given = make_disorder(config, lattice, 0);
  EXPECT_EQ(given.couplings, (std::vector<float>{-2.0F, 1.5F, 0.5F}));
  EXPECT_EQ(given.fields, (std::vector<float>{0.0F, 0.0F, 0.0F, 0.25F}));
  EXPECT_EQ(graph_couplings_text(*given.graph, {-2.0, 1.5, 0.5}),
            "# 4 sites\n# sites, then J\nterms\n0 1 -2\n0 1 2 3 1.5\n1 2 3 0.5\n");
  EXPECT_EQ(parse_config(canonical_text(config)).lattice(4), lattice);
  const Config drawn = load(text, {"model.lattice=graph", "model.graph=terms.txt", "model.couplings=gaussian"});
  EXPECT_NE(make_disorder(drawn, lattice, 0).couplings, make_disorder(drawn, lattice, 1).couplings);
}

TEST_F(GraphConfigs, OddLengthsAndFiveDimensionsAreGraphs) {
  const std::string text = ising_ + "[model]\nlattice = hypercubic\n";
  const Config odd = load(ising_, {"model.L=4, 5"});
  EXPECT_FALSE(odd.lattice(4).is_graph());
  const Lattice five = odd.lattice(5);
  EXPECT_TRUE(five.is_graph());
  EXPECT_EQ(five.bonds(), 3 * 125);
  EXPECT_EQ(five.lengths, (std::array<int, 4>{5, 5, 5, 0}));
  const Config five_dimensions = load(ising_, {"model.L=4", "model.dim=5"});
  EXPECT_EQ(five_dimensions.lattice(4).sites(), 1024);
  EXPECT_EQ(five_dimensions.lattice(4).bonds(), 5 * 1024);
  EXPECT_EQ(load(ising_, {"model.L=4", "model.lattice=pyrochlore"}).lattice(4).sites(), 4 * 64);
}

/// What a lattice says of a graph is what the graph has.
TEST_F(GraphConfigs, LatticesHaveTheNumbersOfTheirGraphs) {
  for (const char* name : {"random-regular", "erdos-renyi", "power-law", "power-law-complete", "complete", "bethe",
                           "honeycomb", "kagome", "diamond", "pyrochlore", "chimera", "pegasus", "triangular", "fcc",
                           "p-spin", "p-spin-regular", "plaquette-gauge"}) {
    const std::string lattice = name;
    const bool has_body = lattice.starts_with("p-spin");
    const bool has_degree = lattice == "random-regular" || lattice == "erdos-renyi" || lattice == "power-law" ||
                            lattice == "bethe" || has_body;
    std::vector<std::string> keys{"model.lattice=" + lattice, "model.L=5"};
    if (lattice == "random-regular") keys.back() = "model.L=6";
    if (has_body) keys = {keys.front(), "model.L=12", "model.body=3"};
    if (has_degree) keys.emplace_back("model.degree=3");
    if (lattice.starts_with("power-law")) keys.emplace_back("model.sigma=0.7");
    const Config config = load(ising_, keys);
    const Lattice made = config.lattice(config.model.L.front());
    const Disorder disorder = make_disorder(config, made, 1);
    const SiteGraph& graph = *disorder.graph;
    EXPECT_EQ(made.sites(), graph.sites()) << name;
    EXPECT_EQ(made.bonds(), graph.couplings()) << name;
    EXPECT_EQ(made.graph_more_ends, graph.more_ends()) << name;
    EXPECT_EQ(config.model.has_positions(), !graph.axes().empty()) << name;
    EXPECT_EQ(made.dim, std::max<int>(1, static_cast<int>(graph.axes().size()))) << name;
    for (int axis = 0; axis < made.dim; ++axis) {
      const int planes = graph.axes().empty() ? 1 : graph.axes()[static_cast<std::size_t>(axis)].planes;
      EXPECT_EQ(made.length(axis), planes) << name;
    }
  }
}

TEST_F(GraphConfigs, WhatDoesNotFitIsRefusedInOneSentence) {
  const auto refused = [&](const std::vector<std::string>& overrides, InputFault fault, const std::string& subject) {
    expect_refused(ising_, overrides, fault, subject);
  };
  refused({"model.lattice=random-regular", "model.L=10"}, InputFault::missing, "model.degree");
  refused({"model.lattice=random-regular", "model.L=10", "model.degree=2.5"}, InputFault::out_of_range, "model.degree");
  refused({"model.lattice=random-regular", "model.L=11", "model.degree=3"}, InputFault::out_of_range, "model.L");
  refused({"model.lattice=random-regular", "model.L=4", "model.degree=6"}, InputFault::out_of_range, "model.L");
  refused({"model.lattice=complete", "model.L=100000"}, InputFault::out_of_range, "model.L");
  refused({"model.lattice=kagome", "model.L=1"}, InputFault::out_of_range, "model.L");
  refused({"model.L=8", "model.degree=3"}, InputFault::conflict, "model.degree");
  refused({"model.lattice=kagome", "model.L=8", "model.sigma=1"}, InputFault::conflict, "model.sigma");
  refused({"model.lattice=power-law", "model.L=64", "model.degree=6"}, InputFault::missing, "model.sigma");
  refused({"model.lattice=kagome", "model.L=8", "model.graphs=one"}, InputFault::conflict, "model.graphs");
  refused({"model.lattice=graph"}, InputFault::missing, "model.graph");
  refused({"model.couplings=weights", "model.L=8"}, InputFault::conflict, "model.couplings");
  refused({"model.lattice=kagome", "model.L=8", "model.couplings=file", "model.couplings_file=J.txt"},
          InputFault::conflict, "model.couplings");
  refused({"model.lattice=complete", "model.L=8", "model.boundary=open"}, InputFault::conflict, "model.boundary");
  refused({"model.lattice=kagome", "model.shape=4x6"}, InputFault::conflict, "model.shape");
  EXPECT_NO_THROW(load(ising_, with(regular_, "protocol.multispin=metropolis")));
  refused(with(regular_, "round.observables=chiral_overlap"), InputFault::conflict, "round.observables");
  refused(with(regular_, "round.observables=plaquette_chirality_2"), InputFault::conflict, "round.observables");
  const std::vector<std::string> xy{"model.type=xy", "round.observables=triangle_chirality", "model.L=3"};
  refused(with(with(regular_, "model.type=xy"), "round.observables=triangle_chirality"), InputFault::conflict,
          "round.observables");
  refused(with(xy, "model.lattice=triangular"), InputFault::conflict, "round.observables");
  EXPECT_NO_THROW(load(ising_, with(xy, "model.lattice=kagome")));
  refused({"model.type=xy", "round.observables=triangle_chirality", "model.lattice=fcc", "model.L=8, 164"},
          InputFault::conflict, "round.observables");
  refused(with(regular_, "model.type=heisenberg"), InputFault::conflict, "model.lattice");
  refused(with(regular_, "model.type=phi4"), InputFault::conflict, "model.couplings");
  refused({"model.lattice=p-spin", "model.L=12", "model.degree=3"}, InputFault::missing, "model.body");
  refused({"model.lattice=p-spin", "model.L=12", "model.body=3"}, InputFault::missing, "model.degree");
  refused({"model.lattice=p-spin", "model.L=12", "model.body=2", "model.degree=3"}, InputFault::out_of_range,
          "model.body");
  refused({"model.lattice=p-spin", "model.L=5", "model.body=4", "model.degree=30"}, InputFault::out_of_range,
          "model.L");
  refused({"model.lattice=p-spin-regular", "model.L=13", "model.body=3", "model.degree=2"}, InputFault::out_of_range,
          "model.L");
  refused({"model.lattice=complete", "model.L=12", "model.body=3"}, InputFault::conflict, "model.body");
  refused({"model.lattice=plaquette-gauge", "model.L=4", "model.dim=1"}, InputFault::out_of_range, "model.L");
  refused({"model.lattice=plaquette-gauge", "model.L=4", "model.boundary=open"}, InputFault::conflict,
          "model.boundary");
  const std::vector<std::string> gauge{"model.lattice=plaquette-gauge", "model.L=4"};
  refused(with(gauge, "model.type=blume-capel"), InputFault::conflict, "model.type");
  refused(with(gauge, "protocol.kind=wolff"), InputFault::conflict, "protocol.kind");
  refused(with(gauge, "protocol.isoenergetic=1"), InputFault::conflict, "protocol.isoenergetic");
  refused(with(gauge, "protocol.multispin=metropolis"), InputFault::conflict, "protocol.multispin");
  refused(with(gauge, "protocol.overrelaxation=2"), InputFault::conflict, "protocol.overrelaxation");
  write("terms.txt", "terms\n0 1 2 1\n2 3 -1\n");
  const std::vector<std::string> terms{"model.lattice=graph", "model.graph=terms.txt"};
  refused(with(terms, "model.type=on"), InputFault::conflict, "model.type");
  refused(with(terms, "model.couplings=weights"), InputFault::conflict, "model.couplings");
  write("edges.txt", "0 1\n1 2\n");
  refused({"model.lattice=graph", "model.graph=edges.txt", "model.couplings=file"}, InputFault::conflict,
          "model.couplings");
  refused({"model.lattice=graph", "model.graph=edges.txt", "model.L=4"}, InputFault::conflict, "model.L");
}

}}  // namespace glassworks
