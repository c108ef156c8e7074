#include "engine/graphs/graph_recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/graphs/annealer_graphs.hpp"
#include "engine/graphs/bond_words.hpp"
#include "engine/graphs/cell_lattice.hpp"
#include "engine/graphs/random_bonds.hpp"
#include "engine/graphs/regular_graph.hpp"
#include "engine/graphs/term_lists.hpp"
#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace engine {
namespace {

[[noreturn]] void refuse_recipe(const std::string& what, const std::string& why, const std::string& suggestion) {
  throw std::invalid_argument(fmt::format("{} cannot be made ({}). {}", what, why, suggestion));
}

const char* name_of(MadeGraph kind) {
  switch (kind) {
    case MadeGraph::random_regular:
      return "random-regular";
    case MadeGraph::erdos_renyi:
      return "erdos-renyi";
    case MadeGraph::power_law:
      return "power-law";
    case MadeGraph::power_law_complete:
      return "complete power-law";
    case MadeGraph::complete:
      return "complete";
    case MadeGraph::bethe:
      return "bethe";
    case MadeGraph::honeycomb:
      return "honeycomb";
    case MadeGraph::kagome:
      return "kagome";
    case MadeGraph::diamond:
      return "diamond";
    case MadeGraph::pyrochlore:
      return "pyrochlore";
    case MadeGraph::chimera:
      return "chimera";
    case MadeGraph::pegasus:
      return "pegasus";
    case MadeGraph::hypercubic:
      return "hypercubic";
    case MadeGraph::triangular:
      return "triangular";
    case MadeGraph::fcc:
      return "fcc";
    case MadeGraph::bcc:
      return "bcc";
    case MadeGraph::p_spin:
      return "p-spin";
    case MadeGraph::p_spin_regular:
      return "p-spin-regular";
    case MadeGraph::plaquette_gauge:
      return "plaquette-gauge";
  }
  return "";
}

std::string recipe_text(const GraphRecipe& recipe) {
  if (recipe.lengths.empty()) return fmt::format("A graph of kind {} and size {}", name_of(recipe.kind), recipe.size);
  return fmt::format("A graph of kind {} and lengths {}", name_of(recipe.kind), fmt::join(recipe.lengths, " x "));
}

[[nodiscard]] CellLattice unit_cells_of(const GraphRecipe& recipe) {
  switch (recipe.kind) {
    case MadeGraph::honeycomb:
      return honeycomb_cells(2);
    case MadeGraph::diamond:
      return honeycomb_cells(3);
    case MadeGraph::kagome:
      return simplex_cells(2);
    case MadeGraph::pyrochlore:
      return simplex_cells(3);
    case MadeGraph::triangular:
      return triangular_cells();
    case MadeGraph::fcc:
      return fcc_cells();
    case MadeGraph::bcc:
      return bcc_cells();
    case MadeGraph::hypercubic:
      if (recipe.dim < 1 || recipe.dim > CellLattice::max_dim) {
        refuse_recipe(recipe_text(recipe), fmt::format("{} dimensions are not among 1 to 6", recipe.dim),
                      "Choose 1 to 6 dimensions.");
      }
      return hypercubic_cells(recipe.dim);
    default:
      return {};
  }
}

/// Throws where it does not fit the lattice.
CellShape shape_of(const GraphRecipe& recipe, const CellLattice& lattice) {
  const auto axes = static_cast<std::size_t>(lattice.dim);
  CellShape shape{recipe.lengths, recipe.open};
  if (shape.lengths.empty()) shape.lengths.assign(axes, recipe.size);
  if (shape.open.empty()) shape.open.assign(axes, false);
  if (shape.lengths.size() != axes || shape.open.size() != axes) {
    refuse_recipe(recipe_text(recipe), fmt::format("it has {} axes", axes), "Give one length for each axis.");
  }
  double cells = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const int least = shape.open[axis] ? 2 : lattice.least_closed;
    if (shape.lengths[axis] < least) {
      refuse_recipe(
          recipe_text(recipe),
          fmt::format("the length {} of axis {} is less than {}, and bonds would be there twice or not at all",
                      shape.lengths[axis], axis + 1, least),
          "Make the axis longer.");
    }
    cells *= shape.lengths[axis];
  }
  if (cells * static_cast<double>(std::max(lattice.offset.size(), lattice.bonds.size())) >
      static_cast<double>(SiteGraph::max_bonds)) {
    refuse_recipe(recipe_text(recipe), "it has more than 2^30 sites or bonds", "Make it smaller.");
  }
  return shape;
}

int whole_degree(const GraphRecipe& recipe, int largest) {
  if (!(recipe.degree >= 1 && recipe.degree <= largest) || recipe.degree != std::floor(recipe.degree)) {
    refuse_recipe(
        recipe_text(recipe),
        fmt::format("the number of neighbours, z = {}, is not a whole number from 1 to {}", recipe.degree, largest),
        "Choose such a z.");
  }
  return static_cast<int>(recipe.degree);
}

void require_mean_degree(const GraphRecipe& recipe) {
  if (!(recipe.degree > 0 && recipe.degree <= recipe.size - 1)) {
    refuse_recipe(recipe_text(recipe),
                  fmt::format("the mean degree c = {} is not above 0 and at most N - 1", recipe.degree),
                  "Choose such a c.");
  }
}

void require_sigma(const GraphRecipe& recipe) {
  if (!(recipe.sigma >= 0 && recipe.sigma <= 10)) {
    refuse_recipe(recipe_text(recipe), fmt::format("sigma = {} is not among 0 to 10", recipe.sigma),
                  "Choose such a sigma.");
  }
}

/// Sites and bonds.
struct GraphNumbers {
  std::int64_t sites = 0;
  double bonds = 0;
};

GraphNumbers bethe_numbers(const GraphRecipe& recipe) {
  const int z = whole_degree(recipe, 1000);
  if (z < 2) refuse_recipe(recipe_text(recipe), "z = 1 is a pair of sites", "Choose z = 2 or more.");
  std::int64_t sites = 1, shell = z;
  for (int generation = 0; generation < recipe.size && sites < SiteGraph::max_bonds; ++generation) {
    sites += shell;
    shell *= z - 1;
  }
  return {sites, static_cast<double>(sites - 1)};
}

[[noreturn]] void refuse_too_large(const GraphRecipe& recipe) {
  refuse_recipe(recipe_text(recipe), "it has more than 2^30 sites or bonds", "Make it smaller.");
}

/// p-spin.
double number_of_terms(const GraphRecipe& recipe) {
  const int p = recipe.body, N = recipe.size;
  if (p < 3 || p > std::min(N, SiteGraph::max_term_sites)) {
    refuse_recipe(recipe_text(recipe),
                  fmt::format("terms of p = {} spins are not among 3 to {}", p, std::min(N, SiteGraph::max_term_sites)),
                  "Choose such a p.");
  }
  const double all = binomial(N, p), each = all * p / N;
  if (recipe.kind == MadeGraph::p_spin_regular) {
    const int z = whole_degree(recipe, static_cast<int>(std::min(each, 1e6)));
    if (std::int64_t{N} * z % p != 0) {
      refuse_recipe(recipe_text(recipe),
                    fmt::format("N z = {} x {} is no multiple of p = {}, and each term has p sites", N, z, p),
                    "Change N or z.");
    }
    if ((p - 1) * (z - 1) > most_clashes) {
      refuse_recipe(recipe_text(recipe),
                    fmt::format("(p - 1) (z - 1) = {} is above {}, and nearly every drawing has terms with a site "
                                "twice",
                                (p - 1) * (z - 1), most_clashes),
                    "Choose a smaller z, or p-spin.");
    }
    return static_cast<double>(N) * z / p;
  }
  const double terms = std::round(N * recipe.degree / p);
  if (!(terms >= 1 && terms <= all)) {
    refuse_recipe(recipe_text(recipe),
                  fmt::format("the mean number of terms of a site, c = {}, makes no terms or more than all {:.6g} that "
                              "there are",
                              recipe.degree, all),
                  "Choose another c.");
  }
  return terms;
}

GraphNumbers gauge_numbers(const GraphRecipe& recipe) {
  if (recipe.dim < 2 || recipe.dim > CellLattice::max_dim) {
    refuse_recipe(recipe_text(recipe), fmt::format("{} dimensions are not among 2 to 6", recipe.dim),
                  "Choose 2 to 6 dimensions.");
  }
  const double cells = std::pow(static_cast<double>(recipe.size), recipe.dim);
  const double terms = cells * recipe.dim * (recipe.dim - 1) / 2;
  if (terms > static_cast<double>(SiteGraph::max_bonds)) refuse_too_large(recipe);
  return {static_cast<std::int64_t>(cells) * recipe.dim, terms};
}

/// Throws where there is no such graph.
GraphNumbers numbers_of(const GraphRecipe& recipe) {
  const CellLattice lattice = unit_cells_of(recipe);
  if (lattice.dim > 0) {
    const CellShape shape = shape_of(recipe, lattice);
    return {cell_sites(lattice, shape), static_cast<double>(cell_bonds(lattice, shape))};
  }
  if (!recipe.lengths.empty() || !recipe.open.empty()) {
    refuse_recipe(recipe_text(recipe), "it has no axes", "Leave lengths and open ends out.");
  }
  const int least = recipe.kind == MadeGraph::chimera || recipe.kind == MadeGraph::bethe ? 1 : 2;
  if (recipe.size < least) {
    refuse_recipe(recipe_text(recipe), fmt::format("its size is less than {}", least), "Make it larger.");
  }
  // Sizes at which no graph has fewer than 2^30 sites, so that nothing below overflows.
  constexpr int most_cells = 1 << 15;
  const bool annealer = recipe.kind == MadeGraph::chimera || recipe.kind == MadeGraph::pegasus;
  if (annealer && recipe.size > most_cells) refuse_too_large(recipe);
  const double n = recipe.size;
  GraphNumbers numbers{recipe.size, n * (n - 1) / 2};
  switch (recipe.kind) {
    case MadeGraph::random_regular: {
      const int z = whole_degree(recipe, recipe.size - 1);
      if (std::int64_t{recipe.size} * z % 2 != 0) {
        refuse_recipe(recipe_text(recipe),
                      fmt::format("N z = {} x {} is odd, and each bond has two ends", recipe.size, z),
                      "Make N or z even.");
      }
      numbers.bonds = n * z / 2;
      break;
    }
    case MadeGraph::erdos_renyi:
      require_mean_degree(recipe);
      numbers.bonds = static_cast<double>(erdos_renyi_bond_count(recipe.size, recipe.degree));
      break;
    case MadeGraph::power_law:
      require_mean_degree(recipe);
      require_sigma(recipe);
      numbers.bonds = static_cast<double>(power_law_bond_count(recipe.size, recipe.degree));
      break;
    case MadeGraph::power_law_complete:
      require_sigma(recipe);
      break;
    case MadeGraph::bethe:
      numbers = bethe_numbers(recipe);
      break;
    case MadeGraph::chimera:
      numbers = {chimera_sites(recipe.size), static_cast<double>(chimera_bonds(recipe.size))};
      break;
    case MadeGraph::p_spin:
    case MadeGraph::p_spin_regular:
      numbers.bonds = number_of_terms(recipe);
      break;
    case MadeGraph::plaquette_gauge:
      numbers = gauge_numbers(recipe);
      break;
    case MadeGraph::pegasus:
      numbers = {pegasus_sites(recipe.size), static_cast<double>(pegasus_bonds(recipe.size))};
      break;
    default:
      break;
  }
  const double most = static_cast<double>(SiteGraph::max_bonds);
  if (numbers.bonds > most || static_cast<double>(numbers.sites) > most) refuse_too_large(recipe);
  return numbers;
}

bool is_ring(MadeGraph kind) { return kind == MadeGraph::power_law || kind == MadeGraph::power_law_complete; }

/// The sites of a ring are its planes.
std::vector<GraphAxis> ring_axis(std::int64_t sites) {
  GraphAxis axis{static_cast<std::int32_t>(sites), std::vector<std::int32_t>(static_cast<std::size_t>(sites))};
  std::iota(axis.plane.begin(), axis.plane.end(), 0);
  return {axis};
}

SiteGraph bethe_tree(const GraphRecipe& recipe) {
  const Graph tree = Graph::bethe(static_cast<int>(recipe.degree), recipe.size, Numbering::standard);
  std::vector<GraphBond> bonds;
  bonds.reserve(tree.bonds());
  tree.for_each_bond([&](BondIndex, Site a, Site b) {
    bonds.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
  });
  return {tree.sites(), std::move(bonds)};
}

}  // namespace

std::int64_t sites_of(const GraphRecipe& recipe) { return numbers_of(recipe).sites; }
std::int64_t bonds_of(const GraphRecipe& recipe) { return static_cast<std::int64_t>(numbers_of(recipe).bonds); }

std::string problem_of(const GraphRecipe& recipe) {
  try {
    static_cast<void>(numbers_of(recipe));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

std::vector<int> planes_of(const GraphRecipe& recipe) {
  if (is_ring(recipe.kind)) return {recipe.size};
  const CellLattice lattice = unit_cells_of(recipe);
  if (lattice.dim == 0) return {};
  std::vector<int> planes = shape_of(recipe, lattice).lengths;
  for (int& length : planes) length *= lattice.parts;
  return planes;
}
int axes_of(const GraphRecipe& recipe) { return unit_cells_of(recipe).dim; }

MadeGraphSample make_graph(const GraphRecipe& recipe, PhiloxKey key, std::uint32_t realization) {
  const std::int64_t sites = numbers_of(recipe).sites;
  const CellLattice lattice = unit_cells_of(recipe);
  if (lattice.dim > 0) return {cell_graph(lattice, shape_of(recipe, lattice)), {}};
  key.generator = Generator::philox4x32;  // as all disorder
  BondWords words(key, realization);
  switch (recipe.kind) {
    case MadeGraph::random_regular:
      return {SiteGraph(sites, random_regular_bonds(sites, static_cast<int>(recipe.degree), words)), {}};
    case MadeGraph::erdos_renyi:
      return {SiteGraph(sites, erdos_renyi_bonds(sites, recipe.degree, words)), {}};
    case MadeGraph::power_law:
      return {SiteGraph(sites, power_law_bonds(recipe.size, recipe.degree, recipe.sigma, words), ring_axis(sites)), {}};
    case MadeGraph::power_law_complete:
      return {SiteGraph(sites, all_pairs(sites), ring_axis(sites)), power_law_weights(recipe.size, recipe.sigma)};
    case MadeGraph::complete: {
      SiteGraph graph(sites, all_pairs(sites));
      std::vector<double> weights(graph.bonds().size(), 1 / std::sqrt(static_cast<double>(sites)));
      return {std::move(graph), std::move(weights)};
    }
    case MadeGraph::bethe:
      return {bethe_tree(recipe), {}};
    case MadeGraph::p_spin:
      return {SiteGraph(sites, {}, {}, {}, drawn_terms(recipe.size, recipe.body, bonds_of(recipe), words)), {}};
    case MadeGraph::p_spin_regular: {
      const int z = static_cast<int>(recipe.degree);
      return {SiteGraph(sites, {}, {}, {}, regular_terms(recipe.size, recipe.body, z, words)), {}};
    }
    case MadeGraph::plaquette_gauge:
      return {SiteGraph(sites, {}, {}, {}, plaquettes(recipe.dim, recipe.size)), {}};
    case MadeGraph::chimera:
      return {chimera_graph(recipe.size), {}};
    default:
      return {pegasus_graph(recipe.size), {}};
  }
}

}}  // namespace glassworks::engine
