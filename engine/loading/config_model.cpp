#include <fmt/format.h>

#include <algorithm>

#include "engine/config/config_value.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/core/addresses.hpp"

namespace glassworks { inline namespace engine {
namespace {

using Given = std::function<bool(const char*)>;

/// Clears a key that the campaign has no use for, with a note where the kind that decides so was given.
template <class T>
void clear(Config& config, const Given& given, const char* key, T& value, T unset, const char* kind_key,
           const char* wanted) {
  if (!given(key)) return;
  if (!given(kind_key)) {
    throw InputError(
        InputFault::conflict, key,
        fmt::format("{0} is given without use ({1} is not {2}). Remove it or set {1} = {2}.", key, kind_key, wanted));
  }
  config.notes.push_back(fmt::format("{} is not used (see {}).", key, kind_key));
  value = std::move(unset);
}

void clear_unused(Config& config, const Given& given) {
  const SpinModel unset;
  const Protocol protocol;
  SpinModel& spins = config.model.spins;
  const ModelRules& rules = config.rules();
  if (!rules.has_q) {
    clear(config, given, "model.q", spins.states, unset.states, "model.type", "potts");
  }
  if (!rules.has_n) {
    clear(config, given, "model.n", spins.components, unset.components, "model.type", "on");
  }
  for (const ModelNumber& number : model_numbers) {
    if (number.kind == spins.kind) continue;
    clear(config, given, number.key, spins.*number.value, unset.*number.value, "model.type",
          write_value(number.kind).c_str());
  }
  if (!rules.has_lambda) {
    clear(config, given, "model.lambda", spins.lambda, unset.lambda, "model.type", "phi4");
    clear(config, given, "ladder.kappas", config.ladder.kappas, {}, "model.type", "phi4");
  }
  Protocol& p = config.protocol;
  if (p.kind == ProtocolKind::local) {
    clear(config, given, "protocol.cluster_sweeps", p.cluster_sweeps, 0, "protocol.kind", "swendsen-wang");
  }
  if (p.kind != ProtocolKind::few_cluster && !p.moves.empty()) {
    for (const char* key : {"protocol.p_flip", "protocol.seed_tile"}) {
      if (!given(key)) continue;
      throw InputError(InputFault::conflict, key,
                       fmt::format("{} is given without use (protocol.moves has no few-cluster). Remove it.", key));
    }
  }
  if (p.kind != ProtocolKind::few_cluster) {
    clear(config, given, "protocol.p_flip", p.p_flip, protocol.p_flip, "protocol.kind", "few-cluster");
    clear(config, given, "protocol.seed_tile", p.seed_tile, protocol.seed_tile, "protocol.kind", "few-cluster");
  }
}

/// The dimension of a lattice that has one of its own.
void use_lattice(Config& config, const Given& given) {
  if (config.model.has_dim()) return;
  if (!given("model.dim")) config.model.dim = config.model.axes();
}

/// Dimension and sizes of shapes; those that are cubes alone need not be called shapes.
void use_shapes(Config& config, const Given& given) {
  ModelConfig& model = config.model;
  if (model.shapes.empty()) return;
  const std::string shapes = "model.shape = " + write_value(model.shapes);
  const auto dim = static_cast<int>(model.shapes.front().lengths.size());
  const auto has_dim = [dim](const LatticeShape& shape) { return std::ssize(shape.lengths) == dim; };
  if (!std::ranges::all_of(model.shapes, has_dim)) {
    throw InputError(InputFault::conflict, "model.shape",
                     shapes + " mixes dimensions (all sizes of a campaign have one). Give as many lengths for each.");
  }
  if (given("model.dim") && model.dim != dim) {
    throw InputError(InputFault::conflict, "model.shape",
                     fmt::format("{} does not fit model.dim = {} (it has {} lengths). Leave model.dim out.", shapes,
                                 model.dim, dim));
  }
  model.dim = dim;
  std::vector<int> L;
  for (const LatticeShape& shape : model.shapes) {
    if (std::ranges::find(L, shape.longest()) != L.end()) {
      throw InputError(InputFault::repeated, "model.shape",
                       fmt::format("{} has two sizes of L = {} (the longest edge serves as the label L). Put one of "
                                   "them into a campaign of its own.",
                                   shapes, shape.longest()));
    }
    L.push_back(shape.longest());
  }
  for (const int given_L : model.L) {
    if (std::ranges::find(L, given_L) != L.end()) continue;
    throw InputError(InputFault::conflict, "model.L",
                     fmt::format("model.L = {} does not fit {} (no shape has it as its longest edge). Leave model.L "
                                 "out.",
                                 given_L, shapes));
  }
  if (model.L.empty()) model.L = std::move(L);
  if (std::ranges::all_of(model.shapes, &LatticeShape::is_even_cube)) model.shapes.clear();
}

/// One entry for each axis, or none where all are periodic.
void use_boundary(Config& config) {
  std::vector<AxisEnds>& boundary = config.model.boundary;
  const int dim = config.model.dim;
  if (dim < 1 || dim > most_dim) return;  // refused later
  if (boundary.size() == 1) boundary.assign(static_cast<std::size_t>(dim), boundary.front());
  if (!boundary.empty() && boundary.size() != static_cast<std::size_t>(dim)) {
    throw InputError(
        InputFault::conflict, "model.boundary",
        fmt::format("model.boundary has {} entries (model.dim = {}). Give one for all axes, or one for each: x, y, ...",
                    boundary.size(), dim));
  }
  if (std::ranges::all_of(boundary, [](AxisEnds ends) { return ends == AxisEnds::periodic; })) boundary.clear();
}

/// T = 1/(2 kappa), ascending.
void use_kappas(Config& config, const Given& given) {
  LadderConfig& ladder = config.ladder;
  if (ladder.kappas.empty()) return;
  for (const char* key : {"ladder.kind", "ladder.temperatures", "ladder.T_min", "ladder.T_max", "ladder.slots"}) {
    if (!given(key)) continue;
    throw InputError(
        InputFault::conflict, "ladder.kappas",
        fmt::format("ladder.kappas and {} are both given (each kappa is a temperature, T = 1/(2 kappa)). Remove one.",
                    key));
  }
  std::sort(ladder.kappas.begin(), ladder.kappas.end(), std::greater<>());
  for (const double kappa : ladder.kappas) {
    if (!(kappa > 0.0)) {
      throw InputError(InputFault::out_of_range, "ladder.kappas",
                       fmt::format("ladder.kappas holds {} (kappa = 1/(2 T) is positive). Correct it.", kappa));
    }
    ladder.temperatures.push_back(1.0 / (2.0 * kappa));
  }
  ladder.kappas.clear();
}

/// Of the short form.
void set_sweeps(Config& config, const Given& given) {
  const ModelRules& rules = config.rules();
  Protocol& p = config.protocol;
  if (!p.moves.empty()) return;
  const bool clusters = p.kind != ProtocolKind::local;
  if (!given("protocol.overrelaxation")) p.overrelaxation = rules.overrelaxation;
  if (!given("protocol.cluster_sweeps")) p.cluster_sweeps = clusters ? 1 : 0;
  if (!given("protocol.heatbath")) p.heatbath = !clusters || has_free_modulus(config.model.spins) ? 1 : 0;
}

}  // namespace

std::uint32_t Config::realizations_per_group() const {
  const bool shares = protocol.multispin != MultispinRule::off && protocol.lanes == MultispinLanes::realizations;
  return shares ? multispin_group : 1;
}

void apply_model(Config& config, const Given& given) {
  use_moves(config, given);
  choose_adaptation(config, given);
  clear_unused(config, given);
  use_graph(config, given);
  use_lattice(config, given);
  use_shapes(config, given);
  use_boundary(config);
  const ModelRules& rules = config.rules();
  if (!given("model.couplings") && rules.ferromagnet && config.model.couplings_file.empty()) {
    config.model.couplings = CouplingKind::ferromagnet;
  }
  if (!given("replicas.copies")) config.replicas.copies = config.is_pure() ? rules.least_copies : 2;
  use_kappas(config, given);
  set_sweeps(config, given);
  use_course(config, given);
}

}}  // namespace glassworks::engine
