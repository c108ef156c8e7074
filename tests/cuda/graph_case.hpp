#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/graphs/graph_recipe.hpp"
#include "tests/cuda/cluster_round_case.hpp"

/// Batches on graphs, which the plain definition knows.
namespace glassworks::test {

/// A graph for each realization, or one for all.
struct Graphs {
  std::string name;
  Lattice lattice;
  std::vector<std::shared_ptr<const SiteGraph>> of_task;  ///< [realization]

  Graphs(std::string n, const GraphRecipe& recipe, int tasks) : name(std::move(n)) {
    for (int i = 0; i < tasks; ++i) {
      if (i > 0 && !is_random(recipe.kind)) {
        of_task.push_back(of_task.front());
        continue;
      }
      of_task.push_back(std::make_shared<SiteGraph>(
          make_graph(recipe, size_key(3, 1, recipe.size), static_cast<std::uint32_t>(i)).graph));
    }
    set_lattice();
  }
  /// Every realization has this graph.
  Graphs(std::string n, const SiteGraph& graph, int tasks)
      : name(std::move(n)), of_task(static_cast<std::size_t>(tasks), std::make_shared<SiteGraph>(graph)) {
    set_lattice();
  }

  /// Couplings that the updates of the chain allow, and fields.
  [[nodiscard]] std::vector<Disorder> disorder(const Chain& chain, Couplings kind, Fields fields = Fields::none) const {
    std::vector<Disorder> all;
    for (std::size_t i = 0; i < of_task.size(); ++i) {
      Source source(static_cast<std::uint32_t>(40 + i));
      Disorder d;
      d.graph = of_task[i];
      const bool positive = chain.model.kind == ModelKind::potts && chain.protocol.kind != ProtocolKind::local;
      for (std::int64_t bond = 0; bond < lattice.bonds(); ++bond) {
        const double normal = source.normal();
        const double J = kind == Couplings::pure       ? 0.7
                         : kind == Couplings::gaussian ? normal
                         : normal > 0.0                ? 0.7
                                                       : -0.7;
        d.couplings.push_back(static_cast<float>(positive ? std::fabs(J) : J));
      }
      d.fields = fields_of(chain, fields, static_cast<std::uint32_t>(4 + i));
      d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields, chain.model.crystal_field, d.graph.get());
      all.push_back(std::move(d));
    }
    return all;
  }

 private:
  void set_lattice() {
    const SiteGraph& graph = *of_task.front();
    lattice = {1, static_cast<int>(graph.sites()), 0, LatticeKind::graph};
    lattice.graph_sites = graph.sites();
    lattice.graph_bonds = graph.couplings();
    lattice.graph_more_ends = graph.more_ends();
    lattice.dim = std::max(1, static_cast<int>(graph.axes().size()));
    lattice.lengths[0] = 1;
    for (std::size_t axis = 0; axis < graph.axes().size(); ++axis) lattice.lengths[axis] = graph.axes()[axis].planes;
  }
};

/// Two stars and sites without bonds, whose maker leaves a colour out.
inline SiteGraph two_stars() {
  std::vector<GraphBond> bonds;
  std::vector<std::int32_t> colours(77, 2);
  for (std::int32_t i = 1; i < 40; ++i) bonds.push_back({0, i});
  for (std::int32_t i = 41; i < 70; ++i) bonds.push_back({40, i});
  colours[0] = colours[40] = 0;
  return {77, bonds, {}, colours};
}

/// Small ones of each kind: graphs of their own, with sites that have no bonds, with as many colours as sites, with
/// positions along two axes, with hubs.
inline const std::vector<Graphs>& small_graphs() {
  const auto recipe = [](MadeGraph kind, int size, double degree = 0.0, double sigma = 0.0) {
    GraphRecipe r;
    r.kind = kind;
    r.size = size;
    r.degree = degree;
    r.sigma = sigma;
    return r;
  };
  static const std::vector<Graphs> all{{"regular", recipe(MadeGraph::random_regular, 90, 6.0), 3},
                                       {"erdos_renyi", recipe(MadeGraph::erdos_renyi, 130, 3.0), 3},
                                       {"complete", recipe(MadeGraph::complete, 24), 3},
                                       {"kagome", recipe(MadeGraph::kagome, 4), 3},
                                       {"stars", two_stars(), 3}};
  return all;
}

}  // namespace glassworks::test
