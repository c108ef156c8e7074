#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Graphs that the program makes.
enum class MadeGraph {
  random_regular,      ///< uniform among the simple graphs of N sites with z bonds each
  erdos_renyi,         ///< uniform among the graphs with N c/2 bonds, so that all realizations have as many
  power_law,           ///< ring of N sites, N c/2 bonds with P(r) ~ r^(-2 sigma), r the chord
  power_law_complete,  ///< the same ring, all pairs, variance of J ~ r^(-2 sigma), its sum over the bonds of a site 1
  complete,            ///< Sherrington-Kirkpatrick: all pairs, weight N^(-1/2)
  bethe,               ///< Cayley tree of `size` shells around a centre, z neighbours of inner sites
  honeycomb,
  kagome,
  diamond,
  pyrochlore,
  chimera,
  pegasus,
  hypercubic,
  triangular,
  fcc,
  bcc,
  p_spin,          ///< N c/p terms of p sites each, uniform among the sets of so many terms
  p_spin_regular,  ///< terms of p sites, z at each site, uniform among the sets without a term that is there twice
  plaquette_gauge  ///< the bonds of a closed hypercubic lattice as sites, its plaquettes as terms of four of them
};

/// What determines a graph, with a realization where it is random.
struct GraphRecipe {
  MadeGraph kind = MadeGraph::random_regular;
  /// The label L: N of random_regular, erdos_renyi, power_law, power_law_complete, complete and p-spin; shells of
  /// bethe; unit cells along each axis of lattices, of plaquette_gauge too; m of C_m and P_m.
  int size = 0;
  /// z of random_regular and bethe; mean degree c of erdos_renyi and power_law; terms of a site of p-spin, or their
  /// mean.
  double degree = 0;
  double sigma = 0;          ///< of power laws
  int dim = 3;               ///< of hypercubic, 1 to 6, and plaquette_gauge, 2 to 6
  std::vector<int> lengths;  ///< cells along the axes of a lattice; empty: `size` along all of them
  std::vector<bool> open;    ///< of the axes of a lattice; empty: all are closed
  int body = 0;              ///< p of p-spin
};

struct MadeGraphSample {
  SiteGraph graph;
  std::vector<double> weights;  ///< factor of the coupling of each bond [bond]; empty: 1
};

/// The graph of a realization: a pure function of the arguments. Random kinds take words from the stream dilution of
/// the realization, replica 2 (BondWords); the others are the same for all. Lattices have their positions and known
/// colours (cell_graph), Chimera and Pegasus their numbers in other programs and known colours
/// (annealer_graphs.hpp), the others are coloured by number. Throws std::invalid_argument (problem (why). suggestion)
/// where there is no such graph.
[[nodiscard]] MadeGraphSample make_graph(const GraphRecipe& recipe, PhiloxKey key, std::uint32_t realization);

/// N. Throws as make_graph does.
[[nodiscard]] std::int64_t sites_of(const GraphRecipe& recipe);

/// Sites of a term: those of every bond of the graph.
[[nodiscard]] constexpr int ends_of_bond(const GraphRecipe& recipe) {
  switch (recipe.kind) {
    case MadeGraph::p_spin:
    case MadeGraph::p_spin_regular:
      return recipe.body;
    case MadeGraph::plaquette_gauge:
      return 4;
    default:
      return 2;
  }
}

/// N_b, terms among them, the same of every realization. Throws as make_graph does.
[[nodiscard]] std::int64_t bonds_of(const GraphRecipe& recipe);

/// Why there is no such graph, "problem (why). suggestion"; empty if there is.
[[nodiscard]] std::string problem_of(const GraphRecipe& recipe);

/// Planes along the axes of positions (GraphAxis::planes); empty where sites have none.
[[nodiscard]] std::vector<int> planes_of(const GraphRecipe& recipe);

/// Whether realizations have different graphs.
[[nodiscard]] constexpr bool is_random(MadeGraph kind) {
  return kind == MadeGraph::random_regular || kind == MadeGraph::erdos_renyi || kind == MadeGraph::power_law ||
         kind == MadeGraph::p_spin || kind == MadeGraph::p_spin_regular;
}

/// Number of axes of a lattice of unit cells; 0 of other graphs.
[[nodiscard]] int axes_of(const GraphRecipe& recipe);

}}  // namespace glassworks::engine
