#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/config/config.hpp"
#include "engine/graphs/graph_file.hpp"
#include "engine/graphs/graph_recipe.hpp"

namespace glassworks { inline namespace engine {

/// How the graph of a size is made; nothing where a file gives it, and where the kernels see a lattice.
[[nodiscard]] std::optional<GraphRecipe> recipe_of(const ModelConfig& model, int L);

/// The graph of a realization. given: null where it is made here.
struct GraphOfRealization {
  std::shared_ptr<const MadeGraphSample> made;
  std::shared_ptr<const GivenGraph> given;

  [[nodiscard]] std::shared_ptr<const SiteGraph> graph() const {
    if (given) return given->graph;
    return {made, &made->graph};
  }
};

/// A pure function of its arguments; realizations that exist at the same time share what is the same for all.
///
/// lattice  of the size (ModelConfig::lattice_of), of LatticeKind::graph
/// Throws InputError where a file is missing or not the one that the campaign began with.
[[nodiscard]] GraphOfRealization graph_of(const Config& config, const Lattice& lattice, std::uint32_t realization);

/// The content of model.graph. Throws InputError.
[[nodiscard]] std::shared_ptr<const GivenGraph> given_graph(const ModelConfig& model);

/// Ties a model to the content of its file: digest and number of bonds. Throws InputError as given_graph does.
std::shared_ptr<const GivenGraph> open_graph(ModelConfig& model);

/// The couplings of a graph as a file that can be read again, lines `i j J` from 0 on, after `terms` where there are
/// terms of more than two spins; those that are 0 are left out.
[[nodiscard]] std::string graph_couplings_text(const SiteGraph& graph, const std::vector<double>& couplings);

}}  // namespace glassworks::engine
