#include "engine/disorder/model_graphs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <utility>

#include "base/text_file.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/graphs/site_positions.hpp"
#include "kernels/core/addresses.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// The first 32 bits of a digest in hexadecimal digits.
std::uint32_t tag_of(const std::string& digest) {
  std::uint32_t tag = 0;
  if (digest.size() >= 8) std::from_chars(digest.data(), digest.data() + 8, tag, 16);
  return tag;
}

MadeGraph made_of(LatticeChoice choice) {
  switch (choice) {
    case LatticeChoice::random_regular:
      return MadeGraph::random_regular;
    case LatticeChoice::erdos_renyi:
      return MadeGraph::erdos_renyi;
    case LatticeChoice::power_law:
      return MadeGraph::power_law;
    case LatticeChoice::power_law_complete:
      return MadeGraph::power_law_complete;
    case LatticeChoice::complete:
      return MadeGraph::complete;
    case LatticeChoice::bethe:
      return MadeGraph::bethe;
    case LatticeChoice::honeycomb:
      return MadeGraph::honeycomb;
    case LatticeChoice::kagome:
      return MadeGraph::kagome;
    case LatticeChoice::diamond:
      return MadeGraph::diamond;
    case LatticeChoice::pyrochlore:
      return MadeGraph::pyrochlore;
    case LatticeChoice::chimera:
      return MadeGraph::chimera;
    case LatticeChoice::pegasus:
      return MadeGraph::pegasus;
    case LatticeChoice::p_spin:
      return MadeGraph::p_spin;
    case LatticeChoice::p_spin_regular:
      return MadeGraph::p_spin_regular;
    case LatticeChoice::plaquette_gauge:
      return MadeGraph::plaquette_gauge;
    case LatticeChoice::triangular:
      return MadeGraph::triangular;
    case LatticeChoice::fcc:
      return MadeGraph::fcc;
    case LatticeChoice::bcc:
      return MadeGraph::bcc;
    case LatticeChoice::hypercubic:
    case LatticeChoice::graph:
      break;
  }
  return MadeGraph::hypercubic;
}

/// Everything that says how a graph is made, for its tag.
std::string text_of(const GraphRecipe& recipe) {
  std::string open;
  for (const bool is_open : recipe.open) open += is_open ? '1' : '0';
  const std::string body = recipe.body == 0 ? std::string() : fmt::format(" {}", recipe.body);
  return fmt::format("{} {:.17g} {:.17g} {} {} {} {}{}", static_cast<int>(recipe.kind), recipe.degree, recipe.sigma,
                     recipe.dim, recipe.size, fmt::join(recipe.lengths, "x"), open, body);
}

/// What is alive under a name, or else what `make` makes: graphs are large, and equal for many realizations.
template <class T>
class SharedByName {
 public:
  template <class Make>
  [[nodiscard]] std::shared_ptr<const T> get(const std::string& name, const Make& make) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const T>& known = known_[name];
    if (std::shared_ptr<const T> there = known.lock()) return there;
    auto made = std::make_shared<const T>(make());
    known = made;
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const T>> known_;
};

/// The same graph, with the positions of a file.
void set_positions(const std::filesystem::path& file, const std::vector<double>& periods, GivenGraph& given) {
  const SiteGraph& graph = *given.graph;
  const GivenPositions positions = read_positions_file(file, graph.sites());
  given.positions_digest = positions.digest;
  given.graph = std::make_shared<const SiteGraph>(
      graph.sites(), std::vector<GraphBond>(graph.bonds().begin(), graph.bonds().end()),
      axes_of_positions(file, positions, periods), std::vector<std::int32_t>{}, graph.terms());
}

Lattice lattice_of_graph(const ModelConfig& model, int L) {
  Lattice lattice{1, L, 0, LatticeKind::graph};
  lattice.lengths[0] = 1;
  lattice.graph_sites = 1;
  const std::optional<GraphRecipe> recipe = recipe_of(model, L);
  if (recipe && !problem_of(*recipe).empty()) return lattice;  // refused later
  if (!recipe) {
    lattice.graph_sites = L;
    lattice.graph_bonds = model.graph.bonds;
    lattice.graph_more_ends = model.graph.more_ends;
    lattice.graph_tag = tag_of(model.graph.digest);
    lattice.dim = model.axes();
    std::ranges::copy(model.graph.planes, lattice.lengths.begin());
    return lattice;
  }
  lattice.graph_sites = sites_of(*recipe);
  lattice.graph_bonds = bonds_of(*recipe);
  lattice.graph_more_ends = (ends_of_bond(*recipe) - 2) * lattice.graph_bonds;
  lattice.graph_tag = tag_of(text_digest(text_of(*recipe)));
  lattice.dim = model.axes();
  const std::vector<int> planes = planes_of(*recipe);  // none where sites have no positions: one axis of one plane
  std::copy_n(planes.begin(), std::min<std::size_t>(planes.size(), Lattice::max_dim), lattice.lengths.begin());
  for (std::size_t axis = 0; axis < std::min<std::size_t>(recipe->open.size(), Lattice::max_dim); ++axis) {
    if (recipe->open[axis]) lattice.open |= 1U << axis;
  }
  return lattice;
}

}  // namespace

bool ModelConfig::is_graph(int size) const {
  if (lattice >= LatticeChoice::graph || dim > Lattice::max_dim) return true;
  const auto is_open = [this](std::size_t axis) { return axis < boundary.size() && boundary[axis] == AxisEnds::open; };
  const auto shape = std::ranges::find(shapes, size, &LatticeShape::longest);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(std::max(dim, 1)); ++axis) {
    const int length = shape == shapes.end() ? size : shape->lengths.at(axis);
    if (length % 2 != 0 && !is_open(axis)) return true;
  }
  return false;
}

int ModelConfig::axes() const {
  switch (lattice) {
    case LatticeChoice::graph:
      return std::max(1, static_cast<int>(graph.planes.size()));
    case LatticeChoice::random_regular:
    case LatticeChoice::erdos_renyi:
    case LatticeChoice::complete:
    case LatticeChoice::bethe:
    case LatticeChoice::power_law:
    case LatticeChoice::power_law_complete:
    case LatticeChoice::chimera:
    case LatticeChoice::pegasus:
    case LatticeChoice::p_spin:
    case LatticeChoice::p_spin_regular:
    case LatticeChoice::plaquette_gauge:
      return 1;
    case LatticeChoice::triangular:
    case LatticeChoice::honeycomb:
    case LatticeChoice::kagome:
      return 2;
    case LatticeChoice::fcc:
    case LatticeChoice::bcc:
    case LatticeChoice::diamond:
    case LatticeChoice::pyrochlore:
      return 3;
    case LatticeChoice::hypercubic:
      break;
  }
  return std::clamp(dim, 1, Lattice::max_dim);
}

bool ModelConfig::has_positions() const {
  switch (lattice) {
    case LatticeChoice::graph:
      return !graph.planes.empty();
    case LatticeChoice::random_regular:
    case LatticeChoice::erdos_renyi:
    case LatticeChoice::complete:
    case LatticeChoice::bethe:
    case LatticeChoice::chimera:
    case LatticeChoice::pegasus:
    case LatticeChoice::p_spin:
    case LatticeChoice::p_spin_regular:
    case LatticeChoice::plaquette_gauge:
      return false;
    default:
      return true;
  }
}

Lattice ModelConfig::lattice_of(int size) const {
  if (is_graph(size)) return lattice_of_graph(*this, size);
  Lattice result{dim, size, 0, static_cast<LatticeKind>(lattice)};
  for (std::size_t axis = 0; axis < boundary.size(); ++axis) {
    if (boundary[axis] == AxisEnds::open) result.open |= 1U << axis;
  }
  const auto shape = std::ranges::find(shapes, size, &LatticeShape::longest);
  if (shape != shapes.end() && !shape->is_even_cube()) {
    std::ranges::copy(shape->lengths, result.lengths.begin());
  }
  if (size % 2 != 0 && shape == shapes.end()) std::fill_n(result.lengths.begin(), dim, size);
  return result;
}

std::optional<GraphRecipe> recipe_of(const ModelConfig& model, int L) {
  if (model.lattice == LatticeChoice::graph || !model.is_graph(L)) return std::nullopt;
  GraphRecipe recipe;
  recipe.kind = made_of(model.lattice);
  recipe.size = L;
  recipe.degree = model.graph.degree;
  recipe.sigma = model.graph.sigma;
  recipe.dim = model.dim;
  recipe.body = model.graph.body;
  const auto shape = std::ranges::find(model.shapes, L, &LatticeShape::longest);
  if (shape != model.shapes.end()) recipe.lengths = shape->lengths;
  for (const AxisEnds ends : model.boundary) recipe.open.push_back(ends == AxisEnds::open);
  return recipe;
}

std::shared_ptr<const GivenGraph> given_graph(const ModelConfig& model) {
  static SharedByName<GivenGraph> graphs;
  const std::filesystem::path& file = model.graph.file;
  const std::filesystem::path& positions = model.graph.positions;
  const std::string name = fmt::format("{}\n{}\n{}\n{}\n{}", file.string(), model.graph.digest, positions.string(),
                                       model.graph.positions_digest, fmt::join(model.graph.periods, " "));
  auto given = graphs.get(name, [&] {
    GivenGraph graph = read_graph_file(file);
    if (!positions.empty()) set_positions(positions, model.graph.periods, graph);
    return graph;
  });
  require_unchanged(file, given->digest, model.graph.digest);
  if (!positions.empty()) require_unchanged(positions, given->positions_digest, model.graph.positions_digest);
  return given;
}

std::shared_ptr<const GivenGraph> open_graph(ModelConfig& model) {
  std::shared_ptr<const GivenGraph> graph = given_graph(model);
  model.graph.digest = graph->digest;
  model.graph.bonds = graph->graph->couplings();
  model.graph.more_ends = graph->graph->more_ends();
  model.graph.positions_digest = graph->positions_digest;
  model.graph.planes.clear();
  for (const GraphAxis& axis : graph->graph->axes()) model.graph.planes.push_back(axis.planes);
  return graph;
}

std::string graph_couplings_text(const SiteGraph& graph, const std::vector<double>& couplings) {
  const bool has_terms = graph.terms().size() > 0;
  std::string text = fmt::format("# {} sites\n{}", graph.sites(), has_terms ? "# sites, then J\nterms\n" : "# i j J\n");
  for (std::size_t b = 0; b < graph.bonds().size(); ++b) {
    const GraphBond& bond = graph.bonds()[b];
    if (couplings[b] != 0.0) text += fmt::format("{} {} {}\n", bond.a, bond.b, couplings[b]);
  }
  for (std::int64_t t = 0; t < graph.terms().size(); ++t) {
    const double J = couplings[static_cast<std::size_t>(graph.place_of_term(t))];
    if (J != 0.0) text += fmt::format("{} {}\n", fmt::join(graph.terms()[t], " "), J);
  }
  return text;
}

GraphOfRealization graph_of(const Config& config, const Lattice& lattice, std::uint32_t realization) {
  const ModelConfig& model = config.model;
  if (model.lattice == LatticeChoice::graph) return {nullptr, given_graph(model)};
  static SharedByName<MadeGraphSample> graphs;
  const GraphRecipe recipe = recipe_of(model, lattice.L).value();
  const PhiloxKey key = lattice_key(config.campaign.seed, lattice);
  const std::uint32_t number = model.has_drawn_graphs() ? realization : 0;
  if (model.has_drawn_graphs())
    return {std::make_shared<const MadeGraphSample>(make_graph(recipe, key, number)), nullptr};
  return {graphs.get(fmt::format("{} {} {}", text_of(recipe), key.k0, key.k1),
                     [&] { return make_graph(recipe, key, number); }),
          nullptr};
}

}}  // namespace glassworks::engine
