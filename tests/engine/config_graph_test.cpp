#include "engine/checkpoint/checkpoint_identity.hpp"
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
                           "honeycomb", "kagome", "diamond", "pyrochlore", "chimera", "pegasus", "triangular", "fcc"}) {
    const std::string lattice = name;
    const bool has_degree =
        lattice == "random-regular" || lattice == "erdos-renyi" || lattice == "power-law" || lattice == "bethe";
    std::vector<std::string> keys{"model.lattice=" + lattice, "model.L=5"};
    if (lattice == "random-regular") keys.back() = "model.L=6";
    if (has_degree) keys.emplace_back("model.degree=3");
    if (lattice.starts_with("power-law")) keys.emplace_back("model.sigma=0.7");
    const Config config = load(ising_, keys);
    const Lattice made = config.lattice(config.model.L.front());
    const Disorder disorder = make_disorder(config, made, 1);
    const SiteGraph& graph = *disorder.graph;
    EXPECT_EQ(made.sites(), graph.sites()) << name;
    EXPECT_EQ(made.bonds(), static_cast<std::int64_t>(graph.bonds().size())) << name;
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
  refused(with(regular_, "model.type=heisenberg"), InputFault::conflict, "model.lattice");
  refused(with(regular_, "model.type=phi4"), InputFault::conflict, "model.couplings");
  write("edges.txt", "0 1\n1 2\n");
  refused({"model.lattice=graph", "model.graph=edges.txt", "model.couplings=file"}, InputFault::conflict,
          "model.couplings");
  refused({"model.lattice=graph", "model.graph=edges.txt", "model.L=4"}, InputFault::conflict, "model.L");
}

}}  // namespace glassworks
