#include <gtest/gtest.h>

#include "tests/cuda/graph_case.hpp"

/// Chiralities of triangles on the device must have the bits of the plain definition.
namespace glassworks { namespace {

using test::ClusterRound;
using test::Couplings;
using test::Graphs;

class TriangleRound : public ClusterRound {
 protected:
  static Chain chain_with(const Lattice& lattice, int n, int copies, int slots) {
    Protocol protocol = test::protocol_of(ProtocolKind::local, 0, 1);
    protocol.overrelaxation = 1;
    Chain chain =
        test::cluster_chain(test::on(n), lattice, copies, test::geometric_betas(slots, 0.4, 1.5), protocol, 2);
    chain.samples = 1;
    chain.local = triangle_chirality | (copies == 2 ? axis_modes : 0U);
    return chain;
  }
  static void expect_same_triangles(const Chain& chain, const std::vector<Disorder>& disorder,
                                    const std::string& what) {
    expect_same_bits(
        chain, disorder,
        what + ", n " + std::to_string(chain.model.components) + ", copies " + std::to_string(chain.copies),
        test::Oracle::reference);
  }
  /// The second realization lacks some bonds, so that it has fewer triangles.
  static void cut_bonds(std::vector<Disorder>& disorder) {
    std::vector<float>& J = disorder[1].couplings;
    for (std::size_t i = 0; i < J.size(); i += 5) J[i] = 0.0F;
  }
};

TEST_F(TriangleRound, Lattices) {
  for (const Lattice& lattice : {Lattice{2, 6, 0, LatticeKind::triangular}, Lattice{2, 6, 1U, LatticeKind::triangular},
                                 Lattice{3, 4, 0, LatticeKind::fcc}}) {
    for (const int n : {2, 3}) {
      for (const int copies : {1, 2, 4}) {
        const Chain chain = chain_with(lattice, n, copies, 3);
        std::vector<Disorder> disorder;
        for (std::uint32_t i = 0; i < 2; ++i) disorder.push_back(test::disorder_of(chain, Couplings::gaussian, 4 + i));
        cut_bonds(disorder);
        expect_same_triangles(chain, disorder, test::name_of(lattice));
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Of several blocks, and some that have no triangle at all.
TEST_F(TriangleRound, OnGraphs) {
  const auto recipe = [](MadeGraph kind, int size) {
    GraphRecipe r;
    r.kind = kind;
    r.size = size;
    return r;
  };
  const Graphs all[] = {{"kagome", recipe(MadeGraph::kagome, 4), 2},
                        {"pyrochlore", recipe(MadeGraph::pyrochlore, 3), 2},
                        {"large kagome", recipe(MadeGraph::kagome, 40), 2},
                        {"complete", recipe(MadeGraph::complete, 24), 2},
                        {"honeycomb", recipe(MadeGraph::honeycomb, 4), 2}};
  for (const Graphs& graphs : all) {
    for (const int n : {2, 3}) {
      const Chain chain = chain_with(graphs.lattice, n, 2, 2);
      std::vector<Disorder> disorder = graphs.disorder(chain, Couplings::bimodal);
      cut_bonds(disorder);
      expect_same_triangles(chain, disorder, graphs.name);
      if (HasFatalFailure()) return;
    }
  }
}

/// More planes than shared memory has room for.
TEST_F(TriangleRound, ManyPlanes) {
  constexpr int sites = 4500;
  std::vector<GraphBond> bonds;
  std::vector<GraphAxis> axes{{sites, {}}};
  for (std::int32_t i = 0; i < sites; ++i) {
    bonds.push_back({i, (i + 1) % sites});
    bonds.push_back({i, (i + 2) % sites});
    axes.front().plane.push_back(i);
  }
  const Graphs graphs("strip", SiteGraph(sites, bonds, axes), 2);
  const Chain chain = chain_with(graphs.lattice, 2, 2, 1);
  expect_same_triangles(chain, graphs.disorder(chain, Couplings::gaussian), graphs.name);
}

}}  // namespace glassworks
