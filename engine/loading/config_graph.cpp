#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/config/config_value.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/rounds/local_names.hpp"
#include "kernels/rounds/triangle_table.hpp"

namespace glassworks { inline namespace engine {
namespace {

bool is_drawn_by_degree(LatticeChoice lattice) {
  return lattice == LatticeChoice::random_regular || lattice == LatticeChoice::erdos_renyi ||
         lattice == LatticeChoice::power_law || lattice == LatticeChoice::bethe || lattice == LatticeChoice::p_spin ||
         lattice == LatticeChoice::p_spin_regular;
}

bool is_power_law(LatticeChoice lattice) {
  return lattice == LatticeChoice::power_law || lattice == LatticeChoice::power_law_complete;
}

[[noreturn]] void refuse_unused(const char* key, const std::string& lattice, const char* wanted) {
  throw InputError(InputFault::conflict, key,
                   fmt::format("{} is given without use ({} has none). Remove it, or use model.lattice = {}.", key,
                               lattice, wanted));
}

/// Keys of graphs that the lattice does not have, or has to have.
void validate_graph_keys(const ModelConfig& model, const std::string& lattice) {
  const bool has_degree = is_drawn_by_degree(model.lattice), has_sigma = is_power_law(model.lattice);
  const double degree = model.graph.degree;
  const bool from_file = model.lattice == LatticeChoice::graph;
  if (!from_file && !model.graph.positions.empty()) refuse_unused("model.positions", lattice, "graph");
  if (model.graph.positions.empty() && !model.graph.periods.empty()) {
    throw InputError(InputFault::conflict, "model.periods",
                     "model.periods is given without use (it belongs to model.positions). Remove it.");
  }
  for (const double period : model.graph.periods) {
    if (!(period >= 0.0) || !(period <= 1e30)) {
      throw InputError(InputFault::out_of_range, "model.periods",
                       fmt::format("model.periods = {} is out of range (lengths are positive, or 0 where positions say "
                                   "them). Choose another value.",
                                   write_value(model.graph.periods)));
    }
  }
  if (!has_degree && degree != 0.0) refuse_unused("model.degree", lattice, "random-regular, erdos-renyi or bethe");
  if (!has_sigma && model.graph.sigma != 0.0) refuse_unused("model.sigma", lattice, "power-law");
  if (model.graph.draw == GraphDraw::one && !is_drawn_by_degree(model.lattice)) {
    throw InputError(InputFault::conflict, "model.graphs",
                     fmt::format("model.graphs = one is given without use ({} is not drawn). Remove it.", lattice));
  }
  const char* const ends = model.has_body() ? "terms" : "neighbours";
  if (has_degree && degree == 0.0) {
    throw InputError(InputFault::missing, "model.degree",
                     fmt::format("model.degree is missing ({} needs the number of {} of a site). Add "
                                 "model.degree = 6.",
                                 lattice, ends));
  }
  const bool whole = model.lattice == LatticeChoice::random_regular || model.lattice == LatticeChoice::bethe ||
                     model.lattice == LatticeChoice::p_spin_regular;
  if (whole && (degree < 2.0 || degree != std::floor(degree))) {
    throw InputError(InputFault::out_of_range, "model.degree",
                     fmt::format("model.degree = {} is not possible ({} has a whole number of {}, 2 or more). "
                                 "Use a whole number.",
                                 degree, lattice, ends));
  }
  if (!model.has_body() && model.graph.body != 0) refuse_unused("model.body", lattice, "p-spin or p-spin-regular");
  if (model.has_body() && model.graph.body == 0) {
    throw InputError(
        InputFault::missing, "model.body",
        fmt::format("model.body is missing ({} needs the number of spins of a term). Add model.body = 3.", lattice));
  }
  if (model.has_body() && model.graph.body < 3) {
    throw InputError(InputFault::out_of_range, "model.body",
                     fmt::format("model.body = {} is not possible (terms of {} have 3 spins or more; erdos-renyi has "
                                 "two). Use 3 or more.",
                                 model.graph.body, lattice));
  }
  if (has_sigma && model.graph.sigma == 0.0) {
    throw InputError(InputFault::missing, "model.sigma",
                     fmt::format("model.sigma is missing ({} has bonds that fall as r^(-2 sigma)). Add "
                                 "model.sigma = 0.75.",
                                 lattice));
  }
}

/// Boundaries, dilution and files that do not fit.
void validate_graph_disorder(const Config& config, const std::string& lattice) {
  const ModelConfig& model = config.model;
  if (std::ranges::find(model.boundary, AxisEnds::antiperiodic) != model.boundary.end()) {
    throw InputError(InputFault::conflict, "model.boundary",
                     fmt::format("model.boundary = antiperiodic does not fit {} (bonds of a graph cross no ends, and "
                                 "lattices with odd lengths are graphs). Use periodic or open, or even lengths of the "
                                 "hypercubic lattice.",
                                 lattice));
  }
  if (!model.boundary.empty() && !model.has_positions()) refuse_unused("model.boundary", lattice, "hypercubic");
  if (!model.shapes.empty() && model.lattice != LatticeChoice::hypercubic) {
    refuse_unused("model.shape", lattice, "hypercubic");
  }
  const bool reads = model.couplings == CouplingKind::file || model.couplings == CouplingKind::files;
  if (model.couplings == CouplingKind::files || (reads && !model.couplings_file.empty()) ||
      (model.couplings == CouplingKind::file && model.lattice != LatticeChoice::graph)) {
    throw InputError(
        InputFault::conflict, "model.couplings",
        fmt::format("model.couplings = {} does not fit {} (couplings of a graph stand in its own file). Use "
                    "model.lattice = graph with model.graph = <path>, or draw them.",
                    write_value(model.couplings), lattice));
  }
}

/// What does not fit terms that couple more than two spins.
void validate_terms(const Config& config, const std::string& lattice) {
  const Protocol& p = config.protocol;
  if (config.model.spins.kind != ModelKind::ising) {
    refuse_pair("model.type = " + write_value(config.model.spins.kind), lattice,
                "terms of more than two spins are products of Ising spins", "Use model.type = ising");
  }
  const char* const clusters = "clusters grow along bonds, which terms of more than two spins are not";
  if (p.kind != ProtocolKind::local) {
    refuse_pair("protocol.kind = " + write_value(p.kind), lattice, clusters, "Use protocol.kind = local");
  }
  if (p.isoenergetic > 0) {
    refuse_pair(fmt::format("protocol.isoenergetic = {}", p.isoenergetic), lattice, clusters, "Leave it out");
  }
  if (p.multispin != MultispinRule::off) {
    refuse_pair("protocol.multispin = " + write_value(p.multispin), lattice, "words count unsatisfied bonds",
                "Leave it out");
  }
}

const char* const chirality_of_triangles = "round.observables = triangle_chirality";

[[noreturn]] void refuse_triangles(const std::string& of) {
  refuse_pair(chirality_of_triangles, of, "there are more than 2^25 triangles",
              "Use a smaller lattice, or leave the chirality out");
}

/// Triangles of a lattice of unit cells, at least: open ends take those at one end away.
double least_triangles(const Config& config, int L) {
  const ModelConfig& model = config.model;
  const auto sites = static_cast<double>(config.lattice(L).sites());
  const double of_site = model.lattice == LatticeChoice::fcc      ? 8.0
                         : model.lattice == LatticeChoice::kagome ? 2.0 / 3.0
                                                                  : 2.0;
  const bool open = std::ranges::find(model.boundary, AxisEnds::open) != model.boundary.end();
  return of_site * sites * (open ? std::pow(1.0 - 1.0 / L, model.axes()) : 1.0);
}

/// Chirality of triangles, and observables of single replicas.
void validate_graph_observables(const Config& config) {
  const ModelConfig& model = config.model;
  const std::string lattice = "model.lattice = " + write_value(model.lattice);
  const LocalSelection selection = config.round.observables;
  if (model.has_graphs() && !are_on_graphs(selection)) {
    refuse_pair("round.observables = plaquette_chirality_2", lattice,
                "its plaquettes are those of lattices with even lengths", "Leave it out");
  }
  if ((selection & triangle_chirality) == 0) return;
  constexpr LatticeChoice with_triangles[] = {LatticeChoice::triangular, LatticeChoice::kagome, LatticeChoice::fcc,
                                              LatticeChoice::pyrochlore, LatticeChoice::graph};
  if (std::ranges::find(with_triangles, model.lattice) == std::end(with_triangles)) {
    refuse_pair(chirality_of_triangles, lattice,
                "it is for triangular, kagome, fcc and pyrochlore lattices and graphs from files",
                "Leave one of them out");
  }
  const bool closed = std::ranges::find(model.boundary, AxisEnds::open) == model.boundary.end();
  const bool of_rows = model.lattice == LatticeChoice::triangular || model.lattice == LatticeChoice::fcc;
  if (of_rows && closed && std::ranges::find(model.L, 3) != model.L.end()) {
    refuse_pair(chirality_of_triangles, "model.L = 3", "closed rows of three sites are triangles too",
                "Use model.L = 4 or more");
  }
  if (model.lattice == LatticeChoice::graph || model.bond_dilution > 0.0 || model.site_dilution > 0.0) return;
  for (const int L : model.L) {
    if (least_triangles(config, L) > static_cast<double>(TriangleTable::most)) {
      refuse_triangles(fmt::format("model.L = {}", L));
    }
  }
}

}  // namespace

void use_graph(Config& config, const std::function<bool(const char*)>& given) {
  ModelConfig& model = config.model;
  if (model.lattice != LatticeChoice::graph || model.graph.file.empty()) return;
  std::shared_ptr<const GivenGraph> graph;
  try {
    graph = open_graph(model);
  } catch (const InputError&) {
    // A campaign is looked at where its file is not; load_config reads it once more.
    if (model.L.empty()) throw;
    return;
  }
  const auto sites = static_cast<int>(graph->graph->sites());
  const bool diluted = model.bond_dilution > 0.0 || model.site_dilution > 0.0;
  if ((config.round.observables & triangle_chirality) != 0 && !diluted &&
      TriangleTable::count(*graph->graph) > TriangleTable::most) {
    refuse_triangles(fmt::format("model.graph = {}", model.graph.file.string()));
  }
  if (model.L.empty()) model.L = {sites};
  if (model.L != std::vector<int>{sites}) {
    throw InputError(InputFault::conflict, "model.L",
                     fmt::format("model.L = {} does not fit model.graph = {} (the file has {} sites). Leave model.L "
                                 "out.",
                                 write_value(model.L), model.graph.file.string(), sites));
  }
  if (!given("model.couplings") && !graph->couplings.empty()) model.couplings = CouplingKind::file;
  if (!given("model.field") && !graph->fields.empty()) model.field = FieldKind::file;
  const auto lacks = [&](const char* key, const char* what) {
    throw InputError(InputFault::conflict, key,
                     fmt::format("the file '{}' holds no {} ({} asks for them). Draw them, or add them to the file.",
                                 model.graph.file.string(), what, key));
  };
  if (model.couplings == CouplingKind::weights && graph->graph->terms().size() > 0) {
    throw InputError(InputFault::conflict, "model.couplings",
                     fmt::format("model.couplings = weights does not fit model.graph = {} (a cut is one of bonds, and "
                                 "the file has terms of more than two spins). Leave model.couplings out.",
                                 model.graph.file.string()));
  }
  if (model.reads_couplings() && graph->couplings.empty()) lacks("model.couplings", "couplings");
  if (model.field == FieldKind::file && model.field_file.empty() && graph->fields.empty()) {
    lacks("model.field", "fields");
  }
}

void validate_graph(const Config& config) {
  const ModelConfig& model = config.model;
  validate_graph_observables(config);
  if (model.couplings == CouplingKind::weights && model.lattice != LatticeChoice::graph) {
    throw InputError(InputFault::conflict, "model.couplings",
                     "model.couplings = weights needs a file of a graph (J = -w of its weights). Use model.lattice = "
                     "graph with model.graph = <path>.");
  }
  if (!model.has_graphs()) {
    validate_graph_keys(model, "model.lattice = " + write_value(model.lattice));
    return;
  }
  const std::string lattice = "model.lattice = " + write_value(model.lattice);
  if (model.lattice == LatticeChoice::graph && model.graph.file.empty()) {
    throw InputError(InputFault::missing, "model.graph",
                     "model.graph is missing (model.lattice = graph needs it). Add model.graph = <path>.");
  }
  validate_graph_keys(model, lattice);
  validate_graph_disorder(config, lattice);
  for (const int L : model.L) {
    const std::optional<GraphRecipe> recipe = recipe_of(model, L);
    if (!recipe) continue;
    const std::string problem = problem_of(*recipe);
    if (!problem.empty()) throw InputError(InputFault::out_of_range, "model.L", problem);
  }
  if (model.lattice == LatticeChoice::graph ? model.graph.more_ends > 0 : config.lattice(model.L.front()).has_terms()) {
    validate_terms(config, lattice);
  }
}

}}  // namespace glassworks::engine
