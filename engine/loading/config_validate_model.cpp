#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/config/config_value.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/local_names.hpp"

namespace glassworks { inline namespace engine {
namespace {

std::string type_of(const Config& config) { return "model.type = " + write_value(config.model.spins.kind); }

/// What does not fit the model.
[[noreturn]] void refuse(const Config& config, const std::string& what, const char* why, const char* suggestion) {
  refuse_pair(what, type_of(config), why, suggestion);
}

void validate_heisenberg(const Config& config) {
  const bool in_equilibrium = !config.course.exists();  // validate_course looks at the others
  if (in_equilibrium && config.replicas.copies != 2 && config.replicas.copies != 4) {
    throw InputError(
        InputFault::out_of_range, "replicas.copies",
        fmt::format("replicas.copies = {} is not possible (overlaps are taken between 2 copies, the terms of "
                    "a field between 4). Use 2 or 4.",
                    config.replicas.copies));
  }
  const Protocol& p = config.protocol;
  if (p.kind != ProtocolKind::local) {
    refuse(config, "protocol.kind = " + write_value(p.kind), "its spins have local updates only",
           "Use model.type = on with model.n = 3 for cluster updates of Heisenberg spins");
  }
  if (p.isoenergetic != 0) {
    refuse(config, fmt::format("protocol.isoenergetic = {}", p.isoenergetic), "these moves are for ising",
           "Leave it out");
  }
  if (in_equilibrium && p.exchange == ExchangeSchedule::none) {
    refuse(config, "protocol.exchange = none", "its slots are coupled by exchanges",
           "Use one temperature, or another schedule");
  }
  if (p.overrelaxation == 0 && p.heatbath == 0) {
    throw InputError(InputFault::conflict, "protocol.overrelaxation, protocol.heatbath",
                     "protocol.overrelaxation and protocol.heatbath are both 0 (nothing would move). Set one of them.");
  }
}

/// Behind the name of a lattice that is a graph because of its lengths alone.
std::string odd_lengths(const ModelConfig& model) {
  return model.lattice == LatticeChoice::hypercubic && model.has_graphs() ? " with odd lengths" : "";
}

/// Lattices other than the hypercubic one.
void validate_lattice(const Config& config) {
  const ModelConfig& model = config.model;
  if (model.is_hypercubic()) return;
  const bool is_other = model.lattice != LatticeChoice::hypercubic;
  const std::string lattice = is_other                       ? "model.lattice = " + write_value(model.lattice)
                              : model.dim > Lattice::max_dim ? fmt::format("model.dim = {}", model.dim)
                                                             : "model.L = " + write_value(model.L);
  if (!model.has_dim() && model.dim != model.axes()) {
    throw InputError(InputFault::conflict, "model.dim",
                     fmt::format("model.dim = {} does not fit {} (its dimension is {}). Leave model.dim out.",
                                 model.dim, lattice, model.axes()));
  }
  if (!config.rules().other_lattices) {
    refuse(config, lattice,
           "its chiralities are those of the hypercubic lattice with even lengths in 1 to 4 dimensions",
           "Use model.type = on with model.n = 3");
  }
  if (has_free_modulus(model.spins) && model.has_graphs()) {
    refuse(config, lattice, "the size of its field is estimated for lattices with even lengths", "Use even lengths");
  }
  if (config.protocol.tile != 0) {
    throw InputError(InputFault::conflict, "protocol.tile",
                     fmt::format("protocol.tile = {} does not fit {} (tiles are for the hypercubic lattice). Leave it "
                                 "out.",
                                 config.protocol.tile, lattice));
  }
}

/// Lattices with a length of their own along each axis.
void validate_shapes(const Config& config) {
  const ModelConfig& model = config.model;
  if (model.shapes.empty()) return;
  const std::string shape = "model.shape = " + write_value(model.shapes);
  const Protocol& p = config.protocol;
  if (!config.rules().other_lattices) {
    refuse(config, shape, "its wave vectors are those of cubes", "Use model.type = on with model.n = 3");
  }
  if (model.lattice != LatticeChoice::hypercubic) {
    refuse_pair(shape, "model.lattice = " + write_value(model.lattice), "it is for the hypercubic lattice",
                "Leave one of them out");
  }
  if (p.tile != 0)
    refuse_pair(shape, fmt::format("protocol.tile = {}", p.tile), "tiles are for cubes", "Leave the tile out");
  if (p.kind == ProtocolKind::few_cluster) {
    refuse_pair(shape, cluster_setting(p), "its tiles are for cubes", "Use swendsen-wang or wolff");
  }
  if (p.multispin != MultispinRule::off) {
    refuse_pair(shape, multispin_setting(p), "it is for cubes", "Leave one of them out");
  }
  if ((config.round.observables & field_response) != 0) {
    refuse_pair(shape, "round.observables = field_response", "its wave vectors are those of cubes",
                "Leave one of them out");
  }
}

void validate_observables(const Config& config) {
  const LocalSelection others = config.round.observables & ~local_observables_of(config.model.spins);
  if (others != 0 && config.measures(BinQuantity::overlap_k)) {
    refuse(config, "round.observables = " + local_names(others).front(), "its bins have a form of their own",
           "Use model.type = on with model.n = 3");
  }
  if (others != 0) {
    refuse(config, "round.observables = " + local_names(others).front(), "it is not defined for this model",
           "Leave it out");
  }
  if ((config.round.observables & field_response) != 0 && config.replicas.copies != 4) {
    refuse_pair("round.observables = field_response", fmt::format("replicas.copies = {}", config.replicas.copies),
                "the terms are products of overlaps of four copies", "Set replicas.copies = 4, or leave it out");
  }
  if ((config.round.observables & chiral_response) != 0 && config.replicas.copies != 4) {
    refuse_pair("round.observables = chiral_response", fmt::format("replicas.copies = {}", config.replicas.copies),
                "the terms are products of overlaps of four copies", "Set replicas.copies = 4, or leave it out");
  }
  if ((config.round.observables & chiral_overlap) == 0) return;
  const std::string chirality = "round.observables = chiral_overlap";
  if (!config.model.is_hypercubic()) {
    refuse_pair(chirality, "model.lattice = " + write_value(config.model.lattice) + odd_lengths(config.model),
                "its plaquettes are those of the hypercubic lattice with even lengths", "Leave it out");
  }
  if (config.model.dim < 2) refuse_pair(chirality, "model.dim = 1", "a chain has no plaquettes", "Leave it out");
  if (config.replicas.copies < 2) {
    refuse_pair(chirality, fmt::format("replicas.copies = {}", config.replicas.copies),
                "it is the overlap of two copies", "Set replicas.copies = 2, or leave it out");
  }
}

/// Keys of a distribution of couplings that is not the chosen one.
void validate_disorder(const Config& config) {
  const ModelConfig& model = config.model;
  const auto only_for = [](const char* key, double value, CouplingKind kind) {
    throw InputError(InputFault::conflict, key,
                     fmt::format("{0} = {1} is given without use (it is for model.couplings = {2}). Remove it, or set "
                                 "model.couplings = {2}.",
                                 key, value, write_value(kind)));
  };
  if (model.bimodal_p != 0.5 && model.couplings != CouplingKind::bimodal) {
    only_for("model.bimodal_p", model.bimodal_p, CouplingKind::bimodal);
  }
  if (model.couplings_mean != 0.0 && model.couplings != CouplingKind::gaussian) {
    only_for("model.couplings_mean", model.couplings_mean, CouplingKind::gaussian);
  }
  const std::string dilution = fmt::format("model.bond_dilution = {}", model.bond_dilution);
  if (model.bond_dilution != 0.0 && !config.rules().couplings) {
    refuse(config, dilution, "its action has no couplings", "Leave it out");
  }
  if (model.bond_dilution != 0.0 && model.reads_couplings()) {
    refuse_pair(dilution, "model.couplings = " + write_value(model.couplings), "a file says which bonds are there",
                "Leave one of them out");
  }
}

void validate_couplings(const Config& config) {
  const CouplingKind couplings = config.model.couplings;
  if (!config.rules().couplings && couplings != CouplingKind::ferromagnet) {
    refuse(config, "model.couplings = " + write_value(couplings), "its action has no couplings", "Leave it out");
  }
  const bool of_both_signs = couplings == CouplingKind::gaussian || couplings == CouplingKind::bimodal;
  const bool has_clusters = config.protocol.kind != ProtocolKind::local;
  const bool needs_positive = facts_of(config.model.spins).cluster_move == ClusterMove::new_state && has_clusters;
  if (needs_positive && of_both_signs) {
    refuse(config, "model.couplings = " + write_value(config.model.couplings),
           "J < 0 has no cluster updates: unequal neighbours form no clusters",
           "Use protocol.kind = local, or ferromagnet, or file with J > 0");
  }
  const std::vector<AxisEnds>& ends = config.model.boundary;
  if (std::ranges::find(ends, AxisEnds::antiperiodic) == ends.end()) return;
  if (!config.rules().couplings || needs_positive) {
    refuse(config, "model.boundary = " + write_value(ends),
           "antiperiodic ends change the sign of J, and J < 0 has no cluster updates", "Use periodic or open");
  }
}

void validate_states(const Config& config) {
  const int q = config.model.spins.states, most = facts_of(config.model.spins).most_states;
  if (most == 0 || q <= most) return;
  throw InputError(InputFault::out_of_range, "model.q",
                   fmt::format("model.q = {} is out of range (2 to {} of {}). Choose a value in this range.", q, most,
                               write_value(config.model.spins.kind)));
}

void validate_phi4(const Config& config) {
  const double lambda = config.model.spins.lambda;
  if (std::isinf(lambda)) return;
  if (!(lambda >= 0.0 && lambda <= 1e6)) {
    throw InputError(
        InputFault::out_of_range, "model.lambda",
        fmt::format("model.lambda = {} is out of range (0 to 1e6, or inf). Choose a value in this range.", lambda));
  }
  if (config.protocol.heatbath == 0) {
    refuse(config, "protocol.heatbath = 0", "at finite lambda reflections of clusters leave every |phi| as it is",
           "Use 1 or more");
  }
  const double T = ladder_temperatures(config, 0).front();
  if (lambda == 0.0 && T <= config.model.dim) {
    throw InputError(
        InputFault::conflict, "T",
        fmt::format(
            "T = {} does not fit model.lambda = 0 (the free field is stable for kappa = 1/(2 T) < 1/(2 d), that "
            "is T > {}). Raise the temperature, or lambda.",
            T, config.model.dim));
  }
}

void validate_clusters(const Config& config) {
  const Protocol& p = config.protocol;
  if (p.kind == ProtocolKind::local && p.heatbath == 0) {
    throw InputError(
        InputFault::conflict, "protocol.heatbath",
        "protocol.heatbath = 0 leaves protocol.kind = local without updates (nothing would move: over-relaxation "
        "keeps the energy). Set it to 1, or choose cluster updates.");
  }
  if (p.isoenergetic > 0 && !facts_of(config.model.spins).isoenergetic) {
    refuse(config, fmt::format("protocol.isoenergetic = {}", p.isoenergetic),
           "these moves swap spins +-1 of two copies", "Use model.type = ising, or leave it out");
  }
  if (p.isoenergetic > 0 && config.replicas.copies < 2) {
    throw InputError(
        InputFault::conflict, "protocol.isoenergetic",
        fmt::format(
            "protocol.isoenergetic = {} needs two copies (it moves clusters between them). Set replicas.copies = "
            "2 or 4, or leave it out.",
            p.isoenergetic));
  }
  if (p.kind != ProtocolKind::few_cluster) return;
  if (!(p.p_flip > 0.0 && p.p_flip < 1.0)) {
    throw InputError(
        InputFault::out_of_range, "protocol.p_flip",
        fmt::format(
            "protocol.p_flip = {} is out of range (above 0 and below 1, since clusters that always move are not "
            "ergodic together). Choose a value in between.",
            p.p_flip));
  }
  for (const int L : config.model.L) {
    if (p.seed_tile >= 2 && L % p.seed_tile == 0) continue;
    throw InputError(
        InputFault::conflict, "protocol.seed_tile",
        fmt::format(
            "protocol.seed_tile = {} does not fit L = {} (a tile has an edge of 2 or more that divides L). Choose "
            "one that divides every size.",
            p.seed_tile, L));
  }
}

/// Lanes that are copies, each at its temperature with random numbers of its own.
void validate_copy_lanes(const Config& config) {
  const Protocol& p = config.protocol;
  const ModelConfig& model = config.model;
  if (p.lanes == MultispinLanes::realizations) return;
  const std::string key = "protocol.lanes = copies";
  if (p.multispin == MultispinRule::off) {
    throw InputError(InputFault::conflict, "protocol.lanes",
                     key +
                         " is given without use (it is for multi-spin coding). Set protocol.multispin = metropolis or "
                         "heat-bath.");
  }
  if (p.exchange != ExchangeSchedule::none) {
    refuse_pair(key, "protocol.exchange = " + write_value(p.exchange), "each word stays at its temperature",
                "Set protocol.exchange = none");
  }
  if (p.isoenergetic > 0) {
    refuse_pair(key, fmt::format("protocol.isoenergetic = {}", p.isoenergetic), "it makes copies depend on each other",
                "Leave it out");
  }
  if (model.field != FieldKind::none) {
    refuse_pair(key, "model.field = " + write_value(model.field), "its random numbers count bonds alone",
                "Set model.field = none");
  }
  if (model.bond_dilution != 0.0) {
    refuse_pair(key, fmt::format("model.bond_dilution = {}", model.bond_dilution),
                "its random numbers count bonds J and -J alone", "Leave one of them out");
  }
  if (std::ranges::find(model.boundary, AxisEnds::open) != model.boundary.end()) {
    refuse_pair(key, "model.boundary = open", "its random numbers count bonds J and -J alone", "Leave one of them out");
  }
}

/// Copies of models other than heisenberg.
void validate_copies(const Config& config) {
  const int copies = config.replicas.copies;
  if (config.course.exists() || copies == 1 || copies == 2 || copies == 4) return;  // see validate_course
  throw InputError(
      InputFault::out_of_range, "replicas.copies",
      fmt::format("replicas.copies = {} is not possible (one copy, or pairs of them for overlaps). Use 1, 2 or 4; a "
                  "course has up to 512.",
                  copies));
}

void validate_multispin(const Config& config) {
  const ModelConfig& model = config.model;
  const Protocol& p = config.protocol;
  if (p.multispin == MultispinRule::off) return;
  const std::string key = multispin_setting(p);
  if (model.spins.kind != ModelKind::ising) {
    refuse(config, key, "it is for spins +-1", "Leave it out, or use model.type = ising");
  }
  if (p.kind != ProtocolKind::local) {
    refuse_pair(key, p.moves.empty() ? cluster_setting(p) : write_value(p.kind), "it makes local updates",
                "Leave one of them out");
  }
  const bool graph = std::ranges::all_of(model.L, [&](int L) { return model.is_graph(L); });
  if (!model.is_hypercubic() && !(graph && p.lanes == MultispinLanes::realizations)) {
    refuse_pair(key, "model.lattice = " + write_value(model.lattice) + odd_lengths(model),
                "it is for the hypercubic lattice with even lengths, and for graphs with lanes = realizations",
                "Leave one of them out");
  }
  if (model.couplings == CouplingKind::gaussian) {
    refuse_pair(key, "model.couplings = gaussian", "it counts bonds, so all couplings are J, -J or 0",
                "Use model.couplings = bimodal, or leave it out");
  }
  if (model.field != FieldKind::none && model.field != FieldKind::constant) {
    refuse_pair(key, "model.field = " + write_value(model.field), "its fields must be the same at every site",
                "Use model.field = constant or none, or leave it out");
  }
}

void validate_other(const Config& config) {
  const ModelConfig& model = config.model;
  const Protocol& p = config.protocol;
  const std::string field = "model.field = " + write_value(model.field);
  if (model.field != FieldKind::none && !config.rules().fields) {
    refuse(config, field, "phi4 has no fields", "Set model.field = none");
  }
  if (p.kind != ProtocolKind::local && !config.rules().cluster_updates) {
    refuse(config, "protocol.kind = " + write_value(p.kind), "its spins have local updates only",
           "Use protocol.kind = local");
  }
  if (model.field != FieldKind::none && p.kind != ProtocolKind::local) {
    throw InputError(
        InputFault::conflict, "model.field",
        fmt::format("{} does not fit {} (clusters move as if there were no field). {}, or model.field = none.", field,
                    cluster_setting(p), local_moves_alone(p)));
  }
  validate_copies(config);
  if (p.overrelaxation != 0 && model.spins.is_discrete()) {
    refuse(config, fmt::format("protocol.overrelaxation = {}", p.overrelaxation),
           "over-relaxation is for vectors: heisenberg, on and phi4", "Leave it out");
  }
  if (p.tile != 0 && !config.rules().tiles) {
    refuse(config, fmt::format("protocol.tile = {}", p.tile), "tiles are for heisenberg and on", "Leave it out");
  }
  if (p.tile != 0 && p.kind != ProtocolKind::local) {
    throw InputError(
        InputFault::conflict, "protocol.tile",
        fmt::format("protocol.tile = {} does not fit {} (tiles order local sweeps). {}, or leave protocol.tile out.",
                    p.tile, cluster_setting(p), local_moves_alone(p)));
  }
  if (config.ladder.kind != LadderKind::list && config.ladder.slots.empty() &&
      (config.ladder.adapt == LadderAdaptation::none || p.exchange == ExchangeSchedule::none)) {
    refuse(config, "ladder.slots = auto",
           p.exchange == ExchangeSchedule::none
               ? "it is the number that exchanges need, and protocol.exchange is none"
               : "only pilots find the number: its specific heat is not known beforehand",
           p.exchange == ExchangeSchedule::none ? "Give the number of slots, or the temperatures"
                                                : "Set ladder.adapt = rejection, or give the number of slots");
  }
  if (config.ladder.adapt != LadderAdaptation::none && p.exchange == ExchangeSchedule::none) {
    throw InputError(InputFault::conflict, "ladder.adapt",
                     "ladder.adapt does not fit protocol.exchange = none (a ladder is adapted by its exchanges). Leave "
                     "one of them out.");
  }
  validate_states(config);
  validate_couplings(config);
  validate_multispin(config);
  validate_copy_lanes(config);
  if (config.rules().has_lambda) validate_phi4(config);
  validate_clusters(config);
}

}  // namespace

void validate_model(const Config& config) {
  validate_graph(config);
  validate_lattice(config);
  validate_shapes(config);
  validate_observables(config);
  validate_disorder(config);
  validate_sites(config);
  validate_site_update(config);
  if (config.model.spins.kind == ModelKind::heisenberg) {
    validate_heisenberg(config);
  } else {
    validate_other(config);
  }
}

}}  // namespace glassworks::engine
