#pragma once

#include <memory>

#include "engine/graphs/graph_recipe.hpp"
#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace tools { namespace bench {

/// A random regular graph, and the lattice that stands for it.
struct RegularGraph {
  std::shared_ptr<const SiteGraph> graph;
  Lattice lattice;

  RegularGraph(int sites, int degree) : lattice{1, sites, 0, LatticeKind::graph, {1, 0, 0, 0}} {
    GraphRecipe recipe;
    recipe.kind = MadeGraph::random_regular;
    recipe.size = sites;
    recipe.degree = degree;
    graph = std::make_shared<const SiteGraph>(make_graph(recipe, size_key(1, 1, sites), 0).graph);
    lattice.graph_sites = graph->sites();
    lattice.graph_bonds = graph->couplings();
  }
};

}}}  // namespace glassworks::tools::bench
