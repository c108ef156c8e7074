#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/model_rules.hpp"
#include "kernels/core/lattice.hpp"
#include "kernels/core/site_graph.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace engine {

/// Lengths of a lattice along its axes, "16x16x64".
struct LatticeShape {
  std::vector<int> lengths;

  [[nodiscard]] int longest() const { return *std::max_element(lengths.begin(), lengths.end()); }
  /// Whether it is one of the lattices that model.L names.
  [[nodiscard]] bool is_even_cube() const {
    const auto as_first = [this](int length) { return length == lengths.front(); };
    return lengths.front() % 2 == 0 && std::all_of(lengths.begin(), lengths.end(), as_first);
  }
  bool operator==(const LatticeShape&) const = default;
};

/// Where the sites of a campaign stand: the lattices of LatticeKind, a graph that a file gives, or graphs made here
/// (engine/graphs/graph_recipe.hpp).
enum class LatticeChoice {
  hypercubic,
  triangular,
  fcc,
  bcc,
  graph,
  random_regular,
  erdos_renyi,
  power_law,
  power_law_complete,
  complete,
  bethe,
  honeycomb,
  kagome,
  diamond,
  pyrochlore,
  chimera,
  pegasus,
  p_spin,
  p_spin_regular,
  plaquette_gauge
};

/// Of the hypercubic lattice, whose dimensions above Lattice::max_dim are graphs.
constexpr int most_dim = 6;

/// Whether every realization has a graph of its own, of those that are drawn.
enum class GraphDraw { each, one };

/// How the lattice ends along an axis. antiperiodic: it closes, and J changes its sign where a bond crosses that end.
enum class AxisEnds { periodic, open, antiperiodic };

/// The numbers are part of stored checkpoints (origin): add new kinds at the end.
/// weights: those of a graph file with their signs changed, J = -w, as maximum cuts have them.
enum class CouplingKind { gaussian, bimodal, ferromagnet, file, files, weights };
enum class FieldKind { none, sphere, gaussian, box, file, constant };

class CouplingSamples;

/// Keys of lattices that are graphs.
struct GraphConfig {
  std::filesystem::path file;  ///< model.graph
  std::string digest;          ///< XXH3-128 of its bytes, set by load_config
  double degree = 0.0;         ///< z, or its mean
  double sigma = 0.0;          ///< of power laws
  int body = 0;                ///< p: spins of a term of p-spin
  GraphDraw draw = GraphDraw::each;
  std::int64_t bonds = 0, more_ends = 0;  ///< of the file, once it was read, as Lattice has them
  std::filesystem::path positions;        ///< model.positions
  std::string positions_digest;           ///< XXH3-128 of its bytes, set by load_config
  std::vector<double> periods;            ///< of the axes along which positions differ; empty or 0: what they span
  std::vector<int> planes;                ///< along each of these axes, once it was read
};

struct ModelConfig {
  SpinModel spins;  ///< what a site carries; its beta is 1/T, for phi4 T = 1/(2 kappa)
  LatticeChoice lattice = LatticeChoice::hypercubic;
  GraphConfig graph;
  int dim = 3;
  std::vector<int> L;                ///< edges of cubes; for prisms the longest edge, which labels the size
  std::vector<LatticeShape> shapes;  ///< of the sizes, in any order; empty: cubes
  std::vector<AxisEnds> boundary;    ///< of each axis; empty: all periodic
  CouplingKind couplings = CouplingKind::gaussian;
  double bimodal_p = 0.5;                ///< probability of J = +1
  double couplings_mean = 0.0;           ///< of gaussian couplings
  double bond_dilution = 0.0;            ///< probability that a bond is absent
  double site_dilution = 0.0;            ///< probability that a site is absent, with all its bonds
  double anisotropy = 0.0;               ///< D of -D (n_i . s_i)^2 with random axes n_i [J]
  std::filesystem::path couplings_file;  ///< of files: the folder
  FieldKind field = FieldKind::none;
  /// H has the components of the spins. |H| (sphere, constant), standard deviation of each component (gaussian), half
  /// width of each component (box) [J].
  double field_strength = 0.0;
  std::vector<double> field_direction;  ///< of a constant field, of any length; empty: along the last component
  std::filesystem::path field_file;
  /// XXH3-128 of the files' bytes, 32 hexadecimal digits, set by load_config: a campaign is tied to the content.
  std::string couplings_digest, field_digest;
  std::shared_ptr<const CouplingSamples> samples;  ///< digests of the files of kind files, once they were read

  /// The lattice of the size with label L (the longest edge; of graphs see GraphRecipe::size).
  [[nodiscard]] Lattice lattice_of(int L) const;
  /// Whether the kernels see a lattice (LatticeKind) in the size with label L, or a graph: lattices with an odd length
  /// along a closed axis, or of five and six dimensions, are graphs.
  [[nodiscard]] bool is_graph(int L) const;
  /// Whether a size is a graph.
  [[nodiscard]] bool has_graphs() const {
    return lattice >= LatticeChoice::graph || std::ranges::any_of(L, [this](int size) { return is_graph(size); });
  }
  /// Whether all sizes are hypercubic lattices for the kernels.
  [[nodiscard]] bool is_hypercubic() const { return lattice == LatticeChoice::hypercubic && !has_graphs(); }
  /// Axes along which sites have positions; of graphs at most those of a Lattice, and 1 where they have none.
  [[nodiscard]] int axes() const;
  /// Whether model.dim chooses among lattices of one name; others have one dimension, that of their axes.
  [[nodiscard]] bool has_dim() const {
    return lattice == LatticeChoice::hypercubic || lattice == LatticeChoice::plaquette_gauge;
  }
  /// Whether terms of p spins are drawn.
  [[nodiscard]] bool has_body() const {
    return lattice == LatticeChoice::p_spin || lattice == LatticeChoice::p_spin_regular;
  }
  /// Whether couplings are drawn and then multiplied by a factor of their bond.
  [[nodiscard]] bool has_weighted_bonds() const {
    return lattice == LatticeChoice::complete || lattice == LatticeChoice::power_law_complete;
  }
  /// Whether every realization has a graph of its own.
  [[nodiscard]] bool has_drawn_graphs() const {
    return graph.draw == GraphDraw::each &&
           (lattice == LatticeChoice::random_regular || lattice == LatticeChoice::erdos_renyi ||
            lattice == LatticeChoice::power_law || has_body());
  }
  /// Whether there is a smallest wave vector.
  [[nodiscard]] bool has_positions() const;
  [[nodiscard]] bool reads_couplings() const {
    return couplings == CouplingKind::file || couplings == CouplingKind::files || couplings == CouplingKind::weights;
  }
};

constexpr auto enum_names(LatticeChoice) {
  return std::to_array<std::string_view>({"hypercubic",
                                          "triangular",
                                          "fcc",
                                          "bcc",
                                          "graph",
                                          "random-regular",
                                          "erdos-renyi",
                                          "power-law",
                                          "power-law-complete",
                                          "complete",
                                          "bethe",
                                          "honeycomb",
                                          "kagome",
                                          "diamond",
                                          "pyrochlore",
                                          "chimera",
                                          "pegasus",
                                          "p-spin",
                                          "p-spin-regular",
                                          "plaquette-gauge"});
}
constexpr auto enum_names(GraphDraw) { return std::to_array<std::string_view>({"each", "one"}); }
constexpr auto enum_names(AxisEnds) { return std::to_array<std::string_view>({"periodic", "open", "antiperiodic"}); }
constexpr auto enum_names(CouplingKind) {
  return std::to_array<std::string_view>({"gaussian", "bimodal", "ferromagnet", "file", "files", "weights"});
}
constexpr auto enum_names(FieldKind) {
  return std::to_array<std::string_view>({"none", "sphere", "gaussian", "box", "file", "constant"});
}

/// A number that one model alone has.
struct ModelNumber {
  ModelKind kind;
  const char* key;
  double SpinModel::*value;
  const char* symbol;  ///< in texts
};
/// Those whose default is 0; lambda, q and n are older and stand by themselves.
constexpr ModelNumber model_numbers[] = {
    {ModelKind::blume_capel, "model.crystal_field", &SpinModel::crystal_field, "Delta"}};

/// Rows of the keys model.*; see KeyRows.
template <class Rows>
void model_keys(const Rows& rows) {
  const auto is_other_model = [](const auto& config) { return config.model.spins.kind != ModelKind::heisenberg; };
  const auto has_q = [](const auto& config) { return config.rules().has_q; };
  const auto has_n = [](const auto& config) { return config.rules().has_n; };
  const auto has_crystal_field = [](const auto& config) { return config.model.spins.kind == ModelKind::blume_capel; };
  const auto has_lambda = [](const auto& config) { return config.rules().has_lambda; };
  const auto has_another_lattice = [](const auto& config) { return config.model.lattice != LatticeChoice::hypercubic; };
  const auto has_other_ends = [](const auto& config) { return !config.model.boundary.empty(); };
  const auto has_shapes = [](const auto& config) { return !config.model.shapes.empty(); };
  const auto has_field_strength = [](const auto& config) { return config.has_field_strength(); };
  const auto has_direction = [](const auto& config) { return !config.model.field_direction.empty(); };
  const char* const digest = "32 hexadecimal digits";

  const auto spins = rows.in(&ModelConfig::spins);
  std::string models;
  for (const std::string_view name : enum_names(ModelKind{})) models.append(name).append(" | ");
  spins
      .choice("model.type", &SpinModel::kind,
              "what a site carries and how neighbours interact (manual page models); xy: on with n = 2")
      .with_values(models + "xy")
      .only_of(is_other_model);
  spins
      .number("model.q", {2, static_cast<double>(most_states())}, &SpinModel::states,
              "states q of a site; at most 20 of potts")
      .only_of(has_q);
  spins.number("model.n", {2, max_components}, &SpinModel::components, "components n of on").only_of(has_n);
  spins
      .number_or_inf("model.lambda", "0 to 1e6, or inf", &SpinModel::lambda, "lambda of phi4; inf: vectors of length 1")
      .only_of(has_lambda);
  spins
      .number("model.crystal_field", {-1e6, 1e6}, &SpinModel::crystal_field,
              "Delta of the energy Delta sum_i s_i^2 of blume-capel")
      .only_of(has_crystal_field);
  rows.choice("model.lattice", &ModelConfig::lattice,
              "which neighbours a site has (manual page graphs); others than hypercubic not of heisenberg")
      .only_of(has_another_lattice);
  const auto graph = rows.in(&ModelConfig::graph);
  graph
      .value("model.graph", "path", &GraphConfig::file,
             "file of a graph: lines `i j` or `i j J`, after a line `terms` any number of sites and J, and other forms")
      .file_path()
      .only_of([](const auto& config) { return config.model.lattice == LatticeChoice::graph; });
  graph.value("model.graph_digest", digest, &GraphConfig::digest, "content of the file of a graph")
      .file_content()
      .only_of([](const auto& config) { return config.model.lattice == LatticeChoice::graph; });
  const auto has_positions_file = [](const auto& config) { return !config.model.graph.positions.empty(); };
  graph
      .value("model.positions", "path", &GraphConfig::positions,
             "file of the positions of the sites of model.graph: lines `i x y z`; k_min and xi follow from them")
      .file_path()
      .only_of(has_positions_file);
  graph.value("model.positions_digest", digest, &GraphConfig::positions_digest, "content of the file of positions")
      .file_content()
      .only_of(has_positions_file);
  graph
      .value("model.periods", "list of numbers, one for each axis along which positions differ", &GraphConfig::periods,
             "lengths of closed axes; 0: what equally spaced positions span, and one distance more")
      .with_default("0")
      .only_of([](const auto& config) { return !config.model.graph.periods.empty(); });
  graph.value("model.planes", "list of numbers", &GraphConfig::planes, "planes of equal phase along each axis")
      .file_content()
      .only_of(has_positions_file);
  graph
      .number("model.degree", {0.0, 1e6}, &GraphConfig::degree,
              "neighbours z of a site of random-regular and bethe; their mean in erdos-renyi and power-law; terms of a "
              "site of p-spin-regular, their mean in p-spin")
      .only_of([](const auto& config) { return config.model.graph.degree != 0.0; });
  graph
      .number("model.body", {0, static_cast<double>(SiteGraph::max_term_sites)}, &GraphConfig::body,
              "spins p of a term of p-spin and p-spin-regular, from 3")
      .only_of([](const auto& config) { return config.model.graph.body != 0; });
  graph
      .number("model.sigma", {0.0, 100.0}, &GraphConfig::sigma,
              "sigma of power laws: bonds, or squared couplings, fall as r^(-2 sigma)")
      .only_of([](const auto& config) { return config.model.graph.sigma != 0.0; });
  graph
      .choice("model.graphs", &GraphConfig::draw,
              "whether each realization draws a graph, or one is drawn for all of a size")
      .only_of([](const auto& config) { return config.model.graph.draw != GraphDraw::each; });
  rows.number("model.dim", {1, most_dim}, &ModelConfig::dim,
              "dimension d of the lattice; 5 and 6 as graphs; of plaquette-gauge 2 to 6")
      .with_default("3; that of the lattice");
  rows.value(
          "model.L", "list of numbers from 3", &ModelConfig::L,
          "edge lengths (odd ones as graphs); at most 4096, 1024, 128, 32 in 1, 2, 3, 4 dimensions; of models other "
          "than heisenberg 1048576, 16384, 512, 96; of random-regular, erdos-renyi, power-law, complete and p-spin the "
          "number of sites, of bethe the generations; more may be added later")
      .sizes()
      .required_if(
          [](const auto& config) { return config.model.L.empty() && config.model.lattice != LatticeChoice::graph; })
      .with_default("required, unless model.shape or model.graph is given");
  rows.value("model.shape", "list of lengths, as 16x16x64", &ModelConfig::shapes,
             "lattices with a length of their own along each axis: even from 4 along closed axes, from 2 along open "
             "ones; the longest edge serves as the label L. Not of heisenberg (use on with n = 3)")
      .with_default("cubes of edge L")
      .only_of(has_shapes);
  rows.value("model.boundary", "periodic | open | antiperiodic; one for each axis, or one for all",
             &ModelConfig::boundary,
             "whether the lattice closes along an axis, has open ends, or closes with the sign of J changed for bonds "
             "across the end")
      .with_default("periodic")
      .only_of(has_other_ends);
  rows.choice("model.couplings", &ModelConfig::couplings,
              "couplings J: normal with variance 1, +-1, all 1, read from a file (of model.lattice = graph its own), "
              "or from "
              "one file for each realization; weights: J = -w of the file of a graph, so that ground states are "
              "maximum cuts")
      .with_default("gaussian; ferromagnet of potts and phi4; file where model.graph has them");
  rows.number("model.bimodal_p", {0.0, 1.0}, &ModelConfig::bimodal_p,
              "probability of J = +1 of bimodal couplings; 0: all -1, an antiferromagnet")
      .only_of([](const auto& config) { return config.model.bimodal_p != 0.5; });
  rows.number("model.couplings_mean", {-1000, 1000}, &ModelConfig::couplings_mean, "mean of gaussian couplings")
      .only_of([](const auto& config) { return config.model.couplings_mean != 0.0; });
  rows.number("model.bond_dilution", {0.0, 0.99}, &ModelConfig::bond_dilution,
              "probability that a bond is absent, each by itself")
      .only_of([](const auto& config) { return config.model.bond_dilution != 0.0; });
  rows.number("model.site_dilution", {0.0, 0.99}, &ModelConfig::site_dilution,
              "probability that a site is absent, each by itself, with its spin and all its bonds; with local updates, "
              "not of potts and phi4")
      .only_of([](const auto& config) { return config.model.site_dilution != 0.0; });
  rows.number(
          "model.anisotropy", {-1000, 1000}, &ModelConfig::anisotropy,
          "D of the energy -D sum_i (n_i . s_i)^2 with a random axis n_i of each site; heisenberg and on with local "
          "updates")
      .only_of([](const auto& config) { return config.model.anisotropy != 0.0; });
  rows.value("model.couplings_file", "path", &ModelConfig::couplings_file,
             "lines `site axis J`, site = x + L (y + L (z + ...)); bonds not listed are 0. Of files: the folder with "
             "L008-r000012.txt for realization 12 of L = 8, and so on")
      .file_path();
  rows.value("model.couplings_digest", digest, &ModelConfig::couplings_digest, "content of the couplings file")
      .file_content();
  rows.choice(
      "model.field", &ModelConfig::field,
      "fields H (local updates; not of phi4; of potts on state 0): the same at every site (constant), or drawn for "
      "each site with fixed length, normal or uniform components, or read from a file");
  rows.number("model.field_strength", {1e-6, 1e6, has_field_strength}, &ModelConfig::field_strength,
              "|H| (constant, sphere), standard deviation (gaussian) or half width (box) of each component");
  rows.value("model.field_direction", "list of numbers, one for each component", &ModelConfig::field_direction,
             "direction of a constant field; its length does not matter")
      .with_default("along the last component")
      .only_of(has_direction);
  rows.value("model.field_file", "path", &ModelConfig::field_file,
             "lines `site Hx Hy Hz`, as many components as a spin has; sites not listed have none")
      .file_path();
  rows.value("model.field_digest", digest, &ModelConfig::field_digest, "content of the field file").file_content();
}

}}  // namespace glassworks::engine
